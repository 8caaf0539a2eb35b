/*
 * psbench-manual [COMMAND]: the manual page of a command, or of the program, in roff; and
 * psbench-manual --completion: what shells complete words from, as lines with tabs (see
 * scripts/completion.bash). Both from the tables that the program itself reads.
 */
#include "cli/frame.h"
#include "core/text.h"
#include "descriptors/descriptor.h"
#include "distance/recipe.h"
#include "eval/measure.h"
#include "report/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Of the pages: when the program's texts were released as they are. */
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

/* The words of a line of text, in short lines, which are all one to roff; the rest of the text. */
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

/* Lines that begin with a space, as they are. */
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

/* Details of the help, see print_details in cli/help.c. */
static void put_details(const char *text, const char *end) {
    static const char examples[] = "Examples:\n";
    const char *before = ""; /* what the next line needs */
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

/* "\fBname\fR" */
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

/* A summary as the line of a manual's index: without the full stop, which is no sentence's. */
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
        put_words(option->help);
        if (option->preset != NULL) {
            puts(".br");
            fputs("Preset: ", stdout);
            put_text(option->preset);
            putchar('\n');
        }
    }
}

/* Whether the text speaks of the command, as "psbench NAME" or "psbench help NAME". */
static bool speaks_of(const char *text, const char *name) {
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
            speaks_of(command->details, cli_commands[i]->name)) {
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
    psb_text value = {0};
    psb_param_format(p, p->preset, &value);
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
    psb_text_free(&value);
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

static const char *metric_name(size_t i) {
    return i < psb_metric_count() ? psb_metric_at(i)->name : NULL;
}

static const char *format_name(size_t i) {
    return i < psb_table_format_count() ? psb_table_format_at(i)->name : NULL;
}

static const char *recipe_name(size_t i) {
    return psb_recipe_at(i) != NULL ? psb_recipe_at(i)->name : NULL;
}

/* "precision@" where a length follows. */
static const char *measure_name(size_t i) {
    static char name[64];
    if (i >= psb_measure_count()) {
        return NULL;
    }
    const psb_measure *m = psb_measure_at(i);
    snprintf(name, sizeof name, "%.60s%s", m->name, m->at_length ? "@" : "");
    return name;
}

/* Values of an option: the first line that fits. */
static const struct values {
    const char *command, *option; /* command NULL: any */
    const char *kind;             /* a word, or several with commas between them */
    const char *(*at)(size_t);    /* names in a table of the library; or */
    const char *words;            /* words, which the option's help has */
} known[] = {
    {NULL, "metric", "word", metric_name, NULL},
    {NULL, "measures", "words", measure_name, "all table4 help"},
    {NULL, "measure", "word", measure_name, NULL},
    {"combine", "scale", "word", NULL, "mean"},
    {"rerank", "method", "word", NULL, "kr mr both"},
    {"signature", "blocks", "word", NULL, "few all views"},
    {"align", "format", "word", NULL, "txt json"},
    {"export", "format", "word", NULL, "trec shrec"},
    {"plot", "format", "words", NULL, "svg pdf png plot"},
    {"plot", "kind", "word", NULL, "pr cg ncg dcg ndcg distance tier classes"},
    {NULL, "format", "word", format_name, NULL},
    {"cla", "per", "word", NULL, "set top class"},
    {"compare", "per", "word", NULL, "model class"},
    {NULL, "per", "word", NULL, "micro macro class model"},
    {NULL, "units", "word", NULL, "class query"},
    {"rerank", "lists", "file", NULL, NULL},
    {NULL, "lists", "word", NULL, "search trec shrec shapenet rows"},
    {NULL, "matrices", "word", NULL, "auto yes no"},
    {NULL, "thumbnails", "word", NULL, "render found none"},
    {NULL, "encoding", "word", NULL, "text little big"},
    {NULL, "pose", "word", NULL, "aligned original"},
    {NULL, "miscellaneous", "word", NULL, "listed left-out class swapped"},
    {NULL, "part", "word", NULL, "auto"},
    {NULL, "import", "word", NULL, "yes no"},
};

static const struct values *values_of(const cli_command *command, const cli_option *option) {
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if ((known[i].command == NULL || strcmp(known[i].command, command->name) == 0) &&
            strcmp(known[i].option, option->name) == 0) {
            return &known[i];
        }
    }
    return NULL;
}

