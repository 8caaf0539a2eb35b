/* Describes models in parallel, the largest first; each row is appended as soon as it is
 * computed. */
#include "run/features.h"

#include "core/clock.h"
#include "core/parallel.h"
#include "fields/shape.h"
#include "io/mesh.h"
#include "io/npy.h"
#include "normalize/turn.h"

#include <xxhash.h>

typedef struct entry {
    int64_t bytes;
    size_t model;
} entry;

static int larger_first(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->bytes != y->bytes) {
        return x->bytes < y->bytes ? 1 : -1;
    }
    return x->model < y->model ? -1 : 1;
}

psb_status psb_largest_first(const psb_archive *archive, char *const *paths, size_t n,
                             size_t **order, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED entry *entries = psb_new(&status, n, sizeof *entries, "the order of models", error);
    *order = psb_new(&status, n, sizeof **order, "the order of models", error);
    if (status == PSB_OK) {
        for (size_t i = 0; i < n; i++) {
            psb_stamp stamp;
            bool there = psb_stamp_look(archive, paths[i], &stamp, NULL) == PSB_OK;
            entries[i] = (entry){there ? (int64_t)stamp.size : -1, i};
        }
        qsort(entries, n, sizeof *entries, larger_first);
        for (size_t i = 0; i < n; i++) {
            (*order)[i] = entries[i].model;
        }
    }
    return status;
}

/* Estimates a model's cost in bytes: a small model takes as long as half a megabyte of a large one
 * (measured over the benchmark, all descriptors). */
static double weight_of(const psb_archive *archive, const char *path) {
    psb_stamp stamp;
    return 500000 +
           (psb_stamp_look(archive, path, &stamp, NULL) == PSB_OK ? (double)stamp.size : 0);
}

/* What all threads share. */
typedef struct job {
    const psb_dataset *dataset;
    const psb_features_options *options;
    psb_tables *tables;
    psb_store *store;
    psb_error *errors; /* per model; PSB_OK if the model could be used or was not reached */
    size_t *todo;      /* models to work on, largest first */
    size_t ntodo;
    size_t *order; /* all models, largest first */
    psb_stage stage;
    double *weights;     /* weight_of each model in `todo` */
    double weight, done; /* sum of the weights; sum for finished models */
    size_t shared;       /* finished models that `done` counts */
    psb_alike clouds;    /* point clouds that failed */
    psb_error lost;      /* why a row could not be written, or PSB_OK */
} job;

/* One thread's own state. */
typedef struct worker {
    psb_shape *shape;
    psb_mesh_buffer mesh;
    psb_portrait portrait;
    psb_buffer row;
    bool unwritten; /* the failure is not the model's fault */
} worker;

static psb_status worker_start(void *job_of_all, void **own, psb_error *error) {
    const job *work = job_of_all;
    worker *w = *own;
    memset(w, 0, sizeof *w);
    w->mesh.clouds = true;
    w->mesh.max_faces = work->options->max_faces;
    w->mesh.max_bytes = work->options->max_bytes;
    w->mesh.max_seconds = work->options->max_seconds;
    size_t longest = 0;
    for (size_t s = 0; s < work->store->nspecs; s++) {
        size_t bytes = psb_spec_row_bytes(work->store->specs[s]);
        longest = bytes > longest ? bytes : longest;
    }
    psb_status status = psb_buffer_reserve(&w->row, longest, 1, "a row", error);
    PSB_THEN(status, psb_shape_new(work->tables, &w->shape, error));
    if (status == PSB_OK) {
        psb_shape_set_side(w->shape, work->options->side);
    }
    return status;
}

static void worker_end(void *job_of_all PSB_UNUSED, void *own) {
    worker *w = own;
    psb_shape_free(w->shape);
    psb_mesh_buffer_free(&w->mesh);
    psb_portrait_free(&w->portrait);
    psb_buffer_free(&w->row);
}

static psb_status read_model(worker *w, const job *work, size_t model, psb_stamp *stamp,
                             psb_error *error) {
    const char *path = work->dataset->paths[model];
    const psb_archive *archive = work->dataset->archive;
    psb_status status = psb_stamp_look(archive, path, stamp, error);
    PSB_THEN(status, psb_mesh_load(archive, path, &w->mesh, error));
    /* If the file changed after the look, the stamp's time does not fit these bytes: the next run
     * then compares the hash. */
    psb_stamp_note(stamp, &w->mesh);
    return status;
}

