/* Clusters models by average linkage and compares the clusters with the classes of each level. */
#include "core/memory.h"
#include "eval/clusters.h"
#include "eval/silhouette.h"
#include "eval/voting.h"
#include "library/call.h"
#include "library/methods.h"
#include "report/table.h"

/* The models that are clustered: all but those of the miscellaneous class. */
typedef struct members {
    size_t count;
    size_t *model;
    size_t *label;     /* label of each member at the current level */
    size_t *cluster;   /* cluster of each member */
    psb_joint *joints; /* the current method's tree of joined clusters */
    size_t *place;     /* number of each label among those that occur */
} members;

static psb_status find_members(const psb_classification *cla, members *m, psb_error *error) {
    psb_status status = PSB_OK;
    size_t n = cla->nmodels;
    m->model = psb_new(&status, n, sizeof *m->model, "clusters", error);
    m->label = psb_new(&status, n, sizeof *m->label, "clusters", error);
    m->cluster = psb_new(&status, n, sizeof *m->cluster, "clusters", error);
    m->joints = psb_new(&status, n, sizeof *m->joints, "clusters", error);
    m->place = psb_new(&status, cla->nclasses, sizeof *m->place, "clusters", error);
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        if (!cla->classes[cla->class_of[i]].miscellaneous) {
            m->model[m->count++] = i;
        }
    }
    return status;
}

static void free_members(members *m) {
    free(m->model);
    free(m->label);
    free(m->cluster);
    free(m->joints);
    free(m->place);
}

/* Numbers the members' labels at a level from 0, in order of occurrence; *count labels occur. */
static psb_status label_members(const psb_classification *cla, size_t level, members *m,
                                size_t *count, psb_error *error) {
    PSB_AT_END(psb_labels_free) psb_labels labels = {0};
    psb_status status = psb_labels_make(cla, cla, level, &labels, error);
    *count = 0;
    for (size_t l = 0; l < labels.count && status == PSB_OK; l++) {
        m->place[l] = PSB_NO_CLASS;
    }
    for (size_t i = 0; i < m->count && status == PSB_OK; i++) {
        size_t *place = &m->place[labels.of_query_class[cla->class_of[m->model[i]]]];
        *place = *place == PSB_NO_CLASS ? (*count)++ : *place;
        m->label[i] = *place;
    }
    return status;
}

static const psb_column levels_columns[] = {
    {.name = "matrix", .heading = "matrix"},
    {.name = "level", .heading = "level", .align = PSB_RIGHT},
    {.name = "classes", .heading = "classes", .align = PSB_RIGHT},
    {.name = "clusters", .heading = "clusters", .align = PSB_RIGHT},
    {.name = "purity", .heading = "purity", .align = PSB_RIGHT, .decimals = 4},
    {.name = "nmi", .heading = "NMI", .align = PSB_RIGHT, .decimals = 4},
    {.name = "ari", .heading = "adjusted Rand", .align = PSB_RIGHT, .decimals = 4},
    {.name = "silhouette", .heading = "silhouette", .align = PSB_RIGHT, .decimals = 4}};
static const psb_column members_columns[] = {
    {.name = "model", .heading = "model"},
    {.name = "class", .heading = "class"},
    {.name = "cluster", .heading = "cluster", .align = PSB_RIGHT}};
#define COUNT(columns) (sizeof(columns) / sizeof(columns)[0])

/* Adds the row of a method at a level, with as many clusters as classes, or as the user asked
 * for. */
