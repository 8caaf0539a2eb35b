/* psbench generative: a set of generated shapes beside a set of references. */
#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/matrices.h"
#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "proof/results.h"
#include "studies/generative.h"

#include <math.h>
#include <stdlib.h>

typedef struct request {
    psb_generative_job job;
    const char *descriptors, *metric, *format;
} request;

/* Columns for a figure and the ends of its interval. */
static const struct {
    const char *names[3], *title;
    double unit;
    int decimals;
} figures[PSB_SET_FIGURES] = {
    [PSB_MATCHING_DISTANCE] = {{"matching_distance", "matching_distance_low",
                                "matching_distance_high"},
                               "matching distance",
                               1,
                               4},
    [PSB_COVERAGE] = {{"coverage_percent", "coverage_percent_low", "coverage_percent_high"},
                      "coverage %",
                      100,
                      2},
    [PSB_ONE_NEAREST_NEIGHBOR] = {{"1nna_percent", "1nna_percent_low", "1nna_percent_high"},
                                  "1-NNA %",
                                  100,
                                  2},
};

enum { LABEL, SIZES, FIGURES = SIZES + PSB_SETS, COLUMNS = FIGURES + 3 * PSB_SET_FIGURES };

typedef struct result {
    const psb_generative_job *job;
    size_t nrows;
    psb_generative_row *rows;
} result;

static void make_columns(bool for_programs, psb_column *columns) {
    static const char *const names[] = {"descriptor", "generated", "reference"};
    static const char *const headings[] = {"", "from", "to"};
    for (int c = LABEL; c < COLUMNS; c++) {
        int f = (c - FIGURES) / 3, end = (c - FIGURES) % 3;
        columns[c] = c < FIGURES ? (psb_column){.name = names[c], .heading = names[c]}
                                 : (psb_column){.name = figures[f].names[end],
                                                .heading = headings[end],
                                                .group = figures[f].title,
                                                .decimals = for_programs ? 6 : figures[f].decimals};
        columns[c].align = c == LABEL ? PSB_LEFT : PSB_RIGHT;
    }
}

static void add_caption(const psb_generative_job *job, psb_text *caption) {
    psb_text_add(caption,
                 "Matching distance: mean over the references of the distance to the nearest "
                 "generated shape. Coverage: references that are the nearest of some generated "
                 "shape. 1-NNA: shapes whose nearest other shape is of their own set, of which 50 "
                 "is best.");
    if (job->rounds > 0) {
        psb_text_printf(caption,
                        " From, to: 95 %% intervals of the bootstrap, which draws shapes %zu times "
                        "with seed %llu; all three depend on the sizes of the sets as well.",
                        job->rounds, (unsigned long long)job->seed);
    }
}

static void fill_row(psb_table *out, size_t i, const psb_generative_row *row) {
    psb_table_set_text(out, i, LABEL, row->label);
    for (size_t set = 0; set < PSB_SETS; set++) {
        psb_table_set_number(out, i, SIZES + set, (double)row->count[set]);
    }
    for (size_t f = 0; f < PSB_SET_FIGURES; f++) {
        const psb_set_value *v = &row->figures[f];
        psb_table_set_number(out, i, FIGURES + 3 * f, figures[f].unit * v->value);
        psb_table_set_number(out, i, FIGURES + 3 * f + 1, figures[f].unit * v->low);
        psb_table_set_number(out, i, FIGURES + 3 * f + 2, figures[f].unit * v->high);
    }
}

static psb_status render(const result *r, const psb_table_format *format, psb_text *text,
                         psb_error *error) {
    psb_column columns[COLUMNS];
    psb_text caption = {0};
    psb_table table = {.cells = NULL};
    make_columns(format->for_programs, columns);
    add_caption(r->job, &caption);
    psb_status status = psb_text_status(&caption, error);
    PSB_THEN(status, psb_table_new(&table, columns, COLUMNS, r->nrows, error));
    table.caption = caption.data;
    for (size_t i = 0; i < r->nrows && status == PSB_OK; i++) {
        fill_row(&table, i, &r->rows[i]);
    }
    if (status == PSB_OK) {
        table.width = format->width;
        format->render(&table, text);
        status = psb_text_status(text, error);
    }
    psb_table_close(&table);
    psb_text_free(&caption);
    return status;
}

/* RUN/generative.txt and its sisters. */
static psb_status write_tables(const result *r, const char *folder, psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t i = 0; i < psb_table_format_count() && status == PSB_OK; i++) {
        const psb_table_format *format = psb_table_format_at(i);
        psb_text text = {0};
        char *name = psb_new_format(&status, error, "generative.%s", format->name);
        PSB_THEN(status, render(r, format, &text, error));
        PSB_THEN(status, psb_results_save(folder, name, &text, r->job->command_line, error));
        free(name);
        psb_text_free(&text);
    }
    return status;
}

static int compare(psb_generative_job *job, const psb_table_format *format) {
    cli_stages stages = {0};
    psb_error error;
    size_t failures = 0;
    psb_text text = {0};
    result r = {.job = job, .nrows = job->metric != NULL ? 1 : job->nspecs};
    job->observer = cli_observer(&stages);
    psb_status status = PSB_OK;
    r.rows = psb_new_zero(&status, r.nrows, sizeof *r.rows, "a table", &error);
    PSB_THEN(status, psb_generative_compare(job, r.rows, &failures, &error));
    PSB_THEN(status, render(&r, format, &text, &error));
    if (status == PSB_OK && job->folder != NULL) {
        status = write_tables(&r, job->folder, &error);
    }
    int code = cli_print(status, &text, &error);
    free(r.rows);
    return code == CLI_DONE && failures > 0 ? CLI_PARTIAL : code;
}

