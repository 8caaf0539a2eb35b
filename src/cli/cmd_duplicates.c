/* psbench duplicates: models of a set that are the same, or nearly. */
#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/matrices.h"
#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/number.h"
#include "descriptors/descriptor.h"
#include "io/ids.h"
#include "pipeline/dataset.h"
#include "pipeline/duplicates.h"
#include "pipeline/run_record.h"

#include <math.h>
#include <stdlib.h>

/* What is looked at. */
typedef struct subject {
    char *path; /* of the features */
    psb_npy rows;
    psb_ids ids;
    psb_classification cla; /* a run's, which is there in the place of names */
    char **numbers;         /* or these */
    char *const *names;     /* any of the three */
    psb_results results;    /* a run's */
    psb_run_facts facts;
    char **files; /* NULL: rows alone */
    size_t without_file;
} subject;

static psb_status number_rows(subject *s, psb_error *error) {
    psb_status status = PSB_OK;
    s->numbers = psb_new_zero(&status, s->rows.rows, sizeof *s->numbers, "names", error);
    for (size_t i = 0; i < s->rows.rows && status == PSB_OK; i++) {
        s->numbers[i] = psb_new_format(&status, error, "%zu", i);
    }
    s->names = s->numbers;
    return status;
}

/* By the names beside the rows, a run's list, or numbers from 0. */
static psb_status name_rows(subject *s, const char *run, psb_error *error) {
    psb_status status = psb_ids_read(s->path, &s->ids, error);
    PSB_THEN(status, psb_ids_check(s->path, &s->ids, s->rows.rows, error));
    s->names = s->ids.names;
    if (status != PSB_OK || s->ids.count > 0 || run == NULL) {
        return status == PSB_OK && s->ids.count == 0 ? number_rows(s, error) : status;
    }
    char *cla = psb_new_format(&status, error, "%s/models.cla", run);
    PSB_THEN(status, psb_cla_read(cla, &s->cla, error));
    if (status == PSB_OK && s->cla.nmodels != s->rows.rows) {
        status = psb_fail_at(error, PSB_ERROR_INPUT, s->path, 0,
                             "%zu rows, but the run has %zu models", s->rows.rows, s->cla.nmodels);
    }
    s->names = s->cla.models;
    free(cla);
    return status;
}

/* Each row's model below the folder; one with another file than the run's is refused. */
static psb_status find_files(subject *s, const char *folder, psb_error *error) {
    psb_status status = psb_is_folder(folder)
                            ? PSB_OK
                            : psb_fail_at(error, PSB_ERROR_IO, folder, 0, "not a folder of models");
    s->files = psb_new_zero(&status, s->rows.rows, sizeof *s->files, "files", error);
    for (size_t i = 0; i < s->rows.rows && status == PSB_OK; i++) {
        status = psb_dataset_find(folder, s->names[i], &s->files[i], error);
        if (status == PSB_OK && s->files[i] == NULL) {
            cli_error("no file below %s: %s", folder, s->names[i]);
            s->without_file++;
        } else if (status == PSB_OK && psb_ledger_model_state(&s->results.ledger, s->names[i],
                                                              s->files[i]) == PSB_MODEL_OTHER) {
            status = psb_fail_at(error, PSB_ERROR_INPUT, s->files[i], 0,
                                 "not the file that the results in %s were made from",
                                 s->results.ledger.run);
        }
    }
    return status;
}

static psb_status open_subject(const cli_values *values, const psb_spec *spec, subject *s,
                               psb_error *error) {
    const char *path = cli_argument(values, 0), *folder = cli_value(values, "models");
    const char *run = psb_is_folder(path) ? path : NULL;
    char stem[256];
    psb_spec_stem(spec, stem);
    psb_status status = PSB_OK;
    s->path = run != NULL ? psb_new_format(&status, error, "%s/features/%s.npy", run, stem)
                          : psb_new_format(&status, error, "%s", path);
    PSB_THEN(status, psb_results_check_file(s->path, cli_flag(values, "verify"), error));
    PSB_THEN(status, psb_npy_read(s->path, &s->rows, error));
    PSB_THEN(status, name_rows(s, run, error));
    if (status == PSB_OK && run != NULL) {
        status = psb_results_open(run, cli_flag(values, "verify"), &s->results, error);
        if (folder == NULL) {
            PSB_THEN(status, psb_run_read_facts(&s->results, &s->facts, error));
            folder = s->facts.models_folder;
        }
    }
    return status == PSB_OK && folder != NULL && !cli_flag(values, "rows-only")
               ? find_files(s, folder, error)
               : status;
}

