/*
 * psbench-manual [COMMAND] prints the manual page of a command, or of the program, in roff;
 * psbench-manual --completion prints the words that shells complete, as lines with tabs (see
 * scripts/completion.bash). Both use the tables that the program itself reads.
 */
#include "cli/frame.h"
#include "core/text.h"
#include "descriptors/descriptor.h"
#include "distance/metric.h"
#include "eval/measure.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The date on the pages: when the program's present texts were released. */
static const char released[] = "2026-11-22";

/* ---- roff ------------------------------------------------------------------------------- */

static void put(char c) {
    static const struct {
        char c;
        const char *name;
    } special[] = {{'\\', "\\e"},  {'-', "\\-"},   {'\'', "\\(aq"}, {'`', "\\(ga"},
                   {'^', "\\(ha"}, {'~', "\\(ti"}, {'"', "\\(dq"},  {'.', "\\&."}};
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++) {
        if (special[i].c == c) {
            fputs(special[i].name, stdout);
            return;
        }
    }
    putchar(c);
}

static void put_bytes(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        put(text[i]);
    }
}

static void put_text(const char *text) {
    put_bytes(text, strlen(text));
}

/* Prints the words of a line of text in short lines, which roff joins. Returns the rest of the
 * text.
 */
static const char *put_words(const char *text) {
    size_t column = 0;
    while (*text != '\0' && *text != '\n') {
        size_t length = strcspn(text, " \n");
        if (column > 0) {
            putchar(column + length > 70 ? '\n' : ' ');
            column = column + length > 70 ? 0 : column + 1;
        }
        put_bytes(text, length);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    putchar('\n');
    return text + (*text == '\n');
}

/* Prints lines that begin with a space without joining them. Returns the rest of the text. */
static const char *put_example(const char *text) {
    puts(".nf");
    while (*text == ' ') {
        size_t length = strcspn(text, "\n");
        put_bytes(text, length);
        putchar('\n');
        text += length + (text[length] == '\n');
    }
    puts(".fi");
    return text;
}

/* Prints paragraphs of the help, and its examples. */
static void put_details(const char *text, const char *end) {
    static const char examples[] = "Examples:\n";
    const char *before = ""; /* printed before the next line */
    while (text < end) {
        if (strncmp(text, examples, sizeof examples - 1) == 0) {
            puts(".SH EXAMPLES");
            text += sizeof examples - 1;
            before = "";
        } else if (*text == '\n') {
            text++;
            before = ".PP\n";
        } else {
            bool example = *text == ' ';
            fputs(before, stdout);
            text = example ? put_example(text) : put_words(text);
            before = example ? "" : ".br\n";
        }
    }
}

/* Prints "\fBname\fR". */
static void put_bold(const char *text) {
    fputs("\\fB", stdout);
    put_text(text);
    fputs("\\fR", stdout);
}

static void put_head(const char *name, const char *suffix) {
    fputs(".TH PSBENCH", stdout);
    fputs(suffix[0] != '\0' ? "\\-" : "", stdout);
    for (; *suffix != '\0'; suffix++) {
        putchar(toupper((unsigned char)*suffix));
    }
    printf(" 1 %s \"psbench " PSB_VERSION "\" \"User commands\"\n.ad l\n.nh\n.SH NAME\n", released);
    put_text(name);
    fputs(" \\- ", stdout);
}

/* Prints a summary as a manual's index wants it, without the full stop. */
static void put_summary(const char *text) {
    size_t length = strlen(text);
    put_bytes(text, length - (length > 0 && text[length - 1] == '.'));
    putchar('\n');
}

/* ---- the page of a command -------------------------------------------------------------- */

static void put_options(const cli_command *command) {
    puts(".SH OPTIONS");
    for (int i = 0; cli_option_at(command, i) != NULL; i++) {
        const cli_option *option = cli_option_at(command, i);
        puts(".TP");
        if (option->letter != 0) {
            printf("\\fB\\-%c\\fR, ", option->letter);
        }
        fputs("\\fB\\-\\-", stdout);
        put_text(option->name);
        fputs("\\fR", stdout);
        if (option->argument != NULL) {
            fputs(" \\fI", stdout);
            put_text(option->argument);
            fputs("\\fR", stdout);
        }
        putchar('\n');
        psb_text help = {0};
        cli_option_text(option, &help);
        put_words(help.failed ? option->help : help.data);
        psb_text_free(&help);
        if (option->default_value != NULL) {
            puts(".br");
            fputs("Default: ", stdout);
            put_text(option->default_value);
            putchar('\n');
        }
    }
}

/* Returns whether the text names the command, as "psbench NAME" or "psbench help NAME". */
static bool names_command(const char *text, const char *name) {
    for (const char *at = text; at != NULL && (at = strstr(at, "psbench ")) != NULL;) {
        at += strlen("psbench ");
        at += strncmp(at, "help ", 5) == 0 ? 5 : 0;
        size_t length = strlen(name);
        if (strncmp(at, name, length) == 0 && !isalnum((unsigned char)at[length])) {
            return true;
        }
    }
    return false;
}

static void put_see_also(const cli_command *command) {
    puts(".SH SEE ALSO");
    for (int i = 0; cli_commands[i] != NULL; i++) {
        if (cli_commands[i] != command && command->details != NULL &&
            names_command(command->details, cli_commands[i]->name)) {
            fputs(".BR psbench\\-", stdout);
            put_text(cli_commands[i]->name);
            puts(" (1),");
        }
    }
    puts(".BR psbench (1),\n.BR psbench\\-formats (5)");
}

static void put_command(const cli_command *command) {
    const char *details = command->details != NULL ? command->details : "";
    const char *end = details + strlen(details), *examples = strstr(details, "Examples:\n");
    examples = examples != NULL ? examples : end;
    char name[64];
    snprintf(name, sizeof name, "psbench-%s", command->name);
    put_head(name, command->name);
    put_summary(command->summary);
    fputs(".SH SYNOPSIS\n\\fBpsbench ", stdout);
    put_text(command->name);
    puts("\\fR [\\fIoptions\\fR]");
    if (command->usage != NULL && command->usage[0] != '\0') {
        put_words(command->usage);
    }
    puts(".SH DESCRIPTION");
    put_words(command->summary);
    fputs(details < examples ? ".PP\n" : "", stdout);
    put_details(details, examples);
    put_options(command);
    put_details(examples, end);
    puts(".SH EXIT STATUS\nThat of every command, see\n.BR psbench (1).");
    put_see_also(command);
}

/* ---- the page of the program ------------------------------------------------------------ */

static void put_parameter(const psb_param *p) {
    PSB_AT_END(psb_text_free) psb_text value = {0};
    psb_param_format(p, p->default_value, &value);
    puts(".br");
    put_bold(p->name);
    putchar('=');
    put_text(value.failed ? "?" : value.data);
    fputs(" (", stdout);
    for (size_t i = 0; p->type == PSB_PARAM_CHOICE && p->choices[i] != NULL; i++) {
        fputs(i > 0 ? ", " : "", stdout);
        put_text(p->choices[i]);
    }
    if (p->type != PSB_PARAM_CHOICE) {
        printf("%g to %g", p->low, p->high);
    }
    puts("):");
    put_words(p->help);
}

static void put_entry(const char *name, const char *more, const char *help) {
    puts(".TP");
    put_bold(name);
    puts(more);
    put_words(help);
}

static void put_program(void) {
    put_head("psbench", "");
    puts("the experiments of the Princeton Shape Benchmark, from raw models\n.SH SYNOPSIS\n"
         "\\fBpsbench\\fR \\fICOMMAND\\fR [\\fIoptions\\fR] [\\fIarguments\\fR]\n"
         ".SH DESCRIPTION\nReads polygon models, computes shape descriptors, compares every pair,\n"
         "and scores the rankings.\n.SH COMMANDS");
    for (int i = 0; cli_commands[i] != NULL; i++) {
        puts(".TP");
        fputs(".BR psbench\\-", stdout);
        put_text(cli_commands[i]->name);
        puts(" (1)");
        put_words(cli_commands[i]->summary);
    }
    puts(".SH DESCRIPTORS\nWith their parameters, as in \\fBGEDT:width=3,form=magnitude\\fR:");
    for (size_t i = 0; i < psb_descriptor_count(); i++) {
        const psb_descriptor *d = psb_descriptor_at(i);
        put_entry(d->name, "", d->title);
        for (size_t k = 0; k < d->nparams; k++) {
            put_parameter(&d->params[k]);
        }
    }
    puts(".SH METRICS");
    for (size_t i = 0; i < psb_metric_count(); i++) {
        put_entry(psb_metric_at(i)->name, "", psb_metric_at(i)->help);
    }
    puts(".SH MEASURES");
    for (size_t i = 0; i < psb_measure_count(); i++) {
        const psb_measure *m = psb_measure_at(i);
        put_entry(m->name, m->at_length ? "@\\fIK\\fR" : "", m->help);
    }
    puts(".SH EXIT STATUS");
    put_words(cli_exit_codes);
    puts(".SH SEE ALSO\n.BR psbench\\-formats (5),\n.BR libpsbench (3)");
}

/* ---- completion ------------------------------------------------------------------------- */

/* Returns how a shell completes the option's value, in words of scripts/completion.bash. */
static const char *kind_of(const cli_option *option) {
    bool folder = option->argument != NULL &&
                  (strcmp(option->argument, "DIR") == 0 || strcmp(option->argument, "RUN") == 0);
    switch (option->kind) {
    case CLI_KIND_FLAG:
        return "flag";
    case CLI_KIND_WORD:
    case CLI_KIND_NAME:
        return "word";
    case CLI_KIND_LIST:
        return "words";
    case CLI_KIND_METHODS:
        return "specs";
    case CLI_KIND_PATH:
        return folder ? "folder" : "file";
    case CLI_KIND_TEXT:
    case CLI_KIND_TEXTS:
        return option->words != NULL ? "word" : "other";
    case CLI_KIND_WHOLE:
    case CLI_KIND_REAL:
    case CLI_KIND_BYTES:
    case CLI_KIND_THREADS:
        break;
    }
    return "other";
}

static void list_option(const cli_command *command, const cli_option *option) {
    const char letter[] = {'-', option->letter, '\0'};
    printf("option\t%s\t--%s\t%s\t%s\t", command->name, option->name,
           option->letter != 0 ? letter : "", kind_of(option));
    for (size_t i = 0; cli_word_at(option, i) != NULL; i++) {
        printf("%s%s", i > 0 ? " " : "", cli_word_at(option, i));
    }
    printf("\t%s\n", option->help);
}

static void list_descriptor(const psb_descriptor *d) {
    printf("descriptor\t%s\t", d->name);
    for (size_t k = 0; k < d->nparams; k++) {
        const psb_param *p = &d->params[k];
        if (p->type != PSB_PARAM_CHOICE) {
            printf(" %s=", p->name);
        }
        for (size_t i = 0; p->type == PSB_PARAM_CHOICE && p->choices[i] != NULL; i++) {
            printf(" %s=%s", p->name, p->choices[i]);
        }
    }
    printf("\t%s\n", d->title);
}

static void list_all(void) {
    for (int i = 0; cli_commands[i] != NULL; i++) {
        printf("command\t%s\t%s\n", cli_commands[i]->name, cli_commands[i]->summary);
        for (int k = 0; cli_option_at(cli_commands[i], k) != NULL; k++) {
            list_option(cli_commands[i], cli_option_at(cli_commands[i], k));
        }
    }
    for (size_t i = 0; i < psb_descriptor_count(); i++) {
        list_descriptor(psb_descriptor_at(i));
    }
    for (size_t i = 0; cli_recipe_name(i) != NULL; i++) {
        printf("recipe\t%s\n", cli_recipe_name(i));
    }
}

int main(int argc, char **argv) {
    const cli_command *command = argc == 2 ? cli_find_command(argv[1]) : NULL;
    bool fine = argc == 1 || command != NULL;
    if (argc == 2 && strcmp(argv[1], "--completion") == 0) {
        list_all();
        fine = true;
    } else if (command != NULL) {
        put_command(command);
    } else if (argc == 1) {
        put_program();
    } else {
        fprintf(stderr, "usage: psbench-manual [COMMAND | --completion]\n");
    }
    return fine && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
