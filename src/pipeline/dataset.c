/* Finding models before any work starts. */
#include "pipeline/dataset.h"

#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/number.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

enum { NAMED_IN_ERROR = 5 };

/* The candidate file names of one model, in the order in which they are tried. */
enum { LAYOUTS = 3 };

static void candidate(int layout, const char *folder, const char *id, psb_text *path) {
    int64_t number;
    psb_text_printf(path, "%s/", folder);
    switch (layout) {
    case 0: /* the benchmark's own, for ids that are numbers */
        if (psb_parse_int64(id, &number) && number >= 0) {
            psb_text_printf(path, "%lld/m%s/", (long long)(number / 100), id);
        }
        psb_text_printf(path, "m%s.off", id);
        break;
    case 1:
        psb_text_printf(path, "m%s.off", id);
        break;
    default:
        psb_text_printf(path, "%s.off", id);
        break;
    }
}

psb_status psb_dataset_find(const char *folder, const char *id, char **path, psb_error *error) {
    *path = NULL;
    for (int layout = 0; layout < LAYOUTS; layout++) {
        psb_text name = {0};
        candidate(layout, folder, id, &name);
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
        error, PSB_ERROR_IO, cla_path, 0,
        "%zu of %zu models have no file below %s: %s (--skip-missing leaves them out)",
        dataset->nmissing, dataset->listed, folder, names.data != NULL ? names.data : "");
    psb_text_free(&names);
    return status;
}

/* Fills paths and missing for every model that is listed. */
static psb_status find_all(psb_dataset *dataset, const char *folder, psb_error *error) {
    void *paths, *missing;
    psb_status status =
        psb_alloc_zero(&paths, dataset->listed, sizeof *dataset->paths, "model paths", error);
    dataset->paths = paths;
    if (status == PSB_OK) {
        status =
            psb_alloc_zero(&missing, dataset->listed, sizeof *dataset->missing, "model ids", error);
        dataset->missing = missing;
    }
    for (size_t i = 0; i < dataset->listed && status == PSB_OK; i++) {
        const char *id = dataset->cla.models[i];
        status = psb_dataset_find(folder, id, &dataset->paths[i], error);
        if (status == PSB_OK && dataset->paths[i] == NULL) {
            char *copy = strdup(id);
            if (copy == NULL) {
                status = psb_fail_memory(error, "a model's id", strlen(id));
            } else {
                dataset->missing[dataset->nmissing++] = copy;
            }
        }
    }
    return status;
}

static psb_status drop_missing(psb_dataset *dataset, psb_error *error) {
    void *memory;
    psb_status status = psb_alloc(&memory, dataset->listed, sizeof(bool), "models in use", error);
    if (status != PSB_OK) {
        return status;
    }
    bool *keep = memory;
    for (size_t i = 0; i < dataset->listed; i++) {
        keep[i] = dataset->paths[i] != NULL;
    }
    status = psb_dataset_keep(dataset, keep, error);
    free(keep);
    return status;
}

psb_status psb_dataset_open(const char *cla_path, const char *folder, bool skip_missing,
                            psb_dataset *dataset, psb_error *error) {
    memset(dataset, 0, sizeof *dataset);
    psb_status status = psb_cla_read(cla_path, &dataset->cla, error);
    if (status != PSB_OK) {
        return status;
    }
    dataset->listed = dataset->cla.nmodels;
    if (!psb_is_folder(folder)) {
        status = psb_fail_at(error, PSB_ERROR_IO, folder, 0, "not a folder of models");
    }
    if (status == PSB_OK) {
        status = find_all(dataset, folder, error);
    }
    if (status == PSB_OK && dataset->nmissing == dataset->listed) {
        status = psb_fail_at(error, PSB_ERROR_IO, cla_path, 0,
                             "none of the %zu models has a file below %s", dataset->listed, folder);
    }
    if (status == PSB_OK && dataset->nmissing > 0) {
        status = skip_missing ? drop_missing(dataset, error)
                              : fail_missing(dataset, cla_path, folder, error);
    }
    if (status != PSB_OK) {
        psb_dataset_free(dataset);
    }
    return status;
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
