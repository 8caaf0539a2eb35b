/* Search between rows of files or of memory. */
#include "stream/search.h"

#include "core/linear.h"
#include "library/parts.h"

enum { NEIGHBORS = 100, CANDIDATES = 200 };
static const size_t preset_memory = (size_t)2 << 30;

static bool are_same(const psb_rows *a, const psb_rows *b) {
    bool files = a != b && a->path != NULL && b->path != NULL;
    return a == b || (files && psb_is_same_file(a->path, b->path));
}

static psb_search_side side_of(const psb_rows *rows, const psb_rows *mapped) {
    return (psb_search_side){psb_rows_place(rows), &mapped->npy, rows->ids.names};
}

psb_status psb_search(psb_context *psb, const psb_rows *queries, const psb_rows *database,
                      const psb_search_options *options, const char *path, psb_error *error) {
    static const psb_search_options presets;
    const psb_search_options *o = options != NULL ? options : &presets;
    const psb_rows *short_queries = o->query_signatures, *signatures = o->signatures;
    if ((short_queries == NULL) != (signatures == NULL)) {
        return psb_misuse(error, "signatures are of the queries and of the database");
    }
    bool same = are_same(queries, database), by_signature = signatures != NULL;
    psb_search_job job = {
        .queries = side_of(queries, queries),
        .database = side_of(database, same ? queries : database),
        .same = same && (!by_signature || are_same(short_queries, signatures)),
        .self = same || o->self,
        .k = o->neighbors > 0 ? o->neighbors : NEIGHBORS,
        .part = {o->part, o->parts},
        .memory = o->memory > 0 ? o->memory : preset_memory,
        .threads = psb->threads,
        .observer = psb->observer,
    };
    if (o->parts > 0 && o->part >= o->parts) {
        return psb_misuse(error, "a part is one of `parts`");
    }
    if (by_signature) {
        job.candidates = o->candidates > 0 ? o->candidates : CANDIDATES;
        job.query_signatures = side_of(short_queries, short_queries);
        job.signatures = side_of(signatures, job.same ? short_queries : signatures);
    }
    psb_memory_plan plan;
    psb_status status = psb_metric_named(psb, o->metric, queries->metric, &job.metric, error);
    PSB_THEN(status, psb_rows_check_alike(queries, database, error));
    if (by_signature) {
        PSB_THEN(status, psb_rows_check_alike(short_queries, signatures, error));
    }
    PSB_THEN(status, psb_linear_enter(error));
    if (status == PSB_OK) {
        status = psb_search_lists(&job, path, &plan, error);
        psb_linear_leave();
    }
    if (status == PSB_OK) {
        psb_memory_plan_say(&plan, &psb->observer);
    }
    return status;
}
