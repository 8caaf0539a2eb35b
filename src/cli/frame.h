/* The frame around the commands: what its own files share and the commands do not need. */
#ifndef PSB_CLI_FRAME_H
#define PSB_CLI_FRAME_H

#include "cli/command.h"

#include <stdarg.h>
#include <stdio.h>

struct psb_text;

/* Options of one command at most, those that every command has included. */
enum { CLI_MAX_OPTIONS = 48 };

struct cli_values {
    const cli_command *command;
    const char
        *value[CLI_MAX_OPTIONS]; /* as cli_option_at counts; "" for a flag, NULL: not given */
    cli_texts several;           /* of the one option that may be given several times */
    char **arguments;
    int argument_count;
    const char *command_line;
    double started; /* psb_clock_wall */
};

/* NULL where there is none of that name. */
const cli_command *cli_find_command(const char *name);
/* Wrong usage: says that there is no such command, with the nearest name. */
int cli_unknown_command(const char *name);

/* A command's own options, then those of all commands; NULL behind the last. */
const cli_option *cli_option_at(const cli_command *command, int index);

/* Reads the arguments (argv[0] is the command's name), then shows help or runs the command. */
int cli_run_command(const cli_command *command, int argc, char **argv);

/*
 * CLI_DONE where no output is one of the command's inputs, by whatever name or link, and no file is
 * in an output's place that is of another kind (but with --force); else the exit code after the
 * error was printed. An output "-" becomes standard output.
 */
int cli_check_outputs(cli_values *values);
/* Whether the value is a path that is written to. */
bool cli_is_output(const cli_option *option);
/* Whether the command writes to files that it looks at first: it then has --force. */
bool cli_replaces(const cli_command *command);

extern const char cli_exit_codes[];
void cli_print_overview(FILE *stream);
void cli_print_help(const cli_command *command);

/* One of the words that an option takes, NULL behind the last. */
const char *cli_word_at(const cli_option *option, size_t index);
/* What an option is for: its help, words and limits, but for the preset. */
void cli_option_text(const cli_option *option, struct psb_text *text);
/* The value as it was given, else the preset, else NULL. */
const char *cli_value(const cli_values *values, const char *name);
/* Reads the text into the field that the option is for; false after the usage error was printed. */
bool cli_set(const cli_values *values, const cli_option *option, const char *text, void *place);

void cli_log_args(cli_level level, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
/* The last line, with the exit code; nothing where there is no log. */
void cli_log_close(int code);

void cli_set_verbosity(int verbosity);
void cli_catch_signals(void);
/* Keeps to a limit of address space, where there is one, and gives back what is freed. */
void cli_heed_limits(void);
/* Takes the bar off the terminal before something else is written there. */
void cli_hide_progress(void);
/* What was written to stdout must have arrived: `code`, or CLI_IO after saying that it did not. */
int cli_finish(int code);

#endif
