/* Averages DCG over lists of queries and under coarser classifications. */
#include "studies/paper_tables.h"

#include "annotate/annotate.h"
#include "core/linear.h"
#include "eval/evaluation.h"
#include "io/dataset.h"

#include <math.h>

/* Classifications of Table 6, relative to the benchmark's folder. */
static const char *const files6[PSB_TABLE6_COLUMNS] = {
    "classification/v1/base/test.cla",
    "classification/v1/coarse1/coarse1Test.cla",
    "classification/v1/coarse2/coarse2Test.cla",
    "classification/v1/coarse3/coarse3Test.cla",
};
enum { BASE = 0, COARSER = 2 };

/* Names of the published columns. */
static const char *const names6[PSB_TABLE6_COLUMNS] = {"base_92", "coarse_44", "coarser_6",
                                                       "coarsest_2"};

const char *const psb_table5_names[PSB_TABLE5_COLUMNS] = {
    "all_models", "animal",  "building",    "furniture",    "household",
    "tree_plant", "vehicle", "stick_shape", "complex_shape"};

static const char *const headings6[PSB_TABLE6_COLUMNS] = {"base", "coarse", "coarser", "coarsest"};
static const char *const headings5[PSB_TABLE5_COLUMNS] = {"all",       "animal",    "building",
                                                          "furniture", "household", "tree & plant",
                                                          "vehicle",   "stick",     "complex"};

const struct psb_table6_handling psb_table6_handlings[PSB_TABLE6_HANDLINGS] = {
    {"listed", PSB_MISC_LISTED,
     "Miscellaneous models are never queries but stay in the lists, as in psbTable."},
    {"left-out", PSB_MISC_LEFT_OUT, "Miscellaneous models are neither queries nor in the lists."},
    {"class", PSB_MISC_CLASS, "Miscellaneous models are a class like any other."},
    {"swapped", PSB_MISC_SWAPPED,
     "Coarser: the miscellaneous models are a class like any other and the plants, which stand in "
     "front of them in the file, are never queries. Nothing says that the paper did this; it is "
     "the handling that comes closest to its figures (see 'psbench help table6')."},
};

static const psb_dcg_table shape6 = {
    .title = "Table 6: classifications of different granularity",
    .published = &psb_published_table6,
    .ncolumns = PSB_TABLE6_COLUMNS,
};
static const psb_dcg_table shape5 = {
    .title = "Table 5: queries with something in common, base classification",
    .note = "Stick and complex are the 200 models with the largest ratio of eigenvalues and depth "
            "complexity, as measured here. The column 'rotation aligned' is left out: its list of "
            "models was never published.",
    .published = &psb_published_table5,
    .ncolumns = PSB_TABLE5_COLUMNS,
};

/* Classes of the coarser classification, in the order of Table 5. */
static const char *const type_classes[] = {"animal",    "building", "furniture",
                                           "household", "plant",    "vehicle"};
enum { TYPES = sizeof type_classes / sizeof type_classes[0] };

char *psb_benchmark_of(psb_status *status, const char *cla_path, psb_error *error) {
    const char *file = files6[0];
    size_t length = cla_path != NULL ? strlen(cla_path) : 0, end = strlen(file);
    bool is = length > end && cla_path[length - end - 1] == '/' &&
              strcmp(cla_path + length - end, file) == 0;
    return is ? psb_new_text(status, cla_path, length - end, "a folder", error) : NULL;
}

static psb_status read_classification(const char *psb, size_t which, psb_classification *cla,
                                      psb_error *error) {
    PSB_FREED char *path = NULL;
    psb_status status = psb_path_join(&path, psb, files6[which], error);
    return PSB_THEN(status, psb_cla_read(path, cla, error));
}

/* Allocates the numbers of an empty table. */
static psb_status open_table(psb_paper_table *t, const psb_dcg_table *shape, const psb_matrices *in,
                             const char *const *names, const char *const *headings, const char *psb,
                             psb_error *error) {
    psb_status status = PSB_OK;
    t->dcg = psb_new(&status, in->count, shape->ncolumns * sizeof *t->dcg, "a table", error);
    t->labels = psb_new(&status, in->count, sizeof *t->labels, "a table", error);
    for (size_t k = 0; k < in->count && status == PSB_OK; k++) {
        t->labels[k] = in->labels[k];
    }
    t->table = *shape;
    t->table.columns = t->columns;
    t->table.labels = t->labels;
    t->table.nrows = in->count;
    t->table.dcg = t->dcg;
    for (size_t j = 0; j < shape->ncolumns; j++) {
        t->columns[j] = (psb_dcg_column){names[j], headings[j], 0};
    }
    PSB_AT_END(psb_cla_free) psb_classification base = {0};
    PSB_THEN(status, read_classification(psb, BASE, &base, error));
    if (status == PSB_OK && psb_list_hash(&base, 0) != PSB_TEST_LIST) {
        t->table.published = &psb_published_none;
    }
    return status;
}

