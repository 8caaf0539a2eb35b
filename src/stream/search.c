/*
 * Joins streamed distances with lists of the nearest, pass by pass. Where there are steps before
 * the metric, the stream is that of the first of them, and the lists it leaves are put in order,
 * and shortened, by the distances of the next, in the end by the metric's own.
 *
 * A slow metric with outlines is first asked for the rows whose outlines are nearest. The k-th of
 * their distances limits the query from its first tile on.
 */
#include "stream/search.h"

#include "core/element.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/names.h"
#include "eval/cohort.h"
#include "io/neighbors.h"
#include "stream/cohort_levels.h"
#include "stream/passes.h"

#include <float.h>
#include <string.h>

enum {
    NAME_BYTES = 64, /* of an id, a class and their place in memory, at most about */
    TOGETHER = 32,   /* candidates made ready at a time: they stay in a cache until compared */
    SEEDS = 2,       /* rows with the nearest outlines for each row that is asked for */
    SPARSE = 16,     /* no more of them than one row in so many */
};

typedef struct job {
    const psb_search_job *options;
    size_t *skip;            /* row of the database that a query leaves out, or PSB_NO_NAME */
    double *queries, *level; /* of the cohort: of the queries and of the database; or NULL */
    size_t k;
    psb_nearest *nearest; /* of the pass that begins with query `first` */
    size_t first;
    psb_output output;
    psb_neighbors_header header;
    /* All steps: the metric's own last. The passes are over the first one's rows. */
    psb_search_step steps[PSB_SEARCH_STEPS_MOST + 1];
    size_t nsteps, step; /* the one at work */
    psb_passes passes;
    size_t kept;         /* of a query by these */
    size_t seeds;        /* rows of a query that are compared first; 0: none */
    psb_npy outlines[2]; /* of queries and rows, where there are seeds */
} job;

static size_t longest_list(const job *work) {
    return work->seeds > work->kept ? work->seeds : work->kept;
}

static psb_status check_side(const psb_search_side *s, const psb_metric *metric, psb_error *error) {
    psb_row_view rows = psb_npy_rows(s->npy);
    return psb_within(s->path, psb_metric_check(metric, &rows, error), error);
}

static psb_status check_sides(const psb_search_job *o, const psb_search_side *q,
                              const psb_search_side *d, const psb_metric *metric,
                              psb_error *error) {
    psb_status status = check_side(q, metric, error);
    PSB_THEN(status, check_side(d, metric, error));
    if (status == PSB_OK && q->npy->columns != d->npy->columns) {
        status = psb_fail_at(error, PSB_ERROR_INPUT, q->path, 0,
                             "rows of %zu numbers, but those of %.200s have %zu", q->npy->columns,
                             d->path, d->npy->columns);
    }
    if (status == PSB_OK && o->self && q->npy->rows != d->npy->rows) {
        status = psb_fail_at(error, PSB_ERROR_INPUT, q->path, 0,
                             "%zu rows, but %.200s has %zu: they are not the same models",
                             q->npy->rows, d->path, d->npy->rows);
    }
    if (status == PSB_OK && d->npy->rows > UINT32_MAX) {
        status = psb_fail_at(error, PSB_ERROR_INPUT, d->path, 0, "more than %lu rows",
                             (unsigned long)UINT32_MAX);
    }
    return status;
}

/* A row of a step for each row, under its name where both have names. */
static psb_status check_step_side(const psb_search_side *rows, const psb_search_side *step,
                                  psb_error *error) {
    if (step->npy->rows != rows->npy->rows) {
        return psb_fail_at(error, PSB_ERROR_INPUT, step->path, 0,
                           "%zu signatures, but %.200s has %zu rows", step->npy->rows, rows->path,
                           rows->npy->rows);
    }
    bool named = step->names != NULL && rows->names != NULL;
    for (size_t i = 0; named && i < rows->npy->rows; i++) {
        if (strcmp(step->names[i], rows->names[i]) != 0) {
            return psb_fail_at(error, PSB_ERROR_INPUT, step->path, 0,
                               "row %zu is %.80s, but that of %.200s is %.80s", i, step->names[i],
                               rows->path, rows->names[i]);
        }
    }
    return PSB_OK;
}

