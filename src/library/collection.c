/* Collections: the data set of a classification, or files without one. */
#include "core/error.h"
#include "core/memory.h"
#include "library/parts.h"

#include <stdlib.h>
#include <string.h>

static char *copy(psb_status *status, const char *text, psb_error *error) {
    return psb_new_text(status, text, strlen(text), "a name", error);
}

/* All of the class "-1": they are nobody's queries. */
static psb_status list_files(const psb_collection_options *o, psb_dataset *set, psb_error *error) {
    psb_status status = PSB_OK;
    psb_classification *cla = &set->cla;
    size_t n = o->nfiles;
    cla->models = psb_new_zero(&status, n, sizeof *cla->models, "models", error);
    set->paths = psb_new_zero(&status, n, sizeof *set->paths, "models", error);
    cla->class_of = psb_new_zero(&status, n, sizeof *cla->class_of, "models", error);
    cla->classes = psb_new_zero(&status, 1, sizeof *cla->classes, "a class", error);
    if (status != PSB_OK) {
        return status;
    }
    cla->nclasses = 1;
    cla->classes[0] = (psb_class){.name = copy(&status, "-1", error),
                                  .full_name = copy(&status, "-1", error),
                                  .parent = PSB_NO_CLASS,
                                  .count = n,
                                  .miscellaneous = true};
    cla->nmodels = set->listed = n;
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        char id[256];
        if (o->files[i] == NULL) {
            return psb_misuse(error, "a file without a name");
        }
        psb_id_of_file(o->files[i], id, sizeof id);
        cla->models[i] = copy(&status, id, error);
        set->paths[i] = copy(&status, o->files[i], error);
    }
    return status;
}

psb_status psb_collection_open(psb_context *psb, const psb_collection_options *o,
                               psb_collection **models, psb_error *error) {
    *models = NULL;
    if (o == NULL || (o->cla != NULL) + (o->labels != NULL) + (o->files != NULL) > 1 ||
        (o->cla == NULL && o->labels == NULL && o->files == NULL && o->models == NULL) ||
        (o->files != NULL && o->models != NULL)) {
        return psb_misuse(error, "a collection is of a classification, whose models may have a "
                                 "folder, of a folder and what says its classes, or of files");
    }
    psb_status status = PSB_OK;
    *models = psb_new_zero(&status, 1, sizeof **models, "a collection", error);
    if (status != PSB_OK) {
        return status;
    }
    psb_dataset *set = &(*models)->set;
    if (o->files != NULL) {
        status = list_files(o, set, error);
    } else if (o->models != NULL) {
        status = psb_dataset_open(o, set, error);
        psb_dataset_tell(set, psb != NULL ? &psb->observer : NULL);
    } else {
        psb_listing listing;
        status = psb_dataset_list(o, &set->archive, &set->cla, &listing, error);
        psb_listing_free(&listing);
        set->listed = set->cla.nmodels;
    }
    if (status == PSB_OK) {
        (*models)->name = copy(&status, o->files != NULL ? "files" : psb_dataset_source(o), error);
    }
    if (status != PSB_OK) {
        psb_collection_free(*models);
        *models = NULL;
    }
    return status;
}

void psb_collection_free(psb_collection *models) {
    if (models != NULL) {
        psb_dataset_free(&models->set);
        free(models->name);
        free(models);
    }
}

size_t psb_collection_count(const psb_collection *models) {
    return models->set.cla.nmodels;
}

const char *psb_collection_id(const psb_collection *models, size_t model) {
    return model < models->set.cla.nmodels ? models->set.cla.models[model] : NULL;
}

const char *psb_collection_file(const psb_collection *models, size_t model) {
    bool known = model < models->set.cla.nmodels && models->set.paths != NULL;
    return known ? models->set.paths[model] : NULL;
}

size_t psb_collection_classes(const psb_collection *models) {
    return models->set.cla.nclasses;
}

const char *psb_collection_class_name(const psb_collection *models, size_t class_number) {
    const psb_classification *cla = &models->set.cla;
    return class_number < cla->nclasses ? cla->classes[class_number].full_name : NULL;
}

size_t psb_collection_class_of(const psb_collection *models, size_t model) {
    return model < models->set.cla.nmodels ? models->set.cla.class_of[model] : PSB_NONE;
}
