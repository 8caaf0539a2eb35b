/* Finding models before any work starts. */
#include "pipeline/dataset.h"

#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/text.h"
#include "io/mesh.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { NAMED_IN_ERROR = 5 };

/* The candidate file names of one model, in the order in which they are tried. */
enum { LAYOUTS = 3 };

/* How an ending may be written, as sets of its first three letters that are large. */
static const unsigned spellings[] = {0, 7, 1};
enum { SPELLINGS = sizeof spellings / sizeof spellings[0] };

static void spell(const char *ending, unsigned large, char out[16]) {
    snprintf(out, 16, "%s", ending);
    for (int k = 0; k < 3 && out[k] != '\0'; k++) {
        out[k] = large >> k & 1 ? (char)toupper((unsigned char)out[k]) : out[k];
    }
}

static void candidate(int layout, const char *folder, const char *id, const char *ending,
                      psb_text *path) {
    int64_t number;
    psb_text_printf(path, "%s/", folder);
    switch (layout) {
    case 0: /* the benchmark's own, for ids that are numbers */
        if (psb_parse_int64(id, &number) && number >= 0) {
            psb_text_printf(path, "%lld/m%s/", (long long)(number / 100), id);
        }
        psb_text_printf(path, "m%s.%s", id, ending);
        break;
    case 1:
        psb_text_printf(path, "m%s.%s", id, ending);
        break;
    default:
        psb_text_printf(path, "%s.%s", id, ending);
        break;
    }
}

psb_status psb_dataset_find(const char *folder, const char *id, char **path, psb_error *error) {
    *path = NULL;
    const char *ending;
    for (size_t i = 0; (ending = psb_mesh_ending_at(i / LAYOUTS / SPELLINGS)) != NULL; i++) {
        psb_text name = {0};
        char spelled[16];
        spell(ending, spellings[i % SPELLINGS], spelled);
        candidate((int)(i / SPELLINGS % LAYOUTS), folder, id, spelled, &name);
        psb_status status = psb_text_status(&name, error);
        if (status != PSB_OK) {
            psb_text_free(&name);
            return status;
        }
        if (psb_is_file(name.data)) {
            *path = name.data;
            return PSB_OK;
        }
        psb_text_free(&name);
    }
    return PSB_OK;
}

static psb_status fail_missing(const psb_dataset *dataset, const char *cla_path, const char *folder,
                               psb_error *error) {
    psb_text names = {0};
    for (size_t i = 0; i < dataset->nmissing && i < NAMED_IN_ERROR; i++) {
        psb_text_printf(&names, "%s%.40s", i > 0 ? ", " : "", dataset->missing[i]);
    }
    if (dataset->nmissing > NAMED_IN_ERROR) {
        psb_text_add(&names, ", ...");
    }
    psb_status status = psb_fail_at(
        error, PSB_ERROR_IO, cla_path, 0, "%zu of %zu models have no file below %s: %s",
        dataset->nmissing, dataset->listed, folder, names.data != NULL ? names.data : "");
    psb_text_free(&names);
    return status;
}

static psb_status fail_none(const psb_dataset *dataset, const char *cla_path, const char *folder,
                            psb_error *error) {
    psb_text tried = {0};
    for (int layout = 0; layout < LAYOUTS; layout++) {
        psb_text_add(&tried, layout > 0 ? ", " : "");
        candidate(layout, folder, dataset->missing[0], psb_mesh_ending_at(0), &tried);
    }
    psb_status status = psb_fail_at(error, PSB_ERROR_IO, cla_path, 0,
                                    "none of the %zu models has a file below %s; tried for the "
                                    "first: %s",
                                    dataset->listed, folder, tried.failed ? "" : tried.data);
    psb_text_free(&tried);
    return status;
}