static psb_status check(const psb_search_job *o, psb_error *error) {
    psb_status status = check_sides(o, &o->queries, &o->database, o->metric, error);
    for (size_t s = 0; s < o->nbefore && status == PSB_OK; s++) {
        const psb_search_step *step = &o->before[s];
        status = check_step_side(&o->queries, &step->queries, error);
        PSB_THEN(status, check_step_side(&o->database, &step->database, error));
        PSB_THEN(status, check_sides(o, &step->queries, &step->database, step->metric, error));
    }
    if (status == PSB_OK && o->reference.npy != NULL) {
        const psb_search_side *r = &o->reference;
        status = check_side(r, o->metric, error);
        if (status == PSB_OK && r->npy->columns != o->database.npy->columns) {
            status = psb_fail_at(error, PSB_ERROR_INPUT, r->path, 0,
                                 "rows of %zu numbers, but those of %.200s have %zu",
                                 r->npy->columns, o->database.path, o->database.npy->columns);
        }
    }
    return status;
}

/* Which row of the database a query leaves out: itself, as far as that is known. */
static psb_status find_selves(job *work, psb_error *error) {
    psb_status status = PSB_OK;
    const psb_search_side *q = &work->options->queries, *d = &work->options->database;
    size_t n = q->npy->rows;
    work->skip = psb_new(&status, n, sizeof *work->skip, "rows", error);
    psb_names names = {0};
    bool ids = q->names != NULL && d->names != NULL;
    if (ids) {
        PSB_THEN(status, psb_names_fill(&names, d->names, d->npy->rows, error));
    }
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        bool known = work->options->same || work->options->self;
        work->skip[i] = known ? i : ids ? psb_names_find(&names, q->names[i]) : PSB_NO_NAME;
    }
    psb_names_free(&names);
    return status;
}

/* Levels of the queries and of the database's rows, where there is a reference. */
static psb_status find_levels(job *work, psb_error *error) {
    const psb_search_job *o = work->options;
    psb_status status = PSB_OK;
    if (o->reference.npy == NULL) {
        return PSB_OK;
    }
    const psb_search_side *sides[] = {&o->queries, &o->database};
    const bool same[] = {o->same_queries, o->same_database};
    double **levels[] = {&work->queries, &work->level};
    for (int s = 0; s < 2 && status == PSB_OK; s++) {
        const psb_search_side *side = sides[s];
        const psb_cohort_member member = {o->metric, psb_npy_rows(side->npy),
                                          psb_npy_rows(o->reference.npy)};
        const psb_cohort cohort = {.path = o->reference.path,
                                   .members = &member,
                                   .count = 1,
                                   .names = o->reference.names != NULL ? side->names : NULL,
                                   .reference_names = o->reference.names,
                                   .same = same[s],
                                   .threads = o->threads};
        *levels[s] = psb_new(&status, side->npy->rows, sizeof(double), "a cohort", error);
        if (s == 1 && o->same && status == PSB_OK) {
            memcpy(work->level, work->queries, side->npy->rows * sizeof(double));
        } else {
            PSB_THEN(status,
                     psb_within(side->path, psb_cohort_levels(&cohort, *levels[s], error), error));
        }
    }
    return status;
}

/* Whether it is the metric's own distances that stream by, and there are levels. */
static bool is_divided(const job *work) {
    return work->level != NULL && work->nsteps == 1;
}

static void add(void *visitor, size_t query, size_t row, size_t n, const float *distances) {
    const job *work = visitor;
    psb_nearest_add(work->nearest, query, row, n, distances, work->skip[query]);
}

static void visit(void *visitor, const psb_strip *strip) {
    const job *work = visitor;
    bool divided = is_divided(work);
    psb_passes_take(strip, divided ? work->queries : NULL, divided ? work->level : NULL, add,
                    visitor);
}

