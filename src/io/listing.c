/* Makes a tree of classes from a list of models, writes it as the text of a .cla, and parses
 * that. */
#include "io/listing.h"

#include "core/file.h"
#include "core/names.h"
#include "io/name.h"

psb_status psb_listing_add(psb_listing *listing, psb_listed model, psb_error *error) {
    psb_status status = model.name == NULL || model.classes == NULL
                            ? psb_fail_memory(error, "a model's name", 0)
                            : PSB_OK;
    PSB_ROOM(&status, listing->models, listing->count, listing->capacity, "models", error);
    if (status == PSB_OK) {
        listing->models[listing->count++] = model;
    } else {
        free(model.name);
        free(model.path);
        free(model.classes);
    }
    return status;
}

void psb_listing_free(psb_listing *listing) {
    for (size_t i = 0; i < listing->count; i++) {
        free(listing->models[i].name);
        free(listing->models[i].path);
        free(listing->models[i].classes);
    }
    free(listing->models);
    psb_text_free(&listing->notes);
    *listing = (psb_listing){0};
}

/* Appends "aircraft/airplane/biplane". */
static void add_levels(const psb_classification *cla, size_t class, psb_text *out) {
    size_t chain[256], depth = 0; /* a full name has at most 511 bytes with its "___" */
    for (; class != PSB_NO_CLASS && depth < 256; class = cla->classes[class].parent) {
        chain[depth++] = class;
    }
    while (depth-- > 0) {
        const char *name = cla->classes[chain[depth]].name;
        psb_text_add_plain(out, out->length > 0 ? "/" : "");
        psb_name_add_class(out, name, strlen(name), true); /* encodes '/', which is no level here */
    }
}

psb_status psb_listing_add_cla(psb_listing *listing, const psb_classification *cla,
                               psb_error *error) {
    PSB_FREED size_t *at = NULL;
    psb_status status = psb_cla_listed(cla, &at, error);
    listing->aligned = cla->aligned;
    for (size_t i = 0; i < cla->nmodels && status == PSB_OK; i++) {
        psb_text classes = {0};
        add_levels(cla, cla->class_of[at[i]], &classes);
        if (classes.failed) {
            psb_text_free(&classes);
        }
        status = psb_listing_add(
            listing, (psb_listed){strdup(cla->models[at[i]]), NULL, classes.data, 0}, error);
    }
    return status;
}

/* ---- the tree -------------------------------------------------------------------------- */

typedef struct node {
    char *levels; /* the levels down to this class */
    size_t parent, child, last_child, next;
    size_t count;  /* models directly in this class */
    size_t number; /* number of the class, depth first */
} node;

enum { ROOT = 0 };

typedef struct tree {
    size_t count;
    node *nodes; /* nodes[ROOT] is above all classes */
    psb_names names;
    size_t *node_of; /* the class of each model */
} tree;

/* Returns the length of the first `level` levels, or of all if it is 0. */
static size_t cut(const char *classes, size_t level) {
    const char *at = classes + strcspn(classes, "/");
    for (; level != 1 && *at == '/'; level--) {
        at += 1 + strcspn(at + 1, "/");
    }
    return (size_t)(at - classes);
}

static psb_status add_node(tree *t, const char *levels, size_t length, size_t parent, size_t *out,
                           psb_error *error) {
    psb_status status = PSB_OK;
    node *made = &t->nodes[t->count];
    *made =
        (node){.levels = psb_new_text(&status, levels, length, "a class", error), .parent = parent};
    if (status == PSB_OK) {
        node *above = &t->nodes[parent];
        *(above->child == ROOT ? &above->child : &t->nodes[above->last_child].next) = t->count;
        above->last_child = t->count;
        psb_names_add(&t->names, made->levels, t->count);
        *out = t->count++;
    }
    return status;
}

static psb_status find_node(tree *t, const char *levels, size_t length, size_t *out,
                            psb_error *error) {
    psb_status status = PSB_OK;
    size_t at = ROOT;
    for (size_t end = 0; end < length && status == PSB_OK;) {
        end += end > 0;
        end += strcspn(levels + end, "/");
        size_t found = psb_names_find_bytes(&t->names, levels, end);
        if (found == PSB_NO_NAME) {
            status = add_node(t, levels, end, at, &found, error);
        }
        at = found;
    }
    *out = at;
    return status;
}

static psb_status grow(const psb_listing *listing, size_t level, tree *t, psb_error *error) {
    size_t most = 1;
    for (size_t i = 0; i < listing->count; i++) {
        const char *classes = listing->models[i].classes;
        size_t end = cut(classes, level);
        most++;
        for (size_t k = 0; k < end; k++) {
            most += classes[k] == '/';
        }
    }
    psb_status status = PSB_OK;
    t->nodes = psb_new_zero(&status, most, sizeof *t->nodes, "classes", error);
    t->node_of = psb_new(&status, listing->count, sizeof *t->node_of, "classes", error);
    t->count = 1;
    PSB_THEN(status, psb_names_reserve(&t->names, most, error));
    for (size_t i = 0; i < listing->count && status == PSB_OK; i++) {
        const char *classes = listing->models[i].classes;
        status = find_node(t, classes, cut(classes, level), &t->node_of[i], error);
        if (status == PSB_OK) {
            t->nodes[t->node_of[i]].count++;
        }
    }
    return status;
}

