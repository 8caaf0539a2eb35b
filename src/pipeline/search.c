/* Joins streamed distances with lists of the nearest, pass by pass. */
#include "pipeline/search.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/names.h"
#include "eval/nearest.h"
#include "io/ids.h"
#include "io/neighbors.h"

#include <stdlib.h>

enum { NAME_BYTES = 64 }; /* of an id, a class and their place in memory, at most about */

typedef struct side {
    psb_npy npy;
    psb_classification cla; /* empty where none was given */
    psb_ids ids;            /* beside the file */
    char **of_cla;          /* the classification's names in the order of the rows, or NULL */
    char *const *names;     /* of the rows, of either; NULL where there are none */
} side;

typedef struct job {
    const psb_search_job *options;
    side queries, database;
    bool same;    /* one file */
    size_t *skip; /* row of the database that a query leaves out, or PSB_NO_NAME */
    size_t k;
    psb_memory_plan *plan;
    psb_nearest *nearest;
    psb_output output;
    psb_neighbors_header header;
} job;

static psb_row_view rows_of(const side *s) {
    return (psb_row_view){s->npy.data, s->npy.rows, s->npy.columns, s->npy.element};
}

static psb_status open_side(const char *path, const psb_metric *metric, side *s, psb_error *error) {
    psb_status status = psb_npy_read(path, &s->npy, error);
    psb_row_view rows = rows_of(s);
    PSB_THEN(status, psb_within(path, psb_metric_check(metric, &rows, error), error));
    return status;
}

/* Rows in another order than the classification's get its names in theirs. */
static psb_status name_rows(const char *path, side *s, psb_error *error) {
    size_t *order;
    psb_status status = psb_ids_order(path, &s->ids, &s->cla, &order, error);
    if (status != PSB_OK || order == NULL) {
        s->names = s->cla.models;
        return status;
    }
    s->of_cla = psb_new(&status, s->cla.nmodels, sizeof *s->of_cla, "names of rows", error);
    for (size_t i = 0; i < s->cla.nmodels && status == PSB_OK; i++) {
        s->of_cla[order[i]] = s->cla.models[i];
    }
    s->names = s->of_cla;
    free(order);
    return status;
}

/* The names beside the file, and the classification's, which must agree. */
static psb_status read_ids(const char *path, const char *classification, side *s,
                           psb_error *error) {
    psb_status status = psb_ids_read(path, &s->ids, error);
    PSB_THEN(status, psb_ids_check(path, &s->ids, s->npy.rows, error));
    if (status != PSB_OK || classification == NULL) {
        s->names = s->ids.names;
        return status;
    }
    status = psb_cla_read(classification, &s->cla, error);
    if (status == PSB_OK && s->cla.nmodels != s->npy.rows) {
        status = psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "%zu rows, but %.200s has %zu models",
                             s->npy.rows, classification, s->cla.nmodels);
    }
    return status == PSB_OK ? name_rows(path, s, error) : status;
}

static void close_side(side *s) {
    psb_cla_free(&s->cla);
    psb_ids_free(&s->ids);
    free(s->of_cla);
}

static void close_sides(job *work) {
    psb_npy_close(&work->queries.npy);
    if (!work->same) {
        psb_npy_close(&work->database.npy);
    }
    close_side(&work->queries);
    close_side(&work->database);
}

static psb_status open_sides(job *work, psb_error *error) {
    const psb_search_job *o = work->options;
    work->same = psb_is_same_file(o->queries, o->database);
    psb_status status = open_side(o->queries, o->metric, &work->queries, error);
    if (status == PSB_OK && work->same) {
        work->database.npy = work->queries.npy; /* opened and in memory once */
    } else if (status == PSB_OK) {
        status = open_side(o->database, o->metric, &work->database, error);
    }
    PSB_THEN(status, read_ids(o->queries, o->query_classification, &work->queries, error));
    PSB_THEN(status, read_ids(o->database, o->database_classification, &work->database, error));
    const psb_npy *q = &work->queries.npy, *d = &work->database.npy;
    if (status == PSB_OK && q->columns != d->columns) {
        status = psb_fail_at(error, PSB_ERROR_INPUT, o->queries, 0,
                             "rows of %zu numbers, but those of %.200s have %zu", q->columns,
                             o->database, d->columns);
    }
    if (status == PSB_OK && o->self && q->rows != d->rows) {
        status = psb_fail_at(error, PSB_ERROR_INPUT, o->queries, 0,
                             "%zu rows, but %.200s has %zu: they are not the same models", q->rows,
                             o->database, d->rows);
    }
    if (status == PSB_OK && d->rows > UINT32_MAX) {
        status = psb_fail_at(error, PSB_ERROR_INPUT, o->database, 0, "more than %lu rows",
                             (unsigned long)UINT32_MAX);
    }
    return status;
}