/* Notes the model's hash, and drops its stored rows if they were made from other bytes. */
static void note_model(const job *work, size_t model, const psb_stamp *stamp, size_t faces,
                       double read_seconds) {
    psb_stored_model *known = &work->store->models[model];
    for (size_t s = 0; s < work->store->nspecs && known->hash != stamp->hash; s++) {
        *psb_store_at(work->store, s, model) = (psb_stored){.offset = 0};
    }
    *known = (psb_stored_model){stamp->hash, faces, read_seconds};
}

static psb_status check_seconds(const job *work, size_t model, double used, psb_error *error) {
    double most = work->options->max_seconds;
    return most == 0 || used <= most
               ? PSB_OK
               : psb_fail_at(error, PSB_ERROR_INPUT, work->dataset->paths[model], 0,
                             "took longer than the %g s of CPU time that are allowed", most);
}

/* Appends a row, but none after the first that could not be written. If it is time to force the
 * rows to the disk, this thread does so while the others go on. */
static psb_status append_row(const worker *w, job *work, size_t spec, size_t model,
                             const psb_stamp *stamp, psb_error *error) {
    psb_cost cost = psb_shape_cost(w->shape);
    psb_status status;
    bool due = false;
#pragma omp critical(psb_features)
    {
        status = work->lost.status;
        PSB_THEN(status, psb_store_append(work->store, spec, model, stamp, &cost, w->row.data,
                                          &work->lost));
        *error = work->lost;
        due = status == PSB_OK && psb_store_is_due(work->store);
    }
    return due ? psb_store_force(work->store, error) : status;
}

/* Makes the portrait before the model is turned, as pages show the model as its file has it. */
static psb_status keep_portrait(worker *w, job *work, size_t model, const psb_stamp *stamp,
                                psb_error *error) {
    psb_album *album = work->options->album;
    psb_status status = PSB_OK;
    PSB_FREED char *found = psb_portrait_found(&status, work->dataset->paths[model], error);
    bool there = false;
    PSB_THEN_IF(status, album->kind.found, psb_file_is_there(found, &there, error));
    if (status == PSB_OK) {
        bool picture = !there;
        status =
            psb_portrait_make(&w->portrait, &w->mesh.mesh, picture, album->kind.triangles, error);
    }
    if (status != PSB_OK) {
        return status;
    }
#pragma omp critical(psb_features)
    {
        status = work->lost.status;
        PSB_THEN(status, psb_album_append(album, stamp, &w->portrait.packed, &work->lost));
        *error = work->lost;
    }
    w->unwritten = status != PSB_OK;
    return status;
}

static psb_status describe_model(void *job_of_all, void *own, size_t i, psb_error *error) {
    job *work = job_of_all;
    worker *w = own;
    size_t model = work->todo[i];
    const char *path = work->dataset->paths[model], *id = work->dataset->cla.models[model];
    psb_stamp stamp;
    double start = psb_clock_thread();
    psb_status status = read_model(w, work, model, &stamp, error);
    double read_seconds = psb_clock_thread() - start;
    PSB_THEN_IF(status, work->options->album != NULL && w->mesh.mesh.ntriangles > 0,
                keep_portrait(w, work, model, &stamp, error));
    if (status == PSB_OK && work->dataset->turn != NULL) {
        double rotation[3][3];
        psb_turn_random(*work->dataset->turn, id, rotation);
        psb_turn_mesh(&w->mesh.mesh, rotation);
    }
    PSB_THEN(status, psb_within(path, psb_shape_load(w->shape, &w->mesh.mesh, id, error), error));
    if (status == PSB_OK) {
        note_model(work, model, &stamp, psb_mesh_faces(&w->mesh.mesh), read_seconds);
    }
    for (size_t s = 0; s < work->store->nspecs && status == PSB_OK; s++) {
        if (psb_store_at(work->store, s, model)->offset != 0) {
            continue;
        }
        const psb_spec *spec = work->store->specs[s];
        status = check_seconds(work, model, psb_store_seconds(work->store, model), error);
        if (status == PSB_OK) {
            status = psb_shape_describe(w->shape, spec, w->row.data, error);
            psb_within(path, psb_within(spec->label.text, status, error), error);
        }
        if (status == PSB_OK) {
            status = append_row(w, work, s, model, &stamp, error);
            w->unwritten = status != PSB_OK;
        }
    }
    return status == PSB_OK
               ? check_seconds(work, model, psb_store_seconds(work->store, model), error)
               : status;
}

