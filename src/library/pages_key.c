/* Hashes what pages are made from, and lists the files of pages that are there. */
#include "library/pages_key.h"

#include "core/file.h"
#include "core/text.h"
#include "io/dataset.h"
#include "io/mesh.h"
#include "render/portrait.h"
#include "run/record.h"
#include "studies/beyond.h"

#include <dirent.h>
#include <sys/stat.h>
#include <xxhash.h>

/* A hash of the sources, made by the Makefile. */
extern const char psb_data_code[];

typedef struct inputs {
    const psb_results *results;
    uint64_t sum;
    bool unsound;
} inputs;

/* Adds a file of the run. A sum of hashes does not depend on the order of the entries. */
static void add_output(void *context, const char *name, psb_output_state state,
                       const char *command PSB_UNUSED) {
    inputs *in = context;
    const psb_ledger_entry *entry = psb_ledger_find(&in->results->ledger, name);
    if (strncmp(name, "maps/", 5) == 0) {
        return; /* made for pages, and made anew with them */
    }
    bool paper = strncmp(name, "lists/", 6) == 0 || strcmp(name, "table6.txt") == 0;
    in->unsound = in->unsound || entry == NULL || paper || state != PSB_OUTPUT_OK;
    if (entry != NULL && strncmp(name, "report/", 7) != 0) {
        in->sum += XXH64(name, strlen(name), entry->stamp.hash);
    }
}

/* Hashes where a file is, its size and its time; 0 if it is not there. */
static uint64_t look(const psb_archive *archive, const char *path) {
    psb_stamp stamp;
    if (path == NULL || psb_stamp_look(archive, path, &stamp, NULL) != PSB_OK) {
        return 0;
    }
    const uint64_t parts[] = {stamp.size, (uint64_t)stamp.time};
    return XXH64(path, strlen(path), XXH64(parts, sizeof parts, 0));
}

/* Adds a model's file and what pages show of the files beside it. A model that may refer to other
 * files is not known by its own time. */
static psb_status add_model(const psb_archive *archive, const char *folder, const char *id,
                            uint64_t *key, bool *refers, psb_error *error) {
    PSB_FREED char *path = NULL;
    psb_status status = psb_dataset_find(archive, folder, id, &path, error);
    if (status == PSB_OK && path != NULL) {
        PSB_FREED char *info =
            psb_new_format(&status, error, "%.*s_info.txt", (int)psb_mesh_stem(path), path);
        PSB_FREED char *found = psb_portrait_found(&status, path, error);
        const uint64_t parts[] = {look(archive, path), look(archive, info), look(archive, found)};
        *key = XXH64(parts, sizeof parts, *key);
        *refers = *refers || psb_mesh_may_refer(path);
    }
    return status;
}

static psb_status add_models(const psb_pages_options *o, const psb_results *results, uint64_t *key,
                             psb_error *error) {
    PSB_AT_END(psb_cla_free) psb_classification cla = {.nmodels = 0};
    PSB_AT_END(psb_run_facts_free) psb_run_facts facts = {.ndescriptors = 0};
    psb_archive *archive = NULL;
    PSB_AT_END(psb_text_free) psb_text notes = {0};
    bool refers = false;
    psb_status status = psb_run_read_models(results, &cla, error);
    PSB_THEN(status, psb_run_read_facts(results, &facts, error));
    const char *folder = o->models != NULL ? o->models : facts.models_folder;
    if (status == PSB_OK && folder != NULL && o->thumbnails != PSB_THUMBNAILS_NONE) {
        *key = XXH64(folder, strlen(folder), *key);
        status = psb_archive_open(folder, &archive, &notes, error);
        for (size_t i = 0; i < cla.nmodels && status == PSB_OK; i++) {
            status = add_model(archive, folder, cla.models[i], key, &refers, error);
        }
    }
    *key = refers ? 0 : *key;
    psb_archive_close(archive);
    return status;
}

uint64_t psb_pages_key(const psb_context *psb, const psb_pages_options *o,
                       const psb_results *results) {
    inputs in = {.results = results};
    bool beyond = false;
    psb_error error;
    if (o->run == NULL || o->folder != NULL || o->nwith > 0 || o->since != NULL || o->verify ||
        psb->added.count > 0 || psb->units != NULL ||
        psb_beyond_is_there(o->run, &beyond, &error) != PSB_OK || beyond ||
        psb_results_each(results, psb->threads, add_output, &in, &error) != PSB_OK || in.unsound) {
        return 0;
    }
    const uint64_t parts[] = {in.sum, (uint64_t)o->thumbnails, o->paths};
    uint64_t key = XXH64(psb_data_code, strlen(psb_data_code), XXH64(parts, sizeof parts, 0));
    return add_models(o, results, &key, &error) == PSB_OK ? key : 0;
}

/* ---- the pages --------------------------------------------------------------------------- */

static psb_status add_files(const char *folder, uint64_t *sum, psb_error *error) {
    psb_status status = PSB_OK;
    const struct dirent *entry;
    DIR *dir = opendir(folder);
    while (dir != NULL && status == PSB_OK && (entry = readdir(dir)) != NULL) {
        PSB_FREED char *path = NULL;
        if (entry->d_name[0] == '.') {
            continue;
        }
        struct stat info = {0};
        status = psb_path_join(&path, folder, entry->d_name, error);
        /* A link to a folder is no page of ours, and may lead anywhere. */
        bool below = status == PSB_OK && lstat(path, &info) == 0 && S_ISDIR(info.st_mode);
        if (below) {
            status = add_files(path, sum, error);
        } else if (status == PSB_OK) {
            *sum += look(NULL, path);
        }
    }
    if (dir != NULL) {
        closedir(dir);
    }
    return status;
}

/* Returns what RUN/work/pages holds while RUN/report has the pages of this key; free *path. */
static psb_status expected(const char *run, uint64_t key, char text[32], char **path,
                           psb_error *error) {
    uint64_t sum = 0;
    psb_status status = PSB_OK;
    PSB_FREED char *folder = psb_new_format(&status, error, "%s/report", run);
    *path = psb_new_format(&status, error, "%s/work/pages", run);
    PSB_THEN(status, add_files(folder, &sum, error));
    snprintf(text, 32, "%016llx\n", (unsigned long long)XXH64(&sum, sizeof sum, key));
    return status;
}

psb_status psb_pages_are_current(const char *run, uint64_t key, bool *current, psb_error *error) {
    char text[32], *path = NULL;
    psb_status status = key != 0 ? expected(run, key, text, &path, error) : PSB_OK;
    *current = status == PSB_OK && key != 0 && psb_holds(path, text, strlen(text));
    free(path);
    return status;
}

psb_status psb_pages_keep_key(const char *run, uint64_t key, psb_error *error) {
    char text[32], *path = NULL;
    psb_status status = PSB_OK;
    PSB_FREED char *work = psb_new_format(&status, error, "%s/work", run);
    PSB_THEN(status, psb_make_folder(work, error));
    PSB_THEN(status, expected(run, key, text, &path, error));
    PSB_THEN(status, psb_write_file(path, text, strlen(text), error));
    free(path);
    return status;
}