static void free_tree(tree *t) {
    for (size_t k = 1; t->nodes != NULL && k < t->count; k++) {
        free(t->nodes[k].levels);
    }
    free(t->nodes);
    free(t->node_of);
    psb_names_free(&t->names);
}

/* Returns the node after this one, depth first; ROOT after the last. */
static size_t behind(const tree *t, size_t k) {
    if (t->nodes[k].child != ROOT) {
        return t->nodes[k].child;
    }
    while (k != ROOT && t->nodes[k].next == ROOT) {
        k = t->nodes[k].parent;
    }
    return t->nodes[k].next;
}

/* ---- the classification ---------------------------------------------------------------- */

/* Sorts the models by class. (*row)[i] is the old place of the listing's new model i; *row is NULL
 * if no model moved. */
static psb_status sort_models(psb_listing *listing, const tree *t, const size_t *first,
                              size_t **row, psb_error *error) {
    bool moved = false;
    psb_status status = PSB_OK;
    PSB_FREED psb_listed *sorted =
        psb_new(&status, listing->count, sizeof *sorted, "models", error);
    PSB_FREED size_t *next = psb_new(&status, t->count, sizeof *next, "classes", error);
    *row = psb_new(&status, listing->count, sizeof **row, "models", error);
    if (status == PSB_OK) {
        memcpy(next, first, t->count * sizeof *next);
        for (size_t i = 0; i < listing->count; i++) {
            size_t at = next[t->node_of[i]]++;
            sorted[at] = listing->models[i];
            (*row)[at] = i;
            moved = moved || at != i;
        }
        memcpy(listing->models, sorted, listing->count * sizeof *sorted);
    }
    if (!moved) {
        free(*row);
        *row = NULL;
    }
    return status;
}

static void write_class(const psb_listing *listing, const tree *t, size_t k, size_t first,
                        psb_text *text) {
    const node *of = &t->nodes[k];
    psb_text_printf(text, "\n%s %s %zu\n", psb_last_part(of->levels),
                    of->parent == ROOT ? "0" : psb_last_part(t->nodes[of->parent].levels),
                    of->count);
    for (size_t i = first; i < first + of->count; i++) {
        psb_text_printf(text, "%s\n", listing->models[i].name);
    }
}

/* A .cla names parents by name alone. Fails if another class above has the parent's name. */
static psb_status check_parents(const tree *t, const char *source, const psb_classification *cla,
                                psb_error *error) {
    for (size_t k = behind(t, ROOT); k != ROOT; k = behind(t, k)) {
        size_t parent = t->nodes[k].parent;
        size_t meant = parent == ROOT ? PSB_NO_CLASS : t->nodes[parent].number;
        if (cla->classes[t->nodes[k].number].parent != meant) {
            return psb_fail_at(error, PSB_ERROR_INPUT, source, 0,
                               "class '%.200s': a class within '%.40s' has its name too, which a "
                               ".cla cannot hold",
                               t->nodes[k].levels, psb_last_part(t->nodes[parent].levels));
        }
    }
    return PSB_OK;
}

static psb_status classify(psb_listing *listing, tree *t, const char *source,
                           psb_classification *cla, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_AT_END(psb_text_free) psb_text text = {0};
    PSB_FREED size_t *first = psb_new(&status, t->count, sizeof *first, "classes", error);
    size_t models = 0, number = 0, *row = NULL;
    for (size_t k = behind(t, ROOT); k != ROOT && status == PSB_OK; k = behind(t, k)) {
        first[k] = models;
        models += t->nodes[k].count;
        t->nodes[k].number = number++;
    }
    PSB_THEN(status, sort_models(listing, t, first, &row, error));
    psb_text_printf(&text, "PSB 1\n%zu %zu\n", t->count - 1, listing->count);
    for (size_t k = behind(t, ROOT); k != ROOT && status == PSB_OK; k = behind(t, k)) {
        write_class(listing, t, k, first[k], &text);
    }
    PSB_THEN(status, psb_text_status(&text, error));
    PSB_THEN(status, psb_cla_parse(source, text.data, text.length, cla, error));
    if (status == PSB_OK) {
        cla->row = row;
        cla->aligned = listing->aligned;
        row = NULL;
    }
    PSB_THEN(status, check_parents(t, source, cla, error));
    free(row);
    return status;
}

psb_status psb_listing_classify(psb_listing *listing, const char *source, size_t level,
                                psb_classification *cla, psb_error *error) {
    tree t = {0};
    *cla = (psb_classification){0};
    psb_status status = PSB_OK;
    for (size_t i = 0; i < listing->count && status == PSB_OK; i++) {
        PSB_THEN_IF(status, listing->models[i].classes[0] == '\0',
                    psb_fail_at(error, PSB_ERROR_INPUT, source, 0,
                                "model '%.200s' is in no class: give it one, or leave it out",
                                listing->models[i].name));
    }
    PSB_THEN(status, grow(listing, level, &t, error));
    PSB_THEN(status, classify(listing, &t, source, cla, error));
    if (status != PSB_OK) {
        psb_cla_free(cla);
    }
    free_tree(&t);
    return status;
}

psb_status psb_listing_cut(psb_classification *cla, const char *source, size_t level,
                           psb_error *error) {
    PSB_AT_END(psb_listing_free) psb_listing listing = {0};
    psb_status status = psb_listing_add_cla(&listing, cla, error);
    char *other = cla->other;
    cla->other = NULL;
    psb_cla_free(cla);
    PSB_THEN(status, psb_listing_classify(&listing, source, level, cla, error));
    cla->other = other;
    return status;
}