/* Of point clouds, which mostly fail for one reason, the first is named at the end. */
static void note_failure(job *work, size_t model, bool cloud, const psb_error *error) {
    const psb_observer *o = work->options->observer;
    work->stage.failures++;
    work->errors[model] = *error;
    if (cloud) {
        psb_alike_add(&work->clouds, model, error);
    } else if (o != NULL && o->failed != NULL) {
        o->failed(o->context, error);
    }
}

/* A failure that is no fault of the model ends the stage: which models are in a table depends on
 * their bytes alone, and not on memory, disks or permissions. */
static psb_status judge_failure(void *job_of_all, void *own, size_t i, psb_error *error) {
    job *work = job_of_all;
    const worker *w = own;
    if (!psb_is_of_bytes(error->status) || w->unwritten) {
        return error->status;
    }
    note_failure(work, work->todo[i], w->mesh.mesh.nvertices > 0 && w->mesh.mesh.ntriangles == 0,
                 error);
    return PSB_OK;
}

static int show_progress(size_t done, size_t total, void *context) {
    job *work = context;
    const psb_observer *o = work->options->observer;
    if (o != NULL && o->share != NULL && done > work->shared) {
        work->done += work->weights[work->shared++];
        o->share(o->context, work->done / work->weight);
    }
    return psb_stage_progress(done, total, &work->stage);
}

static psb_status describe_all(job *work, psb_error *error) {
    psb_loop loop = {.count = work->ntodo,
                     .threads = work->options->threads,
                     .bytes = sizeof(worker),
                     .name = "a worker",
                     .begin = worker_start,
                     .end = worker_end,
                     .item = describe_model,
                     .job = work,
                     .failed = judge_failure,
                     .progress = show_progress,
                     .context = work};
    psb_status status = psb_parallel(&loop, error);
    psb_alike_say(&work->clouds, work->options->observer, "point clouds");
    /* Keeps finished rows even after a failure. */
    bool went_on = status == PSB_OK || status == PSB_ERROR_INTERRUPTED;
    psb_status synced = psb_store_sync(work->store, went_on ? error : NULL);
    if (went_on && synced != PSB_OK) {
        return synced;
    }
    return status != PSB_ERROR_INTERRUPTED
               ? status
               : psb_fail(error, status, "interrupted after %zu of %zu models", work->stage.done,
                          work->dataset->cla.nmodels);
}

static bool has_all_rows(const psb_store *store, size_t model) {
    for (size_t s = 0; s < store->nspecs; s++) {
        if (psb_store_at(store, s, model)->offset == 0) {
            return false;
        }
    }
    return true;
}

/* True if the model's file may have, or may unpack to, more than `most` bytes; 0: no limit. */
static bool may_have_more(const job *work, size_t model, size_t most) {
    psb_stamp stamp;
    const psb_archive *archive = work->dataset->archive;
    const char *path = work->dataset->paths[model];
    if (most == 0 || psb_stamp_look(archive, path, &stamp, NULL) != PSB_OK) {
        return most > 0;
    }
    size_t size = (size_t)stamp.size;
    return size > most || psb_mesh_unpacked_most(archive, path, size, SIZE_MAX) > most;
}

