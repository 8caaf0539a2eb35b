/* Makes three runs, one after the other, with the same methods. */
#include "studies/beyond.h"

#include "core/file.h"
#include "core/names.h"
#include "report/published.h"
#include "run/record.h"
#include "run/signature.h"

#include <math.h>

static const char base[] = "classification/v1/base/";
static const uint64_t turn = 1;
static const struct {
    const char *file, *title;
    uint64_t list;
    const uint64_t *turn;
} sets[PSB_BEYOND_SETS] = {
    {"train.cla", "Princeton Shape Benchmark, training set", PSB_TRAIN_LIST, NULL},
    {"test.cla", "Princeton Shape Benchmark, test set", PSB_TEST_LIST, NULL},
    {"test.cla", "Princeton Shape Benchmark, test set, each model turned at random", PSB_TEST_LIST,
     &turn},
};

static psb_status folder_of(const char *run, size_t set, char **folder, psb_error *error) {
    return psb_path_join(folder, run, psb_beyond_sets[set], error);
}

/* Descriptors for E256 that the table does not have. */
static const char blocks[] = "VIEWS:code=fisher42,GEDT:form=magnitude,shells=8,"
                             "CEGI:smooth=0.04,normals=outward,form=magnitude,LFD:moments=zernike";

/* ---- the runs -------------------------------------------------------------------------- */

static psb_status run_set(psb_run_job job, const char *psb, size_t set, psb_run_outcome *outcome,
                          psb_error *error) {
    PSB_FREED char *folder = NULL, *models = NULL, *reference = NULL;
    PSB_AT_END(psb_text_free) psb_text cla = {0};
    psb_text_printf(&cla, "%s/%s%s", psb, base, sets[set].file);
    psb_status status = psb_text_status(&cla, error);
    PSB_THEN(status, folder_of(job.options.folder, set, &folder, error));
    PSB_THEN(status, folder_of(job.options.folder, PSB_BEYOND_TRAIN, &reference, error));
    PSB_THEN(status, psb_path_join(&models, psb, "db", error));
    job.options.data.cla = cla.data;
    job.options.data.models = models;
    job.options.folder = folder;
    job.options.reference = reference;
    job.options.title = sets[set].title;
    job.titled = sets[set].list;
    job.options.turn = sets[set].turn;
    size_t failed = outcome->models_failed;
    psb_run_outcome_free(outcome);
    PSB_THEN(status, psb_run_stages(&job, outcome, error));
    outcome->models_failed += failed;
    return status;
}

/* ---- methods from the features --------------------------------------------------------- */

/* Vectors learned from the training run, and their files in the folder. */
static const struct {
    const char *label;
    psb_signature_options options;
} vectors[] = {
    {"E256", {.blocks = PSB_BLOCKS_ALL, .size = PSB_SIGNATURE_MOST}},
    {"E256L", {.blocks = PSB_BLOCKS_ALL, .size = PSB_SIGNATURE_MOST, .labels = true}},
    {"F256L", {.blocks = PSB_BLOCKS_VIEWS, .size = PSB_SIGNATURE_MOST, .labels = true}},
};
enum { VECTORS = sizeof vectors / sizeof vectors[0], LEARNED = 3 };

static char *directions_of(psb_status *status, const char *run, size_t v, psb_error *error) {
    return psb_new_format(status, error, "%s/%s.directions", run, vectors[v].label);
}

static psb_status open_run(const psb_run_job *job, size_t set, char **folder, psb_derived *d,
                           psb_error *error) {
    psb_status status = folder_of(job->options.folder, set, folder, error);
    PSB_THEN(status, psb_derived_open(d, *folder, job->options.command_line, job->threads, error));
    d->observer = job->observer;
    return status;
}

static psb_status learn(const psb_run_job *job, psb_error *error) {
    PSB_AT_END(psb_derived_close) psb_derived d = {.lock = PSB_LOCK_NONE};
    PSB_FREED char *folder = NULL;
    psb_status status = open_run(job, PSB_BEYOND_TRAIN, &folder, &d, error);
    for (size_t v = 0; v < VECTORS && status == PSB_OK; v++) {
        size_t used;
        PSB_FREED char *path = directions_of(&status, job->options.folder, v, error);
        PSB_THEN(status, psb_signature_learn(&d, &d.cla, &vectors[v].options, path, &used, error));
    }
    return status;
}

