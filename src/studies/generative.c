/* Makes the rows of both sets; then, for each spec, finds the nearest rows within and across
 * them. */
#include "studies/generative.h"

#include "core/element.h"
#include "core/file.h"
#include "distance/points.h"
#include "eval/distributions.h"
#include "eval/occupancy.h"
#include "proof/folder.h"
#include "run/model_reports.h"
#include "run/record.h"
#include "stream/candidates.h"
#include "studies/cloud_set.h"

#include <math.h>
#include <xxhash.h>

static const char *const set_names[PSB_SETS] = {"generated", "reference"};

/* ---- distances ------------------------------------------------------------------------- */

/* Finds the nearest shapes of a set for one set's shapes. */
typedef struct looking {
    psb_passes passes;
    const char *name, *set; /* name of the stage; path of the queries' set */
    psb_seeds seeds;
    psb_nearest *nearest; /* nearest rows of each query */
} looking;

static void visit(void *context, const psb_strip *strip) {
    const looking *l = context;
    psb_passes_keep_nearest(&l->passes, strip, l->nearest);
}

static float limit(const void *context, size_t query) {
    return psb_nearest_limit(((const looking *)context)->nearest, query);
}

/* The comparison of two sets by one spec, or of two files. */
typedef struct comparison {
    const psb_generative_job *job;
    const psb_metric *metric;
    const char *label;
    psb_npy rows[PSB_SETS];
    const psb_dataset
        *datasets[PSB_SETS]; /* folders of models; for files `ids`, if they have names */
    psb_ids ids[PSB_SETS];
    psb_set_distances distances;
    double *gaps; /* psb_emd_gap of each reference and its nearest */
} comparison;

static psb_status look(void *context, size_t first, size_t end, psb_error *error) {
    looking *l = context;
    const psb_streaming streaming = {.name = l->name, .visit = visit, .limit = limit};
    psb_status status =
        psb_seeds_begin(&l->seeds, &l->passes, NULL, 1, first, end, &l->nearest, error);
    if (status == PSB_OK) {
        status = psb_passes_stream(&l->passes, &streaming, first, end, error);
        psb_within(l->set, status, error);
    }
    return status;
}

/* Finds the nearest shape of `to` for each shape of `from`. */
static psb_status find_nearest(const comparison *c, psb_set from, psb_set to, looking *l,
                               psb_error *error) {
    const psb_generative_job *o = c->job;
    const psb_npy *queries = &c->rows[from], *rows = &c->rows[to];
    psb_memory_plan plan;
    char name[300];
    snprintf(name, sizeof name, "%s %s to %s", c->label, set_names[from], set_names[to]);
    l->name = name;
    l->seeds = psb_seeds_plan(c->metric, 1, rows->rows);
    l->passes =
        (psb_passes){.metric = psb_metric_limited(c->metric, rows->columns),
                     .queries = queries,
                     .rows = from != to ? rows : NULL,
                     .path = c->label,
                     .end = queries->rows,
                     .need = {.fixed = (queries->rows + rows->rows) * 64 +
                                       psb_seeds_bytes(&l->seeds, c->metric, rows->columns,
                                                       queries->rows + rows->rows, o->threads)},
                     .threads = o->threads,
                     .memory = o->options.memory,
                     .observer = &o->observer,
                     .plan = &plan,
                     .pass = look,
                     .context = l};
    l->set = o->options.sets[from];
    psb_status status = psb_seeds_make(&l->seeds, &l->passes, error);
    PSB_THEN(status, psb_passes_run(&l->passes, error));
    psb_seeds_free(&l->seeds);
    return status;
}

static psb_status find_own(comparison *c, psb_set set, psb_error *error) {
    looking l = {.nearest = NULL};
    psb_status status = find_nearest(c, set, set, &l, error);
    for (size_t i = 0; i < c->rows[set].rows && status == PSB_OK; i++) {
        const uint64_t *key;
        size_t found = psb_nearest_finish(l.nearest, i, &key);
        c->distances.own[set][i] = found > 0 ? psb_nearest_distance(*key) : INFINITY;
    }
    psb_nearest_free(l.nearest);
    return status;
}