/* Sorts the models into finished ones, ones that took too long, and ones to do. */
static void find_work(job *work) {
    const psb_store *store = work->store;
    size_t finished = 0;
    size_t max_faces = work->options->max_faces;
    for (size_t k = 0; k < store->nmodels; k++) {
        size_t i = work->order[k];
        /* Reads a model again if it may be too large now, for an error that names the line. */
        bool too_large = (max_faces > 0 && store->models[i].faces > max_faces) ||
                         may_have_more(work, i, work->options->max_bytes);
        psb_error error;
        if (too_large || !has_all_rows(store, i)) {
            work->weights[work->ntodo] = weight_of(work->dataset->archive, work->dataset->paths[i]);
            work->weight += work->weights[work->ntodo];
            work->todo[work->ntodo++] = i;
        } else if (check_seconds(work, i, psb_store_seconds(store, i), &error) != PSB_OK) {
            note_failure(work, i, false, &error);
        } else {
            finished++;
        }
    }
    work->stage.before = store->nmodels - work->ntodo;
    if (finished > 0 && work->ntodo > 0) {
        psb_observer_say(work->options->observer, PSB_NOTE,
                         "%zu of %zu models were finished by an earlier run", finished,
                         store->nmodels);
    }
}

/* Fails if models are still to do that parts should have done, and names them. */
static psb_status check_complete(const job *work, psb_error *error) {
    enum { NAMED = 100 };
    const psb_features_options *options = work->options;
    const char *first = NULL;
    size_t missing = 0;
    for (size_t k = 0; k < work->ntodo; k++) {
        const char *id = work->dataset->cla.models[work->todo[k]];
        if (psb_names_find(options->failed, id) != PSB_NO_NAME) {
            continue;
        }
        first = missing == 0 ? id : first;
        if (++missing <= NAMED) {
            psb_observer_say(options->observer, PSB_WARNING, "%s: not all rows are there", id);
        }
    }
    return missing == 0
               ? PSB_OK
               : psb_fail(error, PSB_ERROR_IO, "%zu of %zu models have not all their rows: %.40s%s",
                          missing, work->store->nmodels, first, missing > 1 ? ", ..." : "");
}

static psb_status add_failure(const job *work, size_t model, psb_features *features,
                              psb_error *error) {
    psb_status status = PSB_OK;
    const char *id = work->dataset->cla.models[model], *path = work->dataset->paths[model];
    psb_failure failure = {.model = model, .error = work->errors[model]};
    failure.id = psb_new_copy(&status, id, "failures", error);
    failure.path = psb_new_copy(&status, path, "failures", error);
    if (status == PSB_OK) {
        features->failures[features->nfailures++] = failure;
    } else {
        free(failure.id);
    }
    return status;
}

/* Lists the failed models and those in use; sets keep[i] for the latter. */
static psb_status list_models(const job *work, psb_features *features, bool *keep,
                              psb_error *error) {
    psb_status status = PSB_OK;
    size_t n = work->dataset->cla.nmodels;
    features->failures =
        psb_new_zero(&status, work->stage.failures, sizeof *features->failures, "failures", error);
    features->models = psb_new(&status, n, sizeof *features->models, "models in use", error);
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        keep[i] = work->errors[i].status == PSB_OK;
        if (keep[i]) {
            features->models[features->nmodels++] = i;
            const uint64_t *hash = &work->store->models[i].hash;
            features->checksum = XXH64(hash, sizeof *hash, features->checksum);
        } else {
            status = add_failure(work, i, features, error);
        }
    }
    return status;
}

static psb_status allocate(job *work, bool **keep, psb_error *error) {
    size_t n = work->dataset->cla.nmodels;
    psb_status status = PSB_OK;
    work->errors = psb_new_zero(&status, n, sizeof *work->errors, "features", error);
    work->todo = psb_new_zero(&status, n, sizeof *work->todo, "features", error);
    work->weights = psb_new(&status, n, sizeof *work->weights, "features", error);
    *keep = psb_new_zero(&status, n, sizeof **keep, "features", error);
    return status == PSB_OK ? psb_largest_first(work->dataset->archive, work->dataset->paths, n,
                                                &work->order, error)
                            : status;
}

