/*
 * Commands of the program: one struct in a table and one file each, with their options as data, so
 * that parsing and `psbench help COMMAND` read the same table.
 */
#pragma once

#include "psbench.h"

#include <stdbool.h>
#include <stddef.h>

/* Exit codes, the same for every command. */
enum {
    CLI_DONE = 0,
    CLI_PARTIAL = 1,  /* done, but some models or results could not be used; each was named */
    CLI_USAGE = 2,    /* wrong arguments */
    CLI_IO = 3,       /* input or output */
    CLI_INTERNAL = 4, /* memory, or a bug */
    CLI_INTERRUPTED = 130,
};

/* What an option's value is, and the type of the field that gets it. */
typedef enum cli_kind {
    CLI_KIND_FLAG,    /* bool; takes no value */
    CLI_KIND_WHOLE,   /* int, size_t or uint64_t: a whole number, low ... high */
    CLI_KIND_REAL,    /* double, low ... high */
    CLI_KIND_BYTES,   /* size_t: a number, K, M, G or T behind it */
    CLI_KIND_THREADS, /* int: as many as there are processors for 0, and no more than possible */
    CLI_KIND_WORD,    /* an enum: the value of one of `words` */
    CLI_KIND_NAME,    /* const char *: one of `words`, or of `names` */
    CLI_KIND_LIST,    /* const char *: several of `words`, commas between them; with `names`, which
                         only completion knows, any text */
    CLI_KIND_METHODS, /* const char *: descriptors and what is made of them */
    CLI_KIND_TEXT,    /* const char *: anything; `words` are known to completion */
    CLI_KIND_TEXTS,   /* cli_texts: any texts, one for each time that the option is given */
    CLI_KIND_PATH, /* const char *: a path; outputs.c knows by `argument` to which kind of file */
} cli_kind;

/* The values of an option that may be given several times. */
enum { CLI_MOST_TEXTS = 32 };
typedef struct cli_texts {
    const char *text[CLI_MOST_TEXTS];
    size_t count;
} cli_texts;

/* One of the words that an option takes. */
typedef struct cli_word {
    const char *name; /* NULL behind the last */
    int value;
    const char *help; /* NULL where the name says it */
} cli_word;

typedef struct cli_option {
    char letter;      /* 0: none */
    const char *name; /* long name */
    cli_kind kind;
    size_t place, size;   /* place of the field in the request; size 0: the frame's own option */
    const char *argument; /* name of its value in the help; NULL for a flag */
    const char *help;     /* without words, limits and default, which are printed behind it */
    const char *default_value; /* as it would be written; NULL: none */
    double low, high;
    const cli_word *words;
    const char *(*names)(size_t index); /* NULL behind the last */
} cli_option;

/* Lines of a table of options, which ends with CLI_END. `at` is a field of `struct request`. */
#define CLI_AT(at) offsetof(struct request, at), sizeof(((struct request *)NULL)->at)
#define CLI_FLAG(letter, name, at, help)                                                           \
    { letter, name, CLI_KIND_FLAG, CLI_AT(at), NULL, help, NULL, 0, 0, NULL, NULL }
#define CLI_WHOLE(letter, name, at, low, high, value, argument, help)                              \
    { letter, name, CLI_KIND_WHOLE, CLI_AT(at), argument, help, value, low, high, NULL, NULL }
#define CLI_REAL(letter, name, at, low, high, value, argument, help)                               \
    { letter, name, CLI_KIND_REAL, CLI_AT(at), argument, help, value, low, high, NULL, NULL }
#define CLI_BYTES(name, at, value, help)                                                           \
    { 0, name, CLI_KIND_BYTES, CLI_AT(at), "SIZE", help, value, 0, 0, NULL, NULL }
#define CLI_WORD(letter, name, at, words, value, argument, help)                                   \
    { letter, name, CLI_KIND_WORD, CLI_AT(at), argument, help, value, 0, 0, words, NULL }
/* For one of `names`, or of `words` as its text. */
#define CLI_NAME(letter, name, at, words, names, value, argument, help)                            \
    { letter, name, CLI_KIND_NAME, CLI_AT(at), argument, help, value, 0, 0, words, names }
#define CLI_LIST(letter, name, at, words, names, value, argument, help)                            \
    { letter, name, CLI_KIND_LIST, CLI_AT(at), argument, help, value, 0, 0, words, names }
#define CLI_METHODS(name, at, value, argument, help)                                               \
    { 'd', name, CLI_KIND_METHODS, CLI_AT(at), argument, help, value, 0, 0, NULL, NULL }
#define CLI_TEXT(letter, name, at, value, argument, help)                                          \
    { letter, name, CLI_KIND_TEXT, CLI_AT(at), argument, help, value, 0, 0, NULL, NULL }
#define CLI_TEXTS(letter, name, at, argument, help)                                                \
    { letter, name, CLI_KIND_TEXTS, CLI_AT(at), argument, help, NULL, 0, 0, NULL, NULL }
#define CLI_PATH(letter, name, at, value, argument, help)                                          \
    { letter, name, CLI_KIND_PATH, CLI_AT(at), argument, help, value, 0, 0, NULL, NULL }
#define CLI_END                                                                                    \
    { 0, NULL, CLI_KIND_FLAG, 0, 0, NULL, NULL, NULL, 0, 0, NULL, NULL }

/* Options that several commands have. */
#define CLI_THREADS(at)                                                                            \
    {                                                                                              \
        't', "threads", CLI_KIND_THREADS, CLI_AT(at), "N", "threads (0: one per processor)", "0",  \
            0, 0, NULL, NULL                                                                       \
    }
