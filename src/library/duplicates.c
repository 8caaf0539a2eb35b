/* Finds duplicates for clients: opens rows and files, and makes the table. */
#include "studies/duplicates.h"

#include "core/element.h"
#include "core/file.h"
#include "library/call.h"
#include "library/parts.h"
#include "report/table.h"
#include "run/record.h"
#include "run/run.h"
#include "studies/same_surface.h"

#include <math.h>

/* The models that are compared. */
typedef struct subject {
    psb_subject of;
    char **numbers;       /* texts "0", "1" ... if there are no names */
    char *const *names;   /* names of the rows: from ids or numbers */
    char **files;         /* each row's model file; NULL: compare rows only */
    psb_archive *archive; /* the archive that holds the files, or NULL */
    size_t without_file;
    psb_collection *more; /* further models from a folder */
    psb_rows *more_rows;  /* rows of the further models */
    psb_npy all;          /* rows and more_rows together */
    char **all_names;     /* names of all; they point into the other names */
    const psb_observer *observer;
} subject;

static psb_status number_rows(subject *s, psb_error *error) {
    psb_status status = PSB_OK;
    s->numbers = psb_new_zero(&status, s->of.rows.rows, sizeof *s->numbers, "names", error);
    for (size_t i = 0; i < s->of.rows.rows && status == PSB_OK; i++) {
        s->numbers[i] = psb_new_format(&status, error, "%zu", i);
    }
    s->names = s->numbers;
    return status;
}

/* Checks that the file is still the one from which the run's row was made. */
static psb_status check_file(const subject *s, const psb_archive *archive, const char *name,
                             const char *path, psb_error *error) {
    psb_model_state state = PSB_MODEL_UNKNOWN;
    psb_status status =
        psb_ledger_model_state(&s->of.results.ledger, archive, name, path, &state, error);
    return PSB_THEN_IF(status, state == PSB_MODEL_OTHER,
                       psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                                   "changed since %s was made; repeat the run's command",
                                   s->of.results.ledger.run));
}

/* Finds each row's model below the folder; refuses a file that differs from the run's. */
static psb_status find_files(subject *s, const char *folder, psb_error *error) {
    enum { NAMED = 5 };
    psb_text notes = {0}, missing = {0};
    psb_status status = psb_archive_open(folder, &s->archive, &notes, error);
    psb_text_free(&notes);
    s->files = psb_new_zero(&status, s->of.rows.rows, sizeof *s->files, "files", error);
    for (size_t i = 0; i < s->of.rows.rows && status == PSB_OK; i++) {
        status = psb_dataset_find(s->archive, folder, s->names[i], &s->files[i], error);
        if (status == PSB_OK && s->files[i] == NULL) {
            if (s->without_file++ < NAMED) {
                psb_text_list(&missing, s->names[i]);
            }
        } else if (status == PSB_OK) {
            status = check_file(s, s->archive, s->names[i], s->files[i], error);
        }
    }
    if (missing.length > 0) {
        psb_observer_fail(s->observer, "%zu of %zu models have no file below %s: %s%s",
                          s->without_file, s->of.rows.rows, folder, missing.data,
                          s->without_file > NAMED ? ", ..." : "");
    }
    psb_text_free(&missing);
    return status;
}

/* Removes the models that the run has already; returns how many. */
static size_t drop_known(psb_collection *more, const psb_names *known) {
    psb_classification *cla = &more->set.cla;
    size_t kept = 0, before = cla->nmodels;
    for (size_t i = 0; i < before; i++) {
        if (psb_names_find(known, cla->models[i]) != PSB_NO_NAME) {
            free(cla->models[i]);
            free(more->set.paths[i]);
        } else {
            cla->models[kept] = cla->models[i];
            more->set.paths[kept] = more->set.paths[i];
            cla->class_of[kept++] = cla->class_of[i];
        }
    }
    free(cla->row);
    cla->row = NULL;
    cla->nmodels = kept;
    return before - kept;
}

/* Describes the models below a folder that have no row yet. */
static psb_status describe_more(psb_context *psb, const char *folder, subject *s,
                                psb_error *error) {
    const psb_collection_options of = {.models = folder, .unlabelled = true};
    PSB_AT_END(psb_names_free) psb_names known = {0};
    psb_status status = psb_collection_open(psb, &of, &s->more, error);
    PSB_THEN(status, psb_names_fill(&known, s->names, s->of.rows.rows, error));
    PSB_THEN_IF(status, s->archive != NULL || s->more->set.archive != NULL,
                psb_fail(error, PSB_ERROR_USAGE,
                         "%s is an archive, and models are added to folders: unpack it",
                         s->archive != NULL ? s->of.facts.models_folder : folder));
    for (size_t i = 0; status == PSB_OK && i < s->more->set.cla.nmodels; i++) {
        const char *name = s->more->set.cla.models[i];
        PSB_THEN_IF(status, psb_names_find(&known, name) != PSB_NO_NAME,
                    check_file(s, NULL, name, s->more->set.paths[i], error));
    }
    if (status == PSB_OK) {
        size_t passed_over = drop_known(s->more, &known);
        if (s->more->set.cla.nmodels == 0) {
            status = psb_fail(error, PSB_ERROR_USAGE,
                              "%s: nothing to add: the run has rows of its models (%zu) already",
                              folder, passed_over);
        } else if (passed_over > 0) {
            psb_observer_say(s->observer, PSB_NOTE, "%s: %zu models have a row already", folder,
                             passed_over);
        }
    }
    psb_spec *spec = NULL;
    PSB_THEN(status, psb_spec_open(psb, s->of.name, &spec, error));
    PSB_THEN(status, psb_run_check_revision(&s->of.results, &s->of.facts, spec, error));
    PSB_THEN(status, psb_describe_all(psb, s->more, spec, &s->more_rows, error));
    psb_spec_free(spec);
    return status;
}

