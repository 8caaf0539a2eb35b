/* What the commands that run all stages share: options, closing lines, pages. */
#pragma once

#include "cli/context.h"

/*
 * The options that table4 and run have in common, for their option tables; `job` is a
 * cli_run_request in their request, as in all of these.
 */
#define CLI_RUN_OPTIONS(value)                                                                     \
    CLI_METHODS("descriptors", job.options.descriptors, value, "LIST",                             \
                "methods, e.g. SHD,GEDT:width=3,T3,T3+kr"),                                        \
        CLI_FOLDER_OPTIONS

/* Those of these options that all commands have which leave a folder of results. */
#define CLI_FOLDER_OPTIONS                                                                         \
    CLI_THREADS(job.threads),                                                                      \
        CLI_FLAG(0, "skip-missing", job.options.data.skip_missing,                                 \
                 "leave out models without a file"),                                               \
        CLI_FLAG(0, "replace", job.options.replace, "remove results for other models from RUN"),   \
        CLI_FLAG(0, "verify", job.options.verify,                                                  \
                 "check all bytes of inputs and earlier results"),                                 \
        CLI_WHOLE(0, "max-faces", job.options.max_faces, 1, 1000000000, "10000000", "N",           \
                  "face limit per model"),                                                         \
        CLI_BYTES("max-bytes", job.options.max_bytes, NULL, "size limit per model, unpacked"),     \
        CLI_REAL(0, "max-seconds", job.options.max_seconds, 0, 1e9, "0", "S",                      \
                 "CPU-time limit per model (0: none)"),                                            \
        CLI_PATH(0, "log", job.log, NULL, "LOG", "append all messages to this file, with times"),  \
        CLI_FLAG(0, "no-times", job.options.no_times,                                              \
                 "omit times from tables: repeated runs are identical")

/* Options of commands that make several runs. */
#define CLI_RUNS_OPTIONS                                                                           \
    CLI_THREADS(job.threads),                                                                      \
        CLI_FLAG(0, "skip-missing", job.options.data.skip_missing,                                 \
                 "leave out models without a file"),                                               \
        CLI_FLAG(0, "verify", job.options.verify, "check all bytes of inputs and earlier results")

/* Which part of a set is taken, and how deep its classes go; `in` is a psb_collection_options. */
#define CLI_SPLIT_OPTION(in)                                                                       \
    CLI_TEXT(0, "split", in.split, NULL, "PART", "part of the set, as train or test; 'all' for all")
#define CLI_LEVEL_OPTION(in)                                                                       \
    CLI_WHOLE(0, "level", in.level, 0, 1000, "0", "N", "merge classes below level N (0: none)")

/* What is to be run. */
typedef struct cli_run_request {
    psb_run_options options;
    psb_context *psb;
    int threads;
    const char *log, *part; /* values of --log and --part */
} cli_run_request;

/* Reads --part, checks descriptors, opens the log; CLI_DONE or an exit code. */
int cli_run_open(const cli_values *values, cli_run_request *request);

/*
 * Runs, prints the table on stdout and the summary on stderr, and writes the pages where the
 * options ask for them; returns the exit code.
 */
int cli_run(cli_run_request *request);

/* Ends a command that makes several runs: prints the table, or the error and what is to be done. */
int cli_runs_end(const cli_values *values, psb_status status, const psb_run_options *options,
                 const psb_run_result *result, psb_table *table, const psb_error *error);

/* Writes the pages of a run, says where to open them, and returns the exit code. */
int cli_write_pages(psb_context *psb, const psb_pages_options *options);

/*
 * Writes the generated benchmark below the folder of a run, and its path to *root, freed with
 * free(). The folder may hold results of other models only with `replace`. Returns the exit code.
 */
int cli_built_in(const char *run, bool replace, char **root);
