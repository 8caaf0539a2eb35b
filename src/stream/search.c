/*
 * Joins streamed distances with lists of the nearest, pass by pass. Where there are steps before
 * the metric, the stream is that of the first of them, and the lists it leaves are put in order,
 * and shortened, by the distances of the next, in the end by the metric's own.
 */
#include "stream/search.h"

#include "core/element.h"
#include "core/names.h"
#include "eval/cohort.h"
#include "io/neighbors.h"
#include "stream/candidates.h"
#include "stream/cohort_levels.h"

#include <float.h>

enum {
    NAME_BYTES = 64, /* of an id, a class and their place in memory, at most about */
};

typedef struct job {
    const psb_search_job *options;
    size_t *skip;            /* row of the database that a query leaves out, or PSB_NO_NAME */
    double *queries, *level; /* of the cohort: of the queries and of the database; or NULL */
    size_t k;
    psb_nearest *nearest; /* of the pass at work */
    psb_output output;
    psb_neighbors_header header;
    /* All steps: the metric's own last. The passes are over the first one's rows. */
    psb_search_step steps[PSB_SEARCH_STEPS_MOST + 1];
    size_t nsteps, step; /* the one at work */
    psb_passes passes;
    size_t kept; /* of a query by these */
    psb_seeds seeds;
} job;

static psb_status check_side(const psb_search_side *s, const psb_metric *metric, psb_error *error) {
    psb_row_view rows = psb_npy_rows(s->npy);
    return psb_within(s->path, psb_metric_check(metric, &rows, error), error);
}

static psb_status check_sides(const psb_search_job *o, const psb_search_side *q,
                              const psb_search_side *d, const psb_metric *metric,
                              psb_error *error) {
    psb_status status = check_side(q, metric, error);
    PSB_THEN(status, check_side(d, metric, error));
    PSB_THEN(status, psb_npy_check_alike(q->path, q->npy, d->path, d->npy, error));
    PSB_THEN_IF(status, o->self && q->npy->rows != d->npy->rows,
                psb_fail_at(error, PSB_ERROR_INPUT, q->path, 0,
                            "%zu rows, but %.200s has %zu: they are not the same models",
                            q->npy->rows, d->path, d->npy->rows));
    return PSB_THEN_IF(status, d->npy->rows > UINT32_MAX,
                       psb_fail_at(error, PSB_ERROR_INPUT, d->path, 0, "more than %lu rows",
                                   (unsigned long)UINT32_MAX));
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
        PSB_THEN(status,
                 psb_npy_check_alike(r->path, r->npy, o->database.path, o->database.npy, error));
    }
    return status;
}

/* Which row of the database a query leaves out: itself, as far as that is known. */
static psb_status find_selves(job *work, psb_error *error) {
    psb_status status = PSB_OK;
    const psb_search_side *q = &work->options->queries, *d = &work->options->database;
    size_t n = q->npy->rows;
    work->skip = psb_new(&status, n, sizeof *work->skip, "rows", error);
    PSB_AT_END(psb_names_free) psb_names names = {0};
    bool ids = q->names != NULL && d->names != NULL;
    PSB_THEN_IF(status, ids, psb_names_fill(&names, d->names, d->npy->rows, error));
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        bool known = work->options->same || work->options->self;
        work->skip[i] = known ? i : ids ? psb_names_find(&names, q->names[i]) : PSB_NO_NAME;
    }
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
    PSB_AT_END(psb_text_free) psb_text lines = {0};
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
    return status;
}

/* ---- candidates -------------------------------------------------------------------------- */

/* By the step at work, those that the one before it left. */
static psb_status order_candidates(const job *work, size_t first, size_t end, psb_error *error) {
    const psb_search_step *step = &work->steps[work->step];
    bool divided = work->level != NULL && work->step + 1 == work->nsteps;
    const psb_candidates candidates = {
        .metric = step->metric,
        .queries = psb_npy_rows(step->queries.npy),
        .rows = psb_npy_rows(step->database.npy),
        .path = step->queries.path,
        .nearest = work->nearest,
        .most = step[-1].candidates,
        .levels = {divided ? work->queries : NULL, divided ? work->level : NULL},
        .threads = work->options->threads,
        .observer = &work->options->observer};
    return psb_candidates_order(&candidates, first, end, error);
}

static psb_status run_pass(void *context, size_t first, size_t end, psb_error *error) {
    job *work = context;
    /* A limit is one of what was divided, and no bound of what streams by. */
    const psb_streaming search = {
        .name = "search", .visit = visit, .limit = is_divided(work) ? NULL : limit};
    psb_status status = psb_seeds_begin(&work->seeds, &work->passes, work->skip, work->kept, first,
                                        end, &work->nearest, error);
    PSB_THEN(status, psb_passes_stream(&work->passes, &search, first, end, error));
    for (work->step = 1; work->step < work->nsteps && status == PSB_OK; work->step++) {
        status = order_candidates(work, first, end, error);
    }
    PSB_THEN(status, write_lists(work, first, end, error));
    psb_nearest_free(work->nearest);
    return status;
}

static size_t query_bytes(const void *context, size_t query PSB_UNUSED) {
    const job *work = context;
    return psb_seeds_query_bytes(&work->seeds, work->kept);
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
    if (work->nsteps == 1 && levels == 0) {
        work->seeds = psb_seeds_plan(o->metric, work->kept, rows);
    }
    for (size_t s = 1; s < work->nsteps; s++) {
        const psb_search_step *step = &work->steps[s];
        size_t bytes = psb_candidates_bytes(step->metric, step->database.npy->columns, work->kept);
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
                     psb_seeds_bytes(&work->seeds, o->metric, o->database.npy->columns, n + rows,
                                     o->threads) +
                     (size_t)o->threads * most,
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
        status = psb_seeds_make(&work.seeds, &work.passes, error);
        PSB_THEN(status, psb_passes_run(&work.passes, error));
    }
    PSB_THEN(status, psb_output_commit(&work.output, error));
    psb_output_discard(&work.output);
    psb_seeds_free(&work.seeds);
    free(work.skip);
    free(work.queries);
    free(work.level);
    return status;
}
