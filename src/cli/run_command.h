/* What the commands that run all stages share: options, observer, closing lines. */
#ifndef PSB_CLI_RUN_COMMAND_H
#define PSB_CLI_RUN_COMMAND_H

#include "cli/command.h"
#include "distance/metric.h"
#include "pipeline/memory_plan.h"
#include "pipeline/run.h"
#include "report/table.h"

/* The options that table4 and run have in common, for their option tables. */
#define CLI_RUN_OPTIONS(descriptors)                                                               \
    {'d', "descriptors", "LIST", "descriptors, e.g. SHD,GEDT:width=3; 'all' for every one",        \
     descriptors},                                                                                 \
        CLI_FOLDER_OPTIONS

/* Of these, those that all commands have that leave a folder of results. */
#define CLI_FOLDER_OPTIONS                                                                         \
    {'t', "threads", "N", "threads (0: one per processor)", "0"},                                  \
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

/* Which models, in which classes; beside --models and --cla. */
#define CLI_DATASET_OPTIONS                                                                        \
    {0, "labels", "FILE", "table of models and classes (.csv, .tsv), in the place of --cla",       \
     NULL},                                                                                        \
        {0, "split", "PART", "of a set divided into train, test, ...: that part; 'all' for all",   \
         NULL},                                                                                    \
    {                                                                                              \
        0, "level", "N", "classes below level N of the hierarchy are parts of it (0: none is)",    \
            "0"                                                                                    \
    }

/* Fills in what these say; false after the error was printed. */
bool cli_dataset(const cli_values *values, const char *command, psb_dataset_options *data);

/* Fills in what the common options say; CLI_DONE, or the exit code after an error was printed. */
int cli_run_options(const cli_values *values, const char *command, psb_run_job *options);
/* psbench describe --models DIR -o RUN */
int cli_describe_folder(const cli_values *values);
void cli_run_options_free(psb_run_job *options);

/* Runs, prints the table on stdout and the summary on stderr; returns the exit code. Free the
   result in every case. */
int cli_run(psb_run_job *options, psb_run_outcome *result);

/* The option --memory of commands that stream over features. */
#define CLI_MEMORY_OPTION                                                                          \
    { 0, "memory", "SIZE", "of the whole program at most, e.g. 512M; features are streamed", "2G" }

/* Its value in bytes. False after the error was printed. */
bool cli_memory(const cli_values *values, const char *command, size_t *bytes);

/* The -m or --metric option; false after the error, which names the metrics, was printed. */
bool cli_metric(const cli_values *values, const char *command, const psb_metric **metric);

/* The table format of that name; NULL after the error, which names the formats, was printed. */
const psb_table_format *cli_format(const char *command, const char *name);

/* With -v: what a bound on memory came to. */
void cli_say_plan(const psb_memory_plan *plan);

/* One bar after the other: a new stage begins when the stage's text changes. Starts zeroed. */
typedef struct cli_stages {
    cli_progress progress;
    char stage[300];
} cli_stages;

/* psb_observer.progress, with a cli_stages as context. */
int cli_show_stage(void *context, const char *stage, size_t done, size_t total, size_t failures);

/* The -t option: 0 means one thread per processor. False after the error was printed. */
bool cli_threads(const cli_values *values, int *threads);

#endif
