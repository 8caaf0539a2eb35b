/* Evaluates methods for clients: values, means, texts and comparisons. */
#include "core/memory.h"
#include "eval/index_loss.h"
#include "library/call.h"
#include "library/methods.h"
#include "report/comparison.h"
#include "report/figures.h"
#include "report/measure_table.h"

#include <math.h>

enum { NAMED = 5 }; /* missing queries that a note names */

static psb_status measure_features(const psb_methods *all, size_t k, const psb_evaluation *e,
                                   psb_error *error) {
    const psb_observer *observer = &all->psb->observer;
    psb_memory_plan plan = {.passes = 0}; /* 0 if nothing is left to measure */
    const psb_measuring of = {.cla = &all->cla,
                              .set = &all->features[k],
                              .measures = e->measures,
                              .count = e->nmeasures,
                              .threads = all->threads,
                              .memory = all->memory,
                              .observer = observer};
    psb_status status =
        psb_query_parts_measure(&all->parts, &of, psb_evaluation_values(e, k), &plan, error);
    if (status == PSB_OK && plan.passes > 0) {
        psb_memory_plan_say(&plan, observer);
    }
    return status;
}

/* Names the queries without a list in a note, according to `absent`. */
static void name_missing(const psb_methods *all, size_t k, psb_absence absent,
                         const bool *covered) {
    const psb_observer *observer = &all->psb->observer;
    PSB_AT_END(psb_text_free) psb_text names = {.data = NULL};
    size_t missing = 0;
    for (size_t i = 0; i < all->cla.nmodels; i++) {
        if (all->selected[i] && !covered[i] && missing++ < NAMED) {
            psb_text_printf(&names, "%s%.40s", missing > 1 ? ", " : "", all->cla.models[i]);
        }
    }
    psb_text_add(&names, missing > NAMED ? ", ..." : "");
    const char *shown = names.data != NULL ? names.data : "";
    if (missing > 0 && absent == PSB_ABSENT_ZERO) {
        psb_observer_say(observer, PSB_NOTE,
                         "%s: no list for %zu of %zu queries (%s), which count 0", all->paths[k],
                         missing, all->queries, shown);
    } else if (missing > 0) {
        psb_observer_fail(
            observer, "%s: no list for %zu of %zu queries (%s): they are left out of all figures",
            all->paths[k], missing, all->queries, shown);
    }
}

/* Measures lists; covered[i] stays true if query i has a list. */
static psb_status measure_lists(const psb_methods *all, size_t k, psb_evaluation *e,
                                psb_error *error) {
    psb_status status = PSB_OK;
    psb_coverage coverage = {
        .covered = psb_new(&status, all->cla.nmodels, sizeof(bool), "queries", error)};
    if (status != PSB_OK) {
        return status;
    }
    memset(coverage.covered, 1, all->cla.nmodels);
    status = psb_evaluation_lists(e, k, all->paths[k], all->lists[k], &coverage, error);
    if (status == PSB_OK) {
        name_missing(all, k, e->absent, coverage.covered);
        if (e->absent == PSB_ABSENT_ZERO) {
            psb_evaluation_zero(e, k, coverage.covered);
        } else {
            psb_evaluation_narrow(e, coverage.covered);
        }
    }
    if (status == PSB_OK && coverage.shorter > 0 && all->lists[k] != PSB_LISTS_SEARCH) {
        psb_observer_say(
            &all->psb->observer, PSB_NOTE,
            "%s: the lists of %zu queries are shorter than the targets are many, the shortest "
            "has %zu: what is not listed was not found",
            all->paths[k], coverage.shorter, coverage.shortest);
    }
    free(coverage.covered);
    return status;
}

void psb_methods_judge_chance(const psb_methods *all, size_t k, const psb_evaluation *e,
                              const double *values) {
    psb_chance chance = {0};
    size_t m = 0;
    while (m < e->nmeasures && strcmp(e->measures[m].name, "nearest_neighbor") != 0) {
        m++;
    }
    for (size_t i = 0; i < e->cla->nmodels && m < e->nmeasures; i++) {
        if (e->selected[i]) {
            psb_chance_add(&chance, &all->relevance, i, values[i * e->nmeasures + m]);
        }
    }
    psb_methods_tell_chance(all, &chance, all->paths[k]);
}

