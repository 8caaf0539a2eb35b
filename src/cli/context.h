/* What commands need to use the library: a context with their threads, and how it tells them. */
#ifndef PSB_CLI_CONTEXT_H
#define PSB_CLI_CONTEXT_H

#include "cli/command.h"

/* One bar after the other: a new stage begins when the stage's text changes. Starts zeroed. */
typedef struct cli_stages {
    cli_progress progress;
    char stage[300];
    double share; /* of the work that is done, where that was told of this stage; else 0 */
} cli_stages;

/* psb_observer.progress, with a cli_stages as context. */
int cli_show_stage(void *context, const char *stage, size_t done, size_t total, size_t failures);

/* That, failures as errors, lines as cli_say and cli_warn show them. */
psb_observer cli_observer(cli_stages *stages);

/* A context that shows its progress; CLI_DONE, or the exit code after the error was printed. */
int cli_context(int threads, cli_stages *stages, psb_context **psb);

/* Prints the table as the next; the exit code. */
int cli_show_table(const psb_table *table, const char *format);
/*
 * Prints the table, which is freed, in the format as cli_shown_format has it, or the error; the
 * exit code, CLI_PARTIAL where something was left out of it. Nothing for no table.
 */
int cli_print_table(const cli_values *values, psb_status status, psb_table *table,
                    const char *format, const psb_error *error);

/* The option --memory of commands that stream over features. */
#define CLI_MEMORY_OPTION(at)                                                                      \
    CLI_BYTES("memory", at, "2G", "of the whole program at most, e.g. 512M; features are streamed")

/* The exit code after the error was printed: wrong usage points to the command's help. */
int cli_fail(const cli_values *values, const psb_error *error);

/* Of all commands that read tables of classes; `in` has these fields of psb_collection_options. */
#define CLI_COLUMNS_OPTIONS(in)                                                                    \
    CLI_TEXT(0, "id-column", in.id_column, NULL, "COLUMN",                                         \
             "of a table: the column of the models' names"),                                       \
        CLI_TEXT(0, "class-column", in.class_column, NULL, "COLUMN",                               \
                 "of a table: the column of their classes")

/* Lists of what options of several commands take. */
extern const cli_word cli_groupings[], cli_units[];

#define CLI_GROUPING_OPTION(at, preset, help)                                                      \
    CLI_WORD(0, "per", at, cli_groupings, preset, "WHAT", help)

#endif
