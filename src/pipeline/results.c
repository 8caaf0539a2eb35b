/* Judges outputs by the ledger. */
#include "pipeline/results.h"

#include "core/file.h"
#include "pipeline/run_folder.h"

#include <dirent.h>
#include <string.h>

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

const char *psb_output_state_reason(psb_output_state state) {
    return states[state].reason;
}

psb_status psb_results_open(const char *run, bool whole, psb_results *results, psb_error *error) {
    *results = (psb_results){.whole = whole};
    if (!psb_is_folder(run)) {
        return psb_fail_at(error, PSB_ERROR_IO, run, 0, "no such folder");
    }
    psb_status status = psb_ledger_open(run, whole, &results->ledger, error);
    const psb_ledger *ledger = &results->ledger;
    bool models = ledger->older || psb_ledger_find(ledger, "models.cla") != NULL ||
                  psb_ledger_find(ledger, "generative.txt") != NULL;
    if (status == PSB_OK && (ledger->count == 0 || !models)) {
        status = psb_fail_at(error, PSB_ERROR_INPUT, run, 0,
                             ledger->list.classification != NULL
                                 ? "no results yet: the run's command, given again, goes on"
                                 : "no provenance.tsv proves its results: not the folder of a run, "
                                   "or an older one; the run's command, given again, makes it");
    }
    return status;
}

void psb_results_free(psb_results *results) {
    psb_ledger_free(&results->ledger);
}

static bool is_there(const char *run, const char *name) {
    char *path;
    bool there = psb_path_join(&path, run, name, NULL) == PSB_OK && psb_is_file(path);
    free(path);
    return there;
}

psb_output_state psb_results_state(const psb_results *results, const char *name) {
    const psb_ledger *ledger = &results->ledger;
    const psb_ledger_entry *entry = psb_ledger_find(ledger, name);
    if (entry == NULL) {
        return is_there(ledger->run, name) ? PSB_OUTPUT_UNKNOWN : PSB_OUTPUT_NONE;
    }
    if (!is_there(ledger->run, name)) {
        return PSB_OUTPUT_MISSING;
    }
    bool pages = strncmp(name, "report/", 7) == 0;
    if (entry->set != ledger->list.set || !psb_ledger_parts_hold(ledger, name) ||
        (pages && entry->key != psb_ledger_digest(ledger))) {
        return PSB_OUTPUT_STALE;
    }
    return psb_ledger_holds(ledger, entry, results->whole) ? PSB_OUTPUT_OK : PSB_OUTPUT_DAMAGED;
}

/* The error that a file is not as it should be; `path` as the caller knows it. */
static psb_status need(const psb_results *results, const char *name, const char *path,
                       bool unknown_passes, psb_error *error) {
    const psb_ledger *ledger = &results->ledger;
    psb_output_state state = psb_results_state(results, name);
    if (state == PSB_OUTPUT_OK || (state >= PSB_OUTPUT_UNKNOWN && unknown_passes)) {
        return PSB_OK;
    }
    const psb_ledger_entry *entry = psb_ledger_find(ledger, name);
    const char *command = entry != NULL ? psb_ledger_command_of(ledger, entry) : NULL;
    return psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "%s%s%.200s",
                       psb_output_state_reason(state), command != NULL ? "; to mend: " : "",
                       command != NULL ? command : "");
}

psb_status psb_results_need(const psb_results *results, const char *name, psb_error *error) {
    char *path;
    psb_status status = psb_path_join(&path, results->ledger.run, name, error);
    PSB_THEN(status, need(results, name, path, results->ledger.older, error));
    free(path);
    return status;
}

psb_status psb_results_fail_matrix(const psb_results *results, const char *name, psb_error *error) {
    static const char folder[] = "matrices/";
    const size_t begin = sizeof folder - 1;
    psb_text known = {.data = NULL};
    for (size_t i = 0; i < results->ledger.count; i++) {
        const char *file = results->ledger.entries[i].name, *dot = strrchr(file, '.');
        if (strncmp(file, folder, begin) == 0 && dot != NULL && strcmp(dot, ".matrix") == 0) {
            psb_text_add(&known, known.length > 0 ? ", " : "");
            psb_text_add_bytes(&known, file + begin, (size_t)(dot - file) - begin);
        }
    }
    psb_status status = psb_fail_at(error, PSB_ERROR_INPUT, results->ledger.run, 0,
                                    "has no matrix '%.80s'; it has %.250s", name,
                                    known.length > 0 && !known.failed ? known.data : "none");
    psb_text_free(&known);
    return status;
}