static psb_status fill(const psb_methods *all, psb_evaluation *e, psb_error *error) {
    psb_status status = psb_evaluation_open(e, error);
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        if (all->lists[k] != PSB_LISTS_NONE) {
            status = measure_lists(all, k, e, error);
        } else if (all->features[k].npy.rows > 0) {
            status = measure_features(all, k, e, error);
        } else {
            status = psb_evaluation_rank(e, k, &all->matrices[k], all->threads, error);
            continue;
        }
        if (status == PSB_OK && all->parts.part.count == 0) {
            psb_methods_judge_chance(all, k, e, psb_evaluation_values(e, k));
        }
    }
    return status;
}

psb_status psb_methods_evaluate(const psb_methods *all, bool known, psb_evaluation *e,
                                psb_error *error) {
    e->cla = &all->cla;
    e->relevance = all->judged ? &all->relevance : NULL;
    e->labels = all->labels;
    e->nmethods = all->count;
    e->listed = all->listed;
    psb_status status = fill(all, e, error);
    PSB_THEN_IF(status, e->without > 0 && psb_group_count(e, PSB_MICRO) == 0,
                psb_fail_at(error, PSB_ERROR_INPUT, all->first_name, 0,
                            "no query has a list: queries are named by their ids"));
    for (size_t k = 0; k < all->count && !known && status == PSB_OK; k++) {
        status = psb_evaluation_need(e, k, all->paths[k], error);
    }
    return status;
}

/* ---- evaluations of clients ------------------------------------------------------------- */

/* Behind a client's psb_evaluation pointer, which points to the first member. */
typedef struct judgement {
    psb_evaluation evaluation;
    psb_chosen_measure measures[PSB_MAX_CHOSEN];
    const psb_methods *methods;
    bool marked; /* some lists are too short for a figure */
} judgement;

static const judgement *of(const psb_evaluation *e) {
    return (const judgement *)(const void *)e;
}

/* Reports the figures marked '-' because the lists end too early. */
static void warn_of_marked(judgement *j, size_t k) {
    const psb_evaluation *e = &j->evaluation;
    PSB_AT_END(psb_text_free) psb_text names = {.data = NULL};
    for (size_t f = 0; f < e->nmeasures; f++) {
        psb_mean mean = psb_evaluation_mean(e, k, f, (psb_group){PSB_MICRO, 0});
        if (mean.queries > 0 && isnan(mean.value)) {
            psb_text_printf(&names, "%s%s", names.length > 0 ? ", " : "", e->measures[f].name);
        }
    }
    if (names.length > 0) {
        j->marked = true;
        psb_observer_fail(&j->methods->psb->observer,
                          "%s: the lists end too early for %s, marked '-'", j->methods->paths[k],
                          names.data);
    }
}

psb_status psb_check_measures(const char *list, psb_error *error) {
    psb_chosen_measure measures[PSB_MAX_CHOSEN];
    size_t count;
    return psb_measures_parse(list, measures, &count, error);
}

bool psb_is_paired(const char *list) {
    psb_chosen_measure measures[PSB_MAX_CHOSEN];
    size_t count;
    return psb_measures_parse(list, measures, &count, NULL) == PSB_OK && count == 1 &&
           !measures[0].measure.over_set;
}

psb_status psb_evaluate(psb_context *psb, const psb_methods *methods,
                        const psb_evaluate_options *options, psb_evaluation **evaluation,
                        psb_error *error) {
    static const psb_evaluate_options defaults;
    const psb_evaluate_options *o = options != NULL ? options : &defaults;
    *evaluation = NULL;
    if (methods->count == 0) {
        return psb_misuse(error, "there is no method to evaluate");
    }
    psb_status status = PSB_OK;
    judgement *j = psb_new_zero(&status, 1, sizeof *j, "an evaluation", error);
    if (status != PSB_OK) {
        return status;
    }
    psb_evaluation *e = &j->evaluation;
    *e = (psb_evaluation){.measures = j->measures, .units = o->units, .absent = o->absent};
    j->methods = methods;
    status = psb_measures_parse(o->measures != NULL ? o->measures : "table4", j->measures,
                                &e->nmeasures, error);
    PSB_AT_END(psb_call_end) psb_call call = {0};
    PSB_THEN(status, psb_call_begin(&call, &psb->observer, error));
    bool part = methods->parts.part.count > 0; /* its values are in the part's file */
    PSB_THEN(status, psb_methods_evaluate(methods, o->marked || o->unknown || part, e, error));
    if (status != PSB_OK || part) {
        psb_evaluation_free(e);
        return status;
    }
    for (size_t k = 0; k < methods->count && o->marked; k++) {
        warn_of_marked(j, k);
    }
    *evaluation = e;
    return PSB_OK;
}

