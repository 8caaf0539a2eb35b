/* Rows of both sets, then for each spec the nearest within each set and across. */
#include "pipeline/generative.h"

#include "core/error.h"
#include "core/file.h"
#include "core/lock.h"
#include "core/memory.h"
#include "eval/nearest.h"
#include "io/mesh.h"
#include "pipeline/features.h"
#include "pipeline/memory_plan.h"
#include "pipeline/model_reports.h"

#include <dirent.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const set_names[PSB_SETS] = {"generated", "reference"};

/* ---- distances ------------------------------------------------------------------------- */

typedef struct pass {
    psb_nearest *nearest; /* of the queries */
    bool same;
    float *of_rows; /* of two sets: the distance of each row to the nearest query */
} pass;

static void visit(void *visitor, const psb_strip *strip) {
    const pass *p = visitor;
    for (size_t i = 0; i < strip->nqueries; i++) {
        size_t query = strip->first_query + i;
        psb_nearest_add(p->nearest, query, strip->first_row, strip->nrows,
                        strip->distances + i * strip->nrows, p->same ? query : SIZE_MAX);
    }
    if (p->same) {
        return;
    }
#pragma omp critical(psb_generative)
    for (size_t k = 0; k < strip->nqueries * strip->nrows; k++) {
        float *least = &p->of_rows[strip->first_row + k % strip->nrows];
        *least = strip->distances[k] < *least ? strip->distances[k] : *least;
    }
}

/* What a spec's, or a file's, comparison works with. */
typedef struct comparison {
    const psb_generative_job *job;
    const psb_metric *metric;
    const char *label;
    psb_npy rows[PSB_SETS];
    psb_set_distances distances;
} comparison;

static size_t no_bytes(const void *context, size_t query) {
    (void)context;
    (void)query;
    return 0;
}

static psb_row_view view(const psb_npy *npy) {
    return (psb_row_view){npy->data, npy->rows, npy->columns, npy->element};
}

/* The nearest of `to` for each of `from`. */
static psb_status stream(comparison *c, psb_set from, psb_set to, pass *p, psb_error *error) {
    const psb_generative_job *o = c->job;
    const psb_npy *queries = &c->rows[from], *rows = &c->rows[to];
    psb_memory_need need = {(queries->rows + rows->rows) * 64, no_bytes, NULL};
    psb_memory_plan plan;
    char name[300];
    snprintf(name, sizeof name, "%s %s to %s", c->label, set_names[from], set_names[to]);
    psb_stage stage = {.observer = &o->observer, .name = name};
    psb_status status = psb_memory_plan_make(c->metric, queries, p->same ? NULL : rows, &need,
                                             o->threads, o->memory, &plan, error);
    PSB_THEN(status, psb_nearest_new(0, queries->rows, 1, &p->nearest, error));
    if (status != PSB_OK) {
        return status;
    }
    psb_stream s = {.metric = c->metric,
                    .queries = view(queries),
                    .rows = view(rows),
                    .same = p->same,
                    .end = queries->rows,
                    .block = plan.block,
                    .keep = plan.keep,
                    .threads = o->threads,
                    .release =
                        plan.release && queries->converted == NULL && rows->converted == NULL,
                    .visit = visit,
                    .visitor = p,
                    .progress = psb_stage_progress,
                    .context = &stage};
    status = psb_within(c->label, psb_stream_run(&s, error), error);
    return psb_within(o->sets[from], status, error);
}

static psb_status find_own(comparison *c, psb_set set, psb_error *error) {
    pass p = {.same = true};
    psb_status status = stream(c, set, set, &p, error);
    for (size_t i = 0; i < c->rows[set].rows && status == PSB_OK; i++) {
        const uint64_t *key;
        size_t found = psb_nearest_finish(p.nearest, i, &key);
        c->distances.own[set][i] = found > 0 ? psb_nearest_distance(*key) : INFINITY;
    }
    psb_nearest_free(p.nearest);
    return status;
}

static psb_status find_other(comparison *c, psb_error *error) {
    psb_set_distances *d = &c->distances;
    pass p = {.of_rows = d->other[PSB_REFERENCE]};
    for (size_t i = 0; i < d->count[PSB_REFERENCE]; i++) {
        p.of_rows[i] = INFINITY;
    }
    psb_status status = stream(c, PSB_GENERATED, PSB_REFERENCE, &p, error);
    for (size_t i = 0; i < d->count[PSB_GENERATED] && status == PSB_OK; i++) {
        const uint64_t *key;
        psb_nearest_finish(p.nearest, i, &key);
        d->other[PSB_GENERATED][i] = psb_nearest_distance(*key);
        d->covered[psb_nearest_row(*key)] = true;
    }
    psb_nearest_free(p.nearest);
    return status;
}

