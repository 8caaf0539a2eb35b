/* What the commands that judge matrices share: their options, and the methods that these open. */
#ifndef PSB_CLI_MATRICES_H
#define PSB_CLI_MATRICES_H

#include "cli/context.h"

#define CLI_MATRICES_USAGE "CLASSES METHOD... | RUN [METHOD...]"

/* A paragraph of their help. */
#define CLI_MATRICES_HELP                                                                          \
    "CLASSES is a .cla, a table (.csv, .tsv), a list of files, a folder whose folders are "        \
    "classes, or a RUN, the folder of a finished run. "                                            \
    "A METHOD is written [LABEL=]WHAT[:METRIC]. WHAT is a method of RUN by its name; RUN/NAME, "   \
    "one of another run, or RUN, all of them; a matrix of N x N distances: .matrix, .npy, .npz, "  \
    "or text with a line for each row; with a METRIC (l1, l2, cosine, chi2, lfd) features: .npy "  \
    "or .npz with a row for each model, as rows.npy:cosine, or a run's, as SHD:l1; or ranked "     \
    "lists, where the command takes them. A name of RUN goes before a file of that name. "         \
    "Where FILE.ids stands beside a FILE, a model's id on each line, its rows and columns may "    \
    "have any order; without it they are in the order of the file CLASSES. Of RUN alone: all "     \
    "its matrices; what is damaged there, or was made from other "                                 \
    "models, is named and left out, and the exit code is 1."

/* Of all commands that read a run's folder. */
#define CLI_WHOLE_OPTION                                                                           \
    { 0, "verify", NULL, "check a run's large files by all their bytes, not by a sample", NULL }

#define CLI_MATRICES_OPTIONS                                                                       \
    {0, "metric", "NAME", "all .npy are features, compared by it: l1, l2, cosine, chi2, lfd",      \
     NULL},                                                                                        \
        {0, "split", "PART", "of divided CLASSES that part; 'all' for all", NULL},                 \
        CLI_COLUMNS_OPTIONS,                                                                       \
        {0, "query-list", "FILE", "average over these queries only: a model's id on each line",    \
         NULL},                                                                                    \
        CLI_WHOLE_OPTION, {                                                                        \
        't', "threads", "N", "threads (0: one per processor)", "0"                                 \
    }

/* Of commands that use nothing but cli_evaluate: two sets, judgements, lists of others. */
#define CLI_SETS_OPTIONS                                                                           \
    {0, "queries", "A", "classes of the queries, where they are not the targets; none in front",   \
     NULL},                                                                                        \
        {0, "targets", "B",                                                                        \
         "classes of what is searched: the columns, or the models in the lists", NULL},            \
        {0, "level", "N", "relevant are models whose classes agree in their first N levels",       \
         NULL},                                                                                    \
        {0, "qrels", "FILE", "what is relevant, instead of classes: TREC's, grades are kept",      \
         NULL},                                                                                    \
        {0, "with-query", NULL, "a query that is a target stays in its list and counts", NULL}, {  \
        0, "lists", "NAME",                                                                        \
            "the files are ranked lists of this form: search, trec, shrec, shapenet or rows", NULL \
    }

#define CLI_SETS_USAGE "--queries A --targets B FILE..."

/* A command's context and its methods. */
typedef struct cli_opened {
    psb_context *psb;
    psb_methods *methods;
    cli_stages stages;
} cli_opened;

/* Whether the command takes lists, and whether features stay features where that will do. */
typedef enum cli_kinds { CLI_MATRICES, CLI_MATRICES_AND_LISTS, CLI_ALL_SOURCES } cli_kinds;

/*
 * Opens what CLI_MATRICES_OPTIONS say and, for commands that take lists, CLI_SETS_OPTIONS and
 * CLI_MEMORY_OPTION; `more` (may be NULL) has what other options said. CLI_DONE, or the exit code
 * after an error was printed. Close it in either case.
 */
int cli_open(const cli_values *values, cli_kinds kinds, const psb_methods_options *more,
             cli_opened *opened);
/* The same for commands that have of CLI_MATRICES_OPTIONS only -t and --verify. */
int cli_open_run(const cli_values *values, cli_opened *opened);
/* `code`, or CLI_PARTIAL where that is CLI_DONE and matrices were left out. */
int cli_close(cli_opened *opened, int code);

#define CLI_UNITS_OPTION                                                                           \
    {                                                                                              \
        0, "units", "WHAT",                                                                        \
            "errors take whole classes or single queries for units: class or query", "class"       \
    }

/* Its value; false after the usage error was printed. */
bool cli_units(const cli_values *values, psb_units *units);

/* --per as micro, macro, class or model; where it is not given *grouping stays. As cli_units. */
bool cli_grouping(const cli_values *values, psb_grouping *grouping);

/* Prints the text, which is freed, or the error; the exit code. */
int cli_print_text(psb_status status, char *text, const psb_error *error);

#endif