static void close_subject(subject *s) {
    for (size_t i = 0; i < s->rows.rows; i++) {
        if (s->files != NULL) {
            free(s->files[i]);
        }
        if (s->numbers != NULL) {
            free(s->numbers[i]);
        }
    }
    free(s->files);
    free(s->numbers);
    psb_npy_close(&s->rows);
    psb_ids_free(&s->ids);
    psb_cla_free(&s->cla);
    psb_results_free(&s->results);
    psb_run_facts_free(&s->facts);
    free(s->path);
}

/* ---- the table ------------------------------------------------------------------------- */

enum { GROUP, MODEL, EVIDENCE, LIKE, DISTANCE, SCALE, DEVIATION, COLUMNS };

static void fill(const psb_duplicates *found, const subject *s, psb_table *table) {
    static const char *const evidence[] = {
        [PSB_SAME_BYTES] = "same bytes",
        [PSB_SAME_TRIANGLES] = "same triangles",
        [PSB_NEAR_ROWS] = "near rows",
    };
    for (size_t k = 0; k < found->count; k++) {
        const psb_duplicate *d = &found->members[k];
        psb_table_set_number(table, k, GROUP, (double)d->group + 1);
        psb_table_set_text(table, k, MODEL, s->names[d->model]);
        psb_table_set_text(table, k, EVIDENCE,
                           d->congruence.mirrored ? "mirrored triangles" : evidence[d->evidence]);
        psb_table_set_text(table, k, LIKE, s->names[d->like]);
        psb_table_set_number(table, k, DISTANCE, d->distance);
        psb_table_set_number(table, k, SCALE, d->congruence.scale);
        if (d->evidence == PSB_SAME_TRIANGLES) {
            psb_table_set_number(table, k, DEVIATION, d->congruence.deviation);
        }
    }
}

static psb_status render(const psb_duplicates *found, const subject *s, const cli_values *values,
                         const psb_table_format *format, psb_text *text, psb_error *error) {
    int decimals = s->rows.element == PSB_UINT8 ? 0 : 6;
    const psb_column columns[COLUMNS] = {
        [GROUP] = {"group", "group", NULL, PSB_RIGHT, 0, false},
        [MODEL] = {"model", "model", NULL, PSB_LEFT, 0, false},
        [EVIDENCE] = {"evidence", "evidence", NULL, PSB_LEFT, 0, false},
        [LIKE] = {"like", "like", NULL, PSB_LEFT, 0, false},
        [DISTANCE] = {"distance", "distance", NULL, PSB_RIGHT, decimals, false},
        [SCALE] = {"scale", "scale", NULL, PSB_RIGHT, 6, false},
        [DEVIATION] = {"deviation", "deviation", NULL, PSB_RIGHT, 6, false},
    };
    psb_text caption = {0};
    psb_text_printf(&caption, "%zu groups with %zu of the %zu models.", found->groups, found->count,
                    s->rows.rows);
    if (!isnan(found->threshold)) {
        psb_text_printf(&caption,
                        " Rows are near up to a distance of %.7g, which a share of %s of the "
                        "models have to their nearest.",
                        found->threshold, cli_value(values, "quantile"));
    }
    if (s->files == NULL) {
        psb_text_add(&caption, " Files were not compared.");
    }
    psb_table table = {.cells = NULL};
    psb_status status = psb_text_status(&caption, error);
    PSB_THEN(status, psb_table_new(&table, columns, COLUMNS, found->count, error));
    if (status == PSB_OK) {
        table.caption = caption.data;
        fill(found, s, &table);
        format->render(&table, text);
        status = psb_text_status(text, error);
    }
    psb_table_free(&table);
    psb_text_free(&caption);
    return status;
}

