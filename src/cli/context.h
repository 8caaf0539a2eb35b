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

/* The -t option: 0 means one thread per processor. False after the error was printed. */
bool cli_threads(const cli_values *values, int *threads);

/* The option --memory of commands that stream over features. */
#define CLI_MEMORY_OPTION                                                                          \
    { 0, "memory", "SIZE", "of the whole program at most, e.g. 512M; features are streamed", "2G" }

/*
 * The value in bytes of an option such as this; where it was not given and has no preset, *bytes
 * stays as it is. False after the error was printed.
 */
bool cli_bytes(const cli_values *values, const char *name, size_t *bytes);

/* The exit code after the error was printed: wrong usage points to the command's help. */
int cli_fail(const cli_values *values, const psb_error *error);

/* Of all commands that read tables of classes. */
#define CLI_COLUMNS_OPTIONS                                                                        \
    {0, "id-column", "COLUMN", "of a table: the column of the models' names", NULL}, {             \
        0, "class-column", "COLUMN", "of a table: the column of their classes", NULL               \
    }

#endif