/* Two folders, or two files that are as their runs left them. */
static int read_sets(const cli_values *values, request *r) {
    psb_generative_job *job = &r->job;
    size_t folders = 0;
    psb_error error;
    for (int set = 0; set < PSB_SETS; set++) {
        job->sets[set] = cli_argument(values, set);
        bool folder = false;
        psb_status status = psb_folder_is_there(job->sets[set], &folder, &error);
        if (PSB_THEN(status, psb_results_check_file(job->sets[set], false, &error)) != PSB_OK) {
            return cli_report(&error);
        }
        folders += folder;
    }
    if (folders == 1) {
        return cli_usage("generative", "needs two folders of models, or two files of features");
    }
    if (folders == 0 && r->descriptors != NULL) {
        return cli_usage("generative", "--descriptors is for folders of models");
    }
    if (folders > 0 && r->metric != NULL) {
        return cli_usage("generative", "--metric is for files of features");
    }
    if (folders == 0 && r->metric == NULL) {
        return cli_usage("generative", "files of features need --metric");
    }
    job->metric = r->metric != NULL ? psb_metric_find(r->metric) : NULL;
    return CLI_DONE;
}

static int run(const cli_values *values, void *options) {
    request *r = options;
    psb_generative_job *job = &r->job;
    job->command_line = cli_command_line(values);
    int code = read_sets(values, r);
    if (code != CLI_DONE) {
        return code;
    }
    const char *list = r->descriptors;
    const psb_table_format format = cli_format(r->format);
    psb_spec **specs;
    psb_error error;
    if (psb_spec_parse_list(NULL, list != NULL ? list : "LFD", &specs, &job->nspecs, &error) !=
        PSB_OK) {
        return cli_report(&error);
    }
    job->specs = specs;
    code = compare(job, &format);
    for (size_t s = 0; s < job->nspecs; s++) {
        psb_spec_free(specs[s]);
    }
    free(specs);
    return code;
}

static const cli_option options[] = {
    CLI_METHODS("descriptors", descriptors, NULL, "LIST",
                "of folders of models, e.g. LFD,SHD (else: LFD)"),
    CLI_METRIC_OPTION(metric, NULL, "of files of features"),
    CLI_PATH('o', "output", job.folder, NULL, "RUN",
             "folder for the tables and for finished rows, to go on from"),
    CLI_FORMAT_OPTION("txt", "of the table"),
    CLI_WHOLE(0, "rounds", job.rounds, 0, 10000000, "10000", "N",
              "of the bootstrap; 0: no intervals"),
    CLI_WHOLE(0, "seed", job.seed, 0, 0x1p63, "1", "N", "of the bootstrap"),
    CLI_WHOLE(0, "max-faces", job.max_faces, 1, 1000000000, "10000000", "N",
              "largest model in faces; larger ones fail"),
    CLI_REAL(0, "max-seconds", job.max_seconds, 0, 1e9, "0", "S",
             "longest processor time of a model; slower ones fail (0: none)"),
    CLI_MEMORY_OPTION(job.memory),
    CLI_THREADS(job.threads),
    CLI_END,
};

const cli_command cmd_generative = {
    .name = "generative",
    .summary = "Compare a set of generated shapes with a set of references.",
    .usage = "GENERATED REFERENCE [-d LIST | -m NAME] [-o RUN]",
    .details =
        "Both are folders of models of any format that is read, in folders within them as well, "
        "or files of features (.npy). "
        "Distances are the descriptor's own; LFD's are those of the light field program, to the "
        "unit. For each descriptor, with the sizes of both sets:\n"
        "\n"
        "matching distance (MMD): mean over the references of the distance to the nearest "
        "generated shape.\n"
        "coverage (COV): share of the references that are the nearest reference of some generated "
        "shape; of equally near ones the first is.\n"
        "1-NNA: share of the shapes of both sets whose nearest other shape, among both sets, is "
        "of their own set; where both sets have one equally near it counts one half. 50 % is "
        "best: the sets cannot be told apart. Near 100 % they are easily told, near 0 % one is a "
        "copy of the other.\n"
        "\n"
        "Each is a mean over shapes, and its interval is the bootstrap's: as many shapes are drawn "
        "with replacement, of each set for itself, each with the value that it has among the "
        "whole sets, --rounds times; from the 2.5th to the 97.5th percentile. All three depend on "
        "the sizes of the sets as well: compare at equal sizes.\n"
        "\n"
        "Distances stream by; nothing of the size of a matrix is kept. With -o RUN the tables are "
        "written in all formats (RUN/generative.*; 'psbench verify RUN' looks whether they are as "
        "they were), and the same command goes on from the rows "
        "that are finished. A model that cannot be used is named and left out, listed in "
        "RUN/generated/failures.tsv or RUN/reference/failures.tsv, and the exit code is 1.\n"
        "\n"
        "Examples:\n"
        "  psbench generative samples test_set\n"
        "  psbench generative samples test_set -d LFD,SHD -o compared -f md\n"
        "  psbench generative samples.npy test.npy --metric l2",
    .options = options,
    .size = sizeof(struct request),
    .least = 2,
    .most = 2,
    .arguments = "the generated shapes and the references",
    .run = run,
};
