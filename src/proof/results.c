/* Compares outputs with the ledger. */
#include "proof/results.h"

#include "core/beneath.h"
#include "core/file.h"
#include "core/parallel.h"
#include "io/dataset.h"
#include "proof/folder.h"

#include <dirent.h>

static const struct {
    const char *name, *reason;
} states[] = {
    [PSB_OUTPUT_OK] = {"ok", "as the run left it"},
    [PSB_OUTPUT_STALE] = {"stale", "made from other models, classes or files than the last run's"},
    [PSB_OUTPUT_DAMAGED] = {"damaged", "not the bytes that the run wrote"},
    [PSB_OUTPUT_MISSING] = {"missing", "made by the run, but not there"},
    [PSB_OUTPUT_UNKNOWN] = {"unknown", "nothing says what it was made from"},
    [PSB_OUTPUT_NONE] = {"none", "the run made no such file"},
};

const char *psb_output_state_name(psb_output_state state) {
    return states[state].name;
}

psb_status psb_results_open(const char *run, bool whole, psb_results *results, psb_error *error) {
    *results = (psb_results){.whole = whole};
    if (!psb_is_folder(run)) {
        const char *slash = strrchr(run, '/');
        PSB_FREED char *of = slash != NULL ? strndup(run, (size_t)(slash - run)) : NULL;
        bool method = of != NULL && psb_is_run(of);
        return psb_fail_at(
            error, PSB_ERROR_IO, run, 0,
            method ? "no such folder: give the run, without a method"
                   : "no such folder; want that of a run, as `psbench run -o RUN` makes it");
    }
    psb_status status = psb_hold_folder(run, &results->held, error);
    PSB_THEN(status, psb_ledger_open(run, whole, &results->ledger, error));
    const psb_ledger *ledger = &results->ledger;
    bool models = psb_ledger_find(ledger, "models.cla") != NULL ||
                  psb_ledger_find(ledger, "generative.txt") != NULL;
    if (status == PSB_OK && (ledger->count == 0 || !models)) {
        status = ledger->list.classification != NULL
                     ? psb_run_fail_empty(run, error)
                     : psb_fail_at(error, PSB_ERROR_INPUT, run, 0,
                                   "no provenance.tsv proves its results: not the folder of a run, "
                                   "or an older one; repeat the run's command");
    }
    return status;
}

void psb_results_free(psb_results *results) {
    psb_let_go(results->held);
    results->held = 0;
    psb_ledger_free(&results->ledger);
}

/* The state of one file by itself. */
static psb_status look_alone(const psb_results *results, const char *name, psb_output_state *state,
                             psb_error *error) {
    const psb_ledger *ledger = &results->ledger;
    const psb_ledger_entry *entry = psb_ledger_find(ledger, name);
    char *path = NULL;
    bool there = false;
    psb_kept kept = PSB_KEPT_ABSENT;
    psb_status status = PSB_OK;
    if (entry == NULL) {
        status = psb_path_join(&path, ledger->run, name, error);
        PSB_THEN(status, psb_file_is_there(path, &there, error));
        free(path);
        *state = there ? PSB_OUTPUT_UNKNOWN : PSB_OUTPUT_NONE;
        return status;
    }
    bool pages = strncmp(name, "report/", 7) == 0;
    bool stale = entry->set != ledger->list.set || !psb_ledger_parts_hold(ledger, name) ||
                 (pages && entry->key != psb_ledger_digest(ledger));
    status = psb_ledger_look(ledger, entry, results->whole, &kept, error);
    *state = kept == PSB_KEPT_ABSENT    ? PSB_OUTPUT_MISSING
             : stale                    ? PSB_OUTPUT_STALE
             : kept == PSB_KEPT_CHANGED ? PSB_OUTPUT_DAMAGED
                                        : PSB_OUTPUT_OK;
    return status;
}

/* What says which models the rows and columns of a file are: names beside it, then the sets. */
static const char *const beside[] = {".ids", ".columns.ids", ".metric"};
static const char *const sets[] = {"models.cla",  "models.ids",  "queries.cla",
                                   "queries.ids", "targets.cla", "targets.ids"};
enum { BESIDE = sizeof beside / sizeof beside[0], SETS = sizeof sets / sizeof sets[0] };

psb_status psb_results_look(const psb_results *results, const char *name, psb_finding *found,
                            psb_error *error) {
    psb_status status = look_alone(results, name, &found->state, error);
    snprintf(found->reason, sizeof found->reason, "%s", states[found->state].reason);
    for (size_t k = 0; k < BESIDE + SETS; k++) {
        if (status != PSB_OK || found->state != PSB_OUTPUT_OK) {
            break;
        }
        psb_output_state state;
        PSB_FREED char *file =
            psb_new_format(&status, error, "%s%s", k < BESIDE ? name : sets[k - BESIDE],
                           k < BESIDE ? beside[k] : "");
        PSB_THEN(status, look_alone(results, file, &state, error));
        if (status == PSB_OK && state != PSB_OUTPUT_OK && state != PSB_OUTPUT_NONE) {
            found->state = state;
            snprintf(found->reason, sizeof found->reason, "%.200s, which describes it: %s",
                     psb_path_shown(file), states[state].reason);
        }
    }
    return status;
}