/* Called for both sets, as each shape's nearest so far bounds what must be computed exactly. */
static psb_status find_other(comparison *c, psb_set set, psb_error *error) {
    psb_set_distances *d = &c->distances;
    looking l = {.nearest = NULL};
    psb_status status =
        find_nearest(c, set, set == PSB_GENERATED ? PSB_REFERENCE : PSB_GENERATED, &l, error);
    for (size_t i = 0; i < d->count[set] && status == PSB_OK; i++) {
        const uint64_t *key;
        psb_nearest_finish(l.nearest, i, &key);
        size_t row = psb_nearest_row(*key);
        d->other[set][i] = psb_nearest_distance(*key);
        d->nearest[set][i] = (uint32_t)row;
        if (set == PSB_GENERATED) {
            d->covered[row] = true;
            d->chosen[row]++;
        }
    }
    psb_nearest_free(l.nearest);
    return status;
}

static psb_status allocate(comparison *c, psb_error *error) {
    psb_set_distances *d = &c->distances;
    psb_status status = PSB_OK;
    for (psb_set set = 0; set < PSB_SETS && status == PSB_OK; set++) {
        size_t n = d->count[set] = c->rows[set].rows;
        PSB_THEN_IF(status, n == 0 || n > UINT32_MAX,
                    psb_fail_at(error, PSB_ERROR_INPUT, c->job->options.sets[set], 0,
                                "%zu shapes: want 1 to %lu", n, (unsigned long)UINT32_MAX));
        d->own[set] = psb_new(&status, n, sizeof(float), "distances", error);
        d->other[set] = psb_new(&status, n, sizeof(float), "distances", error);
        d->nearest[set] = psb_new(&status, n, sizeof(uint32_t), "distances", error);
    }
    d->covered =
        psb_new_zero(&status, d->count[PSB_REFERENCE], sizeof *d->covered, "references", error);
    d->chosen =
        psb_new_zero(&status, d->count[PSB_REFERENCE], sizeof *d->chosen, "references", error);
    return status;
}

static psb_status find_gap(void *job, void *own PSB_UNUSED, size_t i, psb_error *error PSB_UNUSED) {
    const comparison *c = job;
    const psb_npy *a = &c->rows[PSB_REFERENCE], *b = &c->rows[PSB_GENERATED];
    c->gaps[i] = psb_emd_gap(
        (const float *)a->data + i * a->columns,
        (const float *)b->data + c->distances.nearest[PSB_REFERENCE][i] * b->columns, a->columns);
    return PSB_OK;
}

/* Sets the mean and the largest gap of the distances whose mean is the matching distance. */
static psb_status find_gaps(comparison *c, psb_generative_row *row, psb_error *error) {
    size_t n = c->distances.count[PSB_REFERENCE];
    psb_stage stage = {.observer = &c->job->observer, .name = "gaps"};
    psb_loop loop = {.count = n,
                     .threads = c->job->threads,
                     .item = find_gap,
                     .job = c,
                     .progress = psb_stage_progress,
                     .context = &stage};
    psb_status status = PSB_OK;
    c->gaps = psb_new(&status, n, sizeof *c->gaps, "gaps", error);
    PSB_THEN(status, psb_parallel(&loop, error));
    if (status == PSB_OK) {
        row->gap = row->most_gap = 0;
        for (size_t i = 0; i < n; i++) {
            row->gap += c->gaps[i] / (double)n;
            row->most_gap = fmax(row->most_gap, c->gaps[i]);
        }
    }
    free(c->gaps);
    return status;
}

static psb_status show(const comparison *c, const psb_generative_row *row, psb_error *error) {
    const psb_generative_job *o = c->job;
    psb_set_shapes shapes = {
        .label = c->label, .distances = &c->distances, .figures = row->figures};
    for (psb_set set = 0; set < PSB_SETS; set++) {
        const psb_dataset *dataset = c->datasets[set];
        shapes.ids[set] = dataset != NULL ? dataset->cla.models : c->ids[set].names;
        shapes.paths[set] = dataset != NULL ? dataset->paths : NULL;
        shapes.archives[set] = dataset != NULL ? dataset->archive : NULL;
    }
    return o->show != NULL ? o->show(o->context, &shapes, error) : PSB_OK;
}

