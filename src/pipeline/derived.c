/* A derived row's files, in the order of a run's own: matrix, run.json, scores, table. */
#include "pipeline/derived.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/memory.h"
#include "descriptors/descriptor.h"
#include "io/ids.h"
#include "pipeline/run_folder.h"
#include "report/query_scores.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the folder ------------------------------------------------------------------------ */

psb_status psb_derived_open(psb_derived *d, const char *run, const char *command_line, int threads,
                            psb_error *error) {
    *d = (psb_derived){.run = run, .threads = threads, .lock = PSB_LOCK_NONE};
    /* A look before the lock, which would make a folder of it. */
    psb_status status = psb_results_open(run, false, &d->results, error);
    psb_results_free(&d->results);
    PSB_THEN(status, psb_run_folder_open(run, NULL, &d->lock, error));
    PSB_THEN(status, psb_results_open(run, false, &d->results, error));
    PSB_THEN(status, psb_run_read_models(&d->results, &d->cla, error));
    PSB_THEN(status, psb_results_need(&d->results, "run.json", error));
    return status == PSB_OK
               ? psb_ledger_begin(&d->results.ledger, &d->results.ledger.list, command_line, error)
               : status;
}

void psb_derived_close(psb_derived *d) {
    psb_text_free(&d->added);
    psb_cla_free(&d->cla);
    psb_results_free(&d->results);
    psb_lock_release(&d->lock);
}

/* ---- parts ----------------------------------------------------------------------------- */

void psb_derived_stem(const char *name, char stem[256]) {
    psb_spec *spec = NULL;
    if (psb_spec_parse(NULL, name, &spec, NULL) == PSB_OK) {
        psb_spec_stem(spec, stem);
    } else {
        psb_label_stem(name, stem);
    }
    psb_spec_free(spec);
}

char *psb_derived_name(psb_status *status, bool features, const char *name, psb_error *error) {
    char stem[256];
    psb_derived_stem(name, stem);
    return psb_new_format(status, error, features ? "features/%s.npy" : "matrices/%s.matrix", stem);
}

/* "matrices/STEM.matrix" as a step of psb_new's kind; free() it. */
static char *name_matrix(psb_status *status, const char *name, psb_error *error) {
    return psb_derived_name(status, false, name, error);
}

psb_status psb_derived_path(const psb_results *results, bool features, const char *name,
                            char **path, psb_error *error) {
    psb_status status = PSB_OK;
    char *file = psb_derived_name(&status, features, name, error);
    if (status == PSB_OK && psb_ledger_find(&results->ledger, file) == NULL) {
        status = features ? psb_fail_at(error, PSB_ERROR_INPUT, results->ledger.run, 0,
                                        "has no features %.100s; a run with it among its -d "
                                        "makes them",
                                        name)
                          : psb_results_fail_matrix(results, name, error);
    }
    PSB_THEN(status, psb_results_need(results, file, error));
    PSB_THEN(status, psb_path_join(path, results->ledger.run, file, error));
    free(file);
    return status;
}

psb_status psb_derived_matrix(const psb_results *results, const psb_classification *cla,
                              const char *name, psb_matrix *matrix, psb_error *error) {
    char *path = NULL;
    psb_status status = psb_derived_path(results, false, name, &path, error);
    PSB_THEN(status, psb_matrix_read(path, cla->nmodels, matrix, error));
    free(path);
    return status;
}

/* ---- the row's files ------------------------------------------------------------------- */

/* Names of the run's own rows are not taken. */
static psb_status check_name(const psb_derived *d, const char *label, const char *file,
                             psb_error *error) {
    const psb_ledger *ledger = &d->results.ledger;
    bool taken = psb_ledger_find(ledger, file) != NULL && !psb_ledger_has_parts(ledger, file);
    return taken ? psb_fail_at(error, PSB_ERROR_USAGE, d->run, 0,
                               "%s is one of the run's own rows; give another name", label)
                 : PSB_OK;
}

static psb_status enter_parts(psb_derived *d, const psb_derived_row *row, const char *file,
                              psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t p = 0; p < row->nparts && status == PSB_OK; p++) {
        char *part = name_matrix(&status, row->parts[p], error);
        PSB_THEN(status, psb_ledger_enter_part(&d->results.ledger, file, part, error));
        free(part);
    }
    return status;
}

static psb_status write_matrix(psb_derived *d, const psb_derived_row *row, const float *distances,
                               psb_error *error) {
    psb_ledger *ledger = &d->results.ledger;
    psb_status status = PSB_OK;
    char *file = name_matrix(&status, row->label, error);
    char *ids = psb_new_format(&status, error, "%s.ids", file);
    PSB_THEN(status, check_name(d, row->label, file, error));
    char *path = psb_ledger_file(&status, ledger, file, error);
    PSB_THEN(status, psb_ids_write(path, NULL, 0, error)); /* never the names of others */
    PSB_THEN(status, psb_matrix_write_data(path, distances, d->cla.nmodels, error));
    PSB_THEN(status, psb_ledger_enter(ledger, file, 0, 0, 0, error));
    PSB_THEN(status, enter_parts(d, row, file, error));
    PSB_THEN(status, psb_ids_write(path, d->cla.models, d->cla.nmodels, error));
    PSB_THEN(status, psb_ledger_enter(ledger, ids, 0, 0, 0, error));
    free(path);
    free(ids);
    free(file);
    return status;
}

