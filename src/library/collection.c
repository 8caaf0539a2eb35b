/* Opens collections: the data set of a classification, or files without one. */
#include "core/memory.h"
#include "core/names.h"
#include "io/name.h"
#include "library/parts.h"

static char *copy(psb_status *status, const char *text, psb_error *error) {
    return psb_new_copy(status, text, "a name", error);
}

/* Adds a model's name. Two files must not have the same name, but one file may occur twice. */
static psb_status add_name(psb_names *names, char *const *files, const char *id, size_t i,
                           psb_error *error) {
    size_t other = psb_names_find(names, id);
    if (other != PSB_NO_NAME) {
        return strcmp(files[other], files[i]) == 0
                   ? PSB_OK
                   : psb_fail_at(
                         error, PSB_ERROR_USAGE, files[i], 0,
                         "its name is %.100s, as that of %.200s: models of a folder are named "
                         "by their paths",
                         id, psb_path_shown(files[other]));
    }
    psb_names_add(names, id, i);
    return PSB_OK;
}

/* Lists files as models of class "-1", so that none is a query. */
static psb_status list_files(const psb_collection_options *o, psb_dataset *set, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_AT_END(psb_names_free) psb_names names = {0};
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
    PSB_THEN(status, psb_names_reserve(&names, n, error));
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        char id[256];
        if (o->files[i] == NULL) {
            status = psb_misuse(error, "a file without a name");
            break;
        }
        status = psb_id_of_file(o->files[i], id, sizeof id, error);
        cla->models[i] = copy(&status, id, error);
        set->paths[i] = copy(&status, o->files[i], error);
        PSB_THEN(status, add_name(&names, set->paths, cla->models[i], i, error));
    }
    return status;
}

/* Adds a model from the client's `names` and `classes`, with the levels of its class. */
static psb_status add_named(const char *name, const char *class, psb_listing *listing,
                            psb_error *error) {
    psb_text id = {0}, levels = {0};
    if (name == NULL || class == NULL || !psb_name_stays_below(name, strlen(name))) {
        return psb_misuse(error, "a model needs a name that may be a path below a folder, and a "
                                 "class");
    }
    psb_name_add(&id, name, strlen(name), true);
    for (const char *at = class; *at != '\0'; at += *at == '/') {
        size_t length = strcspn(at, "/");
        psb_text_add(&levels, levels.length > 0 && length > 0 ? "/" : "");
        psb_name_add_class(&levels, at, length, true);
        at += length;
    }
    psb_text_add(&levels, levels.length > 0 ? "" : "-1");
    psb_status status = psb_text_status(&id, error);
    PSB_THEN(status, psb_text_status(&levels, error));
    if (status != PSB_OK) {
        psb_text_free(&id);
        psb_text_free(&levels);
        return status;
    }
    return psb_listing_add(listing, (psb_listed){id.data, NULL, levels.data, 0}, error);
}

static psb_status list_names(const psb_collection_options *o, psb_classification *cla,
                             psb_error *error) {
    PSB_AT_END(psb_listing_free) psb_listing listing = {0};
    psb_status status = o->classes != NULL && o->nnames > 0
                            ? PSB_OK
                            : psb_misuse(error, "names of models need the class of each");
    for (size_t i = 0; i < o->nnames && status == PSB_OK; i++) {
        status = add_named(o->names[i], o->classes[i], &listing, error);
    }
    return PSB_THEN(status, psb_listing_classify(&listing, "names", o->level, cla, error));
}

psb_status psb_collection_open(psb_context *psb, const psb_collection_options *o,
                               psb_collection **models, psb_error *error) {
    *models = NULL;
    bool alone = o != NULL && (o->files != NULL || o->names != NULL);
    if (o == NULL || (o->classes_of != NULL) + (o->cla != NULL) + (o->labels != NULL) + alone > 1 ||
        (o->files != NULL && o->names != NULL) ||
        (o->classes_of == NULL && o->cla == NULL && o->labels == NULL && !alone &&
         o->models == NULL) ||
        (alone && o->models != NULL) || o->targets != NULL) {
        return psb_misuse(error, "a collection is of a classification, whose models may have a "
                                 "folder, of a folder and what says its classes, of files, or of "
                                 "names; only a run has targets of its own");
    }
    psb_status status = PSB_OK;
    *models = psb_new_zero(&status, 1, sizeof **models, "a collection", error);
    if (status != PSB_OK) {
        return status;
    }
    psb_dataset *set = &(*models)->set;
    if (o->classes_of != NULL && psb_check_classes(o->classes_of, error) != PSB_OK) {
        status = error != NULL ? error->status : PSB_ERROR_INPUT;
    } else if (o->files != NULL) {
        status = list_files(o, set, error);
    } else if (o->names != NULL) {
        status = list_names(o, &set->cla, error);
        set->listed = set->cla.nmodels;
    } else if (o->models != NULL) {
        status = psb_dataset_open(o, set, error);
        psb_dataset_tell(set, psb != NULL ? &psb->observer : NULL);
    } else {
        PSB_AT_END(psb_listing_free) psb_listing listing = {0};
        status = psb_dataset_list(o, &set->archive, &set->cla, &listing, error);
        set->listed = set->cla.nmodels;
    }
    if (status == PSB_OK) {
        const char *name = o->files != NULL ? "files" : o->names != NULL ? "names" : NULL;
        (*models)->name = copy(&status, name != NULL ? name : psb_dataset_source(o), error);
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

size_t psb_collection_row(const psb_collection *models, size_t model) {
    const psb_classification *cla = &models->set.cla;
    return model >= cla->nmodels ? PSB_NONE : cla->row != NULL ? cla->row[model] : model;
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
