/* Fills the record while a run works, or reads it from the folder. */
#include "run/record.h"

#include "descriptors/descriptor.h"
#include "run/manifest.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

psb_status psb_run_record_open(psb_run_record *record, const psb_classification *cla,
                               const psb_classification *targets, bool keep_ranks,
                               psb_error *error) {
    size_t count = record->facts.ndescriptors;
    psb_evaluation *e = &record->evaluation;
    psb_status status = PSB_OK;
    record->labels = psb_new(&status, count, sizeof *record->labels, "a table", error);
    record->rows = psb_new_zero(&status, count, sizeof *record->rows, "a table", error);
    if (status != PSB_OK) {
        return status;
    }
    for (size_t d = 0; d < count; d++) {
        record->labels[d] = record->facts.descriptors[d].label;
    }
    *e = (psb_evaluation){.cla = cla,
                          .measures = record->figures,
                          .labels = record->labels,
                          .nmethods = count,
                          .keep_ranks = keep_ranks};
    if (targets != NULL) {
        status = psb_relevance_by_class(cla, targets, false, &record->relevance, error);
        e->relevance = &record->relevance;
    }
    PSB_THEN(status, psb_measures_parse("table4", record->figures, &e->nmeasures, error));
    return PSB_THEN(status, psb_evaluation_open(e, error));
}

static double or_zero(double number) {
    return number > 0 && number < 1e15 ? number : 0;
}

void psb_run_record_average(psb_run_record *record, size_t which) {
    record->rows[which].average =
        psb_evaluation_average(&record->evaluation, which, (psb_group){PSB_MICRO, 0});
}

void psb_run_record_finish(psb_run_record *record, const char *run) {
    const psb_run_facts *facts = &record->facts;
    bool two = record->relevance.targets != NULL;
    size_t queries = record->evaluation.cla->nmodels;
    for (size_t d = 0; d < facts->ndescriptors; d++) {
        const psb_descriptor_facts *of = &facts->descriptors[d];
        record->rows[d] = (psb_table4_row){
            .label = of->label,
            .published_name = of->published_name,
            .uses = of->uses,
            .storage_bytes = (size_t)or_zero(of->storage_bytes),
            .generate_seconds = or_zero(of->generate_seconds),
            .compare_seconds = or_zero(of->compare_seconds),
        };
        psb_run_record_average(record, d);
    }
    record->table = (psb_table4){
        .title = facts->title,
        .rows = record->rows,
        .nrows = facts->ndescriptors,
        .models_used = two ? (size_t)facts->models_used : queries,
        .models_listed = (size_t)or_zero(facts->models_listed),
        .sides = {two ? queries : 0, two ? record->relevance.targets->nmodels : 0},
        .together_seconds = or_zero(facts->together_seconds),
    };
    record->report = (psb_report){.run = run,
                                  .facts = facts,
                                  .table = &record->table,
                                  .evaluation = &record->evaluation,
                                  .streamed = record->streamed};
}

static psb_status save_in_ledger(void *ledger, const char *file, const psb_text *text,
                                 psb_error *error) {
    return psb_ledger_save(ledger, file, text, error);
}

psb_status psb_run_record_tables(const psb_run_record *record, psb_ledger *ledger, const char *name,
                                 psb_table **table, psb_error *error) {
    psb_status status = psb_table4_make(&record->table, table, error);
    return PSB_THEN(status, psb_table_save(*table, name, save_in_ledger, ledger, error));
}

static psb_status save_in_run(void *context, const char *file, const psb_text *text,
                              psb_error *error) {
    const char *const *of = context; /* the run, the command line */
    return psb_results_save(of[0], file, text, of[1] != NULL ? of[1] : "", error);
}

psb_status psb_run_save_table(const char *run, const char *name, const psb_table *table,
                              const char *command_line, psb_error *error) {
    const char *of[] = {run, command_line};
    return psb_table_save(table, name, save_in_run, of, error);
}

void psb_run_record_free(psb_run_record *record) {
    psb_evaluation_close(&record->evaluation);
    psb_free_texts(record->given_labels, record->ngiven);
    psb_relevance_free(&record->relevance);
    free(record->streamed);
    free(record->labels);
    free(record->rows);
    psb_cla_free(&record->cla);
    psb_run_facts_free(&record->facts);
}