static psb_status find_figures(comparison *c, psb_generative_row *row, psb_error *error) {
    const psb_generative_job *o = c->job;
    psb_set_distances *d = &c->distances;
    psb_stage stage = {.observer = &o->observer, .name = "intervals"};
    psb_resampling resampling = {o->options.rounds, o->options.seed, o->threads, psb_stage_progress,
                                 &stage};
    psb_status status = allocate(c, error);
    for (psb_set set = 0; set < PSB_SETS; set++) {
        PSB_THEN(status, find_own(c, set, error));
        PSB_THEN(status, find_other(c, set, error));
    }
    PSB_THEN(status, psb_two_sets_measure(d, c->label, &resampling, row->figures, error));
    PSB_THEN_IF(status, c->metric == &psb_emd_auction, find_gaps(c, row, error));
    PSB_THEN_IF(status, !row->floor, show(c, row, error));
    for (psb_set set = 0; set < PSB_SETS; set++) {
        row->count[set] = d->count[set];
        free(d->own[set]);
        free(d->other[set]);
        free(d->nearest[set]);
    }
    free(d->covered);
    free(d->chosen);
    *d = (psb_set_distances){.covered = NULL};
    return status;
}

/* Converts rows to doubles; bytes of the metric "cube" are signed. */
static double *numbers_of(const comparison *c, psb_set set, psb_status *status, psb_error *error) {
    const psb_npy *rows = &c->rows[set];
    size_t count = rows->rows * rows->columns;
    bool bytes = rows->element == PSB_UINT8, cube = c->metric == &psb_cube;
    double *out = psb_new(status, rows->rows, rows->columns * sizeof *out, "rows", error);
    for (size_t i = 0; i < count && *status == PSB_OK; i++) {
        out[i] = !bytes ? (double)((const float *)rows->data)[i]
                 : cube ? (double)((const int8_t *)rows->data)[i]
                        : (double)((const uint8_t *)rows->data)[i];
    }
    return out;
}

static psb_status compare_distributions(const comparison *c, psb_generative_row *row,
                                        psb_error *error) {
    psb_sample samples[PSB_SETS];
    psb_status status = PSB_OK;
    if (c->metric == &psb_hamming || c->metric == &psb_sum) {
        return psb_fail(error, PSB_ERROR_USAGE,
                        "%s: rows of bits, or made of others, have no Frechet distance: leave out "
                        "--distributions, or this descriptor",
                        c->label);
    }
    for (psb_set set = 0; set < PSB_SETS; set++) {
        size_t n = c->rows[set].rows, d = c->rows[set].columns;
        samples[set] = (psb_sample){n, d, numbers_of(c, set, &status, error)};
        if (n <= d) {
            psb_observer_say(&c->job->observer, PSB_WARNING,
                             "%s%s: %zu %s shapes and rows of %zu numbers: with no more shapes "
                             "than numbers the Frechet distance is mostly chance",
                             c->label, row->floor ? ", floor" : "", n, set_names[set], d);
        }
    }
    PSB_THEN(status, psb_frechet_distance(samples, &row->frechet, error));
    PSB_THEN(status, psb_kernel_distance(samples, c->job->threads, &row->kernel, &row->kernel_error,
                                         error));
    for (psb_set set = 0; set < PSB_SETS; set++) {
        free((void *)(uintptr_t)samples[set].rows);
    }
    return status;
}

static psb_status compare_rows(comparison *c, psb_generative_row *row, psb_error *error) {
    row->label = c->label;
    row->divergence = row->gap = row->most_gap = row->frechet = row->kernel = row->kernel_error =
        NAN;
    psb_status status = find_figures(c, row, error);
    PSB_THEN_IF(status, psb_metric_is_of_points(c->metric),
                psb_occupancy_divergence(&c->rows[PSB_GENERATED], &c->rows[PSB_REFERENCE],
                                         &row->divergence, error));
    return PSB_THEN_IF(status, c->job->options.distributions, compare_distributions(c, row, error));
}

/* Copies every other row, starting at `first`. */
static psb_status take_half(const psb_npy *rows, size_t first, psb_npy *half, psb_error *error) {
    size_t bytes = rows->columns * psb_element_bytes(rows->element);
    psb_status status = PSB_OK;
    *half = (psb_npy){
        .rows = (rows->rows + 1 - first) / 2, .columns = rows->columns, .element = rows->element};
    half->converted = psb_new(&status, half->rows, bytes, "rows", error);
    half->data = half->converted;
    for (size_t i = 0; i < half->rows && status == PSB_OK; i++) {
        memcpy((char *)half->converted + i * bytes,
               (const char *)rows->data + (2 * i + first) * bytes, bytes);
    }
    return status;
}

