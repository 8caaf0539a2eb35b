/* Reads the command line of one command with getopt, by the command's own table. */
#include "cli/frame.h"
#include "cli/matrices.h"
#include "core/clock.h"
#include "core/file.h"
#include "core/number.h"
#include "core/text.h"
#include "io/dataset.h"
#include "io/foreign.h"

#include <assert.h>
#include <float.h>
#include <getopt.h>
#include <limits.h>
#include <omp.h>
#include <unistd.h>

/* getopt's code for option i is LONG + i when it was written as a word, its letter otherwise. */
enum { LONG = 256 };

static const cli_word yes_no[] = {{"yes", true, NULL}, {"no", false, NULL}, {NULL, 0, NULL}};

/* Options of all commands, which are the frame's own and have no place in a request. */
static const cli_option common[] = {
    {'h', "help", CLI_KIND_FLAG, 0, 0, NULL, "print help", NULL, 0, 0, NULL, NULL},
    {'q', "quiet", CLI_KIND_FLAG, 0, 0, NULL, "only errors", NULL, 0, 0, NULL, NULL},
    {'v', "verbose", CLI_KIND_FLAG, 0, 0, NULL, "more messages", NULL, 0, 0, NULL, NULL},
    {0, "import", CLI_KIND_WORD, 0, 0, "HOW",
     "allow formats that need psbench-import (FBX, 3DS, ...)", "yes", 0, 0, yes_no, NULL},
    CLI_END,
};

static const cli_option force = {
    0, "force", CLI_KIND_FLAG, 0,   0, NULL, "overwrite a file of another kind", NULL,
    0, 0,       NULL,          NULL};

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

static const char *name_at(const cli_command *command, int index) {
    const cli_option *option = cli_option_at(command, index);
    return option != NULL ? option->name : NULL;
}

/* One of the names that an option takes, from whichever table; NULL behind the last. */
const char *cli_word_at(const cli_option *option, size_t index) {
    return option->words != NULL   ? option->words[index].name
           : option->names != NULL ? option->names(index)
                                   : NULL;
}

void cli_option_text(const cli_option *option, psb_text *text) {
    bool closed = option->kind == CLI_KIND_WORD || option->kind == CLI_KIND_NAME ||
                  (option->kind == CLI_KIND_LIST && option->words != NULL);
    psb_text_add(text, option->help);
    for (size_t i = 0; closed && cli_word_at(option, i) != NULL; i++) {
        const char *help = option->words != NULL ? option->words[i].help : NULL;
        bool explained = option->words != NULL && option->words[0].help != NULL;
        psb_text_add(text, i == 0                               ? ": "
                           : explained                          ? "; "
                           : cli_word_at(option, i + 1) != NULL ? ", "
                                                                : " or ");
        psb_text_printf(text, "%s%s%s", cli_word_at(option, i), help != NULL ? ": " : "",
                        help != NULL ? help : "");
    }
    if (option->high > 0 && option->high < 1e9 && !text->failed) {
        bool joins = text->data[text->length - 1] == ')'; /* what the words before end with */
        text->length -= joins;
        psb_text_printf(text, "%s%.10g to %.10g)", joins ? "; " : " (", option->low, option->high);
    }
}

static int index_of(const cli_command *command, const char *name) {
    int index = 0;
    while (strcmp(cli_option_at(command, index)->name, name) != 0) {
        index++;
        assert(cli_option_at(command, index) != NULL);
    }
    return index;
}

/* The index of the option behind a code of getopt. */
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

/* Wrong usage: prints the fault, what was given, and the command's usage. */
static int show_usage(const cli_command *command, const char *fault, const char *dashes,
                      const char *given) {
    bool more = command->usage != NULL && command->usage[0] != '\0';
    return cli_usage(command->name, "%s %s%s; usage: psbench %s [options]%s%s", fault, dashes,
                     given, command->name, more ? " " : "", more ? command->usage : "");
}

