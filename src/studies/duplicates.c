/* Reads each file once for a hash and two prints. Compares triangles only if the first prints
 * agree, and surfaces only if rows are near and the second prints agree. */
#include "studies/duplicates.h"

#include "core/element.h"
#include "core/file.h"
#include "core/number.h"
#include "io/mesh.h"
#include "stream/passes.h"
#include "studies/same_surface.h"

#include <math.h>
#include <xxhash.h>

#define NO_GROUP SIZE_MAX
enum { CANDIDATES = 4 };    /* nearest rows of each model to compare surfaces with */
enum { MODEL_BYTES = 768 }; /* upper estimate of a model's memory, with its names and paths */

/* The state of one model. */
typedef struct model {
    bool read; /* its file was read and has these: */
    uint64_t hash;
    size_t bytes;
    psb_congruence_print print;
    double surface[PSB_SURFACE_PRINTS];
    bool wanted; /* its file must be read */
    bool alike;  /* `found` has a model that it is like */
    psb_duplicate found;
    uint64_t nearest; /* nearest row, as a key of eval/nearest.h */
} model;

/* Two models whose rows are near. */
typedef struct pair {
    size_t a, b; /* a < b */
    bool same;
    psb_congruence how;
} pair;

typedef struct job {
    const psb_duplicates_job *options;
    size_t n;
    model *models;
    size_t *order;     /* models in the order of the current stage */
    size_t *first;     /* start of each tree in `order`; n after the last */
    size_t *candidate; /* forest that joins models whose prints agree */
    size_t *group;     /* forest of the groups */
    psb_passes passes; /* passes over the rows */
    psb_nearest *nearest;
    pair *pairs;
    size_t npairs;
    size_t first_query; /* first query whose nearest rows are wanted */
    float threshold;
    psb_stage stage;
} job;

/* A thread's own state. */
typedef struct worker {
    psb_mesh_buffer mesh, other;
    psb_facets facets[2];
} worker;

/* ---- forests --------------------------------------------------------------------------- */

static size_t root_of(size_t *forest, size_t i) {
    while (forest[i] != i) {
        i = forest[i] = forest[forest[i]];
    }
    return i;
}

/* Joins two trees. The root is the lowest model, in whatever order trees are joined. */
static void join(size_t *forest, size_t a, size_t b) {
    a = root_of(forest, a);
    b = root_of(forest, b);
    forest[a > b ? a : b] = a > b ? b : a;
}

/* Sorts `order` so that models of a tree are together; returns the number of trees and sets
 * `first`. */
static size_t sort_by_tree(job *work, size_t *forest) {
    size_t trees = 0, *next = work->first;
    for (size_t i = 0; i < work->n; i++) {
        next[i] = 0;
    }
    for (size_t i = 0; i < work->n; i++) {
        next[root_of(forest, i)]++;
    }
    for (size_t i = 0, at = 0; i < work->n; i++) {
        size_t count = next[i];
        next[i] = at;
        at += count;
    }
    for (size_t i = 0; i < work->n; i++) {
        work->order[next[root_of(forest, i)]++] = i;
    }
    for (size_t k = 0; k < work->n; k++) {
        if (forest[work->order[k]] == work->order[k]) {
            work->first[trees++] = k;
        }
    }
    work->first[trees] = work->n;
    return trees;
}

/* Enters what model i is like, and the evidence, unless it has some already. */
static void enter(job *work, size_t i, size_t like, psb_evidence evidence,
                  const psb_congruence *congruence) {
    psb_duplicate *found = &work->models[i].found;
    if (!work->models[i].alike) {
        *found = (psb_duplicate){.model = i, .evidence = evidence, .like = like};
        found->congruence = congruence != NULL ? *congruence : (psb_congruence){.scale = NAN};
        work->models[i].alike = true;
    }
}

static void enter_pair(job *work, size_t a, size_t b, psb_evidence evidence,
                       const psb_congruence *congruence) {
    psb_congruence back;
    enter(work, b, a, evidence, congruence);
    if (congruence != NULL) {
        back = *congruence;
        back.scale = 1 / back.scale;
    }
    enter(work, a, b, evidence, congruence != NULL ? &back : NULL);
#pragma omp critical(psb_duplicates)
    join(work->group, a, b);
}