/* ---- files of a method ----------------------------------------------------------------- */

char *psb_run_method_file(psb_status *status, bool features, const char *name, psb_error *error) {
    psb_label label;
    PSB_THEN(*status, psb_run_method_label(name, &label, error));
    return psb_new_format(status, error, features ? "features/%s.npy" : "matrices/%s.matrix",
                          label.stem);
}

psb_status psb_run_method_path(const psb_results *results, bool features, const char *name,
                               char **path, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED char *file = psb_run_method_file(&status, features, name, error);
    PSB_THEN_IF(status, psb_ledger_find(&results->ledger, file) == NULL,
                psb_results_fail_absent(results, features, name, error));
    PSB_THEN(status, psb_results_need(results, file, error));
    return PSB_THEN(status, psb_path_join(path, results->ledger.run, file, error));
}

psb_status psb_run_method_matrix(const psb_results *results, size_t models, const char *name,
                                 psb_matrix *matrix, psb_error *error) {
    PSB_FREED char *path = NULL;
    psb_status status = psb_run_method_path(results, false, name, &path, error);
    return PSB_THEN(status, psb_matrix_read(path, models, matrix, error));
}

/* ---- from the folder ------------------------------------------------------------------- */

psb_status psb_run_read_facts(const psb_results *results, psb_run_facts *facts, psb_error *error) {
    PSB_FREED char *path = NULL;
    PSB_AT_END(psb_input_close) psb_input input = PSB_NO_INPUT;
    psb_status status = psb_results_need(results, "run.json", error);
    PSB_THEN(status, psb_path_join(&path, results->ledger.run, "run.json", error));
    PSB_THEN(status, psb_input_open(path, &input, error));
    return PSB_THEN(status, psb_run_facts_parse(path, input.data, input.size, facts, error));
}

psb_status psb_run_check_descriptor(const char *run, psb_descriptor_facts *of, psb_error *error) {
    psb_label label;
    psb_error own;
    if (psb_label_make(of->label != NULL ? of->label : "", &label, &own) != PSB_OK) {
        return psb_fail(error, PSB_ERROR_INPUT, "%s/run.json: %s", run, own.message);
    }
    memcpy(of->stem, label.stem, sizeof label.stem);
    return isnan(of->storage_bytes)
               ? psb_fail(error, PSB_ERROR_INPUT,
                          "%s/run.json: an older version's, which does not say what %s costs; the "
                          "run's command, given again, writes it anew",
                          run, label.text)
               : PSB_OK;
}

psb_status psb_run_check_revision(const psb_results *results, const psb_run_facts *facts,
                                  const psb_spec *spec, psb_error *error) {
    size_t d = 0;
    while (d < facts->ndescriptors &&
           (facts->descriptors[d].label == NULL ||
            strcmp(facts->descriptors[d].label, spec->label.text) != 0)) {
        d++;
    }
    if (d == facts->ndescriptors) {
        return psb_results_fail_absent(results, true, spec->label.text, error);
    }
    return facts->descriptors[d].revision == (double)spec->descriptor->revision
               ? PSB_OK
               : psb_fail_at(error, PSB_ERROR_INPUT, results->ledger.run, 0,
                             "its rows of %s were not made by revision %u of %s, which this "
                             "program has; the run's command, given again, makes them anew",
                             spec->label.text, spec->descriptor->revision, spec->descriptor->name);
}

void psb_run_judge(const psb_descriptor_facts *of, psb_finding *found) {
    if (found->state != PSB_OUTPUT_OK || of->uses == NULL || of->metric == NULL) {
        return;
    }
    unsigned own = psb_run_method_revision(of->metric);
    double revision = isnan(of->revision) ? 1 : of->revision; /* the first wrote none */
    if (revision != (double)own) {
        found->state = PSB_OUTPUT_STALE;
        snprintf(found->reason, sizeof found->reason,
                 "made by revision %.0f of %.80s, where this program has %u; the command that made "
                 "it, given again, makes it anew",
                 revision, of->metric, own);
    }
}