/* The error that a file is not as it should be; `path` as the caller knows it. */
static psb_status need(const psb_results *results, const char *name, const char *path,
                       bool unknown_passes, psb_error *error) {
    const psb_ledger *ledger = &results->ledger;
    psb_finding found;
    psb_status status = psb_results_look(results, name, &found, error);
    if (status != PSB_OK || found.state == PSB_OUTPUT_OK) {
        return status;
    }
    const psb_ledger_entry *entry = psb_ledger_find(ledger, name);
    if (entry == NULL && unknown_passes) {
        return PSB_OK;
    }
    const char *command = entry != NULL ? psb_ledger_command_of(ledger, entry) : NULL;
    return psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "%s%s%.200s", found.reason,
                       command != NULL ? "; to repair: " : "", command != NULL ? command : "");
}

psb_status psb_results_need(const psb_results *results, const char *name, psb_error *error) {
    PSB_FREED char *path = NULL;
    psb_status status = psb_path_join(&path, results->ledger.run, name, error);
    return PSB_THEN(status, need(results, name, path, false, error));
}

psb_status psb_results_fail_absent(const psb_results *results, bool features, const char *name,
                                   psb_error *error) {
    char nearest[PSB_NAME_NEAREST];
    PSB_AT_END(psb_text_free) psb_text known = {.data = NULL}, all = {.data = NULL};
    for (size_t i = 0; i < results->ledger.count; i++) {
        const char *file = results->ledger.entries[i].name, *dot = strrchr(file, '.');
        bool rows = strncmp(file, "features/", 9) == 0;
        if (dot != NULL && ((rows && strcmp(dot, ".npy") == 0) ||
                            (strncmp(file, "matrices/", 9) == 0 &&
                             (strcmp(dot, ".npy") == 0 || strcmp(dot, ".matrix") == 0)))) {
            PSB_FREED char *method = strndup(file + 9, (size_t)(dot - file) - 9);
            psb_text_list(&all, method != NULL ? method : "");
            if (rows == features) {
                psb_text_list(&known, method != NULL ? method : "");
            }
        }
    }
    bool any = known.length > 0 && !known.failed;
    bool near = all.length > 0 && !all.failed && psb_nearest_name(name, all.data, nearest) &&
                strcmp(nearest, name) != 0;
    psb_status status =
        psb_fail_at(error, PSB_ERROR_INPUT, results->ledger.run, 0,
                    "has no %s of '%.80s'%s%s%s; it has those of %.250s%s",
                    features ? "rows" : "distances", name, near ? " (did you mean " : "",
                    near ? nearest : "", near ? "?)" : "", any ? known.data : "no method",
                    near                          ? ""
                    : strpbrk(name, "./") != NULL ? "; nor is there such a file"
                                                  : "; its command with another -d adds to them");
    return status;
}

psb_status psb_results_find_model(const psb_results *results, const psb_classification *cla,
                                  const char *name, size_t *model, psb_error *error) {
    char nearest[PSB_NAME_NEAREST];
    PSB_AT_END(psb_text_free) psb_text known = {.data = NULL};
    for (*model = 0; *model < cla->nmodels && strcmp(cla->models[*model], name) != 0; ++*model) {
        psb_text_list(&known, cla->models[*model]);
    }
    bool near = !known.failed && known.length > 0 && psb_nearest_name(name, known.data, nearest);
    psb_status status =
        *model < cla->nmodels
            ? PSB_OK
            : psb_fail_at(error, PSB_ERROR_INPUT, name, 0, "%sno model of %s%s%s%s",
                          psb_is_file(name) ? "" : "no such file, and ", results->ledger.run,
                          near ? " (did you mean " : "", near ? nearest : "", near ? "?)" : "");
    return status;
}

/*
 * Opens the ledger that has the file: that of its folder, or of the folder above. *name, a part of
 * `path`, becomes the file's name in that run; NULL if there is no such ledger.
 */
static psb_status find_run(char *path, psb_results *results, const char **name, psb_error *error) {
    psb_status status = PSB_OK;
    char *end = path + strlen(path);
    *name = NULL;
    for (int level = 0; level < 2 && *name == NULL && status == PSB_OK; level++) {
        char *slash = memrchr(path, '/', (size_t)(end - path));
        if (slash == NULL) {
            break;
        }
        *slash = '\0';
        psb_ledger_free(&results->ledger);
        status =
            psb_ledger_open(slash > path ? path : "/", results->whole, &results->ledger, error);
        *name = status == PSB_OK && psb_ledger_find(&results->ledger, slash + 1) != NULL ? slash + 1
                                                                                         : NULL;
        *slash = '/';
        end = slash;
    }
    return status;
}