/* ---- files ----------------------------------------------------------------------------- */

static void end_worker(void *context PSB_UNUSED, void *own) {
    worker *w = own;
    psb_mesh_buffer_free(&w->mesh);
    psb_mesh_buffer_free(&w->other);
    psb_facets_free(&w->facets[0]);
    psb_facets_free(&w->facets[1]);
}

static psb_status begin_worker(void *context, void **own, psb_error *error PSB_UNUSED) {
    worker *w = *own;
    memset(w, 0, sizeof *w);
    w->mesh.max_faces = w->other.max_faces = ((const job *)context)->options->options.max_faces;
    return PSB_OK;
}

/* Reads a model's file, and its triangles into w->facets[place]. */
static psb_status load(const job *work, worker *w, size_t i, int place, psb_error *error) {
    const char *path = work->options->files[i];
    psb_status status = psb_mesh_load(work->options->archive, path, &w->mesh, error);
    if (status != PSB_OK) {
        return status;
    }
    psb_facets_free(&w->facets[place]);
    work->models[i].hash = w->mesh.hash;
    work->models[i].bytes = w->mesh.size;
    return psb_within(path, psb_facets_make(&w->mesh.mesh, &w->facets[place], error), error);
}

static psb_status read_model(void *context, void *own, size_t i, psb_error *error) {
    const job *work = context;
    worker *w = own;
    if (work->options->files[i] == NULL || !work->models[i].wanted) {
        return PSB_OK;
    }
    psb_status status = load(work, w, i, 0, error);
    work->models[i].print = w->facets[0].print;
    memcpy(work->models[i].surface, w->facets[0].surface, sizeof w->facets[0].surface);
    work->models[i].read = status == PSB_OK;
    return status;
}

static psb_status pass_over(void *context, void *own PSB_UNUSED, size_t i PSB_UNUSED,
                            psb_error *error) {
    job *work = context;
    const psb_observer *o = &work->options->observer;
    if (!psb_is_of_bytes(error->status)) {
        return error->status;
    }
    work->stage.failures++;
    if (o->failed != NULL) {
        o->failed(o->context, error);
    }
    return PSB_OK;
}

/* True if the model is known to be like an earlier one. */
static bool is_copy(const job *work, size_t i) {
    return work->models[i].alike && work->models[i].found.like < i;
}

/* Finds a model in at[count] that model j is a copy of; skips those that are copies themselves. */
static psb_status compare_model(job *work, worker *w, const size_t *at, size_t count, size_t j,
                                psb_error *error) {
    psb_status status = PSB_OK;
    bool loaded = false;
    for (size_t k = 0; k < count && !is_copy(work, j) && status == PSB_OK; k++) {
        psb_congruence congruence;
        if (is_copy(work, at[k]) ||
            !psb_congruence_prints_agree(&work->models[at[k]].print, &work->models[j].print)) {
            continue;
        }
        status = loaded ? PSB_OK : load(work, w, j, 1, error);
        loaded = true;
        PSB_THEN(status, load(work, w, at[k], 0, error));
        if (status == PSB_OK && psb_congruent(&w->facets[0], &w->facets[1], &congruence)) {
            enter_pair(work, at[k], j, PSB_SAME_TRIANGLES, &congruence);
        }
    }
    return status;
}

static psb_status compare_tree(void *context, void *own, size_t tree, psb_error *error) {
    job *work = context;
    const size_t *at = work->order + work->first[tree];
    size_t count = work->first[tree + 1] - work->first[tree];
    psb_status status = PSB_OK;
    for (size_t k = 1; k < count && status == PSB_OK; k++) {
        status = compare_model(work, own, at, k, at[k], error);
    }
    return status;
}

static int compare_numbers(size_t a, size_t b) {
    return (a > b) - (a < b);
}

