/* Prints the help of a command from the table that parsing reads. */
#include "cli/commands.h"
#include "cli/frame.h"
#include "cli/matrices.h"
#include "core/text.h"

enum { LINE_WIDTH = 80 };

/*
 * Prints the words of the first line of `text` from `column` on, which the caller has reached, and
 * in further lines from column `indent` on.
 */
static void print_wrapped(FILE *stream, const char *text, int column, int indent) {
    for (bool first = true; *text != '\0' && *text != '\n'; first = false) {
        int length = (int)strcspn(text, " \n");
        if (!first && column + 1 + length > LINE_WIDTH) {
            fprintf(stream, "\n%*s", indent, "");
            column = indent;
        } else if (!first) {
            fputc(' ', stream);
            column++;
        }
        fprintf(stream, "%.*s", length, text);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', stream);
}

/* Writes "-o, --output DIR" to `out`; returns its length. */
static int format_option(char *out, size_t size, const cli_option *option) {
    char letter[] = "-x, ";
    letter[1] = option->letter;
    return snprintf(out, size, "%s--%s%s%s", option->letter != 0 ? letter : "    ", option->name,
                    option->argument != NULL ? " " : "",
                    option->argument != NULL ? option->argument : "");
}

/* Options that few need, of any command: they stand last. */
static bool is_rare(const cli_option *option) {
    static const char rare[] =
        " absent as-reference cell check class-column complete count-query exact float font force "
        "gray id-column lambda level log max-bytes max-faces max-seconds mean memory no-times part "
        "paths qrels query-list reference replace seed split text units verify with-query ";
    char name[40];
    snprintf(name, sizeof name, " %s ", option->name);
    return strstr(rare, name) != NULL;
}

/* Options of every command, which the help names in one paragraph. */
static bool is_common(const cli_option *option) {
    return option->size == 0 && strcmp(option->name, "force") != 0;
}

/* Rare options of commands on matrices that are those of eval: named, and explained there. */
static bool is_of_eval(const cli_command *command, const cli_option *option) {
    const cli_option *other = cmd_eval.options;
    while (other->name != NULL && strcmp(other->help, option->help) != 0) {
        other++;
    }
    return command != &cmd_eval && other->name != NULL && is_rare(option) &&
           strncmp(command->usage, CLI_MATRICES_USAGE, strlen(CLI_MATRICES_USAGE)) == 0;
}

/* What an option is for; the names of all metrics are in the help of `distance` only. */
static void add_help(const cli_command *command, const cli_option *option, psb_text *help) {
    if (option->names == cli_metric_name && command != &cmd_distance) {
        psb_text_printf(help, "%s ('psbench help distance')", option->help);
    } else {
        cli_option_text(option, help);
    }
    if (option->default_value != NULL) {
        psb_text_printf(help, " [%s]", option->default_value);
    }
}

/* True if the option and the next have one help: they share a line. */
static bool is_with_next(const cli_command *command, int index) {
    const cli_option *next = cli_option_at(command, index + 1);
    return next != NULL && strcmp(cli_option_at(command, index)->help, next->help) == 0;
}

static void print_options(const cli_command *command, bool rare) {
    char left[80];
    int width = 0;
    bool any = rare;
    for (int i = 0; !is_common(cli_option_at(command, i)); i++) {
        int length = format_option(left, sizeof left, cli_option_at(command, i));
        bool shares = is_with_next(command, i) || (i > 0 && is_with_next(command, i - 1));
        width = length > width && !shares ? length : width;
    }
    fputs(rare ? "\nMore options:\n" : "", stdout);
    for (int i = 0; !is_common(cli_option_at(command, i)); i++) {
        const cli_option *option = cli_option_at(command, i);
        PSB_AT_END(psb_text_free) psb_text help = {0};
        if (is_rare(option) != rare || is_of_eval(command, option)) {
            continue;
        }
        fputs(any ? "" : "\nOptions:\n", stdout);
        any = true;
        format_option(left, sizeof left, option);
        int column = printf("  %s", left);
        for (; is_with_next(command, i); i++) {
            format_option(left, sizeof left, cli_option_at(command, i + 1));
            column += printf(", %s", left + strspn(left, " "));
        }
        add_help(command, option, &help);
        column += printf("%*s", column > width + 2 ? 2 : width + 4 - column, "");
        print_wrapped(stdout, help.failed ? option->help : help.data, column, width + 4);
    }
}

/* Prints, behind `head`, the options of every command, or those explained in the help of eval. */
static void print_shared(FILE *stream, const cli_command *command, const char *head, bool of_eval,
                         bool explained) {
    PSB_AT_END(psb_text_free) psb_text text = {0};
    char left[80];
    for (int i = 0; cli_option_at(command, i) != NULL; i++) {
        const cli_option *option = cli_option_at(command, i);
        if (of_eval ? !is_of_eval(command, option) : !is_common(option)) {
            continue;
        }
        format_option(left, sizeof left, option);
        psb_text_printf(&text, "%s %s%s", text.length > 0 ? ";" : head, left + strspn(left, " "),
                        explained ? ": " : "");
        if (explained) {
            add_help(command, option, &text);
        }
    }
    if (text.length > 0 && !text.failed) {
        int indent = explained ? 0 : 2;
        print_wrapped(stream, text.data, fprintf(stream, "%*s", indent, ""), indent);
    }
}

/* The command's examples, and behind the first of them; "" where there are none. */
static const char *examples_of(const cli_command *command, const char **second) {
    static const char head[] = "Examples:\n";
    const char *details = command->details != NULL ? command->details : "";
    const char *first = strstr(details, head);
    first = first != NULL ? first + sizeof head - 1 : "";
    *second = first;
    do {
        *second += strcspn(*second, "\n");
        *second += **second == '\n';
    } while (*second > first + 1 && (*second)[-2] == '\\'); /* an example of several lines */
    return first;
}

void cli_print_usage(FILE *stream, const cli_command *command) {
    const char *second, *first = examples_of(command, &second);
    bool more = command->usage != NULL && command->usage[0] != '\0';
    int column = fprintf(stream, "Usage: psbench %s [options]%s", command->name, more ? " " : "");
    print_wrapped(stream, more ? command->usage : "", column, column);
    fprintf(stream, "%.*s%s", (int)(second - first), first, *second == '\0' ? "\n" : "");
}

void cli_print_help(const cli_command *command) {
    const char *second, *first = examples_of(command, &second);
    cli_print_usage(stdout, command);
    putchar('\n');
    print_wrapped(stdout, command->summary, 0, 0);
    print_options(command, false);
    if (command->details != NULL && first > command->details + strlen("Examples:\n")) {
        const char *end = first - strlen("\nExamples:\n"), *text = command->details;
        putchar('\n');
        for (; text < end; text += strcspn(text, "\n") + 1) {
            print_wrapped(stdout, text, 0, 0);
        }
    }
    print_options(command, true);
    print_shared(stdout, command, "As in 'psbench help eval':", true, false);
    print_shared(stdout, command, "As in 'psbench help':", false, false);
    if (*second != '\0') {
        printf("\nMore examples:\n%s\n", second);
    }
}

const char cli_exit_codes[] =
    "Exit codes: 0 done; 1 done, but some models or results could not be used; 2 wrong usage; 3 "
    "input or I/O error; 4 memory or internal error; 130 interrupted.";

/* The commands by what one wants, the most needed first. */
static const struct {
    const char *heading, *names;
} groups[] = {
    {"First", "table4 run report eval compare search"},
    {"The paper's other tables, and better methods", "table5 table6 beyond sweep combine rerank"},
    {"Descriptors, distances and search", "describe distance query signature"},
    {"Evaluate", "classify cluster duplicates generative compare-shapes plot export"},
    {"Runs", "status verify"},
    {"Models and classes", "cla info render convert align synth"},
    {"About psbench", "list cite help version"},
};

void cli_print_overview(FILE *stream) {
    fputs("psbench " PSB_VERSION ": the experiments of the Princeton Shape Benchmark, from raw "
          "models\n\nUsage: psbench COMMAND [options] [arguments]\n"
          "  psbench table4        # Table 4 of a small generated benchmark\n",
          stream);
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++) {
        fprintf(stream, "\n%s:\n", groups[g].heading);
        for (const char *at = groups[g].names; *at != '\0'; at += strspn(at, " ")) {
            char name[32];
            snprintf(name, sizeof name, "%.*s", (int)strcspn(at, " "), at);
            at += strlen(name);
            const cli_command *command = cli_find_command(name);
            fprintf(stream, "  %-14s  %s\n", name, command != NULL ? command->summary : "");
        }
    }
    fputs("\nMore: psbench help COMMAND, psbench --version\n", stream);
    print_shared(stream, &cmd_help, "Options of every command:", false, true);
    print_wrapped(stream, cli_exit_codes, 0, 0);
}