static psb_descriptor_facts *find_facts(const psb_run_facts *facts, const char *name) {
    char wanted[256], stem[256];
    psb_derived_stem(name, wanted);
    for (size_t i = 0; i < facts->ndescriptors; i++) {
        psb_label_stem(facts->descriptors[i].label, stem);
        if (strcmp(stem, wanted) == 0) {
            return &facts->descriptors[i];
        }
    }
    return NULL;
}

/* What the row costs is what its parts cost. */
static psb_status add_facts(const psb_derived_row *row, psb_run_facts *facts, psb_error *error) {
    psb_descriptor_facts own = {.label = row->label,
                                .title = row->title,
                                .formula = row->formula,
                                .source = row->source,
                                .metric = row->metric,
                                .uses = row->uses,
                                .compare_seconds = row->seconds,
                                .matrix_wall_seconds = NAN};
    for (size_t p = 0; p < row->nparts; p++) {
        const psb_descriptor_facts *part = find_facts(facts, row->parts[p]);
        own.length += part != NULL ? part->length : (double)NAN;
        own.storage_bytes += part != NULL ? part->storage_bytes : (double)NAN;
        own.generate_seconds += part != NULL ? part->generate_seconds : (double)NAN;
        own.compare_seconds += part != NULL ? part->compare_seconds : (double)NAN;
        own.generate_alone_cpu_seconds +=
            part != NULL ? part->generate_alone_cpu_seconds : (double)NAN;
    }
    /* Of a part that the last run was not asked for nothing is known; 0 says so. */
    own.storage_bytes = isnan(own.storage_bytes) ? 0 : own.storage_bytes;
    psb_descriptor_facts *place = find_facts(facts, row->label);
    if (place == NULL) {
        psb_buffer all = {facts->descriptors, facts->ndescriptors * sizeof *place};
        psb_status status =
            psb_buffer_grow(&all, facts->ndescriptors + 1, sizeof *place, "descriptors", error);
        facts->descriptors = all.data;
        if (status != PSB_OK) {
            return status;
        }
        place = &facts->descriptors[facts->ndescriptors++];
    }
    *place = own;
    return PSB_OK;
}

/* run.json as it is, and the row in its list. */
static psb_status write_facts(psb_derived *d, const psb_derived_row *row, psb_error *error) {
    psb_text text = {0};
    psb_run_facts facts = {0};
    psb_status status = psb_run_read_facts(&d->results, &facts, error);
    PSB_THEN(status, add_facts(row, &facts, error));
    PSB_THEN(status, psb_run_facts_render(&facts, &text, error));
    PSB_THEN(status, psb_ledger_save(&d->results.ledger, "run.json", 0, &text, error));
    psb_run_facts_free(&facts);
    psb_text_free(&text);
    return status;
}

static psb_status write_scores(psb_derived *d, const psb_run_record *record, size_t method,
                               psb_error *error) {
    psb_status status = PSB_OK;
    for (int json = 0; json < 2 && status == PSB_OK; json++) {
        psb_text text = {0};
        char *file = psb_new_format(&status, error, "scores/%s.%s",
                                    record->facts.descriptors[method].stem, json ? "json" : "tsv");
        PSB_THEN(status, (json ? psb_averages_render : psb_query_scores_render)(
                             &record->evaluation, method, &text, error));
        PSB_THEN(status, psb_ledger_save(&d->results.ledger, file, 0, &text, error));
        psb_text_free(&text);
        free(file);
    }
    return status;
}

static bool was_added(const psb_derived *d, const char *label) {
    size_t at = 0;
    while (at < d->added.length && strcmp(d->added.data + at, label) != 0) {
        at += strlen(d->added.data + at) + 1;
    }
    return at < d->added.length;
}

/* Rows that are stale are no longer in the table; who asks for one is told why. */
static void leave_out(void *context, const char *name, psb_output_state state) {
    (void)context;
    (void)name;
    (void)state;
}

psb_status psb_derived_add(psb_derived *d, const psb_derived_row *row, const float *distances,
                           psb_error *error) {
    psb_status status = write_matrix(d, row, distances, error);
    PSB_THEN(status, write_facts(d, row, error));
    psb_text_add_bytes(&d->added, row->label, strlen(row->label) + 1);
    PSB_THEN(status, psb_text_status(&d->added, error));
    /* However this ends: what is entered is there. */
    psb_status written = psb_ledger_write(&d->results.ledger, status == PSB_OK ? error : NULL);
    return status == PSB_OK ? written : status;
}

