/* Computes the matrix of all pairs by a visitor of the stream that keeps all distances. */
#include "distance/stream.h"

#include <string.h>

/* Prepared rows are kept up to this many bytes; above, they are prepared again for each tile. */
static const size_t most_kept = (size_t)32 << 20;

/* Lines of n distances; the first is of query `first`. */
typedef struct matrix {
    float *out;
    size_t first, n;
} matrix;

static void store(void *visitor, const psb_strip *strip) {
    const matrix *m = visitor;
    for (size_t i = 0; i < strip->nqueries; i++) {
        memcpy(m->out + (strip->first_query + i - m->first) * m->n + strip->first_row,
               strip->distances + i * strip->nrows, strip->nrows * sizeof *m->out);
    }
}

psb_status psb_distance_matrix(const psb_metric *metric, const psb_row_view *rows, int threads,
                               float *out, psb_progress *progress, void *context,
                               psb_error *error) {
    return psb_distance_between(metric, rows, rows, threads, out, progress, context, error);
}

psb_status psb_distance_between(const psb_metric *metric, const psb_row_view *queries,
                                const psb_row_view *rows, int threads, float *out,
                                psb_progress *progress, void *context, psb_error *error) {
    return psb_distance_lines(metric, queries, rows, 0, queries->n, threads, out, progress, context,
                              error);
}

psb_status psb_distance_lines(const psb_metric *metric, const psb_row_view *queries,
                              const psb_row_view *rows, size_t first, size_t end, int threads,
                              float *out, psb_progress *progress, void *context, psb_error *error) {
    matrix lines = {out, first, rows->n};
    psb_stream stream = {
        .metric = metric,
        .queries = *queries,
        .rows = *rows,
        .same = queries == rows,
        .first = first,
        .end = end,
        .block = PSB_TILE,
        .keep = psb_stream_kept(metric, rows->n, rows->length, PSB_TILE) <= most_kept,
        .threads = threads,
        .visit = store,
        .visitor = &lines,
        .progress = progress,
        .context = context,
    };
    return psb_stream_run(&stream, error);
}