/* Sorts by bytes; models that were not read come last. */
static int compare_bytes(const void *a, const void *b, void *context) {
    const job *work = context;
    size_t i = *(const size_t *)a, j = *(const size_t *)b;
    const model *m = &work->models[i], *other = &work->models[j];
    int order = compare_numbers(!m->read, !other->read);
    order = order != 0 ? order : compare_numbers(m->hash, other->hash);
    order = order != 0 ? order : compare_numbers(m->bytes, other->bytes);
    return order != 0 ? order : compare_numbers(i, j);
}

static int compare_prints(const void *a, const void *b, void *context) {
    const job *work = context;
    size_t i = *(const size_t *)a, j = *(const size_t *)b;
    const model *m = &work->models[i], *other = &work->models[j];
    int order = compare_numbers(!m->read, !other->read);
    double x = m->print.value[1], y = other->print.value[1];
    return order != 0 ? order : (x > y) - (x < y);
}

/* Reads all files and finds those with equal bytes. */
static psb_status compare_files(job *work, psb_loop *loop, psb_error *error) {
    work->stage = (psb_stage){.observer = &work->options->observer, .name = "models"};
    loop->count = work->n;
    loop->item = read_model;
    psb_status status = psb_parallel(loop, error);
    size_t *order = work->order;
    for (size_t i = 0; i < work->n; i++) {
        order[i] = i;
    }
    qsort_r(order, work->n, sizeof *order, compare_bytes, work);
    for (size_t k = 1, first = 0; k < work->n && status == PSB_OK; k++) {
        const model *m = &work->models[order[k]], *other = &work->models[order[first]];
        if (m->read && m->hash == other->hash && m->bytes == other->bytes) {
            enter_pair(work, order[first], order[k], PSB_SAME_BYTES, NULL);
        } else {
            first = k;
        }
    }
    return status;
}

/* Joins models that may have the same triangles; only models with agreeing prints are compared. */
static psb_status compare_triangles(job *work, psb_loop *loop, psb_error *error) {
    size_t *order = work->order;
    qsort_r(order, work->n, sizeof *order, compare_prints, work);
    for (size_t k = 0; k < work->n && work->models[order[k]].read; k++) {
        const psb_congruence_print *print = &work->models[order[k]].print;
        for (size_t l = k; l-- > 0;) {
            const psb_congruence_print *other = &work->models[order[l]].print;
            if (print->value[1] - other->value[1] > PSB_CONGRUENCE_DISTANCE) {
                break;
            }
            if (psb_congruence_prints_agree(print, other)) {
                join(work->candidate, order[k], order[l]);
            }
        }
    }
    work->stage = (psb_stage){.observer = &work->options->observer, .name = "same triangles"};
    loop->count = sort_by_tree(work, work->candidate);
    loop->item = compare_tree;
    return psb_parallel(loop, error);
}

/* Compares the surfaces of two models with near rows. */
static psb_status compare_surfaces(void *context, void *own, size_t k, psb_error *error) {
    job *work = context;
    worker *w = own;
    pair *p = &work->pairs[k];
    const char *a = work->options->files[p->a], *b = work->options->files[p->b];
    psb_status status = psb_mesh_load(work->options->archive, a, &w->mesh, error);
    PSB_THEN(status, psb_mesh_load(work->options->archive, b, &w->other, error));
    return PSB_THEN(
        status, psb_same_surface(&w->mesh.mesh, a, &w->other.mesh, b, &p->same, &p->how, error));
}

/* Compares models with near rows, if they are in different groups and both prints agree. */
static psb_status compare_candidates(job *work, psb_loop *loop, psb_error *error) {
    size_t kept = 0;
    for (size_t k = 0; k < work->npairs; k++) {
        pair p = work->pairs[k];
        const model *a = &work->models[p.a], *b = &work->models[p.b];
        if (a->read && b->read && root_of(work->group, p.a) != root_of(work->group, p.b) &&
            psb_surface_prints_agree(a->surface, b->surface)) {
            work->pairs[kept++] = p;
        }
    }
    work->npairs = kept;
    work->stage = (psb_stage){.observer = &work->options->observer, .name = "same surface"};
    loop->count = kept;
    loop->item = compare_surfaces;
    psb_status status = psb_parallel(loop, error);
    for (size_t k = 0; k < kept && status == PSB_OK; k++) {
        if (work->pairs[k].same) {
            enter_pair(work, work->pairs[k].a, work->pairs[k].b, PSB_REMESHED, &work->pairs[k].how);
        }
    }
    return status;
}

