/* Searches between rows of files or of memory. */
#include "stream/search.h"

#include "library/call.h"
#include "library/parts.h"

enum { NEIGHBORS = 100, CANDIDATES = 200 };
static const size_t default_memory = (size_t)2 << 30;

static bool are_same(const psb_rows *a, const psb_rows *b) {
    bool files = a != b && a->path != NULL && b->path != NULL;
    return a == b || (files && psb_is_same_file(a->path, b->path));
}

static psb_search_side side_of(const psb_rows *rows, const psb_rows *mapped) {
    return (psb_search_side){psb_rows_place(rows), &mapped->npy, rows->ids.names};
}

static psb_status add_stage(const psb_context *psb, const psb_search_stage *stage,
                            psb_search_job *job, size_t s, psb_error *error) {
    const psb_rows *queries = stage->queries, *database = stage->database;
    job->before[s] = (psb_search_step){
        .queries = side_of(queries, queries),
        .database = side_of(database, job->same ? queries : database),
        .candidates = stage->candidates > 0 ? stage->candidates : CANDIDATES,
    };
    psb_status status =
        psb_rows_metric(psb, queries, database, stage->metric, &job->before[s].metric, error);
    return PSB_THEN(status, psb_rows_check_alike(queries, database, error));
}

psb_status psb_search(psb_context *psb, const psb_rows *queries, const psb_rows *database,
                      const psb_search_options *options, const char *path, psb_error *error) {
    static const psb_search_options defaults;
    const psb_search_options *o = options != NULL ? options : &defaults;
    if (o->nstages > PSB_SEARCH_STEPS_MOST || (o->nstages > 0 && o->stages == NULL)) {
        return psb_misuse(error, "a search has at most 8 stages before the metric");
    }
    bool same = are_same(queries, database), all_same = same;
    for (size_t s = 0; s < o->nstages; s++) {
        const psb_search_stage *stage = &o->stages[s];
        if (stage->queries == NULL || stage->database == NULL) {
            return psb_misuse(error, "stages have rows of the queries and of the database");
        }
        all_same = all_same && are_same(stage->queries, stage->database);
    }
    psb_search_job job = {
        .queries = side_of(queries, queries),
        .database = side_of(database, same ? queries : database),
        .same = all_same,
        .nbefore = o->nstages,
        .self = same || o->self,
        .k = o->neighbors > 0 ? o->neighbors : NEIGHBORS,
        .part = {o->part, o->parts},
        .memory = o->memory > 0 ? o->memory : default_memory,
        .threads = psb->threads,
        .observer = psb->observer,
    };
    if (o->parts > 0 && o->part >= o->parts) {
        return psb_misuse(error, "a part is one of `parts`");
    }
    psb_memory_plan plan;
    psb_rows *reference = NULL;
    psb_npy sides[2] = {{0}};
    psb_status status = psb_rows_metric(psb, queries, database, o->metric, &job.metric, error);
    PSB_THEN(status, psb_rows_fit(queries, job.metric, &sides[0], error));
    PSB_THEN(status, same ? PSB_OK : psb_rows_fit(database, job.metric, &sides[1], error));
    job.queries.npy = &sides[0];
    job.database.npy = &sides[!same];
    PSB_THEN(status, psb_rows_check_alike(queries, database, error));
    for (size_t s = 0; s < o->nstages && status == PSB_OK; s++) {
        status = add_stage(psb, &o->stages[s], &job, s, error);
    }
    PSB_THEN_IF(status, o->reference != NULL,
                psb_rows_of_reference(psb, o->reference, database->path, &reference, error));
    if (reference != NULL) {
        status =
            psb_within(reference->path, psb_metric_fit(job.metric, &reference->npy, error), error);
        job.reference = side_of(reference, reference);
        job.same_queries = are_same(queries, reference);
        job.same_database = are_same(database, reference);
    }
    PSB_AT_END(psb_call_end) psb_call call = {0};
    PSB_THEN(status, psb_call_begin(&call, &psb->observer, error));
    PSB_THEN(status, psb_search_lists(&job, path, &plan, error));
    if (status == PSB_OK) {
        psb_memory_plan_say(&plan, &psb->observer);
    }
    psb_rows_free(reference);
    psb_npy_close(&sides[0]);
    psb_npy_close(&sides[1]);
    return status;
}
