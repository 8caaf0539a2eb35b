/* From options and arguments to methods. */
#include "cli/matrices.h"

#include "cli/frame.h"
#include "core/file.h"
#include "library/methods.h"

#include <stdlib.h>
#include <string.h>

static int open(const cli_values *values, cli_kinds kinds, psb_methods_options *o,
                cli_opened *opened) {
    int count = cli_argument_count(values), threads;
    bool first = o->queries == NULL;
    if (first && count == 1 && !psb_is_run(cli_argument(values, 0))) {
        return cli_usage(
            values->command->name, "%s is not the folder of a run%s", cli_argument(values, 0),
            psb_is_file(cli_argument(values, 0)) || psb_is_folder(cli_argument(values, 0))
                ? ", and no matrix is given"
                : "");
    }
    if (count == 0) {
        return cli_usage(values->command->name,
                         "needs a classification and a matrix, or the folder of a run");
    }
    o->queries = first ? cli_argument(values, 0) : o->queries;
    o->files = cli_arguments(values) + first;
    o->nfiles = (size_t)(count - first);
    o->verify = cli_flag(values, "verify");
    int code = cli_threads(values, &threads) ? cli_context(threads, &opened->stages, &opened->psb)
                                             : CLI_USAGE;
    psb_error error;
    if (code == CLI_DONE && o->metric != NULL &&
        psb_check_metric(opened->psb, o->metric, &error) != PSB_OK) {
        return cli_fail(values, &error);
    }
    if (code == CLI_DONE) {
        psb_status status =
            kinds == CLI_ALL_SOURCES
                ? psb_methods_open(opened->psb, o, &opened->methods, &error)
                : psb_methods_gather(opened->psb, o, kinds == CLI_MATRICES_AND_LISTS,
                                     &opened->methods, &error);
        code = status == PSB_OK ? CLI_DONE : cli_report(&error);
    }
    return code;
}

int cli_open(const cli_values *values, cli_kinds kinds, const psb_methods_options *more,
             cli_opened *opened) {
    *opened = (cli_opened){.psb = NULL};
    psb_methods_options o = more != NULL ? *more : (psb_methods_options){.files = NULL};
    o.metric = cli_value(values, "metric");
    o.query_list = cli_value(values, "query-list");
    o.split = cli_value(values, "split");
    o.id_column = cli_value(values, "id-column");
    o.class_column = cli_value(values, "class-column");
    if (kinds != CLI_MATRICES) {
        static const char *const forms[] = {"search", "trec", "shrec", "shapenet", "rows", NULL};
        const char *command = values->command->name;
        int form;
        o.queries = cli_value(values, "queries");
        o.targets = cli_value(values, "targets");
        o.qrels = cli_value(values, "qrels");
        long level = 0;
        bool cut = cli_value(values, "level") != NULL;
        if (cut && !cli_integer(values, "level", 1, 64, &level)) {
            return CLI_USAGE;
        }
        o.level = (size_t)level;
        if (cut && o.qrels != NULL) {
            return cli_usage(command, "--level is about classes, and --qrels takes their place");
        }
        o.with_query = cli_flag(values, "with-query");
        o.lists = cli_value(values, "lists");
        if (!cli_bytes(values, "memory", &o.memory)) {
            return CLI_USAGE;
        }
        if ((o.queries == NULL) != (o.targets == NULL)) {
            return cli_usage(command, "--queries and --targets go together");
        }
        if (!cli_choice(values, "lists", forms, &form)) {
            return CLI_USAGE;
        }
    }
    return open(values, kinds, &o, opened);
}

int cli_open_run(const cli_values *values, cli_opened *opened) {
    *opened = (cli_opened){.psb = NULL};
    return open(values, CLI_MATRICES, &(psb_methods_options){.queries = NULL}, opened);
}

int cli_close(cli_opened *opened, int code) {
    bool gaps = opened->methods != NULL && psb_methods_left_out(opened->methods) > 0;
    psb_methods_free(opened->methods);
    psb_context_free(opened->psb);
    return code == CLI_DONE && gaps ? CLI_PARTIAL : code;
}

bool cli_units(const cli_values *values, psb_units *units) {
    static const char *const names[] = {"class", "query", NULL};
    int which = 0;
    bool fine = cli_choice(values, "units", names, &which);
    *units = which == 0 ? PSB_UNITS_CLASS : PSB_UNITS_QUERY;
    return fine;
}

bool cli_grouping(const cli_values *values, psb_grouping *grouping) {
    static const char *const names[] = {"micro", "macro", "class", "model", NULL};
    static const psb_grouping groupings[] = {PSB_MICRO, PSB_MACRO, PSB_PER_CLASS, PSB_PER_MODEL};
    int which = -1;
    bool fine = cli_choice(values, "per", names, &which);
    *grouping = which >= 0 ? groupings[which] : *grouping;
    return fine;
}

int cli_print_text(psb_status status, char *text, const psb_error *error) {
    if (status == PSB_OK) {
        fputs(text != NULL ? text : "", stdout);
    }
    free(text);
    return status == PSB_OK ? CLI_DONE : cli_report(error);
}