static psb_status compare_models(job *work, psb_error *error) {
    psb_loop loop = {.threads = work->options->threads,
                     .bytes = sizeof(worker),
                     .name = "a worker",
                     .begin = begin_worker,
                     .end = end_worker,
                     .job = work,
                     .failed = pass_over,
                     .progress = psb_stage_progress,
                     .context = &work->stage};
    psb_status status = compare_files(work, &loop, error);
    size_t failures = work->stage.failures;
    PSB_THEN(status, compare_triangles(work, &loop, error));
    failures += work->stage.failures;
    PSB_THEN(status, compare_candidates(work, &loop, error));
    work->stage.failures += failures;
    return status;
}

/* ---- rows ------------------------------------------------------------------------------ */

static void keep_nearest(void *visitor, const psb_strip *strip) {
    const job *work = visitor;
    psb_passes_keep_nearest(&work->passes, strip, work->nearest);
}

static void join_near(void *visitor, const psb_strip *strip) {
    const job *work = visitor;
    size_t known = work->options->known;
    for (size_t k = 0; k < strip->nqueries * strip->nrows; k++) {
        size_t row = strip->first_row + k % strip->nrows;
        size_t query = strip->first_query + k / strip->nrows;
        if (strip->distances[k] <= work->threshold && row < query && query >= known) {
#pragma omp critical(psb_duplicates)
            join(work->group, query, row);
        }
    }
}

static int compare_pairs(const void *a, const void *b) {
    const pair *x = a, *y = b;
    int order = compare_numbers(x->a, y->a);
    return order != 0 ? order : compare_numbers(x->b, y->b);
}

/* Takes each model's nearest row, and the pairs whose surfaces may be the same, without
 * repetition. */
static psb_status take_nearest(job *work, psb_error *error) {
    psb_status status = PSB_OK;
    size_t from = work->options->known, kept = 0;
    pair *pairs = psb_new(&status, work->n - from, CANDIDATES * sizeof *pairs, "pairs", error);
    work->pairs = pairs;
    for (size_t i = from; i < work->n && status == PSB_OK; i++) {
        const uint64_t *keys;
        size_t count = psb_nearest_finish(work->nearest, i, &keys);
        work->models[i].nearest = keys[0];
        for (size_t k = 0; k < count; k++) {
            size_t j = psb_nearest_row(keys[k]);
            work->models[j].wanted = true;
            pairs[work->npairs++] = (pair){.a = i < j ? i : j, .b = i < j ? j : i};
        }
    }
    if (status == PSB_OK) {
        qsort(pairs, work->npairs, sizeof *pairs, compare_pairs);
        for (size_t k = 0; k < work->npairs; k++) {
            if (kept == 0 || compare_pairs(&pairs[kept - 1], &pairs[k]) != 0) {
                pairs[kept++] = pairs[k];
            }
        }
        work->npairs = kept;
    }
    return status;
}

/* Sets the threshold to the quantile of the distances of `count` models to their nearest. */
static psb_status find_threshold(job *work, size_t first, size_t count, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED float *sorted = psb_new(&status, count, sizeof *sorted, "distances", error);
    for (size_t i = 0; i < count && status == PSB_OK; i++) {
        sorted[i] = psb_nearest_distance(work->models[first + i].nearest);
    }
    if (status == PSB_OK) {
        qsort(sorted, count, sizeof *sorted, psb_by_float);
        work->threshold = sorted[(size_t)ceil(work->options->options.quantile * (double)count) - 1];
    }
    return status;
}