/* Says what getopt, which returned '?', did not like: `word` is the argument it read last. */
static int refuse(const cli_command *command, const char *word) {
    for (int i = 0; optopt == 'm' && name_at(command, i) != NULL; i++) {
        if (strcmp(name_at(command, i), "metric") == 0) {
            return cli_usage(command->name, "-m is for measures, in every command; a metric is "
                                            "--metric NAME");
        }
    }
    if (optopt >= LONG) {
        return cli_usage(command->name, "--%s takes no value: leave it out",
                         name_at(command, optopt - LONG));
    }
    if (optopt != 0) {
        int begins = 0; /* an option that begins with this letter, but has none itself */
        while (name_at(command, begins) != NULL && name_at(command, begins)[0] != optopt) {
            begins++;
        }
        char letter[] = {(char)optopt, '\0'};
        return name_at(command, begins) != NULL
                   ? cli_usage(command->name, "unknown option -%s; did you mean --%s?", letter,
                               name_at(command, begins))
                   : show_usage(command, "unknown option", "-", letter);
    }
    char name[64];
    word += strspn(word, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    for (int i = 0; name_at(command, i) != NULL; i++) {
        if (strcmp(name_at(command, i), "with") == 0 && strcmp(name, "metric") == 0) {
            return cli_usage(
                command->name,
                "unknown option --metric; a metric follows its file, as in --with FILE.npy:cosine");
        }
        if (strncmp(name_at(command, i), name, strlen(name)) == 0) {
            return cli_usage(command->name,
                             "--%s could be short for more than one option: write all letters",
                             name);
        }
    }
    PSB_AT_END(psb_text_free) psb_text known = {0};
    char nearest[PSB_NAME_NEAREST];
    for (int i = 0; name_at(command, i) != NULL; i++) {
        psb_text_list(&known, name_at(command, i));
    }
    bool found = !known.failed && psb_nearest_name(name, known.data, nearest);
    if (found) {
        return cli_usage(command->name, "unknown option --%s; did you mean --%s?", name, nearest);
    }
    return show_usage(command, "unknown option", "--", name);
}

static int lacks_value(const cli_command *command) {
    const cli_option *option = cli_option_at(command, index_of_code(command, optopt));
    return cli_usage(command->name, "--%s needs a value: --%s %s", option->name, option->name,
                     option->argument);
}

/* ---- values ----------------------------------------------------------------------------- */

/* Says that `word` is none of the words that the option takes, and which these are. */
static int refuse_word(const char *command, const cli_option *option, const char *word) {
    PSB_AT_END(psb_text_free) psb_text known = {0}, message = {0};
    char nearest[PSB_NAME_NEAREST];
    for (size_t i = 0; cli_word_at(option, i) != NULL; i++) {
        psb_text_list(&known, cli_word_at(option, i));
        psb_text_printf(&message, "%s%s",
                        i == 0                               ? ""
                        : cli_word_at(option, i + 1) != NULL ? ", "
                                                             : " or ",
                        cli_word_at(option, i));
    }
    bool near = !known.failed && psb_nearest_name(word, known.data, nearest);
    int code = cli_usage(command, "--%s is %s, not '%s'%s%s%s", option->name,
                         message.failed ? "something else" : message.data, word,
                         near ? "; did you mean " : "", near ? nearest : "", near ? "?" : "");
    return code;
}

static bool find_word(const cli_option *option, const char *word, size_t length, size_t *which) {
    for (*which = 0; cli_word_at(option, *which) != NULL; ++*which) {
        const char *name = cli_word_at(option, *which);
        if (strncmp(name, word, length) == 0 && name[length] == '\0') {
            return true;
        }
    }
    return false;
}

/* Checks words with commas between them; false after the error was printed. */
static bool check_words(const char *command, const cli_option *option, const char *text) {
    for (const char *at = text;; at += strcspn(at, ",") + 1) {
        char word[80];
        size_t which, length = strcspn(at, ",");
        if (!find_word(option, at, length, &which)) {
            snprintf(word, sizeof word, "%.*s", (int)length, at);
            refuse_word(command, option, word);
            return false;
        }
        if (at[length] == '\0') {
            return true;
        }
    }
}

static bool read_bytes(const char *text, size_t *bytes) {
    static const char units[] = "KMGT";
    const char *at = text;
    int64_t number;
    bool fine = psb_scan_int64(&at, text + strlen(text), &number) && number > 0;
    const char *unit = fine && *at != '\0' ? strchr(units, *at) : NULL;
    int shift = unit != NULL ? 10 * (int)(unit - units + 1) : 0;
    at += unit != NULL;
    if (!fine || *at != '\0' || number > INT64_MAX >> shift) {
        return false;
    }
    *bytes = (size_t)number << shift;
    return true;
}

/* Stores a whole number in a field of 4 or 8 bytes, which low and high make fit. */
static void store_whole(const cli_option *option, int64_t number, void *place) {
    int32_t narrow = (int32_t)number;
    assert(option->size == sizeof number || option->size == sizeof narrow);
    memcpy(place, option->size == sizeof number ? (void *)&number : (void *)&narrow, option->size);
}

/* Says what the number may be: from 0x1p53 on a double is no whole number's limit. */
static void refuse_number(const char *command, const cli_option *option, const char *text,
                          const char *want) {
    size_t digits = strspn(text, ".0123456789");
    const char *plain = digits > 0 && text[digits] != '\0' ? ", digits only" : "";
    if (option->low == DBL_MIN) {
        cli_usage(command, "--%s %s: want a %s above 0%s", option->name, text, want, plain);
    } else if (option->high >= 0x1p53) {
        cli_usage(command, "--%s %s: want a %s from %.10g%s", option->name, text, want, option->low,
                  plain);
    } else {
        cli_usage(command, "--%s %s: want a %s from %.10g to %.10g%s", option->name, text, want,
                  option->low, option->high, plain);
    }
}

bool cli_set(const cli_values *values, const cli_option *option, const char *text, void *place) {
    const char *command = values->command->name;
    const char *want = NULL; /* the kind of number that is wanted, if this is none */
    int64_t whole = 0;
    size_t which;
    switch (option->kind) {
    case CLI_KIND_FLAG:
        *(bool *)place = true;
        return true;
    case CLI_KIND_THREADS:
        if (!psb_parse_int64(text, &whole) || whole < 0 || whole > PSB_MOST_THREADS) {
            cli_usage(command, "--%s %s: want a whole number from 0 to %d", option->name, text,
                      PSB_MOST_THREADS);
            return false;
        }
        *(int *)place = cli_threads_possible(whole > 0 ? (int)whole : omp_get_num_procs());
        return true;
    case CLI_KIND_WHOLE:
        if (psb_parse_int64(text, &whole) && (double)whole >= option->low &&
            (double)whole <= option->high) {
            store_whole(option, whole, place);
            return true;
        }
        want = "whole number";
        break;
    case CLI_KIND_REAL:
        if (psb_parse_double(text, place) && *(double *)place >= option->low &&
            *(double *)place <= option->high) {
            return true;
        }
        want = "number";
        break;
    case CLI_KIND_BYTES:
        if (read_bytes(text, place) && *(size_t *)place >= 1024) {
            return true;
        }
        cli_usage(command, "--%s %s: want a size of 1K or more, as 512M or 2G (K, M, G, T)",
                  option->name, text);
        return false;
    case CLI_KIND_WORD:
    case CLI_KIND_NAME:
        if (!find_word(option, text, strlen(text), &which)) {
            refuse_word(command, option, text);
            return false;
        }
        if (option->kind == CLI_KIND_WORD) {
            *(int *)place = option->words[which].value;
            return true;
        }
        break;
    case CLI_KIND_LIST:
        if (option->words != NULL && !check_words(command, option, text)) {
            return false;
        }
        break;
    case CLI_KIND_METHODS:
    case CLI_KIND_TEXT:
    case CLI_KIND_TEXTS:
    case CLI_KIND_PATH:
        break;
    }
    if (option->kind == CLI_KIND_TEXTS) {
        *(cli_texts *)place = values->several;
        return true;
    }
    if (want != NULL) {
        refuse_number(command, option, text, want);
        return false;
    }
    *(const char **)place = text;
    return true;
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
        bool several = cli_option_at(command, index)->kind == CLI_KIND_TEXTS;
        if (several && values->several.count == CLI_MOST_TEXTS) {
            return cli_usage(command->name, "--%s: at most %d of them", name_at(command, index),
                             CLI_MOST_TEXTS);
        }
        if (several) {
            values->several.text[values->several.count++] = optarg;
        } else if (values->value[index] != NULL && optarg != NULL) {
            return cli_usage(command->name, "--%s is given twice, '%s' and '%s': give it once",
                             name_at(command, index), values->value[index], optarg);
        }
        values->value[index] = optarg != NULL ? optarg : "";
        if (strcmp(name_at(command, index), "verbose") == 0) {
            verbosity++;
        }
    }
    values->arguments = argv + optind;
    values->argument_count = argc - optind;
    cli_set_verbosity(cli_given(values, "quiet") ? -1 : verbosity);
    int import = true;
    bool fine = cli_set(values, cli_option_at(command, index_of(command, "import")),
                        cli_value(values, "import"), &import);
    psb_foreign_allow(import);
    return fine ? CLI_DONE : CLI_USAGE;
}

