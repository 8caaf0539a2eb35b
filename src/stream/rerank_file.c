/* Reads lists twice: for how long they are, then for what they hold. */
#include "stream/rerank_file.h"

#include "eval/nearest.h"
#include "eval/ranks.h"
#include "io/lists.h"
#include "io/neighbors.h"

typedef struct lists {
    const char *path;
    const psb_classification *cla;
    size_t length;
    size_t *count;   /* of each query's list, while they are counted */
    uint32_t *model; /* as in psb_near */
    float *distance;
} lists;

static void count_line(void *context, size_t query, size_t rank, size_t neighbor PSB_UNUSED,
                       double distance PSB_UNUSED) {
    ((lists *)context)->count[query] = rank;
}

static void keep_line(void *context, size_t query, size_t rank, size_t neighbor, double distance) {
    lists *l = context;
    size_t at = query * l->length + rank - 1;
    l->model[at] = (uint32_t)neighbor;
    l->distance[at] = (float)distance;
}

/* Re-ranking asks whether two models are near each other: all have to have said the same. */
static psb_status find_length(lists *l, psb_error *error) {
    l->length = l->count[0];
    for (size_t i = 0; i < l->cla->nmodels; i++) {
        if (l->count[i] != l->length || l->length == 0) {
            return psb_fail_at(error, PSB_ERROR_INPUT, l->path, 0,
                               "%zu neighbors of %.80s and %zu of %.80s: every model needs a list, "
                               "all of one length",
                               l->length, l->cla->models[0], l->count[i], l->cla->models[i]);
        }
    }
    return PSB_OK;
}

static psb_status read_lists(lists *l, psb_error *error) {
    PSB_AT_END(psb_input_close) psb_input file = PSB_NO_INPUT;
    size_t n = l->cla->nmodels;
    psb_lists source = {.form = PSB_LISTS_SEARCH,
                        .queries = l->cla,
                        .targets = l->cla,
                        .take = count_line,
                        .context = l};
    psb_status status = psb_input_open(l->path, &file, error);
    l->count = psb_new_zero(&status, n, sizeof *l->count, "lists", error);
    PSB_THEN(status, psb_lists_parse(&source, l->path, file.data, file.size, error));
    PSB_THEN(status, find_length(l, error));
    l->model = psb_new(&status, n, l->length * sizeof *l->model, "lists", error);
    l->distance = psb_new(&status, n, l->length * sizeof *l->distance, "lists", error);
    source.take = keep_line;
    return PSB_THEN(status, psb_lists_parse(&source, l->path, file.data, file.size, error));
}

/* Row by row, each in the order of the models: of whole lists the bits of psb_matrix_mean. */
static psb_status mean_of(const lists *l, double *mean, psb_error *error) {
    size_t n = l->cla->nmodels;
    psb_status status = PSB_OK;
    PSB_FREED float *row = psb_new(&status, n, sizeof *row, "distances", error);
    double sum = 0;
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        double own = 0;
        memset(row, 0, n * sizeof *row);
        for (size_t r = i * l->length; r < (i + 1) * l->length; r++) {
            row[l->model[r]] = l->distance[r];
        }
        for (size_t j = 0; j < n; j++) {
            own += (double)row[j];
        }
        sum += own;
    }
    *mean = sum / ((double)n * (double)l->length);
    return status;
}

static psb_status write_lists(const lists *l, const float *reranked, const char *method,
                              const char *output, psb_error *error) {
    PSB_AT_END(psb_output_discard) psb_output out = {0};
    PSB_AT_END(psb_text_free) psb_text lines = {0};
    psb_status status = PSB_OK;
    size_t n = l->cla->nmodels;
    char *const *ids = psb_neighbors_by_row(l->path) ? NULL : l->cla->models;
    psb_neighbors_header header = {l->length, method, n, n, ids, ids};
    PSB_FREED uint64_t *keys = psb_new(&status, l->length, sizeof *keys, "lists", error);
    PSB_THEN(status, psb_output_open(output, &out, error));
    if (status == PSB_OK) {
        psb_neighbors_write_head(&out, &header);
    }
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        for (size_t r = 0; r < l->length; r++) {
            size_t at = i * l->length + r;
            keys[r] = psb_rank_key(&reranked[at], 0) + l->model[at];
        }
        qsort(keys, l->length, sizeof *keys, psb_compare_keys);
        for (size_t r = 0; r < l->length; r++) {
            psb_neighbors_add(&lines, &header, i, r + 1, psb_nearest_row(keys[r]),
                              psb_nearest_distance(keys[r]));
        }
        status = psb_neighbors_write(&out, &lines, error);
    }
    return PSB_THEN(status, psb_output_commit(&out, error));
}

psb_status psb_rerank_file(const char *path, const psb_classification *cla, double mean,
                           const psb_reranking *options, const char *output, psb_error *error) {
    lists l = {.path = path, .cla = cla};
    psb_status status = read_lists(&l, error);
    PSB_THEN_IF(status, !(mean > 0), mean_of(&l, &mean, error));
    PSB_FREED float *reranked =
        psb_new(&status, cla->nmodels, l.length * sizeof *reranked, "lists", error);
    const psb_near near = {cla->nmodels, l.length, l.model, l.distance, mean};
    PSB_THEN(status, psb_within(path, psb_rerank_lists(&near, options, reranked, error), error));
    PSB_THEN(status, write_lists(&l, reranked, psb_rerank_name(options->method), output, error));
    free(l.count);
    free(l.model);
    free(l.distance);
    return status;
}