void psb_paper_table_free(psb_paper_table *table) {
    free(table->labels);
    free(table->dcg);
    *table = (psb_paper_table){.dcg = NULL};
}

/* Fills a column with each matrix's mean DCG over the selected queries, and their number; fails
 * without any. */
static psb_status fill_column(psb_paper_table *t, size_t column, const psb_evaluation *e,
                              psb_error *error) {
    for (size_t k = 0; k < e->nmethods; k++) {
        psb_mean mean = psb_evaluation_mean(e, k, 0, (psb_group){PSB_MICRO, 0});
        t->dcg[k * t->table.ncolumns + column] = mean.value;
        t->columns[column].queries = mean.queries;
    }
    return t->columns[column].queries > 0 ? PSB_OK
                                          : psb_fail(error, PSB_ERROR_INPUT,
                                                     "no model of the run is a query of the column "
                                                     "'%s': want a run of the test list",
                                                     t->columns[column].name);
}

/* A run's matrices, evaluated in the order of one of the benchmark's classifications. */
typedef struct lens {
    psb_classification cla;
    size_t *from;
    psb_chosen_measure dcg[PSB_MAX_CHOSEN];
    psb_evaluation evaluation;
} lens;

static psb_status evaluate(lens *l, const psb_matrices *in, psb_error *error) {
    psb_evaluation *e = &l->evaluation;
    *e = (psb_evaluation){.cla = &l->cla, .measures = l->dcg, .nmethods = in->count};
    psb_status status = psb_measures_parse("dcg", l->dcg, &e->nmeasures, error);
    PSB_THEN(status, psb_evaluation_open(e, error));
    for (size_t k = 0; k < in->count && status == PSB_OK; k++) {
        psb_matrix aligned;
        status = psb_matrix_align(&in->matrix[k], l->from, l->cla.nmodels, &aligned, error);
        if (status == PSB_OK) {
            status = psb_evaluation_rank(e, k, &aligned, in->threads, error);
            psb_matrix_close(&aligned);
        }
    }
    return status;
}

static psb_status lens_open(lens *l, const psb_matrices *in, const char *psb, size_t which,
                            psb_miscellaneous miscellaneous, psb_error *error) {
    psb_classification target;
    *l = (lens){.from = NULL};
    psb_status status = read_classification(psb, which, &target, error);
    if (status == PSB_OK) {
        status = psb_cla_align(&target, in->cla, miscellaneous, &l->cla, &l->from, error);
        psb_cla_free(&target);
    }
    return status == PSB_OK ? evaluate(l, in, error) : status;
}

static void lens_close(lens *l) {
    psb_evaluation_close(&l->evaluation);
    free(l->from);
    psb_cla_free(&l->cla);
}

/* ---- Table 6 ---------------------------------------------------------------------------- */

psb_status psb_table6_measure(const psb_matrices *in, const char *psb,
                              const struct psb_table6_handling *handling, psb_paper_table *out,
                              psb_error *error) {
    psb_status status = open_table(out, &shape6, in, names6, headings6, psb, error);
    out->table.note = handling->note;
    for (size_t j = 0; j < PSB_TABLE6_COLUMNS && status == PSB_OK; j++) {
        lens l;
        status = lens_open(&l, in, psb, j, handling->miscellaneous, error);
        PSB_THEN(status, fill_column(out, j, &l.evaluation, error));
        lens_close(&l);
    }
    return status;
}

/* ---- Table 5 ---------------------------------------------------------------------------- */

typedef struct annotation {
    const psb_dataset *dataset;
    psb_list_values *values;
} annotation;

static psb_status annotate(void *context, void *own PSB_UNUSED, size_t i, psb_error *error) {
    const annotation *work = context;
    const char *path = work->dataset->paths[i];
    psb_list_values *values = &work->values[i];
    psb_mesh mesh = {0};
    psb_annotations annotations;
    psb_status status = psb_mesh_read(path, &mesh, error);
    PSB_THEN(status, psb_within(path, psb_annotate(&mesh, &annotations, error), error));
    psb_mesh_free(&mesh);
    if (status != PSB_OK) {
        return status;
    }
    const double *eigenvalue = annotations.axes.values;
    values->stick = eigenvalue[1] > 0 ? eigenvalue[0] / eigenvalue[1] : INFINITY;
    values->complex = annotations.average_depth;
    return PSB_OK;
}