/* Cuts FOLDER/x/FILE behind the folder and returns "x/FILE"; NULL for a path that is too short. */
static char *cut_name(char *path) {
    char *name = NULL, *slash = strrchr(path, '/');
    if (slash != NULL && slash > path) {
        *slash = '\0';
        name = strrchr(path, '/');
        *slash = '/';
    }
    if (name != NULL) {
        *name++ = '\0';
    }
    return name;
}

psb_status psb_results_check_file(const char *path, bool whole, psb_error *error) {
    char *run = realpath(path, NULL), *name = run != NULL ? cut_name(run) : NULL;
    if (name == NULL) { /* that it cannot be opened, its reader says */
        free(run);
        return PSB_OK;
    }
    psb_results results = {.whole = whole};
    psb_text cla = {0};
    psb_status status = psb_ledger_open(run[0] != '\0' ? run : "/", whole, &results.ledger, error);
    if (status == PSB_OK && psb_ledger_find(&results.ledger, name) != NULL) {
        /* In messages as the caller writes it, where that is the same folder. */
        size_t length = strlen(path), below = strlen(name);
        if (length >= below && strcmp(path + length - below, name) == 0) {
            psb_text_printf(&cla, "%.*smodels.cla", (int)(length - below), path);
        } else {
            psb_text_printf(&cla, "%s/models.cla", run);
        }
        status = psb_text_status(&cla, error);
        PSB_THEN(status, need(&results, "models.cla", cla.data, true, error));
        PSB_THEN(status, need(&results, name, path, true, error));
    }
    psb_results_free(&results);
    psb_text_free(&cla);
    free(run);
    return status;
}

static int is_visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

psb_status psb_results_each(const psb_results *results,
                            void (*each)(void *context, const char *name, psb_output_state state,
                                         const char *command),
                            void *context, psb_error *error) {
    static const char *const folders[] = {"features", "matrices", "scores"};
    const psb_ledger *ledger = &results->ledger;
    psb_status status = PSB_OK;
    for (size_t i = 0; i < ledger->count; i++) {
        const char *name = ledger->entries[i].name;
        each(context, name, psb_results_state(results, name),
             psb_ledger_command_of(ledger, &ledger->entries[i]));
    }
    for (size_t f = 0; f < sizeof folders / sizeof folders[0] && status == PSB_OK; f++) {
        char *path;
        struct dirent **entries = NULL;
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
        free(entries);
        free(path);
    }
    return status;
}

psb_status psb_results_enter(const char *run, const char *const *names, size_t count, uint64_t key,
                             const char *command_line, psb_error *error) {
    psb_ledger ledger = {0};
    psb_lock lock;
    psb_status status = psb_run_folder_open(run, NULL, &lock, error);
    PSB_THEN(status, psb_ledger_open(run, false, &ledger, error));
    /* An older run's ledger stays as it is. */
    if (status == PSB_OK && !ledger.older && ledger.list.classification != NULL) {
        status = psb_ledger_begin(&ledger, &ledger.list, command_line, error);
        for (size_t i = 0; i < count && status == PSB_OK; i++) {
            status = psb_ledger_enter(&ledger, names[i], key, 0, 0, error);
        }
        PSB_THEN(status, psb_ledger_write(&ledger, error));
    }
    psb_ledger_free(&ledger);
    psb_lock_release(&lock);
    return status;
}

psb_status psb_results_save(const char *run, const char *name, const psb_text *text,
                            const char *command_line, psb_error *error) {
    char *path = NULL;
    psb_status status = psb_text_status(text, error);
    PSB_THEN(status, psb_path_join(&path, run, name, error));
    PSB_THEN(status, psb_write_file(path, text->data, text->length, error));
    PSB_THEN(status, psb_results_enter(run, &name, 1, 0, command_line, error));
    free(path);
    return status;
}
