/* What the commands that run all stages share: options, closing lines, pages. */
#ifndef PSB_CLI_RUN_COMMAND_H
#define PSB_CLI_RUN_COMMAND_H

#include "cli/context.h"

/* The options that table4 and run have in common, for their option tables. */
#define CLI_RUN_OPTIONS(descriptors)                                                               \
    {'d', "descriptors", "LIST",                                                                   \
     "methods: descriptors, as SHD,GEDT:width=3 ('all': the paper's twelve), sums, as T3, "        \
     "normalised ones, as T3+co, and re-ranked ones, as SHD+kr,T3+kr",                             \
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
        {0, "max-bytes", "SIZE", "largest model in bytes, also unpacked; larger ones fail", NULL}, \
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
        CLI_COLUMNS_OPTIONS, {                                                                     \
        0, "level", "N", "classes below level N of the hierarchy are parts of it (0: none is)",    \
            "0"                                                                                    \
    }

/* A command's context and what is to be run in it. Free it in every case. */
typedef struct cli_run_request {
    psb_run_options options;
    psb_context *psb;
    cli_stages stages;
    int threads;
} cli_run_request;

/* Fills in what the common options say; CLI_DONE, or the exit code after an error was printed. */
int cli_run_read(const cli_values *values, const char *command, cli_run_request *request);
void cli_run_free(cli_run_request *request);

/*
 * Runs, prints the table on stdout and the summary on stderr, and writes the pages where the
 * options ask for them; returns the exit code.
 */
int cli_run(cli_run_request *request);

/* psbench describe --models DIR -o RUN */
int cli_describe_folder(const cli_values *values);

/* Fills in --split, --level and the columns of tables; false after the error was printed. */
bool cli_split(const cli_values *values, psb_collection_options *data);

/* Writes the pages of a run, says where to open them, and returns the exit code. */
int cli_write_pages(psb_context *psb, const psb_pages_options *options);

/*
 * Writes the generated benchmark below the folder of a run, which may hold no results of other
 * models, but with `replace`: to *root, freed with free(). The exit code.
 */
int cli_built_in(const char *run, bool replace, char **root);

#endif
