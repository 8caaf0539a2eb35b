/* psbench cla: classifications checked, counted, joined, cut and converted. */
#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/matrices.h"
#include "cli/run_command.h"
#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/names.h"
#include "io/dataset.h"
#include "io/labels.h"
#include "report/class_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct request {
    psb_collection_options data;
    const char *output, *format;
    psb_class_rows rows;
} request;

typedef struct work {
    size_t count;
    psb_class_set *sets; /* and, behind several that share no model, all together */
    psb_listing all;
    bool together;
    bool checks;    /* nothing is written: what is worth a look is said */
    size_t shared;  /* models that an earlier set has, too */
    size_t missing; /* models without a file */
} work;

static bool ends_with(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

static void say_notes(const char *notes) {
    for (const char *at = notes; at != NULL && *at != '\0';) {
        size_t length = strcspn(at, "\n");
        cli_warn("%.*s", (int)length, at);
        at += length + (at[length] != '\0');
    }
}

static void say_classes(const char *input, const char *what, size_t count, const char *first) {
    if (count > 0) {
        cli_say("%s: classes %s: %zu, the first is %s", input, what, count, first);
    }
}

/* What averages leave out, and what is no class at all. */
static psb_status say_small(const char *input, const psb_classification *cla, psb_error *error) {
    size_t empty = 0, small = 0;
    const char *first_empty = NULL, *first_small = NULL;
    psb_status status = PSB_OK;
    bool *above = psb_new_zero(&status, cla->nclasses, sizeof *above, "classes", error);
    for (size_t c = cla->nclasses; c-- > 0 && status == PSB_OK;) { /* parents come before */
        const psb_class *class = &cla->classes[c];
        if (class->parent != PSB_NO_CLASS) {
            above[class->parent] = true;
        }
        if (class->count == 0 && !above[c]) {
            empty++;
            first_empty = class->full_name;
        } else if (class->count > 0 && class->count <= 2 && !class->miscellaneous) {
            small++;
            first_small = class->full_name;
        }
    }
    free(above);
    say_classes(input, "without models", empty, first_empty);
    say_classes(input, "of one model or two, which averages leave out", small, first_small);
    return status;
}

/* ---- reading --------------------------------------------------------------------------- */

/* With --models: which models have no file. */
static psb_status look_for_files(work *w, const psb_collection_options *options, const char *input,
                                 psb_error *error) {
    psb_dataset dataset;
    psb_status status = psb_dataset_open(options, &dataset, error);
    w->missing += dataset.nmissing;
    for (size_t i = 0; i < dataset.nmissing && status == PSB_OK; i++) {
        cli_error("%s: model '%s' has no file below %s", input, dataset.missing[i],
                  options->models);
    }
    psb_dataset_free(&dataset);
    return status;
}

static psb_status read_set(work *w, const psb_collection_options *common, const char *input,
                           psb_error *error) {
    psb_collection_options options = *common;
    options.classes_of = input;
    psb_class_set *set = &w->sets[w->count++];
    psb_listing listing;
    psb_archive *archive;
    psb_status status = psb_dataset_list(&options, &archive, &set->cla, &listing, error);
    psb_archive_close(archive);
    say_notes(listing.notes.data);
    psb_listing_free(&listing);
    if (status == PSB_OK && common->models != NULL && !psb_is_folder(input)) {
        options.skip_missing = true;
        status = look_for_files(w, &options, input, error);
    }
    if (status == PSB_OK && w->checks) {
        status = say_small(input, &set->cla, error);
    }
    return PSB_THEN(status, psb_listing_add_cla(&w->all, &set->cla, error));
}

static psb_status count_shared(work *w, psb_error *error) {
    psb_names names = {0};
    psb_status status = psb_names_reserve(&names, w->all.count, error);
    for (size_t i = 0; i < w->all.count && status == PSB_OK; i++) {
        w->shared += psb_names_find(&names, w->all.models[i].name) != PSB_NO_NAME;
        psb_names_add(&names, w->all.models[i].name, i);
    }
    psb_names_free(&names);
    return status;
}

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* Sets go by the names of their files, or by whole paths where two of those are the same. */
static void label_sets(work *w, const cli_values *values) {
    bool differ = true;
    for (size_t s = 0; s < w->count; s++) {
        w->sets[s].label = last_part(cli_argument(values, (int)s));
        for (size_t k = 0; k < s; k++) {
            differ = differ && strcmp(w->sets[k].label, w->sets[s].label) != 0;
        }
    }
    for (size_t s = 0; s < w->count && !differ; s++) {
        w->sets[s].label = cli_argument(values, (int)s);
    }
    w->sets[w->count].label = "together";
}

static psb_status read_all(work *w, const cli_values *values, const psb_collection_options *common,
                           psb_error *error) {
    size_t count = (size_t)cli_argument_count(values);
    psb_status status = PSB_OK;
    w->sets = psb_new_zero(&status, count + 1, sizeof *w->sets, "sets", error);
    for (size_t i = 0; i < count && status == PSB_OK; i++) {
        status = read_set(w, common, cli_argument(values, (int)i), error);
    }
    PSB_THEN(status, count_shared(w, error));
    w->together = status == PSB_OK && count > 1 && w->shared == 0;
    if (status == PSB_OK) {
        label_sets(w, values);
    }
    return w->together ? psb_listing_classify(&w->all, "all sets", 0, &w->sets[w->count].cla, error)
                       : status;
}

static void close_all(work *w) {
    for (size_t s = 0; w->sets != NULL && s < w->count + w->together; s++) {
        psb_cla_free(&w->sets[s].cla);
    }
    free(w->sets);
    psb_listing_free(&w->all);
}

/* ---- writing --------------------------------------------------------------------------- */

/* In a .cla models stand class by class; rows without names are in the order of a file. */
static void say_moved(const psb_classification *cla, const char *output) {
    size_t moved = 0;
    for (size_t i = 0; i < cla->nmodels && cla->row != NULL; i++) {
        moved += cla->row[i] != i;
    }
    if (moved > 0) {
        cli_say("%s: %zu of %zu models stand elsewhere than in the input: rows without names that "
                "are in its order are not in this one",
                output, moved, cla->nmodels);
    }
}

static int write_set(const work *w, const char *output) {
    static const char *const endings[] = {
        [PSB_LABELS_CSV] = ".csv", [PSB_LABELS_TSV] = ".tsv", [PSB_LABELS_LIST] = ".txt"};
    psb_error error;
    psb_text text = {0};
    size_t form = 0;
    while (form <= PSB_LABELS_LIST && !ends_with(output, endings[form])) {
        form++;
    }
    if (w->count > 1 && !w->together) {
        cli_error("%s: not written: %zu models are in several of the sets", output, w->shared);
        return CLI_IO;
    }
    psb_status status;
    if (ends_with(output, ".cla")) {
        const psb_classification *cla = &w->sets[w->together ? w->count : 0].cla;
        status = psb_cla_write(output, cla, &error);
        if (status == PSB_OK) {
            say_moved(cla, output);
        }
    } else if (form <= PSB_LABELS_LIST) {
        psb_labels_render(&w->all, (psb_labels_form)form, &text);
        status = psb_text_status(&text, &error);
        PSB_THEN(status, psb_write_file(output, text.data, text.length, &error));
        psb_text_free(&text);
    } else {
        return cli_usage("cla", "--output %s: want a name in .cla, .csv, .tsv or .txt", output);
    }
    return status == PSB_OK ? CLI_DONE : cli_report(&error);
}

static int print_tables(const work *w, const request *r) {
    const psb_table_format format = cli_format(r->format);
    psb_text text = {0};
    psb_error error;
    psb_status status =
        psb_class_table_render(w->sets, w->count + w->together, r->rows, &format, &text, &error);
    return cli_print(status, &text, &error);
}

static int run(const cli_values *values, void *options) {
    const request *r = options;
    const char *output = r->output;
    work w = {.checks = output == NULL};
    psb_error error;
    int code = read_all(&w, values, &r->data, &error) == PSB_OK ? CLI_DONE : cli_report(&error);
    if (code == CLI_DONE && w.shared > 0) {
        cli_say("models that are in several of the sets: %zu", w.shared);
    }
    if (code == CLI_DONE) {
        code = output != NULL ? write_set(&w, output) : print_tables(&w, r);
    }
    close_all(&w);
    return code == CLI_DONE && w.missing > 0 ? CLI_PARTIAL : code;
}

static const cli_word rows[] = {{"set", PSB_ROWS_SETS, "models, classes, largest class"},
                                {"top", PSB_ROWS_TOPS, "the uppermost classes"},
                                {"class", PSB_ROWS_CLASSES, NULL},
                                {NULL, 0, NULL}};

static const cli_option options_table[] = {
    CLI_PATH('o', "output", output, NULL, "CLASSES",
             "write them there, all together: .cla, .csv, .tsv or .txt"),
    CLI_WORD(0, "per", rows, rows, "set", "WHAT", "a row of the table for each"),
    CLI_PATH(0, "models", data.models, NULL, "DIR", "look for the file of each model there"),
    CLI_TEXT(0, "split", data.split, NULL, "PART",
             "of a divided table or folder that part; 'all' for all"),
    CLI_COLUMNS_OPTIONS(data),
    CLI_LEVEL_OPTION(data),
    CLI_FORMAT_OPTION("txt", "of the table"),
    CLI_END,
};

const cli_command cmd_cla = {
    .name = "cla",
    .summary = "Check classifications, count them, join, cut and convert them.",
    .usage = "FILE.cla|TABLE|LIST|DIR... [-o FILE] [--level N]",
    .details =
        "Reads classifications (.cla), tables of labels (.csv, .tsv), lists of files "
        "(chair/chair_0001.off a line) and folders of class folders, and names what is wrong with "
        "them, with file and line. Then it prints what the paper's Tables 1 to 3 do of data sets: "
        "models, classes, models in classes, and the largest class; with --per top the shares of "
        "the uppermost classes, with --per class the models of each class. Several sets stand side "
        "by side. With -o it writes them, in the form of the file's ending: .txt is a list.\n\n"
        "Miscellaneous models (-1) are in no class. The exit code is 1 where --models is given and "
        "a model has no file there.\n\n"
        "Examples:\n"
        "  psbench cla train.cla test.cla\n"
        "  psbench cla train.cla test.cla --per class -f md\n"
        "  psbench cla ModelNet10 --split test -o modelnet10.cla\n"
        "  psbench cla test.cla --level 1 -o coarse.cla\n"
        "  psbench cla test.cla -o test.csv",
    .options = options_table,
    .size = sizeof(struct request),
    .least = 1,
    .most = CLI_ANY_NUMBER,
    .arguments = "a .cla, a table of labels or a folder",
    .next = "psbench run -d SHD --cla @ --models DIR",
    .run = run,
};
