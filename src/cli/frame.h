/* The frame around the commands: what its own files share and the commands do not need. */
#pragma once

#include "cli/context.h"

#include <stdarg.h>
#include <stdio.h>

struct psb_text;

/* Most options of one command, with those that every command has. */
enum { CLI_MAX_OPTIONS = 48 };

struct cli_values {
    const cli_command *command;
    const char
        *value[CLI_MAX_OPTIONS]; /* as cli_option_at counts; "" for a flag, NULL: not given */
    cli_texts several;           /* values of the one option that may be given several times */
    char **arguments;
    int argument_count;
    char **owned; /* the arguments that are freed with the values; or NULL */
    const char *command_line;
    double started; /* psb_clock_wall() at the start */
    int threads;    /* of --threads; 1 if the command has no such option */
    psb_context *psb;
    cli_stages stages;
};

/* Makes the context for cli_psb; CLI_DONE, or the exit code after the error was printed. */
int cli_context(cli_values *values);

/* Finds a command by its name, or NULL. */
const cli_command *cli_find_command(const char *name);
/* Wrong usage: says that there is no such command, with the nearest name. */
int cli_unknown_command(const char *name);

/* A command's own options, then those of all commands; NULL behind the last. */
const cli_option *cli_option_at(const cli_command *command, int index);

/* Reads the arguments (argv[0] is the command's name), then shows help or runs the command. */
int cli_run_command(const cli_command *command, int argc, char **argv);

/*
 * CLI_DONE if no output is one of the command's inputs, by whatever name or link, and no file of
 * another kind is in an output's place (but with --force); else the exit code after the error was
 * printed. An output "-" becomes standard output.
 */
int cli_check_outputs(cli_values *values);
/* True if the option's value is a path that is written to. */
bool cli_is_output(const cli_option *option);
/* True if the command has --force: it looks at files before it replaces them. */
bool cli_replaces(const cli_command *command);

extern const char cli_exit_codes[];
void cli_print_overview(FILE *stream);
void cli_print_help(const cli_command *command);
/* Prints usage and an example. */
void cli_print_usage(FILE *stream, const cli_command *command);

/* Word `index` of those that an option takes, NULL behind the last. */
const char *cli_word_at(const cli_option *option, size_t index);
/* Appends what an option is for: its help, words and limits, but not the default. */
void cli_option_text(const cli_option *option, struct psb_text *text);
/* The value as it was given, else the default, else NULL. */
const char *cli_value(const cli_values *values, const char *name);
/* Reads the text into the field that the option is for; false after the usage error was printed. */
bool cli_set(const cli_values *values, const cli_option *option, const char *text, void *place);

void cli_log_args(cli_level level, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
/* Writes the log's last line, with the exit code, if there is a log. */
void cli_log_close(int code);

void cli_set_verbosity(int verbosity);
void cli_catch_signals(void);
/* Makes malloc keep to a limit of address space, if there is one, and give back what is freed. */
void cli_heed_limits(void);
/* Takes the bar off the terminal before something else is written there. */
void cli_hide_progress(void);
/* Returns `code`, or CLI_IO after saying that what was written to stdout did not arrive. */
int cli_finish(int code);
