/*
 * psbench eval: retrieval statistics of distance matrices, in the words of psbTable or, where an
 * option asks for more than psbTable has, as a table of any measures.
 */
#include "cli/commands.h"
#include "cli/matrices.h"
#include "cli/run_command.h"
#include "core/error.h"
#include "core/memory.h"
#include "eval/scores.h"
#include "report/evaluation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {0, "macro", NULL, "as psbTable: average over classes instead of models", NULL},
    {0, "class", NULL, "as psbTable: a line for each class", NULL},
    {0, "model", NULL, "as psbTable: a line for each model", NULL},
    {'m', "measures", "LIST", "a table of these measures, e.g. dcg,precision@10; 'help' shows all",
     NULL},
    {0, "per", "WHAT", "a table with a row per model or class, or a micro or macro average", NULL},
    {'f', "format", "NAME", "a table as txt, tsv, json, md or tex", NULL},
    {0, "errors", NULL, "a table with the standard error beside each average", NULL},
    CLI_MATRICES_OPTIONS,
    CLI_MEMORY_OPTION,
    {0, NULL, NULL, NULL, NULL},
};

/* What is printed: `print` returns how many lines it wrote, each with `name`, if any, in front. */
typedef struct view {
    const char *option; /* NULL for the view without option */
    size_t (*print)(const psb_classification *cla, const psb_query_scores *scores,
                    const char *name);
} view;

/* Several matrices are told apart by a name in front, in the manner of psbTable's README. */
static void print_name(const char *name) {
    if (name != NULL) {
        printf("%-30s ", name);
    }
}

/* The columns of psbTable, to the character; "-" where lists are too short for a figure. */
static void print_figures(const double figure[PSB_FIGURES]) {
    for (size_t f = 0; f < PSB_FIGURES; f++) {
        char end = f + 1 < PSB_FIGURES ? ' ' : '\n';
        if (isnan(figure[f])) {
            printf("%12s%c", "-", end);
        } else {
            printf("%12.3f%c", figure[f], end);
        }
    }
}

static size_t print_average(const psb_average *average, const char *name) {
    if (average->queries == 0) {
        return 0;
    }
    print_name(name);
    print_figures(average->figure);
    return 1;
}

static size_t print_micro(const psb_classification *cla, const psb_query_scores *scores,
                          const char *name) {
    psb_average average = psb_average_micro(cla, scores);
    return print_average(&average, name);
}

static size_t print_macro(const psb_classification *cla, const psb_query_scores *scores,
                          const char *name) {
    psb_average average = psb_average_macro(cla, scores);
    return print_average(&average, name);
}

static size_t print_classes(const psb_classification *cla, const psb_query_scores *scores,
                            const char *name) {
    size_t lines = 0;
    for (size_t c = 0; c < cla->nclasses; c++) {
        psb_average average = psb_average_class(cla, scores, c);
        if (average.queries > 0) {
            print_name(name);
            printf("%-50s ", cla->classes[c].full_name);
            print_figures(average.figure);
            lines++;
        }
    }
    return lines;
}

static size_t print_models(const psb_classification *cla, const psb_query_scores *scores,
                           const char *name) {
    size_t lines = 0;
    for (size_t i = 0; i < cla->nmodels; i++) {
        if (scores[i].scored) {
            const psb_class *class = &cla->classes[cla->class_of[i]];
            print_name(name);
            printf("%-50s %s ", class->full_name, cla->models[i]);
            print_figures(scores[i].figure);
            lines++;
        }
    }
    return lines;
}

static const view views[] = {
    {"macro", print_macro},
    {"class", print_classes},
    {"model", print_models},
    {NULL, print_micro},
};

/* NULL after the usage error was printed. */
static const view *chosen_view(const cli_values *values) {
    const view *chosen = NULL;
    const view *candidate = views;
    for (; candidate->option != NULL; candidate++) {
        if (!cli_flag(values, candidate->option)) {
            continue;
        }
        if (chosen != NULL) {
            cli_usage("eval", "--%s and --%s exclude each other", chosen->option,
                      candidate->option);
            return NULL;
        }
        chosen = candidate;
    }
    return chosen != NULL ? chosen : candidate;
}

/* ---- psbTable's own output -------------------------------------------------------------- */

/* Features have the same figures as their matrix; so have lists, as far as they go. */
static psb_status score(const cli_matrices *all, size_t k, psb_query_scores *scores,
                        psb_error *error) {
    if (all->features[k].npy.rows == 0 && !all->is_list[k]) {
        return psb_score_queries(&all->cla, &all->matrices[k], all->threads, scores, error);
    }
    psb_chosen_measure measures[PSB_MAX_CHOSEN];
    size_t count;
    double *values = NULL;
    psb_status status = psb_measures_parse("table4", measures, &count, error);
    if (status == PSB_OK) {
        status = cli_matrices_measure_known(all, measures, count, k, &values, error);
    }
    for (size_t i = 0; i < all->cla.nmodels && status == PSB_OK; i++) {
        scores[i].scored = !all->cla.classes[all->cla.class_of[i]].miscellaneous;
        memcpy(scores[i].figure, values + i * count, sizeof scores[i].figure);
    }
    free(values);
    return status;
}