void psb_evaluation_free(psb_evaluation *e) {
    if (e != NULL) {
        psb_evaluation_close(e);
        free(e);
    }
}

bool psb_evaluation_whole(const psb_evaluation *e) {
    return e->without == 0 && !of(e)->marked;
}

size_t psb_evaluation_methods(const psb_evaluation *e) {
    return e->nmethods;
}

const char *psb_evaluation_label(const psb_evaluation *e, size_t method) {
    return method < e->nmethods ? e->labels[method] : NULL;
}

size_t psb_evaluation_measures(const psb_evaluation *e) {
    return e->nmeasures;
}

const char *psb_evaluation_measure(const psb_evaluation *e, size_t measure) {
    return measure < e->nmeasures ? e->measures[measure].name : NULL;
}

size_t psb_evaluation_find_measure(const psb_evaluation *e, const char *name) {
    psb_chosen_measure asked[PSB_MAX_CHOSEN];
    size_t count = 0, m = 0;
    if (name == NULL || psb_measures_parse(name, asked, &count, NULL) != PSB_OK || count != 1) {
        return SIZE_MAX;
    }
    while (m < e->nmeasures && strcmp(e->measures[m].name, asked[0].name) != 0) {
        m++;
    }
    return m < e->nmeasures ? m : SIZE_MAX;
}

double psb_evaluation_value(const psb_evaluation *e, size_t method, size_t measure, size_t query) {
    bool known = method < e->nmethods && measure < e->nmeasures && query < e->cla->nmodels;
    return known ? psb_evaluation_values(e, method)[query * e->nmeasures + measure] : NAN;
}

/* ---- texts ------------------------------------------------------------------------------ */

psb_status psb_measures_text(char **text, psb_error *error) {
    psb_text out = {.data = NULL};
    for (size_t i = 0; i < psb_measure_count(); i++) {
        const psb_measure *m = psb_measure_at(i);
        psb_text_printf(&out, "%s%s\n    %s: %s\n    %s\n", m->name, m->at_length ? "@K" : "",
                        m->title, m->help, m->source);
        if (m->also != NULL) {
            psb_text_printf(&out, "    also: %s\n", m->also);
        }
    }
    return psb_give_text(PSB_OK, &out, text, error);
}

psb_status psb_evaluation_text(const psb_evaluation *e, psb_grouping grouping, char **text,
                               psb_error *error) {
    psb_text out = {.data = NULL};
    psb_status status = e->nmeasures != PSB_FIGURES ? psb_misuse(error, "not the five figures")
                        : (size_t)grouping > PSB_MACRO
                            ? psb_misuse(error, "there is no such grouping")
                            : PSB_OK;
    PSB_THEN_IF(status, !psb_figures_render(e, of(e)->methods->paths, grouping, &out),
                psb_methods_need_queries(of(e)->methods, error));
    return psb_give_text(status, &out, text, error);
}

psb_status psb_evaluation_table(const psb_evaluation *e, psb_grouping grouping, bool errors,
                                const char *format, char **text, psb_error *error) {
    psb_text out = {.data = NULL};
    psb_table *made = NULL;
    psb_table_format as;
    const psb_measure_table table = {.evaluation = e, .grouping = grouping, .errors = errors};
    psb_status status = psb_format_named(format, &as, error);
    PSB_THEN_IF(status, (size_t)grouping > PSB_MACRO,
                psb_misuse(error, "there is no such grouping"));
    PSB_THEN(status, psb_measure_table_make(&table, &made, error));
    status = psb_table_end(status, made, &as, &out, error);
    return psb_give_text(status, &out, text, error);
}

/* Reads the first targets of each method's lists; the first method's lists are the exact ones. */
static psb_status read_lists(const psb_evaluation *e, psb_voting *lists, psb_error *error) {
    const psb_methods *all = of(e)->methods;
    psb_status status = PSB_OK;
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        lists[k] = (psb_voting){.relevance = e->relevance, .k = PSB_INDEX_LONGEST};
        status = all->lists[k] != PSB_LISTS_NONE
                     ? psb_voting_lists(&lists[k], all->paths[k], all->lists[k], error)
                     : psb_fail_at(error, PSB_ERROR_USAGE, all->paths[k], 0,
                                   "not ranked lists, which --exact is for: leave it out, or name "
                                   "lists of psbench search");
    }
    return status;
}