static float limit(const void *visitor, size_t query) {
    return psb_nearest_limit(((const job *)visitor)->nearest, query);
}

static psb_status write_lists(job *work, size_t first, size_t end, psb_error *error) {
    psb_text lines = {0};
    psb_status status = PSB_OK;
    for (size_t q = first; q < end && status == PSB_OK; q++) {
        const uint64_t *keys;
        size_t count = psb_nearest_finish(work->nearest, q, &keys);
        for (size_t r = 0; r < count && r < work->k; r++) {
            psb_neighbors_add(&lines, &work->header, q, r + 1, psb_nearest_row(keys[r]),
                              psb_nearest_distance(keys[r]));
        }
        status = psb_neighbors_write(&work->output, &lines, error);
    }
    psb_text_free(&lines);
    return status;
}

/* ---- candidates -------------------------------------------------------------------------- */

/* What a thread works in: the query and so many candidates, made ready, and their distances. */
typedef struct bench {
    size_t most; /* candidates at a time */
    char *rows, *ready[2], *scratch;
    float *distances;
} bench;

static size_t bench_bytes(const job *work, const psb_search_step *step) {
    const psb_metric *metric = step->metric;
    size_t length = step->database.npy->columns, most = TOGETHER;
    return sizeof(bench) + 5 * 64 + most * length * psb_element_bytes(metric->element) +
           psb_block_bytes(metric, 1, length) + psb_block_bytes(metric, most, length) +
           psb_tile_scratch(metric, most, length) +
           (longest_list(work) + metric->most_rows) * sizeof(float);
}

static char *cut(char **memory, size_t bytes) {
    char *piece = *memory;
    *memory += psb_whole_lines(bytes);
    return piece;
}

static bench lay_out(const job *work, void *own) {
    const psb_metric *metric = work->steps[work->step].metric;
    size_t length = work->steps[work->step].database.npy->columns;
    char *memory = own;
    bench b = {.most = TOGETHER};
    b.rows = cut(&memory, b.most * length * psb_element_bytes(metric->element));
    b.ready[0] = cut(&memory, psb_block_bytes(metric, 1, length));
    b.ready[1] = cut(&memory, psb_block_bytes(metric, b.most, length));
    b.scratch = cut(&memory, psb_tile_scratch(metric, b.most, length));
    b.distances = (float *)(void *)cut(&memory, longest_list(work) * sizeof(float));
    return b;
}

static psb_status order_query(void *context, void *own, size_t i, psb_error *error) {
    const job *work = context;
    const psb_search_step *step = &work->steps[work->step];
    const psb_metric *metric = step->metric;
    bench b = lay_out(work, own);
    size_t query = work->first + i, most = step[-1].candidates;
    psb_row_view queries = psb_npy_rows(step->queries.npy), row = psb_rows_part(&queries, query, 1);
    psb_row_view database = psb_npy_rows(step->database.npy);
    size_t bytes = database.length * psb_element_bytes(database.element);
    psb_block left = psb_block_prepare(metric, &row, b.ready[0]);
    const uint64_t *keys;
    size_t found = psb_nearest_finish(work->nearest, query, &keys);
    size_t count = found < most ? found : most;
    for (size_t first = 0; first < count; first += b.most) {
        size_t n = count - first < b.most ? count - first : b.most;
        for (size_t r = 0; r < n; r++) {
            size_t at = psb_nearest_row(keys[first + r]);
            memcpy(b.rows + r * bytes, (const char *)database.data + at * bytes, bytes);
        }
        psb_row_view rows = {b.rows, n, database.length, database.element};
        psb_block right = psb_block_prepare(metric, &rows, b.ready[1]);
        metric->tile(&left, &right, false, b.scratch, b.distances + first, n);
    }
    for (size_t r = 0; r < count; r++) {
        if (!(b.distances[r] >= 0 && b.distances[r] <= FLT_MAX)) {
            return psb_fail_at(error, PSB_ERROR_INPUT, step->queries.path, 0,
                               "row %zu, column %zu is %g: a distance is finite and not negative",
                               query, psb_nearest_row(keys[r]), (double)b.distances[r]);
        }
        if (work->level != NULL && work->step + 1 == work->nsteps) {
            psb_cohort_divide(&b.distances[r], 1, work->queries[query],
                              &work->level[psb_nearest_row(keys[r])], &b.distances[r]);
        }
    }
    psb_nearest_replace(work->nearest, query, b.distances, count);
    return PSB_OK;
}