/* Adds the vector's rows and a method; without `method` only the rows, for a reference. */
static psb_status add_vector(const psb_run_job *job, size_t v, psb_derived *d,
                             psb_run_method **method, psb_error *error) {
    PSB_AT_END(psb_basis_free) psb_basis directions = {0};
    psb_status status = PSB_OK;
    PSB_FREED char *path = directions_of(&status, job->options.folder, v, error);
    PSB_THEN(status, psb_basis_read(path, &directions, error));
    if (method == NULL) {
        PSB_THEN(status, psb_signature_add_reference(d, &directions, vectors[v].label, error));
    } else {
        PSB_THEN(status, psb_signature_add(d, &directions, vectors[v].label, error));
        PSB_THEN(status, psb_run_method_signature(vectors[v].label, directions.count,
                                                  vectors[v].options.labels, method, error));
    }
    return status;
}

/* Makes L6, and L6+co and L6+kr+mr from it. */
static psb_status make_learned(psb_run_method *methods[3], psb_error *error) {
    const psb_recipe *l6 = psb_recipe_find("l6");
    psb_reranking both = PSB_RERANK_DEFAULTS;
    psb_run_method *of = NULL;
    both.method = PSB_KR_MR;
    psb_status status = psb_run_method_recipe(l6, &methods[0], error);
    PSB_THEN(status, psb_run_method_recipe(l6, &of, error));
    PSB_THEN(status, psb_run_method_normalised(of, &methods[1], error));
    return PSB_THEN(status, psb_run_method_reranked(l6->label, &both, &methods[2], error));
}

/* The training set is the reference: there, vectors learned with its labels become no methods. */
static psb_status add_rows(const psb_run_job *job, size_t set, psb_error *error) {
    psb_run_method *methods[VECTORS + LEARNED] = {NULL};
    PSB_AT_END(psb_derived_close) psb_derived d = {.lock = PSB_LOCK_NONE};
    PSB_FREED char *folder = NULL, *reference = NULL;
    psb_table *table = NULL;
    size_t count = 0;
    psb_status status = open_run(job, set, &folder, &d, error);
    PSB_THEN(status, folder_of(job->options.folder, PSB_BEYOND_TRAIN, &reference, error));
    for (size_t v = 0; v < VECTORS && status == PSB_OK; v++) {
        bool scored = set != PSB_BEYOND_TRAIN || !vectors[v].options.labels;
        status = add_vector(job, v, &d, scored ? &methods[count++] : NULL, error);
    }
    if (set != PSB_BEYOND_TRAIN) {
        d.reference = reference;
        PSB_THEN(status, make_learned(methods + count, error));
        count += LEARNED;
    }
    PSB_THEN(status, psb_derived_make(&d, methods, count, &table, error));
    for (size_t m = 0; m < VECTORS + LEARNED; m++) {
        psb_run_method_free(methods[m]);
    }
    psb_table_free(table);
    return status;
}

psb_status psb_beyond_run(const psb_run_job *job, const char *psb, psb_run_outcome *last,
                          psb_error *error) {
    PSB_AT_END(psb_text_free) psb_text list = {0};
    PSB_AT_END(psb_plan_free) psb_plan plan = {.nspecs = 0};
    psb_run_job each = *job;
    for (size_t r = 0; r < PSB_BEYOND_ROWS; r++) {
        if (!psb_beyond_rows[r].added) {
            psb_text_printf(&list, "%s,", psb_beyond_rows[r].label);
        }
    }
    psb_text_add(&list, blocks);
    psb_status status = psb_text_status(&list, error);
    PSB_THEN(status, psb_plan_make(NULL, list.data, &plan, error));
    each.plan = &plan;
    for (size_t set = 0; set < PSB_BEYOND_SETS && status == PSB_OK; set++) {
        status = run_set(each, psb, set, last, error);
        PSB_THEN_IF(status, set == PSB_BEYOND_TRAIN, learn(job, error));
        PSB_THEN(status, add_rows(job, set, error));
    }
    return status;
}

/* ---- the numbers ----------------------------------------------------------------------- */

/* Computes the DCG over the queries whose class the training list also has (by name), or over the
 * others. */
static psb_status read_classes(psb_run_record *record, size_t m, const psb_names *classes,
                               bool wanted, double *dcg, psb_error *error) {
    psb_evaluation *e = &record->evaluation;
    psb_status status = PSB_OK;
    size_t n = e->cla->nmodels;
    PSB_FREED bool *listed = psb_new(&status, n, sizeof *listed, "queries", error);
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        const char *name = e->cla->classes[e->cla->class_of[i]].name;
        listed[i] = (psb_names_find(classes, name) != PSB_NO_NAME) == wanted;
    }
    if (status == PSB_OK) {
        psb_evaluation_select(e, listed);
        psb_average average = psb_evaluation_average(e, m, (psb_group){PSB_MICRO, 0});
        *dcg = average.queries > 0 ? average.figure[PSB_DCG] : (double)NAN;
        psb_evaluation_select(e, NULL);
    }
    return status;
}