static int print_as_psbtable(const cli_values *values, const cli_matrices *all,
                             const view *chosen) {
    void *scores;
    psb_error error;
    psb_status status =
        psb_alloc(&scores, all->cla.nmodels, sizeof(psb_query_scores), "scores", &error);
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        status = score(all, k, scores, &error);
        if (status == PSB_OK &&
            chosen->print(&all->cla, scores, all->count > 1 ? all->paths[k] : NULL) == 0) {
            status = cli_matrices_need_queries(values, all, &error);
        }
    }
    free(scores);
    return status == PSB_OK ? CLI_DONE : cli_report(&error);
}

/* ---- tables ----------------------------------------------------------------------------- */

static const struct {
    const char *name;
    psb_grouping grouping;
} groupings[] = {
    {"micro", PSB_MICRO},
    {"macro", PSB_MACRO},
    {"class", PSB_PER_CLASS},
    {"model", PSB_PER_MODEL},
};
enum { GROUPINGS = sizeof groupings / sizeof groupings[0] };

/* What the options for tables say. */
typedef struct request {
    psb_chosen_measure measures[PSB_MAX_CHOSEN];
    size_t nmeasures;
    psb_grouping grouping;
    const psb_table_format *format;
    bool errors;
} request;

static bool wants_table(const cli_values *values) {
    return cli_value(values, "measures") != NULL || cli_value(values, "per") != NULL ||
           cli_value(values, "format") != NULL || cli_flag(values, "errors") ||
           cli_value(values, "query-list") != NULL;
}

static int read_request(const cli_values *values, request *r) {
    psb_error error;
    const char *measures = cli_value(values, "measures");
    if (psb_measures_parse(measures != NULL ? measures : "table4", r->measures, &r->nmeasures,
                           &error) != PSB_OK) {
        return cli_usage("eval", "%s", error.message);
    }
    const char *per = cli_value(values, "per");
    size_t g = 0;
    while (per != NULL && g < GROUPINGS && strcmp(groupings[g].name, per) != 0) {
        g++;
    }
    if (g == GROUPINGS) {
        return cli_usage("eval", "--per is micro, macro, class or model, not '%s'", per);
    }
    r->grouping = groupings[g].grouping;
    const char *format = cli_value(values, "format");
    r->format = psb_table_format_find(format != NULL ? format : "txt");
    r->errors = cli_flag(values, "errors");
    return r->format != NULL ? CLI_DONE : cli_usage("eval", "there is no format '%s'", format);
}

static int print_table(const cli_matrices *all, const request *r) {
    void *memory;
    psb_error error;
    psb_text text = {.data = NULL};
    psb_status status = psb_alloc_zero(&memory, all->count, sizeof(psb_method), "methods", &error);
    psb_method *methods = memory;
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        double *values;
        status = cli_matrices_measure(all, r->measures, r->nmeasures, k, &values, &error);
        methods[k] = (psb_method){all->labels[k], values};
    }
    if (status == PSB_OK) {
        psb_evaluation evaluation = {&all->cla,    all->selected, r->grouping, r->measures,
                                     r->nmeasures, methods,       all->count,  r->errors};
        status = psb_evaluation_render(&evaluation, r->format, &text, &error);
    }
    for (size_t k = 0; methods != NULL && k < all->count; k++) {
        free((void *)(uintptr_t)methods[k].values);
    }
    free(methods);
    return cli_print(status, &text, &error);
}

static int show_measures(void) {
    for (size_t i = 0; i < psb_measure_count(); i++) {
        const psb_measure *m = psb_measure_at(i);
        printf("%s%s\n    %s: %s\n    %s\n", m->name, m->at_length ? "@K" : "", m->title, m->help,
               m->source);
    }
    return CLI_DONE;
}

static int run(const cli_values *values) {
    const char *measures = cli_value(values, "measures");
    if (measures != NULL && strcmp(measures, "help") == 0) {
        return show_measures();
    }
    const view *chosen = chosen_view(values);
    if (chosen == NULL) {
        return CLI_USAGE;
    }
    bool table = wants_table(values);
    if (table && chosen->option != NULL) {
        return cli_usage("eval", "--%s is psbTable's output; for tables there is --per",
                         chosen->option);
    }
    request r;
    int code = table ? read_request(values, &r) : CLI_DONE;
    if (code != CLI_DONE) {
        return code;
    }
    cli_matrices all;
    code = cli_matrices_open_streamed(values, "eval", &all);
    if (code == CLI_DONE) {
        code = table ? print_table(&all, &r) : print_as_psbtable(values, &all, chosen);
    }
    cli_matrices_close(&all);
    return code;
}

const cli_command cmd_eval = {
    .name = "eval",
    .summary = "Print the retrieval statistics of distance matrices, as psbTable does or more.",
    .usage = CLI_MATRICES_USAGE,
    .details = CLI_MATRICES_HELP
    "\n\n"
    "A MATRIX may also be a file of lists that 'psbench search' wrote. A measure that looks "
    "further down than the lists go is an error; among the five figures it is marked with '-'.\n\n"
    "The five figures are nearest neighbor, first tier, second tier, E-measure and DCG, "
    "averaged over models unless an option says otherwise. Classes of 2 or fewer models take "
    "no part in averages; models of the class -1 are never queries. With several matrices each "
    "line begins with the file's name.\n\n"
    "From features (--metric) all figures are counted while distances stream by; no matrix is "
    "made, and the result is the matrix's to the bit.\n\n"
    "Any of --measures, --per, --query-list, --errors and --format prints a table instead of "
    "psbTable's lines.",
    .options = options,
    .single_dash = true,
    .run = run,
};
