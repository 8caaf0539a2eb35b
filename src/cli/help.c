/* Prints the help of a command from the table that parsing reads. */
#include "cli/commands.h"
#include "cli/frame.h"
#include "cli/matrices.h"
#include "core/text.h"

enum { LINE_WIDTH = 80 };

/*
 * Prints the words of the first line of `text`, from column `indent` on, which the caller has
 * reached, in as many lines as they take.
 */
static void print_wrapped(FILE *stream, const char *text, int indent) {
    int column = indent;
    while (*text != '\0' && *text != '\n') {
        int length = (int)strcspn(text, " \n");
        if (column > indent && column + 1 + length > LINE_WIDTH) {
            fprintf(stream, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
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

static void print_options(const cli_command *command, bool rare) {
    char left[80];
    int width = 0;
    bool any = false;
    for (int i = 0; !is_common(cli_option_at(command, i)); i++) {
        int length = format_option(left, sizeof left, cli_option_at(command, i));
        width = length > width ? length : width;
    }
    for (int i = 0; !is_common(cli_option_at(command, i)); i++) {
        const cli_option *option = cli_option_at(command, i);
        PSB_AT_END(psb_text_free) psb_text help = {0};
        if (is_rare(option) != rare || is_of_eval(command, option)) {
            continue;
        }
        fputs(any ? "" : rare ? "\nMore options:\n" : "\nOptions:\n", stdout);
        any = true;
        format_option(left, sizeof left, option);
        add_help(command, option, &help);
        printf("  %-*s  ", width, left);
        print_wrapped(stdout, help.failed ? option->help : help.data, width + 4);
    }
}

/* Names the options that are explained by `psbench help eval`, and those of every command. */
static void print_shared(const cli_command *command) {
    PSB_AT_END(psb_text_free) psb_text of_eval = {0}, of_all = {0};
    char left[80];
    for (int i = 0; cli_option_at(command, i) != NULL; i++) {
        const cli_option *option = cli_option_at(command, i);
        format_option(left, sizeof left, option);
        if (is_of_eval(command, option)) {
            psb_text_printf(
                &of_eval, "%s %s",
                of_eval.length > 0 ? "," : "As in 'psbench help eval':", left + strspn(left, " "));
        } else if (is_common(option)) {
            psb_text_printf(&of_all, "%s %s: ", of_all.length > 0 ? ";" : "In every command:",
                            left + strspn(left, " "));
            add_help(command, option, &of_all);
        }
    }
    putchar('\n');
    if (of_eval.length > 0 && !of_eval.failed) {
        print_wrapped(stdout, of_eval.data, 0);
    }
    print_wrapped(stdout, of_all.failed ? "" : of_all.data, 0);
}

/* Lines that begin with a space stay as they are: examples and the like. */
static void print_details(const char *text, const char *end) {
    while (text < end) {
        size_t length = strcspn(text, "\n");
        if (text[0] == ' ') {
            printf("%.*s\n", (int)length, text);
        } else if (length > 0 || text + 1 < end) {
            print_wrapped(stdout, text, 0);
        }
        text += length + (text[length] == '\n');
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
    print_wrapped(stream, more ? command->usage : "", column);
    fprintf(stream, "%.*s%s", (int)(second - first), first, *second == '\0' ? "\n" : "");
}

void cli_print_help(const cli_command *command) {
    const char *second, *first = examples_of(command, &second);
    cli_print_usage(stdout, command);
    putchar('\n');
    print_wrapped(stdout, command->summary, 0);
    print_options(command, false);
    if (command->details != NULL && first > command->details + strlen("Examples:\n")) {
        putchar('\n');
        print_details(command->details, first - strlen("\nExamples:\n"));
    }
    print_options(command, true);
    print_shared(command);
    if (*second != '\0') {
        printf("\nMore examples:\n%s\n", second);
    }
}

const char cli_exit_codes[] =
    "Exit codes: 0 done; 1 done, but some models or results could not be used; 2 wrong usage; "
    "3 input or output; 4 memory or internal; 130 interrupted.";

/* The commands by what one wants, the most needed first. */
static const struct {
    const char *heading, *names;
} groups[] = {
    {"First", "table4 run report eval compare search"},
    {"The paper's other tables, and better ones", "table5 table6 beyond sweep combine rerank"},
    {"Descriptors elsewhere", "describe distance query signature"},
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
    print_wrapped(stream, cli_exit_codes, 0);
}