/* Appends a word as one would type it into a shell. */
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

/* Says with -v, as the last line, what was run and what it took. */
static void say_cost(const cli_values *values) {
    if (cli_verbosity() > 0) {
        cli_say("%s: %.2f s wall, %.2f s CPU, at most %.0f MiB", values->command_line,
                psb_clock_wall() - values->started, psb_clock_process(),
                (double)psb_peak_memory() / (1 << 20));
    }
}

/* Whether a path is the benchmark's folder; if not, says so. */
static bool is_benchmark(const char *path) {
    char lists[PATH_MAX];
    snprintf(lists, sizeof lists, "%s/classification/v1/base", path);
    if (!psb_is_folder(lists)) {
        cli_error("--psb %s: %s; give the benchmark's folder, which holds db/ and classification/",
                  path, psb_is_folder(path) ? "without classification/v1/base" : "no such folder");
        return false;
    }
    return true;
}

/* Makes the command's request from defaults and what was given; free() it. */
static int fill(cli_values *values, void **request) {
    const cli_command *command = values->command;
    psb_error error;
    psb_status status = PSB_OK;
    *request = psb_new_zero(&status, 1, command->size + 1, "options", &error);
    if (status != PSB_OK) {
        return cli_report(&error);
    }
    for (int i = 0; cli_option_at(command, i) != NULL; i++) {
        const cli_option *option = cli_option_at(command, i);
        const char *text = cli_value(values, option->name);
        assert(option->place + option->size <= command->size);
        void *place = (char *)*request + option->place;
        if (text != NULL && option->size > 0 && !cli_set(values, option, text, place)) {
            return CLI_USAGE;
        }
        if (text != NULL && strcmp(option->name, "psb") == 0 && !is_benchmark(text)) {
            return CLI_IO;
        }
        values->threads = option->kind == CLI_KIND_THREADS ? *(int *)place : values->threads;
    }
    return CLI_DONE;
}

