/* What the commands that judge matrices share: a classification, matrices with labels, queries. */
#ifndef PSB_CLI_MATRICES_H
#define PSB_CLI_MATRICES_H

#include "cli/command.h"
#include "core/text.h"
#include "eval/evaluation.h"
#include "pipeline/query_parts.h"
#include "pipeline/results.h"

#define CLI_MATRICES_USAGE "CLA MATRIX... | RUN [NAME...]"

/* A paragraph of their help. */
#define CLI_MATRICES_HELP                                                                          \
    "CLA is a classification; each MATRIX has N x N distances in its order: the benchmark's "      \
    ".matrix, .npy (float32 or float64), or text with a line for each row. With --metric each "    \
    ".npy holds features instead, a row for each model. "                                          \
    "Where FILE.ids stands beside a FILE, a model's id on each line, its rows and columns may "    \
    "have any order. RUN is the folder of a finished run: all "                                    \
    "its matrices, or those of the given NAMEs; what is damaged there, or was made from other "    \
    "models, is named and left out, and the exit code is 1."

/* Of all commands that read a run's folder. */
#define CLI_WHOLE_OPTION                                                                           \
    { 0, "verify", NULL, "check a run's large files by all their bytes, not by a sample", NULL }

#define CLI_MATRICES_OPTIONS                                                                       \
    {0, "metric", "NAME", ".npy files are features: l1, l2, cosine, chi2 or lfd", NULL},           \
        {0, "query-list", "FILE", "average over these queries only: a model's id on each line",    \
         NULL},                                                                                    \
        CLI_WHOLE_OPTION, {                                                                        \
        't', "threads", "N", "threads (0: one per processor)", "0"                                 \
    }

typedef struct cli_matrices {
    psb_classification cla;
    size_t count;
    psb_matrix *matrices;
    char **paths;
    const char *
        *labels; /* for people: file names without folder and ending, or paths where equal */
    char **stems;
    /* Of matrices whose measures are to be taken straight from features; else empty. */
    psb_feature_set *features;
    size_t memory;         /* bytes for that */
    psb_query_parts parts; /* of that; without a folder all is counted at once */
    size_t unnamed;        /* files that do not say which models their rows are */
    bool *is_list;         /* the path has lists of neighbors instead of a matrix */
    bool *selected;        /* queries that take part in averages */
    size_t queries;        /* how many */
    bool *listed;          /* those of --query-list, or NULL */
    int threads;
    bool whole;      /* --verify */
    size_t left_out; /* matrices of a run that are not as they should be; each was named */
} cli_matrices;

/* CLI_DONE, or the exit code after an error was printed. Close it in either case. */
int cli_matrices_open(const cli_values *values, const char *command, cli_matrices *all);
/*
 * The same for commands that use nothing but cli_evaluate and have CLI_MEMORY_OPTION:
 * features stay features.
 */
int cli_matrices_open_streamed(const cli_values *values, const char *command, cli_matrices *all);
/* The same for commands that have of CLI_MATRICES_OPTIONS only -t and --verify. */
int cli_matrices_open_run(const cli_values *values, const char *command, cli_matrices *all);
/* `code`, or CLI_PARTIAL where that is CLI_DONE and matrices were left out. */
int cli_matrices_close(cli_matrices *all, int code);

/* The error that nothing can be averaged, where that is so. */
psb_status cli_matrices_need_queries(const cli_values *values, const cli_matrices *all,
                                     psb_error *error);

/* Prints the text, or the error; the exit code. */
int cli_print(psb_status status, psb_text *text, const psb_error *error);

#endif
