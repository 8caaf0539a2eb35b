/* Joins streamed distances with lists of the nearest, pass by pass. */
#include "pipeline/search.h"

#include "core/names.h"
#include "eval/nearest.h"
#include "io/neighbors.h"

enum { NAME_BYTES = 64 }; /* of an id, a class and their place in memory, at most about */

typedef struct job {
    const psb_search_job *options;
    size_t *skip; /* row of the database that a query leaves out, or PSB_NO_NAME */
    size_t k;
    psb_memory_plan *plan;
    psb_nearest *nearest;
    psb_output output;
    psb_neighbors_header header;
} job;

static psb_row_view rows_of(const psb_search_side *s) {
    return (psb_row_view){s->npy->data, s->npy->rows, s->npy->columns, s->npy->element};
}

static psb_status check_side(const psb_search_side *s, const psb_metric *metric, psb_error *error) {
    psb_row_view rows = rows_of(s);
    return psb_within(s->path, psb_metric_check(metric, &rows, error), error);
}

static psb_status check_sides(const psb_search_job *o, psb_error *error) {
    const psb_search_side *q = &o->queries, *d = &o->database;
    psb_status status = check_side(q, o->metric, error);
    PSB_THEN(status, check_side(d, o->metric, error));
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

static void visit(void *visitor, const psb_strip *strip) {
    const job *work = visitor;
    for (size_t i = 0; i < strip->nqueries; i++) {
        size_t query = strip->first_query + i;
        psb_nearest_add(work->nearest, query, strip->first_row, strip->nrows,
                        strip->distances + i * strip->nrows, work->skip[query]);
    }
}

static float limit(const void *visitor, size_t query) {
    return psb_nearest_limit(((const job *)visitor)->nearest, query);
}

static void write_lists(job *work, size_t first, size_t end) {
    for (size_t q = first; q < end; q++) {
        const uint64_t *keys;
        size_t count = psb_nearest_finish(work->nearest, q, &keys);
        for (size_t r = 0; r < count; r++) {
            psb_neighbors_write(&work->output, &work->header, q, r + 1, psb_nearest_row(keys[r]),
                                psb_nearest_distance(keys[r]));
        }
    }
}

static psb_status run_pass(job *work, size_t first, size_t end, psb_error *error) {
    const psb_search_job *o = work->options;
    psb_status status = psb_nearest_new(first, end, work->k, &work->nearest, error);
    if (status != PSB_OK) {
        return status;
    }
    psb_stage stage = {.observer = &o->observer, .name = "search"};
    bool converted = o->queries.npy->converted != NULL || o->database.npy->converted != NULL;
    psb_stream s = {.metric = o->metric,
                    .queries = rows_of(&o->queries),
                    .rows = rows_of(&o->database),
                    .same = o->same,
                    .first = first,
                    .end = end,
                    .block = work->plan->block,
                    .keep = work->plan->keep,
                    .threads = o->threads,
                    .release = work->plan->release && !converted,
                    .visit = visit,
                    .limit = limit,
                    .visitor = work,
                    .progress = psb_stage_progress,
                    .context = &stage};
    status = psb_stream_run(&s, error);
    if (status == PSB_OK) {
        write_lists(work, first, end);
    } else if (status == PSB_ERROR_INPUT) {
        psb_within(o->queries.path, status, error);
    }
    psb_nearest_free(work->nearest);
    return status;
}

static size_t query_bytes(const void *context, size_t query) {
    (void)query;
    return psb_nearest_bytes(((const job *)context)->k);
}

static psb_status run_passes(job *work, psb_error *error) {
    const psb_search_job *o = work->options;
    size_t n = o->queries.npy->rows;
    size_t named = (o->queries.names != NULL ? n : 0) +
                   (o->database.names != NULL ? o->database.npy->rows : 0);
    psb_memory_need need = {n * sizeof *work->skip + named * NAME_BYTES, query_bytes, work};
    psb_status status =
        psb_memory_plan_make(o->metric, o->queries.npy, o->same ? NULL : o->database.npy, &need,
                             o->threads, o->memory, work->plan, error);
    size_t first, behind;
    psb_query_range(&o->part, n, &first, &behind);
    if (status == PSB_OK) {
        psb_memory_plan_begin_at(work->plan, first);
    }
    for (size_t q = first; q < behind && status == PSB_OK;) {
        size_t end = psb_memory_plan_pass(work->plan, &need, behind, q);
        status = run_pass(work, q, end, error);
        q = end;
    }
    return status;
}

psb_status psb_search_lists(const psb_search_job *options, const char *output,
                            psb_memory_plan *plan, psb_error *error) {
    job work = {.options = options, .plan = plan};
    psb_status status = check_sides(options, error);
    PSB_THEN(status, find_selves(&work, error));
    PSB_THEN(status, psb_output_open(output, &work.output, error));
    if (status == PSB_OK) {
        size_t rows = options->database.npy->rows;
        work.k = options->k < rows ? options->k : rows;
        work.header =
            (psb_neighbors_header){options->k, options->metric->name,  options->queries.npy->rows,
                                   rows,       options->queries.names, options->database.names};
        psb_neighbors_write_head(&work.output, &work.header);
        status = run_passes(&work, error);
    }
    PSB_THEN(status, psb_output_commit(&work.output, error));
    psb_output_discard(&work.output);
    free(work.skip);
    return status;
}