/* Takes the next word of a list such as cli_command.apart; false behind the last of a group. */
static bool next_name(const char **at, char name[40]) {
    *at += strspn(*at, " ");
    size_t length = strcspn(*at, " ,");
    snprintf(name, 40, "%.*s", (int)length, *at);
    *at += length;
    return length > 0;
}

static int check_needs(const cli_values *values) {
    char name[40];
    for (const char *at = values->command->needs; at != NULL && next_name(&at, name);) {
        const cli_option *option = cli_option_at(values->command, index_of(values->command, name));
        if (cli_value(values, name) == NULL) {
            return cli_usage(cli_name(values), "needs --%s %s: %s", name, option->argument,
                             option->help);
        }
    }
    return CLI_DONE;
}

/* Checks that options of a group, a pair if `together`, go together, or exclude each other. */
static int check_groups(const cli_values *values, const char *groups, bool together) {
    for (const char *at = groups; at != NULL && *at != '\0'; at += *at == ',') {
        char name[40], first[40] = "", given[40] = "";
        for (int count = 0; next_name(&at, name); count++) {
            bool is = cli_given(values, name);
            if (together && count > 0 && is != (given[0] != '\0')) {
                return cli_usage(cli_name(values), "--%s and --%s go together: give both", first,
                                 name);
            }
            if (!together && is && given[0] != '\0') {
                return cli_usage(cli_name(values),
                                 "--%s and --%s exclude each other: give one of them", given, name);
            }
            if (count == 0) {
                memcpy(first, name, sizeof first);
            }
            if (is) {
                memcpy(given, name, sizeof given);
            }
        }
    }
    return CLI_DONE;
}

/* Replaces each pair RUN MODEL-ID by the path of the run's model. */
static int name_models(cli_values *values) {
    int count = 0;
    psb_status status = PSB_OK;
    psb_error error;
    values->owned = psb_new_zero(&status, (size_t)values->argument_count + 1, sizeof *values->owned,
                                 "arguments", &error);
    if (status != PSB_OK) {
        return cli_report(&error);
    }
    for (int i = 0; i < values->argument_count; i++) {
        char *argument = values->arguments[i];
        if (i + 1 < values->argument_count && psb_is_run(argument)) {
            if (psb_run_model_file(argument, values->arguments[++i], &argument, &error) != PSB_OK) {
                return cli_report(&error);
            }
            values->owned[count] = argument;
        }
        values->arguments[count++] = argument;
    }
    values->argument_count = count;
    return CLI_DONE;
}

