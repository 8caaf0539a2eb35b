/* Makes the plan, loops over groups of queries, and opens a stream for each group. */
#include "stream/passes.h"

#include "eval/cohort.h"

psb_status psb_passes_run(const psb_passes *p, psb_error *error) {
    psb_status status = psb_memory_plan_make(p->metric, p->queries, p->rows, &p->need, p->threads,
                                             p->memory, p->plan, error);
    for (size_t q = p->first; q < p->end && status == PSB_OK;) {
        size_t next = psb_memory_plan_pass(p->plan, &p->need, p->end, q);
        status = p->pass(p->context, q, next, error);
        q = next;
    }
    return status;
}

psb_status psb_passes_stream(const psb_passes *p, const psb_streaming *streaming, size_t first,
                             size_t end, psb_error *error) {
    const psb_npy *rows = p->rows != NULL ? p->rows : p->queries;
    bool mapped = p->queries->converted == NULL && rows->converted == NULL;
    psb_stage stage = {.observer = p->observer, .name = streaming->name};
    psb_stream s = {.metric = p->metric,
                    .queries = psb_npy_rows(p->queries),
                    .rows = psb_npy_rows(rows),
                    .same = p->rows == NULL,
                    .first = first,
                    .end = end,
                    .block = streaming->wanted != NULL ? PSB_TILE : p->plan->block,
                    .keep = p->plan->keep && streaming->wanted == NULL,
                    .threads = p->threads,
                    .release = p->plan->release && mapped,
                    .wanted = streaming->wanted,
                    .visit = streaming->visit,
                    .limit = streaming->limit,
                    .visitor = p->context,
                    .progress = psb_stage_progress,
                    .context = &stage};
    psb_status status = psb_stream_run(&s, error);
    return status == PSB_ERROR_INPUT || status == PSB_ERROR_USAGE
               ? psb_within(p->path, status, error)
               : status; /* else the rows are not to blame */
}

void psb_passes_take(const psb_strip *strip, const double *queries, const double *rows,
                     void (*take)(void *visitor, size_t query, size_t row, size_t n,
                                  const float *distances),
                     void *visitor) {
    enum { SOME = 256 };
    float divided[SOME];
    for (size_t i = 0; i < strip->nqueries; i++) {
        size_t query = strip->first_query + i, step = rows != NULL ? SOME : strip->nrows;
        const float *distances = strip->distances + i * strip->nrows;
        for (size_t j = 0; j < strip->nrows; j += step) {
            size_t row = strip->first_row + j;
            size_t n = strip->nrows - j < step ? strip->nrows - j : step;
            if (rows != NULL) {
                psb_cohort_divide(distances + j, n, queries[query], rows + row, divided);
            }
            take(visitor, query, row, n, rows != NULL ? divided : distances + j);
        }
    }
}

void psb_passes_keep_nearest(const psb_passes *p, const psb_strip *strip, psb_nearest *nearest) {
    for (size_t i = 0; i < strip->nqueries; i++) {
        size_t query = strip->first_query + i;
        psb_nearest_add(nearest, query, strip->first_row, strip->nrows,
                        strip->distances + i * strip->nrows, p->rows == NULL ? query : SIZE_MAX);
    }
}