bool psb_run_is_older(const psb_added *added, const psb_run_facts *facts, const char *name) {
    const char *stem = psb_last_part(name), *dot = strrchr(stem, '.');
    bool method = strncmp(name, "features/", 9) == 0 || strncmp(name, "matrices/", 9) == 0;
    const psb_descriptor_facts *of =
        method && dot != NULL ? psb_manifest_find_stem(facts, stem, (size_t)(dot - stem)) : NULL;
    psb_finding found = {.state = PSB_OUTPUT_OK};
    if (of == NULL) {
        return false;
    }
    unsigned own = psb_spec_revision(added, of->label);
    psb_run_judge(of, &found);
    return of->uses != NULL ? found.state != PSB_OUTPUT_OK
                            : own != 0 && of->revision != (double)own;
}

/* Returns the revision that made a descriptor's rows, or 0. */
static double revision_of(const psb_run_facts *facts, const char *label) {
    for (size_t d = 0; d < facts->ndescriptors; d++) {
        const psb_descriptor_facts *of = &facts->descriptors[d];
        if (of->label != NULL && strcmp(of->label, label) == 0) {
            return of->revision;
        }
    }
    return 0;
}

/* Finds the run's facts and label for a file of features; neither if no run knows the file. */
static psb_status find_made(const char *path, psb_run_facts *facts, const char **label,
                            psb_error *error) {
    PSB_AT_END(psb_results_free) psb_results results = {.whole = false};
    const psb_descriptor_facts *of = NULL;
    PSB_FREED char *name = NULL;
    psb_status status = psb_results_of_file(path, &results, &name, error);
    if (status == PSB_OK && name != NULL && strncmp(name, "features/", 9) == 0) {
        status = psb_run_read_facts(&results, facts, error);
        /* Without a manifest nothing is known of revisions; the features have their own proof. */
        status = status == PSB_ERROR_INPUT ? PSB_OK : status;
    }
    const char *dot = name != NULL ? strrchr(name, '.') : NULL;
    if (status == PSB_OK && dot != NULL && dot > name + 9 && strcmp(dot, ".npy") == 0) {
        of = psb_manifest_find_stem(facts, name + 9, (size_t)(dot - name) - 9);
    }
    *label = of != NULL ? of->label : NULL;
    return status;
}

psb_status psb_run_check_alike(const char *one, const char *other, psb_error *error) {
    PSB_AT_END(psb_run_facts_free) psb_run_facts a = {0}, b = {0};
    const char *label, *same;
    PSB_AT_END(psb_plan_free) psb_plan plan = {0};
    psb_status status = find_made(one, &a, &label, error);
    PSB_THEN(status, find_made(other, &b, &same, error));
    bool known = status == PSB_OK && label != NULL && same != NULL;
    bool alike = known && strcmp(label, same) == 0;
    if (known && !alike) {
        status = psb_fail_at(
            error, PSB_ERROR_USAGE, other, 0,
            "rows of %.80s, but those of %.200s are of %.80s; name two files of one descriptor",
            same, one, label);
    }
    /* A sum's rows are those of its members. */
    bool members = alike && psb_plan_make(NULL, label, &plan, NULL) == PSB_OK;
    for (size_t m = 0; m <= plan.nspecs && alike && status == PSB_OK; m++) {
        const char *made = m < plan.nspecs && members ? plan.specs[m]->label.text : label;
        double first = revision_of(&a, made), second = revision_of(&b, made);
        if (first > 0 && second > 0 && first != second) {
            status = psb_fail_at(error, PSB_ERROR_INPUT, other, 0,
                                 "rows that revision %.0f of %s made, but those of %.200s are of "
                                 "revision %.0f; repeat the command of the older run",
                                 second, made, one, first);
        }
    }
    return status;
}

psb_status psb_run_features(const char *run, const psb_descriptor_facts *of, size_t n,
                            const psb_added *added, psb_feature_set *set, char **path,
                            psb_error *error) {
    psb_spec *spec = NULL;
    psb_status status = psb_spec_parse(added, of->label, &spec, error);
    *path = psb_new_format(&status, error, "%s/features/%s.npy", run, of->stem);
    PSB_THEN(status, psb_feature_set_open(*path, n, psb_spec_metric(spec), set, error));
    psb_spec_free(spec);
    return status;
}

