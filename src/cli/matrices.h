/* What the commands that judge matrices share: a classification, matrices with labels, queries. */
#ifndef PSB_CLI_MATRICES_H
#define PSB_CLI_MATRICES_H

#include "cli/command.h"
#include "core/text.h"
#include "eval/neighbor_measures.h"
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

/* Of commands that use nothing but cli_evaluate: two sets, judgements, lists of others. */
#define CLI_SETS_OPTIONS                                                                           \
    {0, "queries", "A.cla", "the queries, where they are not the targets; no CLA in front then",   \
     NULL},                                                                                        \
        {0, "targets", "B.cla", "what is searched: the columns, or the models in the lists",       \
         NULL},                                                                                    \
        {0, "qrels", "FILE", "what is relevant, instead of classes: TREC's, grades are kept",      \
         NULL},                                                                                    \
        {0, "with-query", NULL, "a query that is a target stays in its list and counts", NULL}, {  \
        0, "lists", "NAME",                                                                        \
            "the files are ranked lists of this form: search, trec, shrec, shapenet or rows", NULL \
    }

#define CLI_SETS_USAGE "--queries A.cla --targets B.cla FILE..."

typedef struct cli_matrices {
    psb_classification cla; /* of the queries */
    psb_classification other;
    const psb_classification *targets; /* one of the two */
    bool judged;                       /* `relevance` says what is relevant, not classes alone */
    psb_relevance relevance;
    size_t count;
    psb_matrix *matrices;
    char **paths;
    const char *
        *labels; /* for people: file names without folder and ending, or paths where equal */
    char **stems;
    /* Of matrices whose measures are to be taken straight from features; else empty. */
    psb_feature_set *features;
    const char *first_name; /* of the file with the queries */
    size_t memory;          /* bytes for that */
    psb_query_parts parts;  /* of that; without a folder all is counted at once */
    size_t unnamed;         /* files that do not say which models their rows are */
    psb_list_form *lists;   /* where the path has ranked lists instead of a matrix */
    bool *selected;         /* queries that take part in averages */
    size_t queries;         /* how many */
    bool *listed;           /* those of --query-list, or NULL */
    int threads;
    bool streamed;      /* features stay features, where one set allows that */
    psb_list_form form; /* what all are, by an option */
    bool whole;         /* --verify */
    size_t left_out;    /* matrices of a run that are not as they should be; each was named */
} cli_matrices;

/* CLI_DONE, or the exit code after an error was printed. Close it in either case. */
int cli_matrices_open(const cli_values *values, const char *command, cli_matrices *all);
/*
 * The same for commands that use nothing but cli_evaluate and have CLI_MEMORY_OPTION:
 * features stay features.
 */
int cli_matrices_open_streamed(const cli_values *values, const char *command, cli_matrices *all);
/* The same for commands with CLI_SETS_OPTIONS that look at matrices: features become some. */
int cli_matrices_open_sets(const cli_values *values, const char *command, cli_matrices *all);
/* The same with one more file, which comes first. */
int cli_matrices_open_exact(const cli_values *values, const char *command, const char *exact,
                            cli_matrices *all);
/* The same for commands that have of CLI_MATRICES_OPTIONS only -t and --verify. */
int cli_matrices_open_run(const cli_values *values, const char *command, cli_matrices *all);
/* `code`, or CLI_PARTIAL where that is CLI_DONE and matrices were left out. */
int cli_matrices_close(cli_matrices *all, int code);

/* The error that nothing can be averaged, where that is so. */
psb_status cli_matrices_need_queries(const cli_matrices *all, psb_error *error);

/* Prints the text, or the error; the exit code. */
int cli_print(psb_status status, psb_text *text, const psb_error *error);

#endif