/* Of an option that is not known: "name" where the values may be a few names, not listed above. */
static const char *kind_of(const cli_option *option) {
    const char *a = option->argument;
    if (a == NULL) {
        return "flag";
    }
    if (strcmp(option->name, "descriptor") == 0 || strcmp(option->name, "descriptors") == 0) {
        return "specs";
    }
    if (strcmp(a, "DIR") == 0 || strcmp(a, "RUN") == 0) {
        return "folder";
    }
    bool named = strcmp(a, "NAME") == 0 || strcmp(a, "WHAT") == 0 || strcmp(a, "HOW") == 0 ||
                 strcmp(a, "KIND") == 0;
    return cli_is_path(option) ? "file" : named ? "name" : "other";
}

/* A word of a text, not a part of one. */
static bool has_word(const char *text, const char *word, size_t length) {
    for (; (text = strstr(text, word)) != NULL; text++) {
        if (!isalnum((unsigned char)text[length])) {
            return true;
        }
    }
    return false;
}

/* Words that the option's help does not name are forgotten ones: false. */
static bool list_words(const cli_command *command, const cli_option *option,
                       const struct values *values) {
    const char *before = "";
    for (size_t i = 0; values->at != NULL && values->at(i) != NULL; i++) {
        printf("%s%s", before, values->at(i));
        before = " ";
    }
    for (const char *at = values->words; at != NULL && *at != '\0'; at += strspn(at, " ")) {
        char word[32];
        size_t length = strcspn(at, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (values->at == NULL && !has_word(option->help, word, length)) {
            fprintf(stderr, "psbench-manual: %s --%s: '%s' is not in its help\n", command->name,
                    option->name, word);
            return false;
        }
        printf("%s%s", before, word);
        before = " ";
        at += length;
    }
    return true;
}

static bool list_option(const cli_command *command, const cli_option *option) {
    const struct values *values = option->argument != NULL ? values_of(command, option) : NULL;
    const char letter[] = {'-', option->letter, '\0'};
    printf("option\t%s\t--%s\t%s\t%s\t", command->name, option->name,
           option->letter != 0 ? letter : "", values != NULL ? values->kind : kind_of(option));
    bool fine = values == NULL || list_words(command, option, values);
    printf("\t%s\n", option->help);
    return fine;
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

static bool list_all(void) {
    bool fine = true;
    for (int i = 0; cli_commands[i] != NULL; i++) {
        printf("command\t%s\t%s\n", cli_commands[i]->name, cli_commands[i]->summary);
        for (int k = 0; cli_option_at(cli_commands[i], k) != NULL; k++) {
            fine = list_option(cli_commands[i], cli_option_at(cli_commands[i], k)) && fine;
        }
    }
    for (size_t i = 0; i < psb_descriptor_count(); i++) {
        list_descriptor(psb_descriptor_at(i));
    }
    for (size_t i = 0; recipe_name(i) != NULL; i++) {
        printf("recipe\t%s\n", recipe_name(i));
    }
    return fine;
}

int main(int argc, char **argv) {
    const cli_command *command = argc == 2 ? cli_find_command(argv[1]) : NULL;
    bool fine = argc == 1 || command != NULL;
    if (argc == 2 && strcmp(argv[1], "--completion") == 0) {
        fine = list_all();
    } else if (command != NULL) {
        put_command(command);
    } else if (argc == 1) {
        put_program();
    } else {
        fprintf(stderr, "usage: psbench-manual [COMMAND | --completion]\n");
    }
    return fine && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