psb_status psb_loss_table(const psb_evaluation *e, psb_grouping grouping, bool errors,
                          const char *format, char **text, psb_error *error) {
    psb_text out = {.data = NULL};
    psb_index_loss loss = {.evaluation = {.nmethods = 0}};
    psb_table *made = NULL;
    psb_table_format as;
    psb_status status = psb_format_named(format, &as, error);
    PSB_THEN_IF(status, e->nmethods < 2,
                psb_misuse(error, "exact lists need approximate ones, which lose against them: "
                                  "name one file of ranked lists or more"));
    PSB_FREED psb_voting *lists = psb_new_zero(&status, e->nmethods, sizeof *lists, "lists", error);
    PSB_THEN(status, read_lists(e, lists, error));
    PSB_THEN(status, psb_index_loss_open(e, lists, &loss, error));
    const psb_measure_table table = {
        .evaluation = &loss.evaluation, .grouping = grouping, .errors = errors};
    PSB_THEN(status, psb_measure_table_make(&table, &made, error));
    status = psb_table_end(status, made, &as, &out, error);
    psb_index_loss_close(&loss);
    for (size_t k = 0; k < e->nmethods && lists != NULL; k++) {
        psb_voting_free(&lists[k]);
    }
    return psb_give_text(status, &out, text, error);
}

/* ---- comparisons ------------------------------------------------------------------------ */

static const psb_compare_options defaults;

static psb_grouping kind_of(const psb_compare_options *o) {
    return o->per_class ? PSB_MACRO : PSB_MICRO;
}

static psb_status prepare(psb_context *psb, const psb_evaluation *e, const psb_compare_options *o,
                          psb_stage *stage, psb_test *test, psb_error *error) {
    *stage = (psb_stage){.observer = &psb->observer, .name = "comparison"};
    bool zeroed = o->rounds == 0 && o->seed == 0; /* a zeroed struct means the defaults */
    *test = (psb_test){.rounds = o->rounds > 0 ? o->rounds : psb_test_rounds(e->nmethods),
                       .seed = zeroed ? PSB_TEST_SEED : o->seed,
                       .threads = psb->threads,
                       .progress = psb_stage_progress,
                       .context = stage};
    if (e->nmethods < 2 || e->nmeasures != 1 || e->measures[0].measure.over_set) {
        return psb_misuse(error, "a comparison is of two methods or more, by one measure with a "
                                 "value for each query");
    }
    return psb_methods_need_queries(of(e)->methods, error);
}

psb_status psb_compare(psb_context *psb, const psb_evaluation *e,
                       const psb_compare_options *options, psb_comparison *pairs,
                       psb_error *error) {
    const psb_compare_options *o = options != NULL ? options : &defaults;
    psb_stage stage;
    psb_test test;
    psb_status status = prepare(psb, e, o, &stage, &test, error);
    return status == PSB_OK ? psb_evaluation_compare(e, 0, kind_of(o), &test, pairs, error)
                            : status;
}

psb_status psb_comparison_text(psb_context *psb, const psb_evaluation *e,
                               const psb_compare_options *options, const char *format, char **text,
                               psb_error *error) {
    psb_text out = {.data = NULL};
    psb_table_format as;
    psb_stage stage;
    psb_test test;
    const psb_compare_options *o = options != NULL ? options : &defaults;
    psb_status status = psb_format_named(format, &as, error);
    for (size_t a = 1; a < e->nmethods; a++) {
        for (size_t b = 0; b < a && status == PSB_OK; b++) {
            status = strcmp(e->labels[a], e->labels[b]) != 0
                         ? PSB_OK
                         : psb_fail(error, PSB_ERROR_USAGE,
                                    "%s is named twice: name each method once", e->labels[a]);
        }
    }
    PSB_THEN(status, prepare(psb, e, o, &stage, &test, error));
    if (status == PSB_OK) {
        const psb_comparison_table table = {e, kind_of(o), &test, o->classes};
        status = psb_comparison_render(&table, &as, &out, error);
    }
    return psb_give_text(status, &out, text, error);
}