static psb_status compare_halves(const comparison *c, psb_generative_row *row, psb_error *error) {
    const psb_npy *rows = &c->rows[PSB_REFERENCE];
    comparison halves = {.job = c->job, .metric = c->metric, .label = c->label};
    psb_status status = take_half(rows, 1, &halves.rows[PSB_GENERATED], error);
    PSB_THEN(status, take_half(rows, 0, &halves.rows[PSB_REFERENCE], error));
    row->floor = true;
    PSB_THEN(status, compare_rows(&halves, row, error));
    psb_npy_close(&halves.rows[PSB_GENERATED]);
    psb_npy_close(&halves.rows[PSB_REFERENCE]);
    return status;
}

/* Compares both sets; a second time the halves of one, for the floor. */
static psb_status compare(comparison *c, psb_generative_row *rows, psb_error *error) {
    rows[0].floor = false;
    psb_status status = compare_rows(c, &rows[0], error);
    return PSB_THEN_IF(status, c->job->options.floor, compare_halves(c, &rows[1], error));
}

/* Begins the ledger for these sets and this command. */
static psb_status begin(const psb_generative_job *job, psb_ledger *ledger, uint64_t set,
                        size_t count, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED char *names =
        psb_new_format(&status, error, "%s against %s", job->options.sets[PSB_GENERATED],
                       job->options.sets[PSB_REFERENCE]);
    const psb_ledger_list list = {set, count, set, names};
    return PSB_THEN(status, psb_ledger_begin(ledger, &list, job->options.command_line, error));
}

/* Compares by each metric. */
static psb_status compare_metrics(comparison *c, psb_generative_row *rows, psb_error *error) {
    const psb_generative_job *job = c->job;
    psb_status status = PSB_OK;
    for (size_t m = 0; m < job->nmetrics && status == PSB_OK; m++) {
        c->metric = job->metrics[m];
        c->label = c->metric->name;
        status = compare(c, &rows[job->options.floor ? 2 * m : m], error);
    }
    return status;
}

static psb_status compare_files(const psb_generative_job *job, psb_ledger *ledger,
                                psb_generative_row *row, psb_error *error) {
    psb_stamp stamps[PSB_SETS] = {{.hash = 0}};
    comparison c = {.job = job};
    psb_status status = psb_run_check_alike(job->options.sets[PSB_GENERATED],
                                            job->options.sets[PSB_REFERENCE], error);
    PSB_THEN(status, psb_npy_read(job->options.sets[PSB_GENERATED], &c.rows[PSB_GENERATED], error));
    PSB_THEN(status, psb_npy_read(job->options.sets[PSB_REFERENCE], &c.rows[PSB_REFERENCE], error));
    for (psb_set set = 0; set < PSB_SETS && status == PSB_OK; set++) {
        const char *path = job->options.sets[set];
        status = ledger != NULL ? psb_stamp_read(NULL, path, &stamps[set], error) : PSB_OK;
        PSB_THEN(status, psb_ids_of_rows(path, &c.rows[set], &c.ids[set], error));
    }
    PSB_THEN_IF(status, ledger != NULL,
                begin(job, ledger, XXH64(&stamps[0].hash, 8, stamps[1].hash),
                      c.rows[0].rows + c.rows[1].rows, error));
    PSB_THEN(status, compare_metrics(&c, row, error));
    for (psb_set set = 0; set < PSB_SETS; set++) {
        psb_npy_close(&c.rows[set]);
        psb_ids_free(&c.ids[set]);
    }
    return status;
}

/* ---- clouds ---------------------------------------------------------------------------- */

