/* Joins streamed distances with counted ranks, pass by pass. */
#include "stream/feature_ranks.h"

#include "eval/rank_count.h"
#include "stream/passes.h"

#include <stdio.h>

typedef struct job {
    const psb_measuring *of;
    psb_passes passes;
    double *values;        /* of the queries asked for */
    psb_rank_count *ranks; /* of the pass that begins with query `first` */
    size_t first;
} job;

psb_status psb_feature_set_open(const char *path, size_t n, const psb_metric *metric,
                                psb_feature_set *set, psb_error *error) {
    *set = (psb_feature_set){.path = path, .metric = metric};
    psb_status status = psb_npy_read(path, &set->npy, error);
    PSB_THEN(status, psb_npy_check_models(path, &set->npy, n, error));
    PSB_THEN(status, psb_within(path, psb_metric_fit(metric, &set->npy, error), error));
    if (status != PSB_OK) {
        psb_feature_set_close(set);
    }
    return status;
}

void psb_feature_set_close(psb_feature_set *set) {
    psb_npy_close(&set->npy);
    free(set->level);
    set->level = NULL;
}

static bool related(const void *visitor, size_t first_query, size_t nqueries, size_t first_row,
                    size_t nrows) {
    const job *work = visitor;
    return psb_rank_count_related(work->ranks, first_query, nqueries, first_row, nrows);
}

static void keep_some(void *visitor, size_t query, size_t row, size_t n, const float *distances) {
    psb_rank_count_keep(((const job *)visitor)->ranks, query, row, n, distances);
}

static void add_some(void *visitor, size_t query, size_t row, size_t n, const float *distances) {
    const job *work = visitor;
    const psb_watcher *watcher = work->of->watcher;
    psb_rank_count_add(work->ranks, query, row, n, distances);
    if (watcher != NULL) {
        watcher->distances(watcher->context, query, row, n, distances);
    }
}

static void keep(void *visitor, const psb_strip *strip) {
    const double *level = ((const job *)visitor)->of->set->level;
    psb_passes_take(strip, level, level, keep_some, visitor);
}

static void add(void *visitor, const psb_strip *strip) {
    const double *level = ((const job *)visitor)->of->set->level;
    psb_passes_take(strip, level, level, add_some, visitor);
}

static float limit(const void *visitor, size_t query) {
    return psb_rank_count_limit(((const job *)visitor)->ranks, query);
}

/* The distances within classes lie along the diagonal, where small tiles hold less besides. */
static psb_status stream(job *work, size_t first, size_t end, bool within, psb_error *error) {
    char name[100];
    snprintf(name, sizeof name, "%s %s", work->of->set->metric->name,
             within ? "distances within classes" : "ranks");
    /* Who watches is shown every distance, and limits are of those that were divided. */
    bool limited = !within && work->of->watcher == NULL && work->of->set->level == NULL;
    const psb_streaming streaming = {.name = name,
                                     .wanted = within ? related : NULL,
                                     .visit = within ? keep : add,
                                     .limit = limited ? limit : NULL};
    return psb_passes_stream(&work->passes, &streaming, first, end, error);
}

static psb_status sort(void *context, void *own PSB_UNUSED, size_t i, psb_error *error PSB_UNUSED) {
    const job *work = context;
    psb_rank_count_sort(work->ranks, work->first + i);
    return PSB_OK;
}

static psb_status measure(void *context, void *own PSB_UNUSED, size_t i, psb_error *error) {
    const job *work = context;
    const psb_watcher *watcher = work->of->watcher;
    size_t q = work->first + i;
    psb_ranks ranks = psb_rank_count_finish(work->ranks, q);
    psb_measure_all(work->of->measures, work->of->count, &ranks,
                    work->values + (q - work->passes.first) * work->of->count);
    return watcher != NULL ? watcher->query(watcher->context, q, &ranks, error) : PSB_OK;
}

static psb_status run_pass(void *context, size_t first, size_t end, psb_error *error) {
    job *work = context;
    const psb_watcher *watcher = work->of->watcher;
    psb_status status = psb_rank_count_new(work->of->cla, first, end, &work->ranks, error);
    PSB_THEN_IF(status, watcher != NULL, watcher->begin(watcher->context, first, end, error));
    bool watched = watcher != NULL && status == PSB_OK;
    psb_loop queries = {
        .count = end - first, .threads = work->of->threads, .chunk = 64, .job = work};
    work->first = first;
    PSB_THEN(status, stream(work, first, end, true, error));
    queries.item = sort;
    PSB_THEN(status, psb_parallel(&queries, error));
    PSB_THEN(status, stream(work, first, end, false, error));
    queries.item = measure;
    queries.threads = watched ? 1 : queries.threads; /* in their order */
    PSB_THEN(status, psb_parallel(&queries, error));
    if (watched) {
        watcher->end(watcher->context);
    }
    psb_rank_count_free(work->ranks);
    work->ranks = NULL;
    return status;
}

static size_t query_bytes(const void *context, size_t query) {
    const job *work = context;
    const psb_watcher *watcher = work->of->watcher;
    return query < work->passes.first || query >= work->passes.end
               ? 0
               : psb_rank_count_bytes(work->of->cla, query) +
                     (watcher != NULL ? watcher->bytes(watcher->context, query) : 0);
}

psb_status psb_measure_range(const psb_measuring *of, size_t first, size_t end, double *values,
                             psb_memory_plan *plan, psb_error *error) {
    const size_t each = of->count * sizeof *values + 128; /* ids, classes, choices */
    size_t fixed = of->held + of->cla->nmodels * each;
    job work = {.of = of, .values = values};
    work.passes = (psb_passes){.metric = of->set->metric,
                               .queries = &of->set->npy,
                               .rows = end - first < of->cla->nmodels ? &of->set->npy : NULL,
                               .path = of->set->path,
                               .first = first,
                               .end = end,
                               .need = {fixed, query_bytes, &work},
                               .threads = of->threads,
                               .memory = of->memory,
                               .observer = of->observer,
                               .plan = plan,
                               .pass = run_pass,
                               .context = &work};
    return psb_passes_run(&work.passes, error);
}
