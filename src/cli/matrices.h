/* What the commands that judge matrices share: a classification, matrices with labels, queries. */
#ifndef PSB_CLI_MATRICES_H
#define PSB_CLI_MATRICES_H

#include "cli/command.h"
#include "core/text.h"
#include "eval/average.h"
#include "pipeline/feature_ranks.h"

#define CLI_MATRICES_USAGE "CLA MATRIX... | RUN [NAME...]"

/* A paragraph of their help. */
#define CLI_MATRICES_HELP                                                                          \
    "CLA is a classification; each MATRIX has N x N distances in its order: the benchmark's "      \
    ".matrix, .npy (float32 or float64), or text with a line for each row. With --metric each "    \
    ".npy holds features instead, a row for each model. RUN is the folder of a finished run: all " \
    "its matrices, or those of the given NAMEs."

#define CLI_MATRICES_OPTIONS                                                                       \
    {0, "metric", "NAME", ".npy files are features: l1, l2, cosine, chi2 or lfd", NULL},           \
        {0, "query-list", "FILE", "average over these queries only: a model's id on each line",    \
         NULL},                                                                                    \
    {                                                                                              \
        't', "threads", "N", "threads (0: one per processor)", "0"                                 \
    }

typedef struct cli_matrices {
    psb_classification cla;
    size_t count;
    psb_matrix *matrices;
    char **paths;
    const char **labels; /* file names without folder and ending, or paths where these are equal */
    char **stems;
    /* Of matrices whose measures are to be taken straight from features; else empty. */
    psb_feature_set *features;
    size_t memory;  /* bytes for that */
    bool *is_list;  /* the path has lists of neighbors instead of a matrix */
    bool *selected; /* queries that take part in averages */
    size_t queries; /* how many */
    bool *listed;   /* those of --query-list, or NULL */
    int threads;
} cli_matrices;

/* CLI_DONE, or the exit code after an error was printed. Close it in either case. */
int cli_matrices_open(const cli_values *values, const char *command, cli_matrices *all);
/*
 * The same for commands that use nothing but cli_matrices_measure and have CLI_MEMORY_OPTION:
 * features stay features.
 */
int cli_matrices_open_streamed(const cli_values *values, const char *command, cli_matrices *all);
/* The same for commands that have of CLI_MATRICES_OPTIONS only -t. */
int cli_matrices_open_run(const cli_values *values, const char *command, cli_matrices *all);
void cli_matrices_close(cli_matrices *all);

/* The error that nothing can be averaged, where that is so. */
psb_status cli_matrices_need_queries(const cli_values *values, const cli_matrices *all,
                                     psb_error *error);

/*
 * values (fresh memory) has the measures of matrix k, psb_measure_queries. An error where a
 * selected query's list is too short for a measure; "known" leaves NaN instead.
 */
psb_status cli_matrices_measure_known(const cli_matrices *all, const psb_chosen_measure *measures,
                                      size_t count, size_t k, double **values, psb_error *error);
psb_status cli_matrices_measure(const cli_matrices *all, const psb_chosen_measure *measures,
                                size_t count, size_t k, double **values, psb_error *error);

/* Prints the text, or the error; the exit code. */
int cli_print(psb_status status, psb_text *text, const psb_error *error);

#endif