/* How many points of each shape are compared: as many as the smallest cloud has. */
static size_t choose_points(const psb_generative_job *job, const psb_cloud_set sets[PSB_SETS]) {
    enum { OF_MESHES = 2048 };
    size_t n = 0;
    for (psb_set set = 0; set < PSB_SETS; set++) {
        size_t least = sets[set].least;
        n = least > 0 && (n == 0 || least < n) ? least : n;
    }
    n = n > 0 ? n : OF_MESHES;
    for (psb_set set = 0; set < PSB_SETS; set++) {
        if (sets[set].most > n) {
            psb_observer_say(&job->observer, PSB_WARNING,
                             "%s: clouds of up to %zu points: %zu of each are taken at random",
                             sets[set].path, sets[set].most, n);
        }
    }
    return n;
}

/* Compares sets of which each is an array of clouds or a folder. */
static psb_status compare_clouds(const psb_generative_job *job, psb_ledger *ledger,
                                 psb_generative_row *rows, size_t *failures, psb_error *error) {
    psb_cloud_set sets[PSB_SETS] = {{.path = NULL}};
    comparison c = {.job = job};
    uint64_t hash = 0;
    psb_status status = PSB_OK;
    for (psb_set set = 0; set < PSB_SETS; set++) {
        const char *path = job->options.sets[set];
        bool folder = false;
        PSB_THEN(status, psb_folder_is_there(path, &folder, error));
        PSB_THEN(status,
                 psb_cloud_set_open(path, folder, job->threads, &job->observer, &sets[set], error));
    }
    size_t n = choose_points(job, sets);
    for (psb_set set = 0; set < PSB_SETS && status == PSB_OK; set++) {
        status = psb_cloud_set_fill(&sets[set], n, 1 + (uint64_t)set, job->threads, error);
        c.rows[set] = sets[set].rows;
        c.datasets[set] = sets[set].folder ? &sets[set].dataset : NULL;
        *failures += sets[set].failures;
        PSB_THEN_IF(status, !sets[set].folder,
                    psb_ids_of_rows(sets[set].path, &c.rows[set], &c.ids[set], error));
        hash = status == PSB_OK
                   ? XXH64(c.rows[set].data, c.rows[set].rows * 3 * n * sizeof(float), hash)
                   : 0;
    }
    PSB_THEN_IF(status, ledger != NULL,
                begin(job, ledger, hash, c.rows[0].rows + c.rows[1].rows, error));
    PSB_THEN(status, compare_metrics(&c, rows, error));
    for (psb_set set = 0; set < PSB_SETS; set++) {
        psb_cloud_set_free(&sets[set]);
        psb_ids_free(&c.ids[set]);
    }
    return status;
}

/* ---- folders of models ----------------------------------------------------------------- */

typedef struct models {
    psb_dataset dataset;
    psb_features features;
} models;

static psb_status describe(const psb_generative_job *job, const char *folder, psb_set set,
                           models *m, psb_error *error) {
    psb_features_options options = {.threads = job->threads,
                                    .max_faces = job->options.max_faces,
                                    .max_seconds = job->options.max_seconds,
                                    .side = 1 + (uint64_t)set,
                                    .observer = &job->observer};
    psb_status status = PSB_OK, listed;
    PSB_AT_END(psb_ledger_free) psb_ledger ledger = {0};
    PSB_FREED char *run = psb_new_format(&status, error, "%s/%s", folder, set_names[set]);
    PSB_FREED char *work = psb_new_format(&status, error, "%s/work", run);
    PSB_THEN(status, psb_ledger_open(run, false, &ledger, error));
    if (status == PSB_OK) {
        status = psb_features_compute(work, &m->dataset, job->specs, job->nspecs, &options,
                                      &m->features, error);
        listed = psb_failures_write(&ledger, &m->features, status == PSB_OK ? error : NULL);
        status = status == PSB_OK ? listed : status;
    }
    return status;
}

static psb_status load(const models *m, size_t spec, int threads, psb_npy *npy, psb_error *error) {
    psb_row_view rows;
    psb_status status =
        psb_features_load(&m->features, spec, m->dataset.cla.models, threads, &rows, error);
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
        comparison c = {.job = job,
                        .metric = psb_spec_metric(spec),
                        .label = spec->label.text,
                        .datasets = {&sets[PSB_GENERATED].dataset, &sets[PSB_REFERENCE].dataset}};
        status = load(&sets[PSB_GENERATED], s, job->threads, &c.rows[PSB_GENERATED], error);
        PSB_THEN(status,
                 load(&sets[PSB_REFERENCE], s, job->threads, &c.rows[PSB_REFERENCE], error));
        PSB_THEN(status, compare(&c, &rows[job->options.floor ? 2 * s : s], error));
        psb_npy_close(&c.rows[PSB_GENERATED]);
        psb_npy_close(&c.rows[PSB_REFERENCE]);
    }
    return status;
}

