/*
 * Commands of the program: one struct in a table and one file each, with their options as data, so
 * that parsing and `psbench help COMMAND` read the same table.
 */
#ifndef PSB_CLI_COMMAND_H
#define PSB_CLI_COMMAND_H

#include "psbench.h"

#include <stdbool.h>

/* Exit codes, the same for every command. */
enum {
    CLI_DONE = 0,
    CLI_PARTIAL = 1,  /* done, but some models or results could not be used; each was named */
    CLI_USAGE = 2,    /* wrong arguments */
    CLI_IO = 3,       /* input or output */
    CLI_INTERNAL = 4, /* memory, or a bug */
    CLI_INTERRUPTED = 130,
};

typedef struct cli_option {
    char letter;      /* 0 where there is none */
    const char *name; /* long name */
    /* Name of its value in the help; NULL for a flag. outputs.c knows those that are paths. */
    const char *argument;
    const char *help;
    const char *preset; /* default shown in the help and used; NULL where there is none */
} cli_option;

typedef struct cli_values cli_values;

typedef struct cli_command {
    const char *name;
    const char *summary;       /* one line */
    const char *usage;         /* what follows "psbench NAME [options]" */
    const char *details;       /* further paragraphs of the help, or NULL */
    const cli_option *options; /* ends with name == NULL; those of all commands are added */
    bool single_dash;          /* accepts -word for --word, as psbTable's users type it */
    int (*run)(const cli_values *values);
} cli_command;

/* Value of an option, which may be given once: else its preset, else NULL. */
const char *cli_value(const cli_values *values, const char *name);
bool cli_flag(const cli_values *values, const char *name);
/* Arguments that are not options. */
int cli_argument_count(const cli_values *values);
const char *cli_argument(const cli_values *values, int index);
const char *const *cli_arguments(const cli_values *values);
/* The whole command line, for manifests. */
const char *cli_command_line(const cli_values *values);

/* A number option within low ... high; false after the usage error was printed. */
bool cli_integer(const cli_values *values, const char *name, long low, long high, long *out);

/* The same for a number that need not be whole. */
bool cli_number(const cli_values *values, const char *name, double low, double high, double *out);

/*
 * Which of `names`, which end with NULL, the option's value is; *which stays as it is where there
 * is no value. False after the usage error, which lists them, was printed.
 */
bool cli_choice(const cli_values *values, const char *name, const char *const *names, int *which);
/* The same for a word of the value. */
bool cli_choice_of(const cli_values *values, const char *name, const char *word,
                   const char *const *names, int *which);

/* -q is -1, each -v adds 1. */
int cli_verbosity(void);

/* Of a line in the log; on stderr a warning is marked as one. */
typedef enum cli_level { CLI_INFO, CLI_WARNING, CLI_ERROR } cli_level;

/* "psbench: " and a line on stderr, and in the log where there is one. */
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The last for an error of the library; returns the exit code that belongs to its status. */
int cli_report(const psb_error *error);
/* Wrong usage: prints the text and a pointer to the help, returns CLI_USAGE. */
int cli_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * For one of the files of an output that is a STEM, with its ending .svg, .pdf, .png or .plot, what
 * is done for outputs that are one file before the command begins: CLI_DONE where it is no input
 * and nothing of another kind is in its place, else the exit code after the error was printed.
 */
int cli_check_part(const cli_values *values, const char *path);

/* Columns of the terminal that stdout is; 0 where it is none, or does not say. */
size_t cli_terminal_columns(void);

/* On stdout, with '?' for what would break the line or command a terminal: names of files. */
void cli_print_plain(const char *text);

/*
 * From now on messages go to this file as well, behind what it has: UTC time, level, text.
 * CLI_DONE, or the exit code after the error was printed. cli_log writes to the log only.
 */
int cli_log_open(const char *path, const char *command_line);
void cli_log(cli_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * As many threads as the system lets the program have, up to `wanted`; warns where that is fewer.
 * Where their stacks are too small it does not return: the program ends with CLI_INTERNAL.
 */
int cli_threads_possible(int wanted);

/* Set by SIGINT and SIGTERM; long work looks at it. */
bool cli_interrupted(void);
/* Whether SIGUSR1 came since the last call. */
bool cli_status_wanted(void);

/*
 * Progress on long work: a bar on a terminal at most 6 times a second, else a line a minute;
 * nothing with -q, but for the line that SIGUSR1 asks for. The log has a line a minute in any case.
 * The last call, done == total, ends the bar; bars whose labels begin with the same word leave one
 * line, "distances: 12 in 0:08". `first` is what was done before this work began: it does not count
 * for the speed.
 */
typedef struct cli_progress {
    const char *label;
    double started;
    double last, last_logged;
    size_t first;
    double share; /* of the work that is done, where steps differ; else 0 */
} cli_progress;
void cli_progress_start(cli_progress *progress, const char *label, size_t first);
void cli_progress_update(cli_progress *progress, size_t done, size_t total, size_t failures);

extern const cli_command *const cli_commands[]; /* ends with NULL */

#endif
