/* psbench duplicates: models of a set that are the same, or nearly. */
#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/matrices.h"
#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "descriptors/descriptor.h"
#include "io/dataset.h"
#include "io/ids.h"
#include "run/record.h"
#include "studies/duplicates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    psb_duplicates_job job;
    const char *descriptor, *metric, *models, *format;
    bool rows_only, verify;
} request;

/* What is looked at. */
typedef struct subject {
    char *path; /* of the features */
    psb_npy rows;
    psb_ids ids;
    char **numbers;      /* where there are no names beside the rows */
    char *const *names;  /* either of the two */
    psb_results results; /* a run's */
    psb_spec *spec;      /* whose metric compares the rows */
    psb_run_facts facts;
    char **files;         /* NULL: rows alone */
    psb_archive *archive; /* that they are in, or NULL */
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

/* By the names beside the rows, or numbers from 0. */
static psb_status name_rows(subject *s, psb_error *error) {
    psb_status status = psb_ids_read(s->path, &s->ids, error);
    PSB_THEN(status, psb_ids_check(s->path, &s->ids, s->rows.rows, error));
    s->names = s->ids.names;
    return status == PSB_OK && s->ids.count == 0 ? number_rows(s, error) : status;
}

/* Each row's model below the folder; one with another file than the run's is refused. */
static psb_status find_files(subject *s, const char *folder, psb_error *error) {
    psb_text notes = {0};
    psb_status status = psb_archive_open(folder, &s->archive, &notes, error);
    psb_text_free(&notes);
    s->files = psb_new_zero(&status, s->rows.rows, sizeof *s->files, "files", error);
    for (size_t i = 0; i < s->rows.rows && status == PSB_OK; i++) {
        psb_model_state state = PSB_MODEL_UNKNOWN;
        status = psb_dataset_find(s->archive, folder, s->names[i], &s->files[i], error);
        if (status == PSB_OK && s->files[i] == NULL) {
            cli_error("no file below %s: %s", folder, s->names[i]);
            s->without_file++;
        } else if (status == PSB_OK) {
            status = psb_ledger_model_state(&s->results.ledger, s->archive, s->names[i],
                                            s->files[i], &state, error);
        }
        if (state == PSB_MODEL_OTHER) {
            status = psb_fail_at(error, PSB_ERROR_INPUT, s->files[i], 0,
                                 "not the file that the results in %s were made from",
                                 s->results.ledger.run);
        }
    }
    return status;
}

/* LFD tells models apart best; a run without it has its first descriptor's rows. */
static const char *choose(const subject *s) {
    const char *first = NULL;
    for (size_t d = 0; d < s->facts.ndescriptors; d++) {
        const psb_descriptor_facts *of = &s->facts.descriptors[d];
        if (of->uses == NULL && of->label != NULL && strcmp(of->label, "LFD") == 0) {
            return of->label;
        }
        first = first == NULL && of->uses == NULL ? of->label : first;
    }
    return first != NULL ? first : "LFD";
}

static psb_status open_subject(const char *path, const request *r, subject *s, psb_error *error) {
    const char *folder = r->models, *wanted = r->descriptor;
    bool whole = r->verify, run = false;
    psb_status status = psb_folder_is_there(path, &run, error);
    if (run) {
        status = psb_results_open(path, whole, &s->results, error);
        PSB_THEN(status, psb_run_read_facts(&s->results, &s->facts, error));
        folder = folder != NULL ? folder : s->facts.models_folder;
    }
    PSB_THEN(status, psb_spec_parse(NULL, wanted != NULL ? wanted : choose(s), &s->spec, error));
    if (status == PSB_OK && run) {
        status = psb_run_method_path(&s->results, true, s->spec->label.text, &s->path, error);
    } else if (status == PSB_OK) {
        s->path = psb_new_format(&status, error, "%s", path);
        PSB_THEN(status, psb_results_check_file(path, whole, error));
    }
    PSB_THEN(status, psb_npy_read(s->path, &s->rows, error));
    PSB_THEN(status, name_rows(s, error));
    return status == PSB_OK && folder != NULL && !r->rows_only ? find_files(s, folder, error)
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
    psb_archive_close(s->archive);
    psb_npy_close(&s->rows);
    psb_ids_free(&s->ids);
    psb_spec_free(s->spec);
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

static psb_status render(const psb_duplicates *found, const subject *s, const request *r,
                         psb_text *text, psb_error *error) {
    int decimals = s->rows.element == PSB_UINT8 ? 0 : 6;
    const psb_column columns[COLUMNS] = {
        [GROUP] = {"group", "group", NULL, PSB_RIGHT, 0, PSB_PLAIN},
        [MODEL] = {"model", "model", NULL, PSB_LEFT, 0, PSB_PLAIN},
        [EVIDENCE] = {"evidence", "evidence", NULL, PSB_LEFT, 0, PSB_PLAIN},
        [LIKE] = {"like", "like", NULL, PSB_LEFT, 0, PSB_PLAIN},
        [DISTANCE] = {"distance", "distance", NULL, PSB_RIGHT, decimals, PSB_PLAIN},
        [SCALE] = {"scale", "scale", NULL, PSB_RIGHT, 6, PSB_PLAIN},
        [DEVIATION] = {"deviation", "deviation", NULL, PSB_RIGHT, 6, PSB_PLAIN},
    };
    psb_text caption = {0};
    psb_text_printf(&caption, "%zu groups with %zu of the %zu models.", found->groups, found->count,
                    s->rows.rows);
    if (!isnan(found->threshold)) {
        psb_text_printf(&caption,
                        " Rows are near up to a distance of %.7g, which a share of %.10g of the "
                        "models have to their nearest.",
                        found->threshold, r->job.quantile);
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
        const psb_table_format format = cli_format(r->format);
        table.width = format.width;
        format.render(&table, text);
        status = psb_text_status(text, error);
    }
    psb_table_close(&table);
    psb_text_free(&caption);
    return status;
}

static int run(const cli_values *values, void *options) {
    request *r = options;
    psb_duplicates_job *o = &r->job;
    subject s = {.without_file = 0};
    cli_stages stages = {0};
    psb_duplicates found = {.count = 0};
    psb_text text = {0};
    psb_error error;
    o->observer = cli_observer(&stages);
    psb_status status = open_subject(cli_argument(values, 0), r, &s, &error);
    if (status == PSB_OK) {
        o->metric = r->metric != NULL ? psb_metric_find(r->metric) : psb_spec_metric(s.spec);
        o->path = s.path;
        o->rows = &s.rows;
        o->files = s.files;
        o->archive = s.archive;
        status = psb_duplicates_find(o, &found, &error);
    }
    PSB_THEN(status, render(&found, &s, r, &text, &error));
    int code = cli_print(status, &text, &error);
    bool whole = found.failures + s.without_file == 0;
    psb_duplicates_free(&found);
    close_subject(&s);
    return code == CLI_DONE && !whole ? CLI_PARTIAL : code;
}

static const cli_option options[] = {
    CLI_METHODS("descriptor", descriptor, NULL, "SPEC",
                "whose rows are compared (else: LFD, or what RUN has)"),
    CLI_METRIC_OPTION(metric, NULL, "distance between two rows (else: the descriptor's own)"),
    CLI_REAL(0, "quantile", job.quantile, 0, 1, "0.03", "N",
             "rows are near up to the distance that this share of the models have to their "
             "nearest; 0: rows are not compared"),
    CLI_PATH(0, "models", models, NULL, "DIR",
             "folder of the models (else: the one that the run used)"),
    CLI_FLAG(0, "rows-only", rows_only, "compare rows, and not the models' files"),
    CLI_FORMAT_OPTION("txt", "of the table"),
    CLI_WHOLE(0, "max-faces", job.max_faces, 1, 1000000000, "10000000", "N",
              "largest model in faces; larger ones are passed over"),
    CLI_WHOLE_OPTION(verify),
    CLI_MEMORY_OPTION(job.memory),
    CLI_THREADS(job.threads),
    CLI_END,
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
        "  psbench duplicates features.npy --metric l2 --models psb_v1/db",
    .options = options,
    .size = sizeof(struct request),
    .least = 1,
    .most = 1,
    .arguments = "the folder of a run, or a file of features",
    .run = run,
};