/* Finds which model each model without other evidence is like by its row. */
static void judge_nearest(job *work) {
    size_t from = work->options->known;
    for (size_t i = from; i < work->n; i++) {
        uint64_t key = work->models[i].nearest;
        if (psb_nearest_distance(key) <= work->threshold) {
            size_t near = psb_nearest_row(key);
            enter(work, i, near, PSB_NEAR_ROWS, NULL);
            if (near < from) {
                enter(work, near, i, PSB_NEAR_ROWS, NULL);
            }
        }
    }
}

/* The nearest row of each model among those of its set. */
static psb_status nearest_pass(void *context, size_t first, size_t end, psb_error *error) {
    job *work = context;
    const psb_streaming nearest = {.name = "nearest rows", .visit = keep_nearest};
    const uint64_t *keys;
    psb_status status = psb_nearest_new(first, end, 1, &work->nearest, error);
    PSB_THEN(status, psb_passes_stream(&work->passes, &nearest, first, end, error));
    for (size_t i = first; i < end && status == PSB_OK; i++) {
        psb_nearest_finish(work->nearest, i, &keys);
        work->models[i].nearest = keys[0];
    }
    psb_nearest_free(work->nearest);
    work->nearest = NULL;
    return status;
}

/* Goes over all rows twice: the threshold needs the nearest row of each model first. */
static psb_status compare_pass(void *context, size_t first, size_t end, psb_error *error) {
    job *work = context;
    const psb_streaming nearest = {.name = "nearest rows", .visit = keep_nearest};
    const psb_streaming near = {.name = "near rows", .visit = join_near};
    psb_status status = psb_nearest_new(first, end, CANDIDATES, &work->nearest, error);
    PSB_THEN(status, psb_passes_stream(&work->passes, &nearest, first, end, error));
    PSB_THEN(status, take_nearest(work, error));
    PSB_THEN_IF(status, work->options->files != NULL, compare_models(work, error));
    if (status == PSB_OK && work->options->options.quantile > 0) {
        size_t known = work->options->known;
        status = known > 1 ? PSB_OK : find_threshold(work, known, work->n - known, error);
        if (status == PSB_OK) {
            judge_nearest(work);
            status = psb_passes_stream(&work->passes, &near, first, end, error);
        }
    }
    return status;
}

static psb_status pass_over_rows(job *work, const psb_npy *rows, size_t first,
                                 psb_status (*pass)(void *context, size_t first, size_t end,
                                                    psb_error *error),
                                 psb_memory_plan *plan, psb_error *error) {
    const psb_duplicates_job *o = work->options;
    work->passes = (psb_passes){.metric = o->metric,
                                .queries = rows,
                                .path = o->path,
                                .first = first,
                                .end = rows->rows,
                                .need = {.fixed = work->n * MODEL_BYTES},
                                .threads = o->threads,
                                .memory = o->options.memory,
                                .observer = &o->observer,
                                .plan = plan,
                                .pass = pass,
                                .context = work};
    return psb_passes_run(&work->passes, error);
}

/* The threshold is that of the models that were known, if there are any: it must not depend on how
 * many are added at a time, and how near those are. */
static psb_status compare_rows(job *work, psb_memory_plan *plan, psb_error *error) {
    const psb_duplicates_job *o = work->options;
    psb_npy known = *o->rows;
    known.rows = o->known;
    psb_status status = PSB_OK;
    if (o->known > 1 && o->options.quantile > 0) {
        status = pass_over_rows(work, &known, 0, nearest_pass, plan, error);
        PSB_THEN(status, find_threshold(work, 0, o->known, error));
    }
    return PSB_THEN(status,
                    pass_over_rows(work, o->rows, work->first_query, compare_pass, plan, error));
}

/* ---- the groups ------------------------------------------------------------------------ */

static double distance_of(const job *work, size_t a, size_t b) {
    const psb_npy *npy = work->options->rows;
    size_t bytes = npy->columns * psb_element_bytes(npy->element);
    const char *rows = npy->data;
    return work->options->metric->pair(rows + a * bytes, rows + b * bytes, npy->columns);
}

static int compare_strength(const void *a, const void *b) {
    const psb_duplicate *x = a, *y = b;
    int order = (int)x->evidence - (int)y->evidence;
    order = order != 0 ? order : (x->distance > y->distance) - (x->distance < y->distance);
    return order != 0 ? order : compare_numbers(x->model, y->model);
}

