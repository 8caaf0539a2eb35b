/* Computes one descriptor of many models in memory. */
#include "io/mesh.h"
#include "library/call.h"
#include "library/parts.h"

typedef struct job {
    psb_context *psb;
    const psb_dataset *set;
    const psb_spec *spec;
    psb_rows *rows;
    bool *left_out;
    psb_alike clouds; /* point clouds that failed */
    psb_stage stage;
} job;

/* One thread's own state. */
typedef struct worker {
    psb_mesh_buffer mesh;
    psb_shape *shape;
} worker;

static psb_status begin(void *context, void **own, psb_error *error) {
    worker *w = *own;
    *w = (worker){.mesh = {.clouds = true}};
    return psb_shape_new(((const job *)context)->psb->tables, &w->shape, error);
}

static void end(void *context PSB_UNUSED, void *own) {
    worker *w = own;
    psb_mesh_buffer_free(&w->mesh);
    psb_shape_free(w->shape);
}

static psb_status describe(void *context, void *own, size_t i, psb_error *error) {
    const job *work = context;
    worker *w = own;
    size_t model = work->rows->model[i];
    char *row = (char *)work->rows->npy.converted + i * psb_spec_row_bytes(work->spec);
    const char *path = work->set->paths[model];
    psb_status status = psb_mesh_load(work->set->archive, path, &w->mesh, error);
    if (status != PSB_OK) {
        return status;
    }
    psb_error inner;
    status = psb_shape_load(w->shape, &w->mesh.mesh, work->set->cla.models[model], &inner);
    PSB_THEN(status, psb_shape_describe(w->shape, work->spec, row, &inner));
    return status == PSB_OK ? PSB_OK : psb_fail_at(error, status, path, 0, "%s", inner.message);
}

/* Leaves out a model that failed for its bytes; any other failure ends the work. */
static psb_status judge(void *context, void *own, size_t i, psb_error *error) {
    job *work = context;
    const psb_mesh *mesh = &((const worker *)own)->mesh.mesh;
    const psb_observer *o = &work->psb->observer;
    if (!psb_is_of_bytes(error->status)) {
        return error->status;
    }
    work->left_out[i] = true;
    work->stage.failures++;
    bool cloud = mesh->nvertices > 0 && mesh->ntriangles == 0;
    if (cloud) {
        psb_alike_add(&work->clouds, i, error);
    } else if (o->failed != NULL) {
        o->failed(o->context, error);
    }
    return PSB_OK;
}

/* Moves the rows that exist to the front, and names them. */
static psb_status close_gaps(job *work, psb_error *error) {
    psb_npy *npy = &work->rows->npy;
    size_t bytes = psb_spec_row_bytes(work->spec), used = 0;
    char *data = npy->converted;
    for (size_t i = 0; i < npy->rows; i++) {
        if (!work->left_out[i]) {
            memmove(data + used * bytes, data + i * bytes, bytes);
            work->rows->model[used++] = work->rows->model[i];
        }
    }
    npy->rows = used;
    return psb_ids_copy((const char *const *)work->set->cla.models, used, work->rows->model,
                        &work->rows->ids, error);
}

static psb_status describe_all(job *work, psb_error *error) {
    psb_loop loop = {.count = work->rows->npy.rows,
                     .threads = work->psb->threads,
                     .bytes = sizeof(worker),
                     .name = "a worker",
                     .begin = begin,
                     .end = end,
                     .item = describe,
                     .job = work,
                     .failed = judge,
                     .progress = psb_stage_progress,
                     .context = &work->stage};
    psb_status status = psb_parallel(&loop, error);
    psb_alike_say(&work->clouds, &work->psb->observer, "point clouds");
    return status == PSB_OK ? close_gaps(work, error) : status;
}

psb_status psb_describe_all(psb_context *psb, const psb_collection *models, const psb_spec *spec,
                            psb_rows **rows, psb_error *error) {
    *rows = NULL;
    if (models->set.paths == NULL) {
        return psb_misuse(error, "the collection was opened without the models' files");
    }
    psb_shape *first; /* only to fill the context's tables */
    psb_status status = psb_shape_open(psb, &first, error);
    psb_shape_free(first);
    size_t n = psb_collection_count(models);
    job work = {.psb = psb, .set = &models->set, .spec = spec};
    work.stage = (psb_stage){.observer = &psb->observer, .name = psb_spec_label(spec)};
    work.left_out = psb_new_zero(&status, n, sizeof *work.left_out, "models", error);
    work.rows = psb_new_zero(&status, 1, sizeof *work.rows, "rows", error);
    PSB_FREED void *data = psb_new(&status, n, psb_spec_row_bytes(spec), "features", error);
    PSB_AT_END(psb_call_end) psb_call call = {0};
    PSB_THEN(status, psb_cla_listed(&models->set.cla, &work.rows->model, error));
    if (status == PSB_OK) {
        work.rows->metric = psb_spec_metric(spec);
        work.rows->npy =
            (psb_npy){n, psb_spec_length(spec), psb_spec_element(spec), data, {NULL, 0}, data, {0}};
        data = NULL;
        status = psb_call_begin(&call, &psb->observer, error);
    }
    PSB_THEN(status, describe_all(&work, error));
    free(work.left_out);
    if (status == PSB_OK) {
        *rows = work.rows;
    } else {
        psb_rows_free(work.rows);
    }
    return status;
}