/* Joins both kinds of rows, with their names and files. */
static psb_status join_rows(subject *s, psb_error *error) {
    const psb_npy *old = &s->of.rows, *more = &s->more_rows->npy;
    size_t n = old->rows, count = n + more->rows;
    psb_status status = psb_npy_check_alike(s->of.path, old, s->of.name, more, error);
    size_t bytes = old->columns * psb_element_bytes(old->element);
    char *data = psb_new(&status, count, bytes, "features", error);
    s->all = (psb_npy){count, old->columns, old->element, data, {NULL, 0}, data, {0}};
    s->all_names = psb_new(&status, count, sizeof *s->all_names, "names", error);
    char **files =
        s->files != NULL ? psb_new_zero(&status, count, sizeof *files, "files", error) : NULL;
    if (status == PSB_OK) {
        memcpy(data, old->data, n * bytes);
        memcpy(data + n * bytes, more->data, more->rows * bytes);
    }
    for (size_t i = 0; i < count && status == PSB_OK; i++) {
        s->all_names[i] = i < n ? s->names[i] : s->more_rows->ids.names[i - n];
        if (files != NULL) {
            files[i] = i < n ? s->files[i] : s->more->set.paths[s->more_rows->model[i - n]];
        }
    }
    if (status == PSB_OK) {
        s->names = s->all_names;
    }
    if (status == PSB_OK && files != NULL) {
        free(s->files);
        s->files = files; /* the last of them belong to the collection */
    } else {
        free(files);
    }
    return status;
}

/* Finds what compares the rows: the metric or the descriptor that the user named, or what the rows
 * were made for. */
static psb_status find_metric(const psb_context *psb, const psb_duplicates_options *o,
                              const subject *s, const psb_metric **metric, psb_error *error) {
    psb_spec *spec = NULL;
    psb_status status = PSB_OK;
    const char *name = o->metric != NULL ? o->metric : s->of.metric;
    if (o->metric == NULL && o->descriptor != NULL && s->of.name == NULL) {
        status = psb_spec_parse(&psb->added, o->descriptor, &spec, error);
        *metric = spec != NULL ? psb_spec_metric(spec) : NULL; /* outlives the spec */
        psb_spec_free(spec);
        return status;
    }
    return name != NULL ? psb_metric_named(psb, name, metric, error)
                        : psb_rows_metric(psb, &(psb_rows){.path = s->of.path}, &(psb_rows){0},
                                          NULL, metric, error);
}

static psb_status open_subject(psb_context *psb, const psb_duplicates_options *o, subject *s,
                               const psb_metric **metric, psb_error *error) {
    psb_status status = psb_subject_choose(psb, o->of, o->descriptor, o->verify, &s->of, error);
    const char *folder = o->models != NULL ? o->models : s->of.facts.models_folder;
    s->names = s->of.ids.names;
    PSB_THEN(status, find_metric(psb, o, s, metric, error));
    PSB_THEN_IF(status, s->of.ids.count == 0, number_rows(s, error));
    return status == PSB_OK && folder != NULL && !o->rows_only ? find_files(s, folder, error)
                                                               : status;
}

static void close_subject(subject *s) {
    psb_free_texts(s->files, s->of.rows.rows);
    psb_free_texts(s->numbers, s->of.rows.rows);
    psb_archive_close(s->archive);
    free(s->all.converted);
    free(s->all_names);
    psb_rows_free(s->more_rows);
    psb_collection_free(s->more);
    psb_subject_close(&s->of);
}

/* ---- the table ------------------------------------------------------------------------- */

enum { GROUP, MODEL, EVIDENCE, LIKE, DISTANCE, SCALE, DEVIATION, COLUMNS };

/* Writes the evidence and how the copy differs: "same triangles, mirrored, scaled". */
static void add_evidence(psb_text *text, const char *kind, const psb_duplicate *d) {
    double far = d->evidence == PSB_REMESHED ? PSB_SAME_SURFACE : PSB_CONGRUENCE_DISTANCE;
    bool scaled = d->evidence == PSB_SAME_TRIANGLES || d->evidence == PSB_REMESHED;
    scaled = scaled && fabs(d->congruence.scale - 1) > far;
    text->length = 0;
    psb_text_printf(text, "%s%s%s", kind, d->congruence.mirrored ? ", mirrored" : "",
                    scaled ? ", scaled" : "");
}