psb_status psb_features_compute(const char *folder, psb_dataset *dataset, psb_spec *const *specs,
                                size_t nspecs, const psb_features_options *options,
                                psb_features *features, psb_error *error) {
    memset(features, 0, sizeof *features);
    job work = {.dataset = dataset,
                .options = options,
                .store = &features->store,
                .stage = {.observer = options->observer, .name = "features"}};
    psb_tables *tables = NULL;
    PSB_FREED bool *keep = NULL;
    psb_status listed = PSB_OK;
    psb_status status = allocate(&work, &keep, error);
    PSB_THEN(status, psb_store_open(folder, dataset, specs, nspecs, options->verify, options->part,
                                    options->observer, &features->store, error));
    PSB_THEN(status, psb_store_join(&features->store, &options->others, options->verify,
                                    options->observer, error));
    if (status == PSB_OK) {
        find_work(&work);
        features->computed = work.ntodo;
        status = options->failed != NULL ? check_complete(&work, error) : PSB_OK;
        if (work.ntodo > 0 && status == PSB_OK) {
            status = psb_tables_new(&tables, error);
        }
        if (tables != NULL) {
            work.tables = tables;
            status = describe_all(&work, error);
        }
        listed = list_models(&work, features, keep, status == PSB_OK ? error : NULL);
    }
    PSB_THEN(status, listed);
    PSB_THEN_IF(status, features->nmodels == 0 && !options->part,
                psb_fail(error, PSB_ERROR_INPUT, "none of the %zu models could be used",
                         dataset->cla.nmodels));
    PSB_THEN_IF(status, work.stage.failures > 0 && !options->part,
                psb_dataset_keep(dataset, keep, error));
    psb_tables_free(tables);
    free(work.errors);
    free(work.todo);
    free(work.weights);
    free(work.order);
    return status;
}

psb_status psb_features_load(const psb_features *features, size_t spec, char *const *ids,
                             int threads, psb_row_view *rows, psb_error *error) {
    const psb_spec *made_by = features->store.specs[spec];
    psb_status status = PSB_OK;
    void *data =
        psb_new(&status, features->nmodels, psb_spec_row_bytes(made_by), "features", error);
    PSB_THEN(status, psb_store_load(&features->store, spec, features->models, ids,
                                    features->nmodels, threads, data, error));
    if (status != PSB_OK) {
        free(data);
        data = NULL;
    }
    *rows = (psb_row_view){data, features->nmodels, psb_spec_length(made_by),
                           psb_spec_element(made_by)};
    return status;
}

psb_status psb_features_write(const psb_features *features, size_t spec, const psb_row_view *rows,
                              const char *path, psb_error *error) {
    bool linked = false;
    psb_status status = psb_store_link(&features->store, spec, features->models, features->nmodels,
                                       path, &linked, error);
    return PSB_THEN(status, linked ? PSB_OK
                                   : psb_npy_write(path, rows->data, rows->n, rows->length,
                                                   rows->element, error));
}

double psb_features_alone_seconds(const psb_features *features, size_t spec) {
    double sum = 0;
    for (size_t i = 0; i < features->nmodels; i++) {
        sum += psb_cost_alone(&psb_store_at(&features->store, spec, features->models[i])->cost);
    }
    return sum;
}

double psb_features_together_seconds(const psb_features *features) {
    double sum = 0;
    for (size_t i = 0; i < features->nmodels; i++) {
        size_t model = features->models[i];
        sum +=
            psb_store_seconds(&features->store, model) - features->store.models[model].read_seconds;
    }
    return sum;
}

double psb_features_read_seconds(const psb_features *features) {
    double sum = 0;
    for (size_t i = 0; i < features->nmodels; i++) {
        sum += features->store.models[features->models[i]].read_seconds;
    }
    return sum;
}

psb_status psb_features_key(const psb_features *features, size_t spec, char *const *ids,
                            uint64_t *key, psb_error *error) {
    PSB_AT_END(psb_text_free) psb_text text = {0};
    psb_store_describe(features->store.specs[spec], features->store.dataset->turn, &text);
    psb_status status = psb_text_status(&text, error);
    *key = status == PSB_OK ? XXH64(text.data, text.length, 0) : 0;
    for (size_t i = 0; i < features->nmodels; i++) {
        const uint64_t *hash = &features->store.models[features->models[i]].hash;
        *key = XXH64(ids[i], strlen(ids[i]) + 1, *key);
        *key = XXH64(hash, sizeof *hash, *key);
    }
    return status;
}

void psb_features_free(psb_features *features) {
    for (size_t f = 0; f < features->nfailures; f++) {
        free(features->failures[f].id);
        free(features->failures[f].path);
    }
    free(features->models);
    free(features->failures);
    psb_store_close(&features->store);
    memset(features, 0, sizeof *features);
}
