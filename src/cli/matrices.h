/* What the commands that judge matrices share: their options, and the methods that these open. */
#pragma once

#include "cli/context.h"

#define CLI_MATRICES_USAGE "CLASSES METHOD... | RUN [METHOD...]"

/* A paragraph of the help of these commands. */
#define CLI_MATRICES_HELP                                                                          \
    "CLASSES: a .cla, a table (.csv, .tsv), a list of files, a folder of class folders, or a "     \
    "RUN. METHOD: [LABEL=]WHAT[:METRIC]. WHAT: a method of RUN, RUN2/NAME, N x N distances "       \
    "(.matrix, .npy, .npz, text), features (rows.npy:cosine, SHD:l1), or ranked lists. FILE.ids "  \
    "names the rows of FILE, else their order is that of CLASSES. RUN alone: all its methods."

/* Its reference, in the help of other commands than eval. */
#define CLI_MATRICES_SHORT "CLASSES and METHOD: 'psbench help eval'. RUN alone: all its methods."

/* An option of all commands that read a run's folder. */
#define CLI_WHOLE_OPTION(at)                                                                       \
    CLI_FLAG(0, "verify", at, "check all bytes of a run's files, not a sample")

/* Options of a request with fields `methods` (psb_methods_options) and `threads`, as the next. */
#define CLI_MATRICES_OPTIONS                                                                       \
    CLI_METRIC_OPTION(methods.metric, NULL, "metric of .npy features"),                            \
        CLI_TEXT(0, "split", methods.split, NULL, "PART",                                          \
                 "part of CLASSES, as train or test; 'all' for all"),                              \
        CLI_COLUMNS_OPTIONS(methods),                                                              \
        CLI_PATH(0, "query-list", methods.query_list, NULL, "FILE",                                \
                 "average over these queries only, one id per line"),                              \
        CLI_WHOLE_OPTION(methods.verify), CLI_THREADS_OPTION

/* Options of commands that also take two sets, judgments, and lists of other programs. */
#define CLI_SETS_OPTIONS                                                                           \
    CLI_PATH(0, "queries", methods.queries, NULL, "A", "classes of queries and of targets"),       \
        CLI_PATH(0, "targets", methods.targets, NULL, "B", "classes of queries and of targets"),   \
        CLI_WHOLE(0, "level", methods.level, 1, 64, NULL, "N", "merge classes below level N"),     \
        CLI_PATH(0, "qrels", methods.qrels, NULL, "FILE",                                          \
                 "TREC relevance judgments instead of classes"),                                   \
        CLI_FLAG(0, "with-query", methods.with_query,                                              \
                 "keep a query that is a target in its own list"),                                 \
        CLI_NAME(0, "lists", methods.lists, cli_list_forms, NULL, NULL, "NAME", "list format"),    \
        CLI_MEMORY_OPTION(methods.memory)

extern const cli_word cli_list_forms[];

/* cli_command.together of commands with these options. */
#define CLI_SETS_TOGETHER "queries targets"

#define CLI_SETS_USAGE "--queries A --targets B FILE..."

/* A command's context and its methods. */
typedef struct cli_opened {
    psb_context *psb;
    psb_methods *methods;
} cli_opened;

/* True if the path is the folder of a run; true if it is any file or folder. */
bool cli_is_run(const char *path);
bool cli_is_there(const char *path);

/*
 * Opens the methods that options and arguments name. CLI_DONE, or the exit code after an error was
 * printed. Close it in either case.
 */
int cli_open(const cli_values *values, psb_sources sources, const psb_methods_options *methods,
             cli_opened *opened);
/* Returns `code`, or CLI_PARTIAL if that is CLI_DONE and matrices were left out. */
int cli_close(cli_opened *opened, int code);

#define CLI_UNITS_OPTION(at)                                                                       \
    CLI_WORD(0, "units", at, cli_units, "class", "WHAT", "standard errors clustered by")

/* Prints the text and frees it, or prints the error; returns the exit code. */
int cli_print_text(psb_status status, char *text, const psb_error *error);
