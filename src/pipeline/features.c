/* Models in parallel, one at a time, largest first; each writes its own rows. */
#include "pipeline/features.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "io/off.h"
#include "pipeline/schedule.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* What all threads share. */
typedef struct job {
    const psb_dataset *dataset;
    psb_spec *const *specs;
    size_t nspecs;
    const psb_observer *observer;
    const psb_tables *tables;
    size_t *order;        /* the models as they are taken: largest first */
    unsigned char **rows; /* per spec: a row per model of the data set */
    psb_error *errors;    /* per model; status PSB_OK where it could be used */
    uint64_t *checksums;  /* per model, of its file */
    double *seconds;
    double read_seconds;
    size_t done, failed;
    bool stop;
} job;

/* What one thread needs. */
typedef struct worker {
    psb_shape *shape;
    psb_mesh_buffer mesh;
    double *seconds;
    double read_seconds;
} worker;

static psb_status worker_start(worker *w, const job *work, psb_error *error) {
    memset(w, 0, sizeof *w);
    void *memory;
    psb_status status = psb_alloc_zero(&memory, work->nspecs, sizeof(double), "times", error);
    w->seconds = memory;
    return status == PSB_OK ? psb_shape_new(work->tables, &w->shape, error) : status;
}

static void worker_end(worker *w) {
    psb_shape_free(w->shape);
    psb_mesh_buffer_free(&w->mesh);
    free(w->seconds);
}

/* Reads and loads a model; an error that does not name the file yet gets its name. */
static psb_status load_model(worker *w, const char *path, const char *id, uint64_t *checksum,
                             psb_error *error) {
    psb_input input;
    psb_status status = psb_input_open(path, &input, error);
    if (status != PSB_OK) {
        return status;
    }
    *checksum = XXH64(input.data, input.size, 0);
    status = psb_off_parse(path, input.data, input.size, &w->mesh, error);
    psb_input_close(&input);
    if (status == PSB_OK) {
        psb_error inner;
        status = psb_shape_load(w->shape, &w->mesh.mesh, id, &inner);
        if (status != PSB_OK) {
            psb_fail_at(error, status, path, 0, "%s", inner.message);
        }
    }
    return status;
}

static psb_status describe_model(worker *w, const job *work, size_t model, psb_error *error) {
    const char *path = work->dataset->paths[model];
    double start = psb_clock_thread();
    psb_status status =
        load_model(w, path, work->dataset->cla.models[model], &work->checksums[model], error);
    double now = psb_clock_thread();
    w->read_seconds += now - start;
    for (size_t s = 0; s < work->nspecs && status == PSB_OK; s++) {
        psb_error inner;
        unsigned char *row = work->rows[s] + model * psb_spec_row_bytes(work->specs[s]);
        status = psb_describe(w->shape, work->specs[s], row, &inner);
        if (status != PSB_OK) {
            psb_fail_at(error, status, path, 0, "%s: %s", work->specs[s]->label, inner.message);
        }
        start = now;
        now = psb_clock_thread();
        w->seconds[s] += now - start;
    }
    return status;
}

static bool stopped(job *work) {
    bool stop;
#pragma omp atomic read
    stop = work->stop;
    return stop;
}

static void count_model(job *work, bool failed) {
#pragma omp critical(psb_features)
    {
        work->done++;
        work->failed += failed;
        const psb_observer *o = work->observer;
        if (o != NULL && o->progress != NULL &&
            o->progress(o->context, "features", work->done, work->dataset->cla.nmodels,
                        work->failed) != 0) {
#pragma omp atomic write
            work->stop = true;
        }
    }
}

static psb_status describe_all(job *work, int threads, psb_error *error) {
    psb_status status = PSB_OK;
#pragma omp parallel num_threads(threads)
    {
        worker w;
        psb_error own;
        psb_status mine = worker_start(&w, work, &own);
#pragma omp for schedule(monotonic : dynamic)
        for (size_t i = 0; i < work->dataset->cla.nmodels; i++) {
            if (mine == PSB_OK && !stopped(work)) {
                size_t model = work->order[i];
                psb_error *model_error = &work->errors[model];
                model_error->status = describe_model(&w, work, model, model_error);
                count_model(work, model_error->status != PSB_OK);
            }
        }
#pragma omp critical(psb_features)
        {
            if (mine != PSB_OK) {
                status = mine;
                if (error != NULL) {
                    *error = own;
                }
            } else {
                work->read_seconds += w.read_seconds;
                for (size_t s = 0; s < work->nspecs; s++) {
                    work->seconds[s] += w.seconds[s];
                }
            }
        }
        worker_end(&w);
    }
    if (status == PSB_OK && work->stop) {
        status = psb_fail(error, PSB_ERROR_INTERRUPTED, "interrupted after %zu of %zu models",
                          work->done, work->dataset->cla.nmodels);
    }
    return status;
}