static psb_status order_candidates(job *work, size_t first, size_t end, psb_error *error) {
    psb_stage stage = {.observer = &work->options->observer, .name = "candidates"};
    psb_loop loop = {.count = end - first,
                     .threads = work->options->threads,
                     .bytes = bench_bytes(work, &work->steps[work->step]),
                     .name = "candidates",
                     .item = order_query,
                     .job = work,
                     .progress = psb_stage_progress,
                     .context = &stage};
    work->first = first;
    return psb_parallel(&loop, error);
}

/* ---- seeds ------------------------------------------------------------------------------ */

static psb_status make_outlines(job *work, psb_error *error) {
    const psb_metric *metric = work->options->metric;
    const psb_npy *sides[] = {work->options->queries.npy, work->options->database.npy};
    size_t length = metric->outline_length;
    psb_status status = PSB_OK;
    for (int side = 0; side < (work->passes.rows != NULL ? 2 : 1) && status == PSB_OK; side++) {
        psb_row_view rows = psb_npy_rows(sides[side]);
        size_t bytes = rows.length * psb_element_bytes(rows.element);
        float *out = psb_new(&status, rows.n, length * sizeof *out, "outlines", error);
        for (size_t i = 0; i < rows.n && status == PSB_OK; i++) {
            metric->outline((const char *)rows.data + i * bytes, out + i * length);
        }
        work->outlines[side] = (psb_npy){.data = out,
                                         .rows = rows.n,
                                         .columns = length,
                                         .element = PSB_FLOAT32,
                                         .converted = out};
    }
    return status;
}

/* limits[i]: of query first + i, by the distances of its seeds. */
static psb_status find_limits(job *work, size_t first, size_t end, float *limits,
                              psb_error *error) {
    const psb_streaming near = {.name = "outlines", .visit = visit, .limit = limit};
    psb_passes passes = work->passes;
    passes.metric = &psb_l1;
    passes.queries = &work->outlines[0];
    passes.rows = work->passes.rows != NULL ? &work->outlines[1] : NULL;
    psb_search_step own = work->steps[0];
    psb_status status = psb_nearest_new(first, end, work->seeds, &work->nearest, error);
    PSB_THEN(status, psb_passes_stream(&passes, &near, first, end, error));
    work->steps[0].candidates = work->seeds;
    work->steps[1] = own;
    work->step = 1;
    PSB_THEN(status, order_candidates(work, first, end, error));
    for (size_t q = first; q < end && status == PSB_OK; q++) {
        const uint64_t *keys;
        size_t count = psb_nearest_finish(work->nearest, q, &keys);
        limits[q - first] =
            count < work->kept ? FLT_MAX : psb_nearest_distance(keys[work->kept - 1]);
    }
    work->steps[0] = own;
    psb_nearest_free(work->nearest);
    work->nearest = NULL;
    return status;
}

static psb_status begin_lists(job *work, size_t first, size_t end, psb_error *error) {
    psb_status status = PSB_OK;
    float *limits = NULL;
    if (work->seeds > 0) {
        limits = psb_new(&status, end - first, sizeof *limits, "limits", error);
        PSB_THEN(status, find_limits(work, first, end, limits, error));
    }
    PSB_THEN(status, psb_nearest_new(first, end, work->kept, &work->nearest, error));
    for (size_t q = first; q < end && limits != NULL && status == PSB_OK; q++) {
        psb_nearest_begin_at(work->nearest, q, limits[q - first]);
    }
    free(limits);
    return status;
}