static int find(const cli_values *values, const psb_spec *spec, psb_duplicates_job *o,
                const psb_table_format *format) {
    subject s = {.without_file = 0};
    cli_stages stages = {0};
    psb_duplicates found = {.count = 0};
    psb_text text = {0};
    psb_error error;
    o->observer = cli_observer(&stages);
    psb_status status = open_subject(values, spec, &s, &error);
    if (status == PSB_OK) {
        o->path = s.path;
        o->rows = &s.rows;
        o->files = s.files;
        status = psb_duplicates_find(o, &found, &error);
    }
    PSB_THEN(status, render(&found, &s, values, format, &text, &error));
    int code = cli_print(status, &text, &error);
    bool whole = found.failures + s.without_file == 0;
    psb_duplicates_free(&found);
    close_subject(&s);
    return code == CLI_DONE && !whole ? CLI_PARTIAL : code;
}

static int run(const cli_values *values) {
    psb_duplicates_job o = {0};
    long faces = 0;
    const char *quantile = cli_value(values, "quantile");
    const psb_table_format *format = cli_format("duplicates", cli_value(values, "format"));
    if (cli_argument_count(values) != 1) {
        return cli_usage("duplicates", "needs the folder of a run, or a file of features");
    }
    if (!psb_parse_double(quantile, &o.quantile) || o.quantile < 0 || o.quantile > 1) {
        return cli_usage("duplicates", "--quantile %s: want a share from 0 to 1", quantile);
    }
    if (format == NULL || !cli_integer(values, "max-faces", 1, 1000000000, &faces) ||
        !cli_threads(values, &o.threads) || !cli_memory(values, "duplicates", &o.memory) ||
        (cli_value(values, "metric") != NULL && !cli_metric(values, "duplicates", &o.metric))) {
        return CLI_USAGE;
    }
    o.max_faces = (size_t)faces;
    psb_spec *spec;
    psb_error error;
    if (psb_spec_parse(NULL, cli_value(values, "descriptor"), &spec, &error) != PSB_OK) {
        return cli_report(&error);
    }
    o.metric = o.metric != NULL ? o.metric : psb_spec_metric(spec);
    int code = find(values, spec, &o, format);
    psb_spec_free(spec);
    return code;
}

static const cli_option options[] = {
    {'d', "descriptor", "SPEC", "whose rows are compared: RUN/features/SPEC.npy", "LFD"},
    {'m', "metric", "NAME", "distance between two rows (else: the descriptor's own)", NULL},
    {0, "quantile", "N",
     "rows are near up to the distance that this share of the models have to their nearest; 0: "
     "rows are not compared",
     "0.03"},
    {0, "models", "DIR", "folder of the models (else: the one that the run used)", NULL},
    {0, "rows-only", NULL, "compare rows, and not the models' files", NULL},
    {'f', "format", "NAME", "of the table: txt, tsv, json, md or tex", "txt"},
    {0, "max-faces", "N", "largest model in faces; larger ones are passed over", "10000000"},
    CLI_WHOLE_OPTION,
    CLI_MEMORY_OPTION,
    {'t', "threads", "N", "threads (0: one per processor)", "0"},
    {0, NULL, NULL, NULL, NULL},
};

const cli_command cmd_duplicates = {
    .name = "duplicates",
    .summary = "Find models of a set that are the same, or nearly, with the evidence.",
    .usage = "RUN | FEATURES.npy [--models DIR]",
    .details =
        "Prints groups, a line for each model: what it is like, by which evidence, and how far "
        "their rows are apart. Three kinds of evidence, the strongest first, join models to "
        "groups:\n"
        "\n"
        "same bytes: their files have the same.\n"
        "same triangles: all but a ten-thousandth of the area of each has its like in the other, "
        "once one of them is moved, turned and scaled; in whatever order, however often the same "
        "triangle occurs, and whichever side of it is the front. Deviation is how far two like "
        "triangles lie apart at most, relative to the model's size, of which a thousandth is "
        "allowed; scale is the size of the model over that of what it is like. Mirrored "
        "triangles: the same for its mirror image.\n"
        "near rows: the distance of two rows is at most the quantile, over all models, of a "
        "model's distance to its nearest. Such pairs are always found: look at them.\n"
        "\n"
        "Rows are named by the ids beside them (FEATURES.npy.ids), else by the run's models or by "
        "their numbers, from 0. A model whose file is missing or cannot be read is named, and the "
        "exit code is 1.\n"
        "\n"
        "Examples:\n"
        "  psbench duplicates psb-run\n"
        "  psbench duplicates psb-run -d SHD --quantile 0.05 -f tsv\n"
        "  psbench duplicates features.npy -m l2 --models psb_v1/db",
    .options = options,
    .run = run,
};
