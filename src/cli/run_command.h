/* What the commands that run all stages share: options, observer, closing lines. */
#ifndef PSB_CLI_RUN_COMMAND_H
#define PSB_CLI_RUN_COMMAND_H

#include "cli/context.h"
#include "distance/metric.h"
#include "pipeline/run.h"
#include "report/table.h"

/* The options that table4 and run have in common, for their option tables. */
#define CLI_RUN_OPTIONS(descriptors)                                                               \
    {'d', "descriptors", "LIST", "descriptors, e.g. SHD,GEDT:width=3; 'all' for every one",        \
     descriptors},                                                                                 \
        {'t', "threads", "N", "threads (0: one per processor)", "0"},                              \
        {0, "skip-missing", NULL, "leave out models without a file instead of stopping", NULL},    \
        {0, "replace", NULL, "remove what another list of models left in RUN", NULL},              \
        {0, "verify", NULL,                                                                        \
         "trust no size and time of files: compare what an earlier run made by its bytes", NULL},  \
        {0, "max-faces", "N", "largest model in faces; larger ones fail", "10000000"},             \
        {0, "max-seconds", "S", "longest processor time of a model; slower ones fail (0: none)",   \
         "0"},                                                                                     \
        {0, "log", "LOG", "append all messages there, with times and levels", NULL}, {             \
        0, "no-times", NULL, "no seconds in the tables: two runs give the same bytes", NULL        \
    }

/* Fills in what the common options say; CLI_DONE, or the exit code after an error was printed. */
int cli_run_options(const cli_values *values, const char *command, psb_run_job *options);
void cli_run_options_free(psb_run_job *options);

/* Runs, prints the table on stdout and the summary on stderr; returns the exit code. Free the
   result in every case. */
int cli_run(psb_run_job *options, psb_run_outcome *result);

/* The -m or --metric option; false after the error, which names the metrics, was printed. */
bool cli_metric(const cli_values *values, const char *command, const psb_metric **metric);

/* The table format of that name; NULL after the error, which names the formats, was printed. */
const psb_table_format *cli_format(const char *command, const char *name);

#endif