static psb_status allocate(comparison *c, psb_error *error) {
    psb_set_distances *d = &c->distances;
    psb_status status = PSB_OK;
    for (psb_set set = 0; set < PSB_SETS && status == PSB_OK; set++) {
        size_t n = d->count[set] = c->rows[set].rows;
        if (n == 0 || n > UINT32_MAX) {
            status = psb_fail_at(error, PSB_ERROR_INPUT, c->job->sets[set], 0,
                                 "%zu shapes: want 1 to %lu", n, (unsigned long)UINT32_MAX);
        }
        d->own[set] = psb_new(&status, n, sizeof(float), "distances", error);
        d->other[set] = psb_new(&status, n, sizeof(float), "distances", error);
    }
    d->covered =
        psb_new_zero(&status, d->count[PSB_REFERENCE], sizeof *d->covered, "references", error);
    return status;
}

/* Ends with both sets' rows closed. */
static psb_status compare(comparison *c, psb_generative_row *row, psb_error *error) {
    const psb_generative_job *o = c->job;
    psb_set_distances *d = &c->distances;
    psb_stage stage = {.observer = &o->observer, .name = "intervals"};
    psb_resampling resampling = {o->rounds, o->seed, o->threads, psb_stage_progress, &stage};
    psb_status status = allocate(c, error);
    PSB_THEN(status, find_own(c, PSB_GENERATED, error));
    PSB_THEN(status, find_own(c, PSB_REFERENCE, error));
    PSB_THEN(status, find_other(c, error));
    PSB_THEN(status, psb_two_sets_measure(d, c->label, &resampling, row->figures, error));
    row->label = c->label;
    for (psb_set set = 0; set < PSB_SETS; set++) {
        row->count[set] = d->count[set];
        free(d->own[set]);
        free(d->other[set]);
        psb_npy_close(&c->rows[set]);
    }
    free(d->covered);
    return status;
}

static psb_status compare_files(const psb_generative_job *job, psb_generative_row *row,
                                psb_error *error) {
    comparison c = {.job = job, .metric = job->metric, .label = job->metric->name};
    psb_status status = psb_npy_read(job->sets[PSB_GENERATED], &c.rows[PSB_GENERATED], error);
    PSB_THEN(status, psb_npy_read(job->sets[PSB_REFERENCE], &c.rows[PSB_REFERENCE], error));
    if (status != PSB_OK) {
        psb_npy_close(&c.rows[PSB_GENERATED]);
        return status;
    }
    return compare(&c, row, error);
}

/* ---- folders of models ----------------------------------------------------------------- */

/* Whether the ending is one of a mesh's. */
static int is_mesh(const struct dirent *entry) {
    const char *name = entry->d_name, *ending, *own = name + psb_mesh_stem(name);
    bool found = false;
    for (size_t i = 0; (ending = psb_mesh_ending_at(i)) != NULL; i++) {
        found = found || (name[0] != '.' && own[0] == '.' && strcasecmp(own + 1, ending) == 0);
    }
    return found;
}