#define CLI_THREADS_OPTION CLI_THREADS(threads)
#define CLI_FORMAT_OPTION(value, help)                                                             \
    CLI_NAME('f', "format", format, NULL, cli_format_name, value, "NAME", help)
#define CLI_METRIC_OPTION(at, value, help)                                                         \
    CLI_NAME(0, "metric", at, NULL, cli_metric_name, value, "NAME", help)

/*
 * Names in tables of the library, NULL behind the last; "precision@" if a length follows. A
 * measure's name stays until the next call.
 */
const char *cli_metric_name(size_t index);
const char *cli_measure_name(size_t index);
const char *cli_measure_list_name(size_t index); /* and words that stand for several */
const char *cli_format_name(size_t index);
const char *cli_recipe_name(size_t index);
/* True for the name of a recipe, in any case. */
bool cli_is_recipe(const char *name);

typedef struct cli_values cli_values;

enum { CLI_ANY_NUMBER = -1 };

typedef struct cli_command {
    const char *name;
    const char *summary;       /* one line */
    const char *usage;         /* what follows "psbench NAME [options]" */
    const char *details;       /* further paragraphs of the help, or NULL */
    const cli_option *options; /* NULL: only those that all commands have */
    size_t size;               /* bytes of its struct request */
    int least, most;           /* how many arguments; most may be CLI_ANY_NUMBER */
    const char *arguments;     /* what the arguments are, in words that follow "needs" */
    bool files;                /* each argument is a file, or a pair RUN MODEL-ID */
    bool of_run;               /* the first argument is the folder of a run */
    const char *needs;         /* options that have to be given: "cla models" */
    bool alone;                /* does something without arguments and options, too */
    const char *together;      /* options that are given with each other or not at all: "query-cla
                                  database-cla, query-signatures signatures" */
    const char *apart; /* options of which one may be given: "macro class model, part complete" */
    const char *next;  /* the command to go on with; its @ stands for what --output names */
    bool single_dash;  /* accepts -word for --word, as psbTable's users type it */
    /* `request` is the command's struct request: zeros, defaults, and what was given. */
    int (*run)(const cli_values *values, void *request);
} cli_command;
/* How many arguments, and what they are. */
#define CLI_ARGUMENTS(from, to, words) .least = (from), .most = (to), .arguments = (words)
/* Commands with options name these, what they fill and `run` alike. */
#define CLI_REQUEST .options = options, .size = sizeof(struct request), .run = run

/* True if a text is a whole number from low to high, which *out becomes. */
bool cli_whole(const char *text, size_t low, size_t high, size_t *out);

/* True if an option was given, even with its default. */
bool cli_given(const cli_values *values, const char *name);
/* Arguments that are not options. */
int cli_argument_count(const cli_values *values);
const char *cli_argument(const cli_values *values, int index);
const char *const *cli_arguments(const cli_values *values);
/* The whole command line, for manifests. */
const char *cli_command_line(const cli_values *values);
/* The library's context: it has the threads of --threads, else one, and shows its progress. */
psb_context *cli_psb(const cli_values *values);
/* The command's name, for cli_usage. */
const char *cli_name(const cli_values *values);

/* -q is -1, each -v adds 1. */
int cli_verbosity(void);

/* The level of a line in the log; on stderr a warning is marked as one. */
typedef enum cli_level { CLI_INFO, CLI_WARNING, CLI_ERROR } cli_level;

/* Prints "psbench: " and a line on stderr, and the line in the log if there is one. */
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Calls cli_error with an error of the library; returns the exit code for its status. */
int cli_report(const psb_error *error);
/* Wrong usage: prints the text and a pointer to the help, returns CLI_USAGE. */
int cli_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Checks one of the files of an output that is a STEM, with its ending .svg, .pdf, .png or .plot,
 * as outputs of one file are checked before the command begins: CLI_DONE if it is no input and no
 * file of another kind is in its place, else the exit code after the error was printed.
 */
int cli_check_part(const cli_values *values, const char *path);

/* Columns of the terminal on stdout, or those that COLUMNS says; 0 if stdout is no terminal. */
size_t cli_terminal_columns(void);

/*
 * The format in which stdout shows a table. On a terminal "txt" or NULL becomes a format, in
 * `shown`, that fits the terminal and marks the best; else the format stays as it is.
 */
enum { CLI_SHOWN_FORMAT = 32 };
const char *cli_shown_format(const char *format, char shown[CLI_SHOWN_FORMAT]);

/* Prints a file's name on stdout, with '?' for what would break the line or command a terminal. */
void cli_print_plain(const char *text);

/*
 * From now on messages go to this file as well, behind what it has: UTC time, level, text.
 * CLI_DONE, or the exit code after the error was printed. cli_log writes to the log only.
 */
int cli_log_open(const char *path, const char *command_line, size_t index, size_t count);
void cli_log(cli_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Returns how many threads the system lets the program have, up to `wanted`; warns if fewer. If
 * their stacks are too small it does not return: the program ends with CLI_INTERNAL.
 */
int cli_threads_possible(int wanted);

/* Set by SIGINT and SIGTERM; long work looks at it. */
bool cli_interrupted(void);
/* True if SIGUSR1 came since the last call. */
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
    double share;  /* share of the work that is done, if steps differ; else 0 */
    bool terminal; /* stderr shows a bar: the system is asked once, at the start */
} cli_progress;
void cli_progress_start(cli_progress *progress, const char *label, size_t first);
void cli_progress_update(cli_progress *progress, size_t done, size_t total, size_t failures);

extern const cli_command *const cli_commands[]; /* ends with NULL */