static psb_status fill(const psb_duplicates_found *found, const subject *s, psb_table *table,
                       psb_error *error) {
    psb_status status = PSB_OK;
    PSB_AT_END(psb_text_free) psb_text text = {0};
    static const char *const evidence[] = {
        [PSB_SAME_BYTES] = "same bytes",
        [PSB_SAME_TRIANGLES] = "same triangles",
        [PSB_REMESHED] = "remeshed",
        [PSB_NEAR_ROWS] = "near rows",
    };
    for (size_t k = 0; k < found->count && status == PSB_OK; k++) {
        const psb_duplicate *d = &found->members[k];
        psb_table_set_number(table, k, GROUP, (double)d->group + 1);
        psb_table_set_name(table, k, MODEL, s->names[d->model]);
        add_evidence(&text, evidence[d->evidence], d);
        psb_table_copy_text(table, k, EVIDENCE, text.data);
        psb_table_set_name(table, k, LIKE, s->names[d->like]);
        psb_table_set_number(table, k, DISTANCE, d->distance);
        psb_table_set_number(table, k, SCALE, d->congruence.scale);
        if (d->evidence == PSB_SAME_TRIANGLES || d->evidence == PSB_REMESHED) {
            psb_table_set_number(table, k, DEVIATION, d->congruence.deviation);
        }
        status = psb_text_status(&text, error);
    }
    return status;
}

static psb_status make_table(const psb_duplicates_found *found, const subject *s, double quantile,
                             psb_table **out, psb_error *error) {
    int decimals = s->of.rows.element == PSB_UINT8 ? 0 : 6;
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
    size_t n = s->more != NULL ? s->all.rows : s->of.rows.rows;
    psb_text_printf(&caption, "%zu group%s with %zu of the %zu models", found->groups,
                    found->groups == 1 ? "" : "s", found->count, n);
    if (s->more != NULL) {
        psb_text_printf(&caption, ", %zu of which were added to the run's %zu", n - s->of.rows.rows,
                        s->of.rows.rows);
    }
    psb_text_add(&caption, ".");
    if (!isnan(found->threshold)) {
        psb_text_printf(&caption,
                        " Rows are near up to a distance of %.7g, which a share of %.10g of the "
                        "%smodels have to their nearest.",
                        found->threshold, quantile, s->more != NULL ? "run's " : "");
    }
    if (s->files == NULL) {
        psb_text_add(&caption, " Files were not compared.");
    }
    psb_table table = {.cells = NULL};
    psb_status status = psb_table_new(&table, columns, COLUMNS, found->count, error);
    PSB_THEN(status, fill(found, s, &table, error));
    status = psb_table_keep(status, &table, &caption, out, error);
    if (status == PSB_OK) {
        (*out)->gaps = found->failures + s->without_file > 0;
    }
    return status;
}

static psb_status find(psb_context *psb, const psb_duplicates_options *o, psb_table **table,
                       psb_error *error) {
    subject s = {.observer = &psb->observer};
    psb_duplicates_found found = {.count = 0};
    psb_duplicates_job job = {.options = *o, .threads = psb->threads, .observer = psb->observer};
    job.options.max_faces = o->max_faces > 0 ? o->max_faces : PSB_MAX_FACES;
    job.options.memory = o->memory > 0 ? o->memory : PSB_STREAM_MEMORY;
    psb_status status = open_subject(psb, o, &s, &job.metric, error);
    PSB_THEN_IF(status, o->add != NULL && s.of.results.ledger.run == NULL,
                psb_fail_at(error, PSB_ERROR_USAGE, o->of, 0,
                            "models are added to the folder of a run, or RUN/NAME"));
    if (status == PSB_OK && o->add != NULL) {
        status = describe_more(psb, o->add, &s, error);
        PSB_THEN(status, join_rows(&s, error));
        job.known = s.of.rows.rows;
    }
    if (status == PSB_OK) {
        job.path = s.of.path;
        job.rows = o->add != NULL ? &s.all : &s.of.rows;
        job.files = s.files;
        job.archive = s.archive;
        status = psb_duplicates_find(&job, &found, error);
    }
    PSB_THEN(status, make_table(&found, &s, o->quantile, table, error));
    psb_duplicates_free(&found);
    close_subject(&s);
    return status;
}

psb_status psb_duplicates(psb_context *psb, const psb_duplicates_options *options,
                          psb_table **table, psb_error *error) {
    *table = NULL;
    if (options == NULL || options->of == NULL ||
        !(options->quantile >= 0 && options->quantile <= 1)) {
        return psb_misuse(error, "duplicates are of a run or of features, and quantiles 0 ... 1");
    }
    PSB_AT_END(psb_call_end) psb_call call = {0};
    psb_status status = psb_call_begin(&call, &psb->observer, error);
    return PSB_THEN(status, find(psb, options, table, error));
}