static psb_status add_level(const psb_methods *all, size_t k, size_t level,
                            const psb_cluster_options *o, members *m, psb_table *table,
                            psb_error *error) {
    size_t classes;
    psb_status status = label_members(&all->cla, level, m, &classes, error);
    size_t clusters = o->clusters > 0 ? o->clusters : classes;
    psb_agreement agreement;
    double silhouette = 0;
    PSB_THEN(status, psb_clusters_cut(m->joints, m->count, clusters, m->cluster, error));
    PSB_THEN(status, psb_clusters_agree(m->label, classes, m->cluster, clusters, m->count,
                                        &agreement, error));
    PSB_THEN(status, psb_silhouette(&all->matrices[k], m->model, m->label, classes, m->count,
                                    &silhouette, error));
    if (status != PSB_OK || o->members) {
        return status;
    }
    status = psb_table_add_row(table, error);
    if (status == PSB_OK) {
        size_t row = table->nrows - 1;
        psb_table_set_text(table, row, 0, all->labels[k]);
        psb_table_set_number(table, row, 1, (double)level);
        psb_table_set_number(table, row, 2, (double)classes);
        psb_table_set_number(table, row, 3, (double)clusters);
        psb_table_set_number(table, row, 4, agreement.purity);
        psb_table_set_number(table, row, 5, agreement.nmi);
        psb_table_set_number(table, row, 6, agreement.ari);
        psb_table_set_number(table, row, 7, silhouette);
    }
    return status;
}

/* Adds a row for each model, with its cluster at the last level. */
static psb_status add_members(const psb_classification *cla, const members *m, psb_table *table,
                              psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t i = 0; i < m->count && status == PSB_OK; i++) {
        status = psb_table_add_row(table, error);
        if (status == PSB_OK) {
            const psb_class *class = &cla->classes[cla->class_of[m->model[i]]];
            psb_table_set_name(table, i, 0, cla->models[m->model[i]]);
            psb_table_set_name(table, i, 1, class->full_name);
            psb_table_set_number(table, i, 2, (double)m->cluster[i]);
        }
    }
    return status;
}

static psb_status check(const psb_methods *all, const psb_cluster_options *o, const members *m,
                        psb_error *error) {
    for (size_t k = 0; k < all->count; k++) {
        if (all->matrices[k].data == NULL || all->targets != &all->cla) {
            return psb_misuse(error, "clusters are of matrices of one set");
        }
    }
    if (all->count == 0 || (o->members && all->count > 1)) {
        return psb_misuse(error, "clusters are of one method or more, their members of one");
    }
    return m->count > 0 && o->clusters <= m->count
               ? PSB_OK
               : psb_fail(error, PSB_ERROR_USAGE, "%zu clusters of %zu models: want fewer",
                          o->clusters, m->count);
}

static psb_status add_methods(psb_context *psb, const psb_methods *all,
                              const psb_cluster_options *o, members *m, psb_table *table,
                              psb_error *error) {
    PSB_AT_END(psb_call_end) psb_call call = {0};
    psb_status status = psb_call_begin(&call, &psb->observer, error);
    if (status != PSB_OK) {
        return status;
    }
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        status = psb_within(
            all->paths[k],
            psb_average_linkage(&all->matrices[k], m->model, m->count, m->joints, error), error);
        for (size_t level = 1; level <= psb_levels(&all->cla) && status == PSB_OK; level++) {
            status = add_level(all, k, level, o, m, table, error);
        }
    }
    return status;
}

psb_status psb_cluster(psb_context *psb, const psb_methods *all, const psb_cluster_options *options,
                       psb_table **out, psb_error *error) {
    static const psb_cluster_options defaults;
    const psb_cluster_options *o = options != NULL ? options : &defaults;
    members m = {0};
    psb_table table = {0};
    *out = NULL;
    psb_status status = find_members(&all->cla, &m, error);
    PSB_THEN(status, check(all, o, &m, error));
    PSB_THEN(status,
             psb_table_new(&table, o->members ? members_columns : levels_columns,
                           o->members ? COUNT(members_columns) : COUNT(levels_columns), 0, error));
    PSB_THEN(status, add_methods(psb, all, o, &m, &table, error));
    PSB_THEN_IF(status, o->members, add_members(&all->cla, &m, &table, error));
    psb_text caption = {.data = NULL};
    psb_text_printf(&caption,
                    "%zu models with a class. Average linkage. NMI: mutual information divided by "
                    "the mean of both entropies. Silhouette of the classes.%s",
                    m.count,
                    2 * all->cla.nclasses > m.count
                        ? " With fewer than 2 models per class all figures are high: set -k."
                        : "");
    status = psb_table_keep(status, &table, &caption, out, error);
    free_members(&m);
    return status;
}