/* Which row of the database a query leaves out: itself, as far as that is known. */
static psb_status find_selves(job *work, psb_error *error) {
    psb_status status = PSB_OK;
    size_t n = work->queries.npy.rows;
    work->skip = psb_new(&status, n, sizeof *work->skip, "rows", error);
    psb_names names = {0};
    bool ids = work->queries.names != NULL && work->database.names != NULL;
    if (ids) {
        PSB_THEN(status,
                 psb_names_fill(&names, work->database.names, work->database.npy.rows, error));
    }
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        bool known = work->same || work->options->self;
        work->skip[i] = known ? i
                        : ids ? psb_names_find(&names, work->queries.names[i])
                              : PSB_NO_NAME;
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
    bool converted = work->queries.npy.converted != NULL || work->database.npy.converted != NULL;
    psb_stream s = {.metric = o->metric,
                    .queries = rows_of(&work->queries),
                    .rows = rows_of(&work->database),
                    .same = work->same,
                    .first = first,
                    .end = end,
                    .block = work->plan->block,
                    .keep = work->plan->keep,
                    .threads = o->threads,
                    .release = work->plan->release && !converted,
                    .visit = visit,
                    .visitor = work,
                    .progress = psb_stage_progress,
                    .context = &stage};
    status = psb_stream_run(&s, error);
    if (status == PSB_OK) {
        write_lists(work, first, end);
    } else if (status == PSB_ERROR_INPUT) {
        psb_within(o->queries, status, error);
    }
    psb_nearest_free(work->nearest);
    return status;
}

static size_t query_bytes(const void *context, size_t query) {
    (void)query;
    return psb_nearest_bytes(((const job *)context)->k);
}

static psb_status run_passes(job *work, psb_error *error) {
    size_t n = work->queries.npy.rows;
    const psb_search_job *o = work->options;
    size_t named = (work->queries.names != NULL ? n : 0) +
                   (work->database.names != NULL ? work->database.npy.rows : 0);
    psb_memory_need need = {n * sizeof *work->skip + named * NAME_BYTES, query_bytes, work};
    psb_status status =
        psb_memory_plan_make(o->metric, &work->queries.npy, work->same ? NULL : &work->database.npy,
                             &need, o->threads, o->memory, work->plan, error);
    for (size_t q = 0; q < n && status == PSB_OK;) {
        size_t end = psb_memory_plan_pass(work->plan, &need, n, q);
        status = run_pass(work, q, end, error);
        q = end;
    }
    return status;
}

psb_status psb_search_lists(const psb_search_job *options, const char *output,
                            psb_memory_plan *plan, psb_error *error) {
    job work = {.options = options, .plan = plan};
    psb_status status = open_sides(&work, error);
    PSB_THEN(status, find_selves(&work, error));
    PSB_THEN(status, psb_output_open(output, &work.output, error));
    if (status == PSB_OK) {
        size_t rows = work.database.npy.rows;
        work.k = options->k < rows ? options->k : rows;
        work.header =
            (psb_neighbors_header){options->k, options->metric->name, work.queries.npy.rows,
                                   rows,       work.queries.names,    work.database.names};
        psb_neighbors_write_head(&work.output, &work.header);
        status = run_passes(&work, error);
    }
    PSB_THEN(status, psb_output_commit(&work.output, error));
    psb_output_discard(&work.output);
    close_sides(&work);
    free(work.skip);
    return status;
}