/* Sets *shown if the descriptor has a sound matrix or, if the run made none, sound features. */
static psb_status find(const psb_results *results, const psb_run_reader *reader,
                       const psb_descriptor_facts *of, bool *shown, bool *streamed,
                       psb_error *error) {
    char name[256 + sizeof "matrices/.matrix"];
    psb_finding found;
    snprintf(name, sizeof name, "matrices/%s.matrix", of->stem);
    psb_status status = psb_results_look(results, name, &found, error);
    if (status == PSB_OK) {
        psb_run_judge(of, &found);
    }
    *streamed = found.state == PSB_OUTPUT_NONE && reader->streams;
    if (status == PSB_OK && *streamed) {
        snprintf(name, sizeof name, "features/%s.npy", of->stem);
        status = psb_results_look(results, name, &found, error);
    }
    *shown = status == PSB_OK && found.state == PSB_OUTPUT_OK;
    if (status == PSB_OK && !*shown) {
        reader->left_out(reader->context, name, found.reason);
    }
    return status;
}

static psb_status leave_out(const psb_results *results, const psb_run_reader *reader,
                            psb_run_record *record, psb_error *error) {
    const char *run = results->ledger.run;
    psb_run_facts *facts = &record->facts;
    size_t left = 0;
    psb_status status = PSB_OK;
    record->streamed = psb_new_zero(&status, facts->ndescriptors + reader->ngiven,
                                    sizeof *record->streamed, "a table", error);
    for (size_t d = 0; d < facts->ndescriptors && status == PSB_OK; d++) {
        psb_descriptor_facts *of = &facts->descriptors[d];
        bool shown = false;
        status = psb_run_check_descriptor(run, of, error);
        PSB_THEN(status, find(results, reader, of, &shown, &record->streamed[left], error));
        if (shown) {
            facts->descriptors[left++] = *of;
        }
    }
    facts->ndescriptors = left;
    PSB_THEN_IF(status, left == 0,
                psb_fail(error, PSB_ERROR_INPUT,
                         "%s: no descriptor has its matrix or rows as the run made them: repeat "
                         "the run's command",
                         run));
    return status;
}

psb_status psb_run_refuse_sides(const char *run, psb_error *error) {
    return psb_fail_at(error, PSB_ERROR_INPUT, run, 0,
                       "its queries and targets are two sets, and this is made of one; 'psbench "
                       "eval', 'compare' and 'classify' take such a run");
}

psb_status psb_run_read_models(const psb_results *results, psb_classification *cla,
                               psb_error *error) {
    PSB_FREED char *path = NULL;
    psb_status status = psb_results_need(results, "models.cla", error);
    PSB_THEN_IF(status, psb_ledger_find(&results->ledger, "queries.cla") != NULL,
                psb_run_refuse_sides(results->ledger.run, error));
    PSB_THEN(status, psb_path_join(&path, results->ledger.run, "models.cla", error));
    return PSB_THEN(status, psb_cla_read(path, cla, error));
}

/* Makes the label of a matrix that is given beside the run: its own label if that is valid and
 * free, else the label's first letters with "@given", and a number if that is taken. */
static psb_status label_given(const char *given, const psb_run_facts *facts, psb_label *label,
                              psb_error *error) {
    char plain[101];
    snprintf(plain, sizeof plain, "%s", given);
    for (char *at = plain; *at != '\0'; at++) {
        *at = isalnum((unsigned char)*at) || strchr("_=:,.+-@", *at) != NULL ? *at : '-';
    }
    bool fine =
        psb_label_make(plain, label, NULL) == PSB_OK && psb_manifest_find(facts, label) == NULL;
    const char *begin = plain;
    while (*begin != '\0' && !isalnum((unsigned char)*begin)) {
        begin++;
    }
    size_t length = 0;
    while (isalnum((unsigned char)begin[length])) {
        length++;
    }
    psb_status status = PSB_OK;
    for (int next = 1; !fine && status == PSB_OK; next++) {
        char name[96], number[16] = "";
        if (next > 1) {
            snprintf(number, sizeof number, "-%d", next);
        }
        snprintf(name, sizeof name, "%.*s%sgiven%s", (int)(length < 60 ? length : 60), begin,
                 length > 0 ? "@" : "", number);
        status = psb_label_make(name, label, error);
        fine = psb_manifest_find(facts, label) == NULL;
    }
    return status;
}

