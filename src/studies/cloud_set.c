/* Reads a folder twice: to count points, and to take as many of each shape. */
#include "studies/cloud_set.h"

#include "io/mesh.h"
#include "normalize/surface_points.h"

typedef struct job {
    psb_cloud_set *set;
    size_t *count; /* points of each shape; 0: a mesh */
    bool *keep;
    size_t n;   /* points to take; 0: they are only counted */
    float *out; /* the rows that they make */
    uint64_t side;
    psb_stage stage;
} job;

/* One thread's own state. */
typedef struct worker {
    psb_mesh_buffer file;
    psb_buffer sums, points;
} worker;

static psb_status begin(void *context PSB_UNUSED, void **own, psb_error *error PSB_UNUSED) {
    *(worker *)*own = (worker){.file = {.clouds = true}};
    return PSB_OK;
}

static void end(void *context PSB_UNUSED, void *own) {
    worker *w = own;
    psb_mesh_buffer_free(&w->file);
    psb_buffer_free(&w->sums);
    psb_buffer_free(&w->points);
}

static psb_status draw(const job *work, worker *w, const psb_mesh *mesh, size_t i,
                       psb_error *error) {
    psb_status status =
        psb_buffer_reserve(&w->sums, mesh->ntriangles + 1, sizeof(double), "areas", error);
    PSB_THEN(status, psb_buffer_reserve(&w->points, work->n, 3 * sizeof(double), "points", error));
    if (status == PSB_OK) {
        psb_cloud cloud = {work->n, w->points.data, NULL};
        psb_random random = psb_content_random(mesh, 1, work->side, "points");
        psb_surface_cloud(mesh, mesh->vertices, w->sums.data, &random, &cloud);
        status = psb_cloud_row(&cloud, work->out + 3 * work->n * i, error);
    }
    return status;
}

static psb_status take_file(void *context, void *own, size_t i, psb_error *error) {
    job *work = context;
    worker *w = own;
    const psb_dataset *dataset = &work->set->dataset;
    const char *path = dataset->paths[i];
    const psb_mesh *mesh = &w->file.mesh;
    psb_status status = psb_mesh_load(dataset->archive, path, &w->file, error);
    if (status == PSB_OK && work->n > 0) {
        return psb_within(path, draw(work, w, mesh, i, error), error);
    }
    PSB_THEN_IF(status, mesh->ntriangles > 0 && !(psb_surface_area(mesh, mesh->vertices) > 0),
                psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "the mesh has no area"));
    work->count[i] = status == PSB_OK && mesh->ntriangles == 0 ? mesh->nvertices : 0;
    work->keep[i] = status == PSB_OK;
    return status;
}

/* Takes points of each row of a file, whose points go to the worker's mesh. */
static psb_status take_row(void *context, void *own, size_t i, psb_error *error) {
    const job *work = context;
    worker *w = own;
    size_t columns = work->set->rows.columns;
    psb_mesh mesh = {.nvertices = columns / 3};
    const float *row = (const float *)work->set->rows.data + i * columns;
    psb_status status =
        psb_buffer_reserve(&w->file.directions, columns, sizeof(double), "points", error);
    for (size_t c = 0; c < columns && status == PSB_OK; c++) {
        ((double *)w->file.directions.data)[c] = (double)row[c];
    }
    mesh.vertices = w->file.directions.data;
    return status == PSB_OK ? draw(work, w, &mesh, i, error) : status;
}

/* Names a file that cannot be used, and leaves it out; any other failure ends the work. */
static psb_status judge(void *context, void *own PSB_UNUSED, size_t i PSB_UNUSED,
                        psb_error *error) {
    job *work = context;
    if (work->n > 0 || !psb_is_of_bytes(error->status)) {
        return error->status;
    }
    work->set->failures++;
    psb_observer_fail(work->stage.observer, "%s", error->message);
    return PSB_OK;
}

static psb_status go(job *work, psb_status (*item)(void *, void *, size_t, psb_error *),
                     size_t count, int threads, psb_error *error) {
    const psb_loop loop = {.count = count,
                           .threads = threads,
                           .bytes = sizeof(worker),
                           .name = "a worker",
                           .begin = begin,
                           .end = end,
                           .item = item,
                           .job = work,
                           .failed = judge,
                           .progress = psb_stage_progress,
                           .context = &work->stage};
    return psb_parallel(&loop, error);
}

static void count_points(psb_cloud_set *set, size_t n) {
    if (n > 0) {
        set->least = set->least == 0 || n < set->least ? n : set->least;
        set->most = n > set->most ? n : set->most;
    }
}

static psb_status open_folder(psb_cloud_set *set, int threads, const psb_observer *observer,
                              psb_error *error) {
    const psb_collection_options all = {.models = set->path, .unlabelled = true, .clouds = true};
    psb_status status = psb_dataset_open(&all, &set->dataset, error);
    psb_dataset_tell(&set->dataset, observer);
    size_t n = status == PSB_OK ? set->dataset.cla.nmodels : 0;
    job work = {.set = set, .stage = {.observer = observer, .name = "points"}};
    work.count = psb_new_zero(&status, n, sizeof *work.count, "shapes", error);
    work.keep = psb_new_zero(&status, n, sizeof *work.keep, "shapes", error);
    PSB_THEN(status, go(&work, take_file, n, threads, error));
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        count_points(set, work.count[i]);
    }
    PSB_THEN(status, psb_dataset_keep(&set->dataset, work.keep, error));
    free(work.count);
    free(work.keep);
    return status == PSB_OK && set->dataset.cla.nmodels == 0
               ? psb_fail_at(error, PSB_ERROR_INPUT, set->path, 0, "no file could be used")
               : status;
}

psb_status psb_cloud_set_open(const char *path, bool folder, int threads,
                              const psb_observer *observer, psb_cloud_set *set, psb_error *error) {
    *set = (psb_cloud_set){.path = path, .folder = folder};
    if (folder) {
        return open_folder(set, threads, observer, error);
    }
    psb_status status = psb_npy_read(path, &set->rows, error);
    size_t columns = set->rows.columns;
    if (status == PSB_OK &&
        (set->rows.element != PSB_FLOAT32 || columns % 3 != 0 || columns == 3)) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "%zu x %zu numbers: a set of clouds has N x K x 3, or N rows of 3 K",
                           set->rows.rows, columns);
    }
    count_points(set, columns / 3);
    return status;
}

psb_status psb_cloud_set_fill(psb_cloud_set *set, size_t n, uint64_t side, int threads,
                              psb_error *error) {
    if (!set->folder && set->rows.columns == 3 * n) {
        return PSB_OK;
    }
    size_t shapes = set->folder ? set->dataset.cla.nmodels : set->rows.rows;
    job work = {.set = set, .n = n, .side = side};
    psb_status status = PSB_OK;
    work.out = psb_new(&status, shapes, 3 * n * sizeof *work.out, "points", error);
    PSB_THEN(status, go(&work, set->folder ? take_file : take_row, shapes, threads, error));
    if (status == PSB_OK) {
        psb_npy_close(&set->rows);
        set->rows = (psb_npy){shapes, 3 * n, PSB_FLOAT32, work.out, {NULL, 0}, work.out, {0}};
    } else {
        free(work.out);
    }
    return status;
}

void psb_cloud_set_free(psb_cloud_set *set) {
    psb_npy_close(&set->rows);
    psb_dataset_free(&set->dataset);
}
