/* Implements the index as a hash table over the parts of all names. */
#include "io/model_index.h"

#include "io/model_folder.h"

#define SEVERAL (SIZE_MAX - 1)

static size_t count_parts(const char *name) {
    size_t parts = 1;
    for (; *name != '\0'; name++) {
        parts += *name == '/';
    }
    return parts;
}

/* Adds the parts of a model's name, which it cuts into them in place. */
static void add_parts(psb_model_index *index, size_t model) {
    char *at = index->models.models[model].name;
    for (bool more = true; more; at += strlen(at) + 1) {
        char *slash = strchr(at, '/');
        more = slash != NULL;
        if (more) {
            *slash = '\0';
        }
        size_t known = psb_names_find(&index->names, at);
        if (known != model) {
            psb_names_add(&index->names, at, known == PSB_NO_NAME ? model : SEVERAL);
        }
    }
}

psb_status psb_model_index_open(const psb_archive *archive, const char *folder,
                                psb_model_index *index, psb_error *error) {
    size_t parts = 0;
    psb_status status =
        psb_listing_add_folder(&index->models, archive, folder, PSB_SPLIT_ALL, error);
    for (size_t i = 0; i < index->models.count; i++) {
        parts += count_parts(index->models.models[i].name);
    }
    PSB_THEN(status, psb_names_reserve(&index->names, parts, error));
    for (size_t i = 0; i < index->models.count && status == PSB_OK; i++) {
        add_parts(index, i);
    }
    return status;
}

psb_status psb_model_index_find(const psb_model_index *index, const char *id, char **path,
                                psb_error *error) {
    size_t model = psb_names_find(&index->names, id);
    if (model == SEVERAL) {
        return psb_fail(error, PSB_ERROR_INPUT,
                        "model '%.200s': several files have that name or lie in folders of that "
                        "name; ids with their folders tell them apart",
                        id);
    }
    psb_status status = PSB_OK;
    const char *found = model != PSB_NO_NAME ? index->models.models[model].path : NULL;
    *path = found != NULL ? psb_new_copy(&status, found, "a path", error) : NULL;
    return status;
}

void psb_model_index_close(psb_model_index *index) {
    psb_listing_free(&index->models);
    psb_names_free(&index->names);
}