psb_status psb_list_values_compute(const char *cla_path, size_t models, const char *psb,
                                   int threads, psb_progress *progress, void *context,
                                   psb_list_values *values, psb_error *error) {
    char *folder;
    PSB_AT_END(psb_dataset_free) psb_dataset dataset = {0};
    psb_status status = psb_path_join(&folder, psb, "db", error);
    if (status != PSB_OK) {
        return status;
    }
    status = psb_dataset_open(&(psb_collection_options){.models = folder, .cla = cla_path},
                              &dataset, error);
    free(folder);
    if (status == PSB_OK && dataset.cla.nmodels != models) {
        status =
            psb_fail_at(error, PSB_ERROR_INPUT, cla_path, 0,
                        "%zu models, but v1 has %zu: give its list", dataset.cla.nmodels, models);
    } else if (status == PSB_OK) {
        annotation work = {&dataset, values};
        psb_loop loop = {.count = models,
                         .threads = threads,
                         .item = annotate,
                         .job = &work,
                         .progress = progress,
                         .context = context};
        status = psb_linear_setup(error);
        PSB_THEN(status, psb_parallel(&loop, error));
    }
    return status;
}

typedef struct place {
    double value;
    size_t model;
} place;

/* Sorts the largest first, equal values by model, NaN last. */
static int compare_places(const void *a, const void *b) {
    const place *x = a, *y = b;
    if (isnan(x->value) || isnan(y->value)) {
        return isnan(x->value) && isnan(y->value) ? (x->model > y->model) - (x->model < y->model)
                                                  : isnan(x->value) - isnan(y->value);
    }
    return x->value != y->value ? (x->value < y->value) - (x->value > y->value)
                                : (x->model > y->model) - (x->model < y->model);
}

static void list_largest(place *places, size_t count, bool *listed) {
    qsort(places, count, sizeof *places, compare_places);
    for (size_t i = 0; i < count && i < PSB_TABLE5_SHAPES; i++) {
        listed[places[i].model] = true;
    }
}

static psb_status list_types(const psb_classification *cla, const char *psb, bool *listed,
                             psb_error *error) {
    PSB_AT_END(psb_cla_free) psb_classification coarser = {0}, aligned = {0};
    PSB_FREED size_t *from = NULL;
    psb_status status = read_classification(psb, COARSER, &coarser, error);
    PSB_THEN(status, psb_cla_align(&coarser, cla, PSB_MISC_LISTED, &aligned, &from, error));
    for (size_t i = 0; i < aligned.nmodels && status == PSB_OK; i++) {
        const char *name = aligned.classes[aligned.class_of[i]].name;
        for (size_t t = 0; t < TYPES; t++) {
            if (strcmp(name, type_classes[t]) == 0) {
                listed[(PSB_TABLE5_FIRST_TYPE + t) * cla->nmodels + from[i]] = true;
            }
        }
    }
    return status;
}

psb_status psb_table5_lists(const psb_classification *cla, const char *psb,
                            const psb_list_values *values, bool *listed, psb_error *error) {
    size_t n = cla->nmodels;
    memset(listed, 0, PSB_TABLE5_COLUMNS * n * sizeof *listed);
    memset(listed, 1, n * sizeof *listed);
    psb_status status = PSB_OK;
    PSB_FREED place *places = psb_new(&status, n, sizeof *places, "a list", error);
    if (status != PSB_OK) {
        return status;
    }
    for (size_t i = 0; i < n; i++) {
        places[i] = (place){values[i].stick, i};
    }
    list_largest(places, n, listed + PSB_TABLE5_STICK * n);
    for (size_t i = 0; i < n; i++) {
        places[i] = (place){values[i].complex, i};
    }
    list_largest(places, n, listed + PSB_TABLE5_COMPLEX * n);
    return list_types(cla, psb, listed, error);
}

psb_status psb_table5_measure(const psb_matrices *in, const char *psb, const bool *listed,
                              psb_paper_table *out, psb_error *error) {
    lens l = {.from = NULL};
    psb_status status = open_table(out, &shape5, in, psb_table5_names, headings5, psb, error);
    PSB_THEN(status, lens_open(&l, in, psb, BASE, PSB_MISC_LISTED, error));
    PSB_FREED bool *through = psb_new(&status, l.cla.nmodels, sizeof *through, "queries", error);
    for (size_t j = 0; j < PSB_TABLE5_COLUMNS && status == PSB_OK; j++) {
        for (size_t i = 0; i < l.cla.nmodels; i++) {
            through[i] = listed[j * in->cla->nmodels + l.from[i]];
        }
        psb_evaluation_select(&l.evaluation, through);
        status = fill_column(out, j, &l.evaluation, error);
    }
    lens_close(&l);
    return status;
}