/* The models of a folder, all of them miscellaneous, by their names without endings. */
static psb_status list_models(const char *folder, psb_dataset *set, psb_error *error) {
    psb_status status = PSB_OK;
    struct dirent **entries = NULL;
    int found = scandir(folder, &entries, is_mesh, alphasort);
    size_t n = found > 0 ? (size_t)found : 0;
    if (n == 0) {
        status = psb_fail_at(error, PSB_ERROR_IO, folder, 0, "no models in this folder");
    }
    psb_classification *cla = &set->cla;
    *set = (psb_dataset){.listed = n};
    set->paths = psb_new_zero(&status, n, sizeof *set->paths, "models", error);
    cla->models = psb_new_zero(&status, n, sizeof *cla->models, "models", error);
    cla->class_of = psb_new_zero(&status, n, sizeof *cla->class_of, "models", error);
    cla->classes = psb_new_zero(&status, 1, sizeof *cla->classes, "a class", error);
    cla->nclasses = status == PSB_OK;
    cla->nmodels = status == PSB_OK ? n : 0;
    if (status == PSB_OK) {
        psb_class *class = &cla->classes[0];
        *class = (psb_class){.parent = PSB_NO_CLASS, .count = n, .miscellaneous = true};
        class->name = psb_new_text(&status, "-1", 2, "a class", error);
        class->full_name = psb_new_text(&status, "-1", 2, "a class", error);
    }
    for (size_t i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        PSB_THEN(status, psb_path_join(&set->paths[i], folder, name, error));
        if (status == PSB_OK) {
            cla->models[i] = psb_new_text(&status, name, psb_mesh_stem(name), "a name", error);
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

typedef struct models {
    psb_dataset dataset;
    psb_features features;
} models;

static psb_status describe(const psb_generative_job *job, const char *folder, psb_set set,
                           models *m, psb_error *error) {
    psb_features_options options = {.threads = job->threads,
                                    .max_faces = job->max_faces,
                                    .max_seconds = job->max_seconds,
                                    .observer = &job->observer};
    psb_status status = PSB_OK, listed;
    psb_ledger ledger = {0};
    char *run = psb_new_format(&status, error, "%s/%s", folder, set_names[set]);
    char *work = psb_new_format(&status, error, "%s/work", run);
    PSB_THEN(status, psb_ledger_open(run, false, &ledger, error));
    if (status == PSB_OK) {
        status = psb_features_compute(work, &m->dataset, job->specs, job->nspecs, &options,
                                      &m->features, error);
        listed = psb_failures_write(&ledger, &m->features, status == PSB_OK ? error : NULL);
        status = status == PSB_OK ? listed : status;
    }
    psb_ledger_free(&ledger);
    free(work);
    free(run);
    return status;
}

static psb_status load(const models *m, size_t spec, psb_npy *npy, psb_error *error) {
    psb_row_view rows;
    psb_status status = psb_features_load(&m->features, spec, m->dataset.cla.models, &rows, error);
    *npy = (psb_npy){.rows = rows.n,
                     .columns = rows.length,
                     .element = rows.element,
                     .data = rows.data,
                     .converted = (void *)(uintptr_t)rows.data};
    return status;
}

static psb_status compare_specs(const psb_generative_job *job, const models *sets,
                                psb_generative_row *rows, psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t s = 0; s < job->nspecs && status == PSB_OK; s++) {
        const psb_spec *spec = job->specs[s];
        comparison c = {.job = job, .metric = psb_spec_metric(spec), .label = spec->label};
        status = load(&sets[PSB_GENERATED], s, &c.rows[PSB_GENERATED], error);
        PSB_THEN(status, load(&sets[PSB_REFERENCE], s, &c.rows[PSB_REFERENCE], error));
        if (status == PSB_OK) {
            status = compare(&c, &rows[s], error);
        } else {
            psb_npy_close(&c.rows[PSB_GENERATED]);
        }
    }
    return status;
}

static psb_status compare_folders(const psb_generative_job *job, const char *folder,
                                  psb_generative_row *rows, size_t *failures, psb_error *error) {
    models sets[PSB_SETS] = {0};
    psb_status status = PSB_OK;
    for (psb_set set = 0; set < PSB_SETS && status == PSB_OK; set++) {
        status = list_models(job->sets[set], &sets[set].dataset, error);
    }
    for (psb_set set = 0; set < PSB_SETS && status == PSB_OK; set++) {
        status = describe(job, folder, set, &sets[set], error);
        *failures += sets[set].features.nfailures + sets[set].dataset.nmissing;
    }
    PSB_THEN(status, compare_specs(job, sets, rows, error));
    for (psb_set set = 0; set < PSB_SETS; set++) {
        psb_features_free(&sets[set].features);
        psb_dataset_free(&sets[set].dataset);
    }
    return status;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place) {
    (void)info;
    (void)kind;
    (void)place;
    return remove(path);
}

static psb_status compare_in_temporary(const psb_generative_job *job, psb_generative_row *rows,
                                       size_t *failures, psb_error *error) {
    psb_status status = PSB_OK;
    char *folder = psb_temporary_path(&status, error);
    if (status == PSB_OK && mkdtemp(folder) == NULL) {
        status = psb_fail_errno(error, folder, "make the folder");
    } else if (status == PSB_OK) {
        status = compare_folders(job, folder, rows, failures, error);
        nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    }
    free(folder);
    return status;
}

static psb_status compare_sets(const psb_generative_job *job, psb_generative_row *rows,
                               size_t *failures, psb_error *error) {
    if (job->metric != NULL) {
        return compare_files(job, rows, error);
    }
    return job->folder != NULL ? compare_folders(job, job->folder, rows, failures, error)
                               : compare_in_temporary(job, rows, failures, error);
}

/* One process at a time works in the folder. */
psb_status psb_generative_compare(const psb_generative_job *job, psb_generative_row *rows,
                                  size_t *failures, psb_error *error) {
    static const char *const marks[] = {".generative", NULL};
    psb_lock lock = PSB_LOCK_NONE;
    psb_status status = PSB_OK;
    *failures = 0;
    if (job->folder != NULL) {
        status = psb_lock_take_folder(job->folder, marks, &lock, error);
        PSB_THEN(status, psb_remove_temporaries(job->folder, error));
    }
    PSB_THEN(status, compare_sets(job, rows, failures, error));
    psb_lock_release(&lock);
    return status;
}