static psb_status run_pass(void *context, size_t first, size_t end, psb_error *error) {
    job *work = context;
    /* A limit is one of what was divided, and no bound of what streams by. */
    const psb_streaming search = {
        .name = "search", .visit = visit, .limit = is_divided(work) ? NULL : limit};
    psb_status status = begin_lists(work, first, end, error);
    PSB_THEN(status, psb_passes_stream(&work->passes, &search, first, end, error));
    for (work->step = 1; work->step < work->nsteps && status == PSB_OK; work->step++) {
        status = order_candidates(work, first, end, error);
    }
    PSB_THEN(status, write_lists(work, first, end, error));
    psb_nearest_free(work->nearest);
    return status;
}

static size_t query_bytes(const void *context, size_t query) {
    (void)query;
    const job *work = context;
    return psb_nearest_bytes(longest_list(work)) + (work->seeds > 0 ? sizeof(float) : 0);
}

/* Over the rows of the first step. */
static void plan_passes(job *work, psb_memory_plan *plan) {
    const psb_search_job *o = work->options;
    size_t n = o->queries.npy->rows, rows = o->database.npy->rows;
    size_t named = (o->queries.names != NULL ? n : 0) + (o->database.names != NULL ? rows : 0);
    size_t most = 0, levels = work->level != NULL ? n + rows : 0;
    work->nsteps = o->nbefore + 1;
    memcpy(work->steps, o->before, o->nbefore * sizeof *o->before);
    work->steps[o->nbefore] = (psb_search_step){o->queries, o->database, o->metric, o->k};
    const psb_search_step *streamed = &work->steps[0];
    work->k = o->k < rows ? o->k : rows;
    work->kept = streamed->candidates < rows ? streamed->candidates : rows;
    bool seeded = o->metric->outline != NULL && work->nsteps == 1 && levels == 0 &&
                  SEEDS * SPARSE * work->kept <= rows;
    work->seeds = seeded ? SEEDS * work->kept : 0;
    size_t outlines = seeded ? o->metric->outline_length * sizeof(float) : 0;
    for (size_t s = seeded ? 0 : 1; s < work->nsteps; s++) {
        size_t bytes = bench_bytes(work, &work->steps[s]);
        most = bytes > most ? bytes : most;
    }
    size_t first, end;
    bool limited = !is_divided(work);
    psb_query_range(&o->part, n, &first, &end);
    work->passes = (psb_passes){
        .metric = limited ? psb_metric_limited(streamed->metric, streamed->database.npy->columns)
                          : streamed->metric,
        .queries = streamed->queries.npy,
        .rows = o->same && end - first == n ? NULL : streamed->database.npy,
        .path = streamed->queries.path,
        .first = first,
        .end = end,
        .need = {n * sizeof *work->skip + levels * sizeof *work->level + named * NAME_BYTES +
                     (n + rows) * outlines + (size_t)o->threads * most,
                 query_bytes, work},
        .threads = o->threads,
        .memory = o->memory,
        .observer = &o->observer,
        .plan = plan,
        .pass = run_pass,
        .context = work};
}

psb_status psb_search_lists(const psb_search_job *options, const char *output,
                            psb_memory_plan *plan, psb_error *error) {
    job work = {.options = options};
    psb_status status = check(options, error);
    PSB_THEN(status, find_selves(&work, error));
    PSB_THEN(status, find_levels(&work, error));
    PSB_THEN(status, psb_output_open(output, &work.output, error));
    if (status == PSB_OK) {
        plan_passes(&work, plan);
        work.header = (psb_neighbors_header){options->k,
                                             options->metric->name,
                                             options->queries.npy->rows,
                                             options->database.npy->rows,
                                             options->queries.names,
                                             options->database.names};
        psb_neighbors_write_head(&work.output, &work.header);
        status = work.seeds > 0 ? make_outlines(&work, error) : PSB_OK;
        PSB_THEN(status, psb_passes_run(&work.passes, error));
    }
    PSB_THEN(status, psb_output_commit(&work.output, error));
    psb_output_discard(&work.output);
    free(work.outlines[0].converted);
    free(work.outlines[1].converted);
    free(work.skip);
    free(work.queries);
    free(work.level);
    return status;
}