/* `ledger` is that of the folder if it is kept, else NULL. */
static psb_status compare_folders(const psb_generative_job *job, const char *folder,
                                  psb_ledger *ledger, psb_generative_row *rows, size_t *failures,
                                  psb_error *error) {
    models sets[PSB_SETS] = {0};
    uint64_t hash = 0;
    size_t count = 0;
    psb_status status = PSB_OK;
    for (psb_set set = 0; set < PSB_SETS && status == PSB_OK; set++) {
        psb_dataset *dataset = &sets[set].dataset;
        const psb_collection_options all = {
            .models = job->options.sets[set], .unlabelled = true, .clouds = true};
        status = psb_dataset_open(&all, dataset, error);
        psb_dataset_tell(dataset, &job->observer);
    }
    for (psb_set set = 0; set < PSB_SETS && status == PSB_OK; set++) {
        status = describe(job, folder, set, &sets[set], error);
        *failures += sets[set].features.nfailures;
        hash = XXH64(&sets[set].dataset.list, sizeof hash, hash ^ sets[set].features.checksum);
        count += sets[set].dataset.listed;
    }
    if (ledger != NULL) {
        PSB_THEN(status, begin(job, ledger, hash, count, error));
        PSB_THEN(status, psb_ledger_enter(ledger, "generated/failures.tsv", 0, 0, 0, error));
        PSB_THEN(status, psb_ledger_enter(ledger, "reference/failures.tsv", 0, 0, 0, error));
    }
    PSB_THEN(status, compare_specs(job, sets, rows, error));
    for (psb_set set = 0; set < PSB_SETS; set++) {
        psb_features_free(&sets[set].features);
        psb_dataset_free(&sets[set].dataset);
    }
    return status;
}

static psb_status compare_in_temporary(const psb_generative_job *job, psb_generative_row *rows,
                                       size_t *failures, psb_error *error) {
    PSB_FREED char *folder = NULL;
    psb_status status = psb_temporary_folder(&folder, error);
    if (status == PSB_OK) {
        status = compare_folders(job, folder, NULL, rows, failures, error);
        psb_temporary_remove(folder);
    }
    return status;
}

static psb_status compare_sets(const psb_generative_job *job, psb_ledger *ledger,
                               psb_generative_row *rows, size_t *failures, psb_error *error) {
    if (job->nmetrics > 0) {
        return psb_metric_is_of_points(job->metrics[0])
                   ? compare_clouds(job, ledger, rows, failures, error)
                   : compare_files(job, ledger, rows, error);
    }
    return job->options.folder != NULL
               ? compare_folders(job, job->options.folder, ledger, rows, failures, error)
               : compare_in_temporary(job, rows, failures, error);
}

/* Holds the folder's lock, as one process at a time may work there; refuses a run's folder. */
static psb_status compare_in_folder(const psb_generative_job *job, psb_generative_row *rows,
                                    size_t *failures, psb_error *error) {
    PSB_AT_END(psb_lock_release) psb_lock lock = PSB_LOCK_NONE;
    PSB_AT_END(psb_ledger_free) psb_ledger ledger = {0};
    psb_status status = psb_run_folder_open(job->options.folder, &job->observer, &lock, error);
    PSB_THEN(status, psb_ledger_open(job->options.folder, false, &ledger, error));
    PSB_THEN_IF(status, psb_ledger_find(&ledger, "models.cla") != NULL,
                psb_fail_at(error, PSB_ERROR_USAGE, job->options.folder, 0,
                            "the folder of a run, which is kept: give another with -o"));
    PSB_THEN(status, compare_sets(job, &ledger, rows, failures, error));
    return PSB_THEN(status, psb_ledger_write(&ledger, error));
}

psb_status psb_generative_compare(const psb_generative_job *job, psb_generative_row *rows,
                                  size_t *failures, psb_error *error) {
    *failures = 0;
    return job->options.folder != NULL ? compare_in_folder(job, rows, failures, error)
                                       : compare_sets(job, NULL, rows, failures, error);
}