/* Checks that there are as many arguments as the command takes, and the options that it needs. */
static int check_given(const cli_values *values) {
    const cli_command *command = values->command;
    int count = values->argument_count;
    if (command->most == 0 && count > 0) {
        return show_usage(command, "takes no arguments, only options; got", "",
                          values->arguments[0]);
    }
    if (count < command->least) {
        return cli_usage(command->name, "needs %s", command->arguments);
    }
    if (command->most >= 0 && count > command->most) {
        char fault[160];
        snprintf(fault, sizeof fault, "needs %s, and nothing else; got", command->arguments);
        return show_usage(command, fault, "", values->arguments[command->most]);
    }
    for (int i = 0; i < count && command->files; i++) {
        if (psb_is_folder(values->arguments[i])) {
            return cli_usage(command->name,
                             "%s is a folder: needs %s (RUN MODEL-ID names a model of a run)",
                             values->arguments[i], command->arguments);
        }
    }
    if (count > 0 && command->of_run && psb_is_file(values->arguments[0])) {
        return cli_usage(command->name, "%s is a file: needs %s", values->arguments[0],
                         command->arguments);
    }
    int code = check_needs(values);
    code = code == CLI_DONE ? check_groups(values, command->together, true) : code;
    return code == CLI_DONE ? check_groups(values, command->apart, false) : code;
}

/* Says to people at a terminal what was written, and the command that makes use of it. */
static void say_next(const cli_values *values) {
    const char *next = values->command->next, *output;
    if (next == NULL || cli_verbosity() < 0 || !isatty(STDERR_FILENO) ||
        (output = cli_value(values, "output")) == NULL || psb_is_written_in_place(output)) {
        return;
    }
    PSB_AT_END(psb_text_free) psb_text line = {0};
    for (const char *at = next; *at != '\0'; at += strcspn(at, "@") == 0 ? 1 : strcspn(at, "@")) {
        if (*at == '@') {
            add_quoted(&line, output);
        } else {
            psb_text_add_bytes(&line, at, strcspn(at, "@"));
        }
    }
    if (!line.failed) {
        cli_say("wrote %s; next: %s", output, line.data);
    }
}

static bool ends_with(const char *path, const char *ending) {
    const char *dot = strrchr(path, '.');
    return dot != NULL && strcmp(dot, ending) == 0;
}

/* Says the order of arguments after an error that another order explains. */
static void say_order(const cli_values *values) {
    const char *usage = values->command->usage, *first = values->arguments[0], *other = NULL;
    bool classes = usage != NULL && strncmp(usage, "CLASSES", 7) == 0;
    bool reads = usage != NULL && strstr(usage, "FROM TO") != NULL;
    for (int i = 1; i < values->argument_count && other == NULL; i++) {
        const char *next = values->arguments[i];
        bool cla = classes && ends_with(next, ".cla") && !ends_with(first, ".cla");
        bool absent = !cli_is_there(first) && (cli_is_run(next) || (reads && cli_is_there(next)));
        other = cla || absent ? next : NULL;
    }
    if (other == NULL && classes && values->argument_count > 1 && ends_with(first, ".matrix")) {
        other = "the file of classes";
    }
    if (other != NULL) {
        cli_error("does %s come first? The order is: psbench %s [options] %s", other,
                  values->command->name, usage);
    }
}

int cli_run_command(const cli_command *command, int argc, char **argv) {
    cli_values values = {.command = command, .threads = 1, .started = psb_clock_wall()};
    void *request = NULL;
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
    if (cli_given(&values, "help")) {
        cli_print_help(command);
        goto cleanup;
    }
    if (argc == 1 && !command->alone) {
        cli_print_usage(stderr, command);
    }
    code = command->files ? name_models(&values) : CLI_DONE;
    code = code == CLI_DONE ? check_given(&values) : code;
    code = code == CLI_DONE ? cli_check_outputs(&values) : code;
    code = code == CLI_DONE ? fill(&values, &request) : code;
    code = code == CLI_DONE ? cli_context(&values) : code;
    if (code == CLI_DONE) {
        code = command->run(&values, request);
        if (code == CLI_DONE) {
            say_next(&values);
        }
        say_cost(&values);
    }
    if (code == CLI_USAGE || code == CLI_IO) {
        say_order(&values);
    }
cleanup:
    for (int i = 0; i < values.argument_count && values.owned != NULL; i++) {
        free(values.owned[i]);
    }
    free(values.owned);
    psb_context_free(values.psb);
    free(request);
    psb_text_free(&line);
    return code;
}

const char *cli_value(const cli_values *values, const char *name) {
    int index = index_of(values->command, name);
    const char *given = values->value[index];
    return given != NULL ? given : cli_option_at(values->command, index)->default_value;
}

bool cli_given(const cli_values *values, const char *name) {
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

bool cli_whole(const char *text, size_t low, size_t high, size_t *out) {
    int64_t number;
    bool fine = psb_parse_int64(text, &number) && number >= 0 && (uint64_t)number >= low &&
                (uint64_t)number <= high;
    *out = fine ? (size_t)number : *out;
    return fine;
}

const char *cli_name(const cli_values *values) {
    return values->command->name;
}
