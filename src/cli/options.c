/* The command line of one command, read with getopt from the command's own table. */
#include "cli/frame.h"
#include "core/clock.h"
#include "core/number.h"
#include "core/text.h"
#include "io/foreign.h"

#include <assert.h>
#include <getopt.h>
#include <string.h>

/* getopt's code for option i is LONG + i when it was written as a word, its letter otherwise. */
enum { LONG = 256 };

static const cli_option common[] = {
    {'h', "help", NULL, "show this help", NULL},
    {'q', "quiet", NULL, "no progress, only errors", NULL},
    {'v', "verbose", NULL, "say more; may be repeated", NULL},
    {0, "import", "HOW", "yes, or no: leave out models that psbench-import would read", "yes"},
    {0, NULL, NULL, NULL, NULL},
};

static const cli_option force = {0, "force", NULL,
                                 "replace a file of another kind than the output's", NULL};

const cli_option *cli_option_at(const cli_command *command, int index) {
    const cli_option *option = command->options;
    for (; option != NULL && option->name != NULL; option++, index--) {
        if (index == 0) {
            return option;
        }
    }
    if (cli_replaces(command) && index-- == 0) {
        return &force;
    }
    const int last = sizeof common / sizeof common[0] - 1;
    return index < last ? &common[index] : NULL;
}

static const char *name_at(const void *command, int index) {
    const cli_option *option = cli_option_at(command, index);
    return option != NULL ? option->name : NULL;
}

static int index_of(const cli_command *command, const char *name) {
    int index = 0;
    while (strcmp(cli_option_at(command, index)->name, name) != 0) {
        index++;
        assert(cli_option_at(command, index) != NULL);
    }
    return index;
}

/* The option behind a code of getopt. */
static int index_of_code(const cli_command *command, int code) {
    if (code >= LONG) {
        return code - LONG;
    }
    int index = 0;
    while (cli_option_at(command, index)->letter != code) {
        index++;
    }
    return index;
}

/* A command's options as getopt wants them. */
typedef struct getopt_tables {
    char letters[2 * CLI_MAX_OPTIONS + 2];
    char letter_words[CLI_MAX_OPTIONS][2];
    struct option words[2 * CLI_MAX_OPTIONS + 1];
} getopt_tables;

/*
 * With single_dash a letter is a word like any other: "-t 3" is --threads, but "-thraeds" must not
 * be read as -t with the value "hraeds".
 */
static void describe_for_getopt(const cli_command *command, getopt_tables *tables) {
    char *letters = tables->letters;
    struct option *words = tables->words;
    *letters++ = ':'; /* report a missing value as ':' */
    for (int i = 0; cli_option_at(command, i) != NULL; i++) {
        assert(i < CLI_MAX_OPTIONS);
        const cli_option *option = cli_option_at(command, i);
        int argument = option->argument != NULL ? required_argument : no_argument;
        *words++ = (struct option){option->name, argument, NULL, LONG + i};
        if (option->letter != 0 && command->single_dash) {
            char *word = tables->letter_words[i];
            word[0] = option->letter;
            word[1] = '\0';
            *words++ = (struct option){word, argument, NULL, LONG + i};
        } else if (option->letter != 0) {
            *letters++ = option->letter;
            if (argument == required_argument) {
                *letters++ = ':';
            }
        }
    }
    *words = (struct option){NULL, 0, NULL, 0};
    *letters = '\0';
}

/* Says what getopt, which returned '?', did not like: `word` is the argument it read last. */
static int refuse(const cli_command *command, const char *word) {
    if (optopt >= LONG) {
        return cli_usage(command->name, "--%s takes no value", name_at(command, optopt - LONG));
    }
    if (optopt != 0) {
        return cli_usage(command->name, "unknown option -%c", optopt);
    }
    char name[64];
    word += strspn(word, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    for (int i = 0; name_at(command, i) != NULL; i++) {
        if (strncmp(name_at(command, i), name, strlen(name)) == 0) {
            return cli_usage(command->name, "--%s could be short for more than one option", name);
        }
    }
    const char *nearest = cli_nearest(name, name_at, command);
    if (nearest != NULL) {
        return cli_usage(command->name, "unknown option --%s; did you mean --%s?", name, nearest);
    }
    return cli_usage(command->name, "unknown option --%s", name);
}

static int lacks_value(const cli_command *command) {
    const cli_option *option = cli_option_at(command, index_of_code(command, optopt));
    return cli_usage(command->name, "--%s needs a value: --%s %s", option->name, option->name,
                     option->argument);
}

/* CLI_DONE, or the code to end with. `values` gets pointers into argv, which is permuted. */
static int parse(const cli_command *command, int argc, char **argv, cli_values *values) {
    getopt_tables tables;
    describe_for_getopt(command, &tables);
    int (*next)(int, char *const *, const char *, const struct option *, int *) =
        command->single_dash ? getopt_long_only : getopt_long;
    int verbosity = 0;
    int code;
    opterr = 0;
    optind = 0; /* begin anew, whatever was read before */
    while ((code = next(argc, argv, tables.letters, tables.words, NULL)) != -1) {
        if (code == '?') {
            return refuse(command, argv[optind - 1]);
        }
        if (code == ':') {
            return lacks_value(command);
        }
        int index = index_of_code(command, code);
        if (values->value[index] != NULL && optarg != NULL) {
            return cli_usage(command->name, "--%s is given twice: '%s' and '%s'",
                             name_at(command, index), values->value[index], optarg);
        }
        values->value[index] = optarg != NULL ? optarg : "";
        if (strcmp(name_at(command, index), "verbose") == 0) {
            verbosity++;
        }
    }
    values->arguments = argv + optind;
    values->argument_count = argc - optind;
    cli_set_verbosity(cli_flag(values, "quiet") ? -1 : verbosity);
    int import = 0;
    bool fine = cli_choice(values, "import", (const char *const[]){"yes", "no", NULL}, &import);
    psb_foreign_allow(import == 0);
    return fine ? CLI_DONE : CLI_USAGE;
}

/* As one would type it into a shell. */
static void add_quoted(psb_text *text, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_@%+=:,./-";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        psb_text_add(text, word);
        return;
    }
    psb_text_add(text, "'");
    for (; *word != '\0'; word++) {
        if (*word == '\'') {
            psb_text_add(text, "'\\''");
        } else {
            psb_text_add_bytes(text, word, 1);
        }
    }
    psb_text_add(text, "'");
}