/* Adds the given methods after the run's own. Their labels name files too, so each is unique. */
static psb_status add_given(const psb_run_reader *reader, psb_run_record *record,
                            psb_error *error) {
    psb_run_facts *facts = &record->facts;
    psb_status status = PSB_OK;
    psb_descriptor_facts *all =
        psb_new(&status, facts->ndescriptors + reader->ngiven, sizeof *all, "a table", error);
    record->given_labels =
        psb_new_zero(&status, reader->ngiven, sizeof *record->given_labels, "labels", error);
    if (status != PSB_OK) {
        free(all);
        return status;
    }
    for (size_t d = 0; d < facts->ndescriptors; d++) {
        all[d] = facts->descriptors[d];
    }
    free(facts->descriptors);
    facts->descriptors = all;
    record->ngiven = reader->ngiven;
    bool beside = facts->ndescriptors > 0;
    for (size_t g = 0; g < reader->ngiven && status == PSB_OK; g++) {
        psb_label label;
        status = label_given(reader->given_labels[g], facts, &label, error);
        record->streamed[facts->ndescriptors] =
            reader->given_streams != NULL && reader->given_streams[g];
        record->given_labels[g] = psb_new_copy(&status, label.text, "a label", error);
        if (status == PSB_OK) {
            psb_descriptor_facts *of = &all[facts->ndescriptors++];
            *of = (psb_descriptor_facts){.label = record->given_labels[g],
                                         .title = beside ? "given beside the run" : NULL,
                                         .source = reader->given_names[g]};
            psb_facts_forget(&psb_facts_of_descriptor, of);
            memcpy(of->stem, label.stem, sizeof label.stem);
        }
    }
    return status;
}

static psb_status rank(const psb_run_reader *reader, psb_run_record *record, const char *run,
                       psb_error *error) {
    psb_status status = PSB_OK;
    size_t count = record->facts.ndescriptors;
    for (size_t d = 0; d < count && status == PSB_OK; d++) {
        psb_matrix matrix = {0};
        size_t own = count - reader->ngiven;
        if (d < own && !record->streamed[d]) {
            status = psb_run_facts_matrix(run, &record->facts.descriptors[d],
                                          record->evaluation.cla->nmodels, &matrix, error);
        }
        PSB_THEN_IF(status, !record->streamed[d],
                    psb_evaluation_rank(&record->evaluation, d,
                                        d < own ? &matrix : &reader->given[d - own],
                                        reader->threads, error));
        psb_matrix_close(&matrix);
        if (status == PSB_OK && reader->progress != NULL &&
            reader->progress(d + 1, count, reader->context) != 0) {
            status = psb_fail(error, PSB_ERROR_INTERRUPTED, "interrupted");
        }
    }
    return status;
}

/* True if ranks can be kept for the pages: those of streamed features would take too much
 * memory. */
static bool none_streams(const psb_run_record *record) {
    for (size_t d = 0; d < record->facts.ndescriptors; d++) {
        if (record->streamed[d]) {
            return false;
        }
    }
    return true;
}

/* Makes table and report from the descriptors. */
static psb_status judge(const psb_run_reader *reader, psb_run_record *record,
                        const psb_classification *cla, const char *run, psb_error *error) {
    psb_status status = add_given(reader, record, error);
    PSB_THEN(status, psb_run_record_open(record, cla, NULL, none_streams(record), error));
    PSB_THEN(status, rank(reader, record, run, error));
    if (status == PSB_OK) {
        psb_run_record_finish(record, run);
        record->report.given = reader->given;
        record->report.ngiven = reader->ngiven;
    }
    return status;
}

psb_status psb_run_record_read(const psb_results *results, const psb_run_reader *reader,
                               psb_run_record *record, psb_error *error) {
    psb_status status = psb_run_read_models(results, &record->cla, error);
    PSB_THEN(status, psb_run_read_facts(results, &record->facts, error));
    PSB_THEN(status, leave_out(results, reader, record, error));
    return PSB_THEN(status, judge(reader, record, &record->cla, results->ledger.run, error));
}

psb_status psb_run_record_of_set(const psb_classification *cla, const psb_run_facts *facts,
                                 const psb_run_reader *reader, psb_run_record *record,
                                 psb_error *error) {
    psb_status status = PSB_OK;
    record->facts = *facts;
    record->streamed =
        psb_new_zero(&status, reader->ngiven, sizeof *record->streamed, "a table", error);
    return PSB_THEN(status, judge(reader, record, cla, NULL, error));
}