static int compare_place(const void *a, const void *b) {
    const psb_duplicate *x = a, *y = b;
    int order = compare_numbers(x->group, y->group);
    return order != 0 ? order : compare_numbers(x->model, y->model);
}

/* Numbers the groups in the order of their strongest members. */
static psb_status list_groups(job *work, psb_duplicates_found *out, psb_error *error) {
    psb_status status = PSB_OK;
    out->members = psb_new(&status, work->n, sizeof *out->members, "groups", error);
    if (status != PSB_OK) {
        return status;
    }
    for (size_t i = 0; i < work->n; i++) {
        work->first[i] = NO_GROUP;
        work->order[i] = 0; /* becomes 1 if the tree has a model that is asked about */
    }
    for (size_t i = work->options->known; i < work->n; i++) {
        work->order[root_of(work->group, i)] = 1;
    }
    for (size_t i = 0; i < work->n; i++) {
        psb_duplicate *found = &work->models[i].found;
        if (work->models[i].alike && work->order[root_of(work->group, i)] != 0) {
            found->distance = distance_of(work, i, found->like);
            out->members[out->count++] = *found;
        }
    }
    qsort(out->members, out->count, sizeof *out->members, compare_strength);
    for (size_t k = 0; k < out->count; k++) {
        size_t *group = &work->first[root_of(work->group, out->members[k].model)];
        *group = *group == NO_GROUP ? out->groups++ : *group;
        out->members[k].group = *group;
    }
    qsort(out->members, out->count, sizeof *out->members, compare_place);
    return PSB_OK;
}

static psb_status allocate(job *work, psb_error *error) {
    psb_status status = PSB_OK;
    work->models = psb_new_zero(&status, work->n, sizeof *work->models, "models", error);
    work->order = psb_new(&status, work->n, sizeof *work->order, "models", error);
    work->first = psb_new(&status, work->n + 1, sizeof *work->first, "models", error);
    work->candidate = psb_new(&status, work->n, sizeof *work->candidate, "models", error);
    work->group = psb_new(&status, work->n, sizeof *work->group, "models", error);
    for (size_t i = 0; i < work->n && status == PSB_OK; i++) {
        work->order[i] = work->candidate[i] = work->group[i] = i;
        work->models[i].wanted = i >= work->options->known;
    }
    return status;
}

static psb_status check(const psb_duplicates_job *o, psb_error *error) {
    psb_row_view rows = psb_npy_rows(o->rows);
    if (rows.n < 2 || rows.n > UINT32_MAX) {
        return psb_fail_at(error, PSB_ERROR_INPUT, o->path, 0, "%zu rows: want 2 to %lu", rows.n,
                           (unsigned long)UINT32_MAX);
    }
    return psb_within(o->path, psb_metric_check(o->metric, &rows, error), error);
}

psb_status psb_duplicates_find(const psb_duplicates_job *options, psb_duplicates_found *out,
                               psb_error *error) {
    *out = (psb_duplicates_found){.threshold = NAN};
    job work = {.options = options, .n = options->rows->rows};
    work.first_query = options->known - options->known % PSB_TILE;
    psb_status status = check(options, error);
    PSB_THEN(status, allocate(&work, error));
    if (status == PSB_OK && (options->options.quantile > 0 || options->known > 0)) {
        status = compare_rows(&work, &out->plan, error);
        out->threshold = options->options.quantile > 0 ? (double)work.threshold : NAN;
    } else if (status == PSB_OK && options->files != NULL) {
        status = compare_models(&work, error);
    }
    out->failures = work.stage.failures;
    PSB_THEN(status, list_groups(&work, out, error));
    psb_nearest_free(work.nearest);
    free(work.pairs);
    free(work.models);
    free(work.order);
    free(work.first);
    free(work.candidate);
    free(work.group);
    return status;
}

void psb_duplicates_free(psb_duplicates_found *out) {
    free(out->members);
    *out = (psb_duplicates_found){.count = 0};
}