static psb_status allocate(job *work, psb_features *features, psb_error *error) {
    size_t n = work->dataset->cla.nmodels;
    const struct {
        void **at;
        size_t count, size;
    } parts[] = {
        {(void **)&features->rows, work->nspecs, sizeof *features->rows},
        {(void **)&features->seconds, work->nspecs, sizeof *features->seconds},
        {(void **)&work->rows, work->nspecs, sizeof *work->rows},
        {(void **)&work->errors, n, sizeof *work->errors},
        {(void **)&work->checksums, n, sizeof *work->checksums},
    };
    psb_status status = PSB_OK;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == PSB_OK; i++) {
        status = psb_alloc_zero(parts[i].at, parts[i].count, parts[i].size, "features", error);
    }
    for (size_t s = 0; s < work->nspecs && status == PSB_OK; s++) {
        void *rows;
        status = psb_alloc(&rows, n, psb_spec_row_bytes(work->specs[s]), "features", error);
        work->rows[s] = rows;
        features->nspecs = s + 1;
        features->rows[s] =
            (psb_rows){rows, n, psb_spec_length(work->specs[s]), psb_spec_element(work->specs[s])};
    }
    work->seconds = features->seconds;
    return status == PSB_OK ? psb_largest_first(work->dataset->paths, n, &work->order, error)
                            : status;
}

static uint64_t combine_checksums(const job *work) {
    uint64_t combined = 0;
    for (size_t i = 0; i < work->dataset->cla.nmodels; i++) {
        if (work->errors[i].status == PSB_OK) {
            combined = XXH64(&work->checksums[i], sizeof work->checksums[i], combined);
        }
    }
    return combined;
}

/* Moves the failed models from the tables and the data set to the list of failures. */
static psb_status set_failures_aside(job *work, psb_dataset *dataset, psb_features *features,
                                     psb_error *error) {
    size_t n = dataset->cla.nmodels;
    void *memory;
    psb_status status =
        psb_alloc_zero(&memory, work->failed, sizeof *features->failures, "failures", error);
    features->failures = memory;
    if (status == PSB_OK) {
        status = psb_alloc(&memory, n, sizeof(bool), "models in use", error);
    }
    if (status != PSB_OK) {
        return status;
    }
    bool *keep = memory;
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        keep[i] = work->errors[i].status == PSB_OK;
        if (!keep[i]) {
            psb_failure *failure = &features->failures[features->nfailures++];
            failure->id = strdup(dataset->cla.models[i]);
            failure->error = work->errors[i];
            if (work->observer != NULL && work->observer->failed != NULL) {
                work->observer->failed(work->observer->context, &work->errors[i]);
            }
            continue;
        }
        for (size_t s = 0; s < work->nspecs && used != i; s++) {
            size_t bytes = psb_spec_row_bytes(work->specs[s]);
            memcpy(work->rows[s] + used * bytes, work->rows[s] + i * bytes, bytes);
        }
        used++;
    }
    for (size_t s = 0; s < work->nspecs; s++) {
        features->rows[s].n = used;
    }
    status = used > 0 ? psb_dataset_keep(dataset, keep, error)
                      : psb_fail(error, PSB_ERROR_INPUT, "none of the %zu models could be used", n);
    free(keep);
    return status;
}

psb_status psb_features_compute(psb_dataset *dataset, psb_spec *const *specs, size_t nspecs,
                                int threads, const psb_observer *observer, psb_features *features,
                                psb_error *error) {
    memset(features, 0, sizeof *features);
    job work = {.dataset = dataset, .specs = specs, .nspecs = nspecs, .observer = observer};
    psb_tables *tables = NULL;
    psb_status status = allocate(&work, features, error);
    if (status == PSB_OK) {
        status = psb_tables_new(&tables, error);
    }
    if (status == PSB_OK) {
        work.tables = tables;
        status = describe_all(&work, threads, error);
        features->read_seconds = work.read_seconds;
        features->checksum = combine_checksums(&work);
    }
    if (status == PSB_OK && work.failed > 0) {
        status = set_failures_aside(&work, dataset, features, error);
    }
    psb_tables_free(tables);
    free(work.rows);
    free(work.order);
    free(work.errors);
    free(work.checksums);
    if (status != PSB_OK) {
        psb_features_free(features);
    }
    return status;
}

void psb_features_free(psb_features *features) {
    for (size_t s = 0; s < features->nspecs; s++) {
        free((void *)(uintptr_t)features->rows[s].data);
    }
    for (size_t f = 0; f < features->nfailures; f++) {
        free(features->failures[f].id);
    }
    free(features->rows);
    free(features->seconds);
    free(features->failures);
    memset(features, 0, sizeof *features);
}