/* Fills paths and missing for every model that is listed. */
static psb_status find_all(psb_dataset *dataset, const char *folder, psb_error *error) {
    psb_status status = PSB_OK;
    size_t n = dataset->listed;
    dataset->paths = psb_new_zero(&status, n, sizeof *dataset->paths, "model paths", error);
    dataset->missing = psb_new_zero(&status, n, sizeof *dataset->missing, "model ids", error);
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        const char *id = dataset->cla.models[i];
        status = psb_dataset_find(folder, id, &dataset->paths[i], error);
        if (status == PSB_OK && dataset->paths[i] == NULL) {
            dataset->missing[dataset->nmissing++] =
                psb_new_text(&status, id, strlen(id), "a model's id", error);
        }
    }
    return status;
}

static psb_status drop_missing(psb_dataset *dataset, psb_error *error) {
    psb_status status = PSB_OK;
    bool *keep = psb_new(&status, dataset->listed, sizeof *keep, "models in use", error);
    for (size_t i = 0; i < dataset->listed && status == PSB_OK; i++) {
        keep[i] = dataset->paths[i] != NULL;
    }
    PSB_THEN(status, psb_dataset_keep(dataset, keep, error));
    free(keep);
    return status;
}

static uint64_t hash_list(const psb_classification *cla) {
    uint64_t hash = 0;
    for (size_t c = 0; c < cla->nclasses; c++) {
        const psb_class *class = &cla->classes[c];
        hash = XXH64(class->full_name, strlen(class->full_name) + 1, hash);
        hash = XXH64(&class->count, sizeof class->count, hash);
    }
    for (size_t i = 0; i < cla->nmodels; i++) {
        hash = XXH64(cla->models[i], strlen(cla->models[i]) + 1, hash);
    }
    return hash;
}

psb_status psb_dataset_open(const char *cla_path, const char *folder, bool skip_missing,
                            psb_dataset *dataset, psb_error *error) {
    memset(dataset, 0, sizeof *dataset);
    psb_status status = psb_cla_read(cla_path, &dataset->cla, error);
    if (status != PSB_OK) {
        return status;
    }
    dataset->listed = dataset->cla.nmodels;
    dataset->list = hash_list(&dataset->cla);
    if (!psb_is_folder(folder)) {
        status = psb_fail_at(error, PSB_ERROR_IO, folder, 0, "not a folder of models");
    }
    PSB_THEN(status, find_all(dataset, folder, error));
    if (status == PSB_OK && dataset->nmissing == dataset->listed) {
        status = fail_none(dataset, cla_path, folder, error);
    }
    if (status == PSB_OK && dataset->nmissing > 0) {
        status = skip_missing ? drop_missing(dataset, error)
                              : fail_missing(dataset, cla_path, folder, error);
    }
    return status;
}

void psb_dataset_turn(psb_dataset *dataset, const uint64_t *seed) {
    dataset->turn = seed;
    dataset->list = XXH64(seed, sizeof *seed, dataset->list);
}

psb_status psb_dataset_keep(psb_dataset *dataset, const bool *keep, psb_error *error) {
    psb_classification subset;
    psb_status status = psb_cla_subset(&dataset->cla, keep, &subset, error);
    if (status != PSB_OK) {
        return status;
    }
    size_t used = 0;
    for (size_t i = 0; i < dataset->cla.nmodels; i++) {
        if (keep[i]) {
            dataset->paths[used++] = dataset->paths[i];
        } else {
            free(dataset->paths[i]);
        }
    }
    psb_cla_free(&dataset->cla);
    dataset->cla = subset;
    return PSB_OK;
}

void psb_dataset_free(psb_dataset *dataset) {
    for (size_t i = 0; dataset->paths != NULL && i < dataset->cla.nmodels; i++) {
        free(dataset->paths[i]);
    }
    for (size_t i = 0; i < dataset->nmissing; i++) {
        free(dataset->missing[i]);
    }
    free(dataset->paths);
    free(dataset->missing);
    psb_cla_free(&dataset->cla);
    memset(dataset, 0, sizeof *dataset);
}