psb_status psb_derived_finish(psb_derived *d, psb_run_record *record, psb_text *table,
                              psb_error *error) {
    psb_run_reader reader = {.threads = d->threads, .left_out = leave_out};
    psb_status status = psb_run_record_read(&d->results, &reader, record, error);
    for (size_t r = 0; status == PSB_OK && r < record->facts.ndescriptors; r++) {
        status = was_added(d, record->labels[r]) ? write_scores(d, record, r, error) : PSB_OK;
    }
    bool published = psb_ledger_find(&d->results.ledger, "table4.json") != NULL;
    PSB_THEN(status,
             psb_run_record_tables(record, &d->results.ledger, published ? "table4" : "table",
                                   d->columns, table, error));
    psb_status written = psb_ledger_write(&d->results.ledger, status == PSB_OK ? error : NULL);
    return status == PSB_OK ? written : status;
}

/* ---- sums ------------------------------------------------------------------------------ */

static psb_status sum(const psb_derived *d, const psb_recipe *recipe, float **out,
                      psb_error *error) {
    const char *names[PSB_MEMBERS_MOST];
    psb_matrix members[PSB_MEMBERS_MOST] = {{0}};
    size_t n = d->cla.nmodels, count = psb_recipe_members(recipe, names);
    psb_status status = PSB_OK;
    for (size_t m = 0; m < count && status == PSB_OK; m++) {
        status = psb_derived_matrix(&d->results, &d->cla, names[m], &members[m], error);
    }
    *out = psb_new(&status, n, n * sizeof(float), "a distance matrix", error);
    PSB_THEN(status, psb_combine_matrices(recipe, members, d->threads, *out, error));
    for (size_t m = 0; m < count; m++) {
        psb_matrix_close(&members[m]);
    }
    return status;
}

static double seconds_a_pair(const psb_derived *d, double start) {
    double n = (double)d->cla.nmodels;
    return n > 1 ? (psb_clock_process() - start) / (0.5 * n * (n - 1)) : 0;
}

psb_status psb_derived_combine(psb_derived *d, const psb_recipe *recipe, const char *source,
                               const char *uses, psb_error *error) {
    const char *members[PSB_MEMBERS_MOST];
    psb_text formula = {0};
    float *distances = NULL;
    double start = psb_clock_process();
    psb_status status = sum(d, recipe, &distances, error);
    double seconds = seconds_a_pair(d, start);
    psb_recipe_formula(recipe, &formula);
    PSB_THEN(status, psb_text_status(&formula, error));
    psb_derived_row row = {recipe->label, "Sum of distances",
                           formula.data,  source,
                           "sum",         uses,
                           members,       psb_recipe_members(recipe, members),
                           seconds};
    PSB_THEN(status, psb_derived_add(d, &row, distances, error));
    psb_text_free(&formula);
    free(distances);
    return status;
}

psb_status psb_derived_recipe(psb_derived *d, const psb_recipe *recipe, psb_error *error) {
    psb_status status = PSB_OK;
    char *source = psb_new_format(
        &status, error, "ours, 2026; members and scales chosen on the training list %016" PRIx64,
        recipe->training_list);
    PSB_THEN(status, psb_derived_combine(d, recipe, source, "pair", error));
    free(source);
    return status;
}

/* "T3+kr", and behind it what is not preset. */
static char *label_reranked(psb_status *status, const char *name, const psb_rerank_options *o,
                            psb_error *error) {
    const psb_rerank_options preset = PSB_RERANK_PRESET;
    return o->k1 == preset.k1 && o->k2 == preset.k2 && o->lambda == preset.lambda
               ? psb_new_format(status, error, "%s+kr", name)
               : psb_new_format(status, error, "%s+kr-%zu-%zu-%g", name, o->k1, o->k2, o->lambda);
}

psb_status psb_derived_rerank(psb_derived *d, const char *name, const psb_rerank_options *o,
                              psb_error *error) {
    psb_matrix matrix = {0};
    psb_status status = psb_derived_matrix(&d->results, &d->cla, name, &matrix, error);
    size_t n = d->cla.nmodels;
    double start = psb_clock_process();
    float *out = psb_new(&status, n, n * sizeof *out, "a distance matrix", error);
    PSB_THEN(status, psb_rerank_matrix(&matrix, o, out, error));
    char *label = label_reranked(&status, name, o, error);
    char *formula = psb_new_format(&status, error,
                                   "k-reciprocal re-ranking of %s: k1 = %zu, k2 = %zu, lambda = %g",
                                   name, o->k1, o->k2, o->lambda);
    psb_derived_row row = {.label = label,
                           .title = "Re-ranked distances",
                           .formula = formula,
                           .source = "Zhong, Zheng, Cao, Li 2017",
                           .metric = "k-reciprocal",
                           .uses = "context",
                           .parts = &name,
                           .nparts = 1,
                           .seconds = seconds_a_pair(d, start)};
    PSB_THEN(status, psb_derived_add(d, &row, out, error));
    psb_matrix_close(&matrix);
    free(label);
    free(formula);
    free(out);
    return status;
}