psb_status psb_results_of_file(const char *path, psb_results *results, char **name,
                               psb_error *error) {
    PSB_FREED char *real = realpath(path, NULL);
    const char *found = NULL;
    *name = NULL;
    /* That it cannot be opened, its reader says. */
    psb_status status = real != NULL ? find_run(real, results, &found, error) : PSB_OK;
    if (status == PSB_OK && found != NULL) {
        *name = psb_new_copy(&status, found, "a name", error);
    }
    return status;
}

int psb_results_before(const char *path, const char *name) {
    size_t length = strlen(path), end = strlen(name);
    return length >= end && strcmp(path + length - end, name) == 0 ? (int)(length - end) : 0;
}

psb_status psb_results_check_file(const char *path, bool whole, psb_error *error) {
    PSB_AT_END(psb_results_free) psb_results results = {.whole = whole};
    PSB_FREED char *name = NULL;
    psb_status status = psb_results_of_file(path, &results, &name, error);
    return PSB_THEN_IF(status, name != NULL, need(&results, name, path, true, error));
}

psb_status psb_results_read_cla(const char *path, psb_classification *cla, psb_error *error) {
    const psb_collection_options options = {.cla = path};
    PSB_AT_END(psb_listing_free) psb_listing listing = {0};
    psb_archive *none; /* a classification is in no archive */
    *cla = (psb_classification){0};
    psb_status status = psb_results_check_file(path, false, error);
    PSB_THEN(status, psb_dataset_list(&options, &none, cla, &listing, error));
    if (status != PSB_OK) {
        psb_cla_free(cla);
    }
    return status;
}

static int is_visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

/* The states of all entered outputs. */
typedef struct states_job {
    const psb_results *results;
    psb_output_state *state;
} states_job;

static psb_status look_at_entry(void *job, void *own PSB_UNUSED, size_t i, psb_error *error) {
    const states_job *j = job;
    return look_alone(j->results, j->results->ledger.entries[i].name, &j->state[i], error);
}

psb_status psb_results_each(const psb_results *results, int threads,
                            void (*each)(void *context, const char *name, psb_output_state state,
                                         const char *command),
                            void *context, psb_error *error) {
    static const char *const folders[] = {"features", "matrices", "scores"};
    const psb_ledger *ledger = &results->ledger;
    psb_status status = PSB_OK;
    states_job job = {results, psb_new(&status, ledger->count, sizeof *job.state,
                                       "the states of outputs", error)};
    const psb_loop loop = {
        .count = ledger->count, .threads = threads, .item = look_at_entry, .job = &job};
    PSB_THEN(status, psb_parallel(&loop, error));
    for (size_t i = 0; i < ledger->count && status == PSB_OK; i++) {
        each(context, ledger->entries[i].name, job.state[i],
             psb_ledger_command_of(ledger, &ledger->entries[i]));
    }
    free(job.state);
    for (size_t f = 0; f < sizeof folders / sizeof folders[0] && status == PSB_OK; f++) {
        PSB_FREED char *path = NULL;
        PSB_FREED struct dirent **entries = NULL;
        status = psb_path_join(&path, ledger->run, folders[f], error);
        int count = status == PSB_OK ? scandir(path, &entries, is_visible, alphasort) : 0;
        for (int i = 0; i < count; i++) {
            char *name;
            PSB_THEN(status, psb_path_join(&name, folders[f], entries[i]->d_name, error));
            if (status == PSB_OK && psb_ledger_find(ledger, name) == NULL) {
                each(context, name, PSB_OUTPUT_UNKNOWN, NULL);
            }
            if (status == PSB_OK) {
                free(name);
            }
            free(entries[i]);
        }
    }
    return status;
}

psb_status psb_results_enter(const char *run, const char *const *names, const uint64_t *keys,
                             size_t count, const char *command_line, psb_error *error) {
    PSB_AT_END(psb_ledger_free) psb_ledger ledger = {0};
    PSB_AT_END(psb_lock_release) psb_lock lock = PSB_LOCK_NONE;
    psb_status status = psb_run_folder_open(run, NULL, &lock, error);
    PSB_THEN(status, psb_ledger_open(run, false, &ledger, error));
    if (status == PSB_OK && ledger.list.classification != NULL) {
        status = psb_ledger_begin(&ledger, &ledger.list, command_line, error);
        for (size_t i = 0; i < count && status == PSB_OK; i++) {
            uint64_t key = keys != NULL ? keys[i] : 0;
            status = psb_ledger_enter(&ledger, names[i], key, 0, 0, error);
        }
        PSB_THEN(status, psb_ledger_write(&ledger, error));
    }
    return status;
}

psb_status psb_results_save(const char *run, const char *name, const psb_text *text,
                            const char *command_line, psb_error *error) {
    PSB_FREED char *path = NULL;
    psb_status status = psb_text_status(text, error);
    PSB_THEN(status, psb_path_join(&path, run, name, error));
    PSB_THEN(status, psb_write_file(path, text->data, text->length, error));
    return PSB_THEN(status, psb_results_enter(run, &name, NULL, 1, command_line, error));
}