/* With -v the last line says what was run and what it took. */
static void say_cost(const cli_values *values) {
    if (cli_verbosity() > 0) {
        cli_say("%s: %.2f s, %.2f s of processors, at most %.0f MiB of memory",
                values->command_line, psb_clock_wall() - values->started, psb_clock_process(),
                (double)psb_peak_memory() / (1 << 20));
    }
}

int cli_run_command(const cli_command *command, int argc, char **argv) {
    cli_values values = {.command = command, .started = psb_clock_wall()};
    psb_text line = {0};
    psb_error error;
    psb_text_add(&line, "psbench");
    for (int i = 0; i < argc; i++) {
        psb_text_add(&line, " ");
        add_quoted(&line, argv[i]);
    }
    int code = CLI_DONE;
    if (psb_text_status(&line, &error) != PSB_OK) {
        code = cli_report(&error);
        goto cleanup;
    }
    values.command_line = line.data;
    code = parse(command, argc, argv, &values);
    if (code != CLI_DONE) {
        goto cleanup;
    }
    if (cli_flag(&values, "help")) {
        cli_print_help(command);
        goto cleanup;
    }
    code = cli_check_outputs(&values);
    if (code == CLI_DONE) {
        code = command->run(&values);
        say_cost(&values);
    }
cleanup:
    psb_text_free(&line);
    return code;
}

const char *cli_value(const cli_values *values, const char *name) {
    int index = index_of(values->command, name);
    const char *given = values->value[index];
    return given != NULL ? given : cli_option_at(values->command, index)->preset;
}

bool cli_flag(const cli_values *values, const char *name) {
    return values->value[index_of(values->command, name)] != NULL;
}

int cli_argument_count(const cli_values *values) {
    return values->argument_count;
}

const char *cli_argument(const cli_values *values, int index) {
    return values->arguments[index];
}

const char *const *cli_arguments(const cli_values *values) {
    return (const char *const *)values->arguments;
}

const char *cli_command_line(const cli_values *values) {
    return values->command_line;
}

bool cli_integer(const cli_values *values, const char *name, long low, long high, long *out) {
    const char *text = cli_value(values, name);
    int64_t number;
    if (text == NULL) {
        return true;
    }
    if (!psb_parse_int64(text, &number) || number < low || number > high) {
        cli_usage(values->command->name, "--%s %s: want a whole number from %ld to %ld", name, text,
                  low, high);
        return false;
    }
    *out = (long)number;
    return true;
}

bool cli_number(const cli_values *values, const char *name, double low, double high, double *out) {
    const char *text = cli_value(values, name);
    double number;
    if (text == NULL) {
        return true;
    }
    if (!psb_parse_double(text, &number) || !(number >= low && number <= high)) {
        cli_usage(values->command->name, "--%s %s: want a number from %.10g to %.10g", name, text,
                  low, high);
        return false;
    }
    *out = number;
    return true;
}

bool cli_choice_of(const cli_values *values, const char *name, const char *word,
                   const char *const *names, int *which) {
    psb_text known = {0};
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], word) == 0) {
            psb_text_free(&known);
            *which = i;
            return true;
        }
        psb_text_printf(&known, "%s%s",
                        i == 0                 ? ""
                        : names[i + 1] != NULL ? ", "
                                               : " or ",
                        names[i]);
    }
    cli_usage(values->command->name, "--%s is %s, not '%s'", name,
              known.failed ? "something else" : known.data, word);
    psb_text_free(&known);
    return false;
}

bool cli_choice(const cli_values *values, const char *name, const char *const *names, int *which) {
    const char *word = cli_value(values, name);
    return word == NULL || cli_choice_of(values, name, word, names, which);
}
