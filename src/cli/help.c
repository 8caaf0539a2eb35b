/* Prints the help of a command from the table that parsing reads. */
#include "cli/frame.h"
#include "core/text.h"

#include <string.h>

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

static void print_options(const cli_command *command) {
    char left[80];
    int width = 0;
    for (int i = 0; cli_option_at(command, i) != NULL; i++) {
        int length = format_option(left, sizeof left, cli_option_at(command, i));
        width = length > width ? length : width;
    }
    puts("\nOptions:");
    for (int i = 0; cli_option_at(command, i) != NULL; i++) {
        const cli_option *option = cli_option_at(command, i);
        psb_text help = {0};
        format_option(left, sizeof left, option);
        cli_option_text(option, &help);
        if (option->preset != NULL) {
            psb_text_printf(&help, " [%s]", option->preset);
        }
        printf("  %-*s  ", width, left);
        print_wrapped(stdout, help.failed ? option->help : help.data, width + 4);
        psb_text_free(&help);
    }
}

/* Lines that begin with a space stay as they are: examples and the like. */
static void print_details(const char *text) {
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        if (text[0] == ' ') {
            printf("%.*s\n", (int)length, text);
        } else {
            print_wrapped(stdout, text, 0);
        }
        text += length + (text[length] == '\n');
    }
}

void cli_print_help(const cli_command *command) {
    bool more = command->usage != NULL && command->usage[0] != '\0';
    int column = printf("Usage: psbench %s [options]%s", command->name, more ? " " : "");
    print_wrapped(stdout, more ? command->usage : "", column);
    putchar('\n');
    print_wrapped(stdout, command->summary, 0);
    print_options(command);
    if (command->details != NULL) {
        putchar('\n');
        print_details(command->details);
    }
}

const char cli_exit_codes[] =
    "Exit codes: 0 done; 1 done, but some models or results could not be used; 2 wrong usage; "
    "3 input or output; 4 memory or internal; 130 interrupted.";

void cli_print_overview(FILE *stream) {
    int width = 0;
    for (int i = 0; cli_commands[i] != NULL; i++) {
        int length = (int)strlen(cli_commands[i]->name);
        width = length > width ? length : width;
    }
    fputs("psbench " PSB_VERSION ": the experiments of the Princeton Shape Benchmark, from raw "
          "models\n\nUsage: psbench COMMAND [options] [arguments]\n\nCommands:\n",
          stream);
    for (int i = 0; cli_commands[i] != NULL; i++) {
        fprintf(stream, "  %-*s  ", width, cli_commands[i]->name);
        print_wrapped(stream, cli_commands[i]->summary, width + 4);
    }
    fputs("\nMore: psbench help COMMAND, psbench --version\n\n", stream);
    print_wrapped(stream, cli_exit_codes, 0);
}