static psb_status read_row(psb_run_record *record, const char *run, const psb_names *classes,
                           size_t r, size_t set, psb_beyond *beyond, psb_error *error) {
    const psb_beyond_row *row = &psb_beyond_rows[r];
    size_t m = 0, count = record->facts.ndescriptors;
    while (m < count && strcmp(record->labels[m], row->label) != 0) {
        m++;
    }
    if (m == count && set == PSB_BEYOND_TRAIN && strncmp(row->uses, "learned", 7) == 0) {
        for (size_t f = 0; f < PSB_FIGURES; f++) {
            beyond->average[r][set].figure[f] = (double)NAN;
        }
        beyond->dcg_error[r][set] = (double)NAN;
        return PSB_OK;
    }
    if (m == count) {
        return psb_fail_at(error, PSB_ERROR_INPUT, run, 0, "has no row %s: repeat 'psbench beyond'",
                           row->label);
    }
    psb_group all = {PSB_MICRO, 0};
    psb_status status = PSB_OK;
    beyond->average[r][set] = psb_evaluation_average(&record->evaluation, m, all);
    beyond->dcg_error[r][set] = psb_evaluation_mean(&record->evaluation, m, PSB_DCG, all).error;
    if (set == PSB_BEYOND_TEST) {
        const psb_descriptor_facts *of = &record->facts.descriptors[m];
        beyond->model_seconds[r] = of->generate_seconds;
        beyond->pair_seconds[r] = of->compare_seconds;
        beyond->model_bytes[r] = of->storage_bytes;
        status = read_classes(record, m, classes, true, &beyond->seen[r], error);
        PSB_THEN(status, read_classes(record, m, classes, false, &beyond->unseen[r], error));
    }
    return status;
}

static void leave_out(void *context PSB_UNUSED, const char *name PSB_UNUSED,
                      const char *why PSB_UNUSED) {
}

static psb_status read_set(const char *run, const psb_names *classes, size_t set, uint64_t list,
                           int threads, psb_beyond *beyond, psb_error *error) {
    PSB_FREED char *folder = NULL;
    PSB_AT_END(psb_results_free) psb_results results = {0};
    PSB_AT_END(psb_run_record_free) psb_run_record record = {0};
    psb_run_reader reader = {.threads = threads, .left_out = leave_out};
    psb_status status = folder_of(run, set, &folder, error);
    PSB_THEN(status, psb_results_open(folder, false, &results, error));
    if (status == PSB_OK && set == PSB_BEYOND_TEST && list != 0 &&
        results.ledger.list.hash != list) {
        status = psb_fail_at(error, PSB_ERROR_INPUT, folder, 0,
                             "has another list of models than %s: give another folder", run);
    }
    PSB_THEN(status, psb_run_record_read(&results, &reader, &record, error));
    for (size_t r = 0; r < PSB_BEYOND_ROWS && status == PSB_OK; r++) {
        status = read_row(&record, folder, classes, r, set, beyond, error);
    }
    return status;
}

/* Reads the classes of the training set that have models. */
static psb_status read_training(const char *run, psb_classification *cla, psb_names *classes,
                                psb_error *error) {
    PSB_FREED char *folder = NULL;
    PSB_AT_END(psb_results_free) psb_results results = {0};
    psb_status status = folder_of(run, PSB_BEYOND_TRAIN, &folder, error);
    PSB_THEN(status, psb_results_open(folder, false, &results, error));
    PSB_THEN(status, psb_run_read_models(&results, cla, error));
    PSB_THEN(status, psb_names_reserve(classes, cla->nclasses, error));
    for (size_t c = 0; c < cla->nclasses && status == PSB_OK; c++) {
        if (cla->classes[c].count > 0 &&
            psb_names_find(classes, cla->classes[c].name) == PSB_NO_NAME) {
            psb_names_add(classes, cla->classes[c].name, c);
        }
    }
    return status;
}

psb_status psb_beyond_read(const char *run, uint64_t list, int threads, psb_beyond *beyond,
                           psb_error *error) {
    PSB_AT_END(psb_cla_free) psb_classification cla = {0};
    PSB_AT_END(psb_names_free) psb_names classes = {0};
    psb_status status = read_training(run, &cla, &classes, error);
    for (size_t set = 0; set < PSB_BEYOND_SETS && status == PSB_OK; set++) {
        status = read_set(run, &classes, set, list, threads, beyond, error);
    }
    return status;
}

psb_status psb_beyond_is_there(const char *run, bool *there, psb_error *error) {
    psb_status status = PSB_OK;
    *there = true;
    for (size_t set = 0; set < PSB_BEYOND_SETS && *there; set++) {
        PSB_FREED char *path =
            psb_new_format(&status, error, "%s/%s/provenance.tsv", run, psb_beyond_sets[set]);
        *there = false;
        PSB_THEN(status, psb_file_is_there(path, there, error));
    }
    return status;
}
