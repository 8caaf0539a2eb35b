/*
 * k-reciprocal re-ranking on sparse vectors: a model's v has some dozens of entries. The distances
 * D of the entries come from the matrix or, without one, from the lists of either model.
 */
#include "eval/rerank.h"

#include "core/elementary.h"
#include "core/parallel.h"
#include "eval/manifold.h"
#include "eval/nearest.h"

#include <math.h>

typedef struct entry {
    uint32_t model;
    double value;
} entry;

/* Entries in ascending order of models. */
typedef struct vector {
    entry *entries;
    size_t count;
} vector;

typedef struct job {
    const psb_near *near;
    const psb_matrix *matrix; /* all distances, or NULL if only lists are known */
    const psb_reranking *o;
    vector *v, *averaged;
    float *out;
} job;

/* True if j is in N(i,k). */
static bool is_near(const psb_near *near, size_t i, size_t k, size_t j) {
    const uint32_t *row = near->model + i * near->length;
    bool found = i == j;
    for (size_t r = 0; r < k && r < near->length && !found; r++) {
        found = row[r] == j;
    }
    return found;
}

/* Writes R(i,k) to `set`, i first; returns its size. */
static size_t reciprocal(const psb_near *near, size_t i, size_t k, uint32_t *set) {
    size_t count = 0;
    set[count++] = (uint32_t)i;
    for (size_t r = 0; r < k && r < near->length; r++) {
        uint32_t j = near->model[i * near->length + r];
        if (is_near(near, j, k, i)) {
            set[count++] = j;
        }
    }
    return count;
}

static bool holds(const uint32_t *set, size_t count, uint32_t model) {
    size_t at = 0;
    while (at < count && set[at] != model) {
        at++;
    }
    return at < count;
}

/*
 * Writes R*(i) to `set` and returns its size. `set` has room for (k1 + 1) (half + 2) models, and
 * behind these for one more R.
 */
static size_t expanded(const job *work, size_t i, uint32_t *set) {
    size_t k1 = work->o->k1, half = (k1 + 1) / 2;
    uint32_t *some = set + (k1 + 1) * (half + 2);
    size_t first = reciprocal(work->near, i, k1, set), count = first;
    for (size_t a = 0; a < first; a++) {
        size_t n = reciprocal(work->near, set[a], half, some), common = 0;
        for (size_t b = 0; b < n; b++) {
            common += holds(set, first, some[b]);
        }
        for (size_t b = 0; 3 * common > 2 * n && b < n; b++) {
            if (!holds(set, count, some[b])) {
                set[count++] = some[b];
            }
        }
    }
    return count;
}

static size_t room(const job *work) {
    size_t k1 = work->o->k1, half = (k1 + 1) / 2;
    return (k1 + 1) * (half + 2) + half + 1;
}

/* The distance of i and t by the list of i; NAN if t is not in it. */
static double listed(const psb_near *near, size_t i, size_t t) {
    for (size_t r = 0; r < near->length; r++) {
        if (near->model[i * near->length + r] == t) {
            return (double)near->distance[i * near->length + r];
        }
    }
    return NAN;
}

static double distance(const job *work, size_t i, size_t t) {
    if (i == t) {
        return 0;
    }
    if (work->matrix != NULL) {
        return (double)work->matrix->data[i * work->matrix->n + t];
    }
    double d = listed(work->near, i, t);
    return isnan(d) ? listed(work->near, t, i) : d;
}

static int by_model(const void *a, const void *b) {
    const entry *x = a, *y = b;
    return (x->model > y->model) - (x->model < y->model);
}

static psb_status encode(void *context, void *own, size_t i, psb_error *error) {
    const job *work = context;
    uint32_t *set = own;
    psb_status status = PSB_OK;
    size_t count = expanded(work, i, set);
    vector *v = &work->v[i];
    v->entries = psb_new(&status, count, sizeof *v->entries, "neighbors", error);
    double sum = 0;
    for (size_t a = 0; a < count && status == PSB_OK; a++) {
        double d = distance(work, i, set[a]);
        if (!isnan(d)) {
            v->entries[v->count++] = (entry){set[a], psb_exp(-d / work->near->mean)};
        }
    }
    if (status == PSB_OK) {
        qsort(v->entries, v->count, sizeof *v->entries, by_model);
    }
    for (size_t a = 0; a < v->count; a++) {
        sum += v->entries[a].value;
    }
    for (size_t a = 0; a < v->count; a++) {
        v->entries[a].value /= sum;
    }
    return status;
}

/* Averages v over N(i, k2 - 1): sorts the entries of all and joins those of one model. */
static psb_status average(void *context, void *own PSB_UNUSED, size_t i, psb_error *error) {
    const job *work = context;
    const psb_near *near = work->near;
    size_t members = 1 + (work->o->k2 - 1 < near->length ? work->o->k2 - 1 : near->length);
    size_t most = 0, count = 0;
    for (size_t m = 0; m < members; m++) {
        most += work->v[m == 0 ? i : near->model[i * near->length + m - 1]].count;
    }
    psb_status status = PSB_OK;
    entry *all = psb_new(&status, most, sizeof *all, "neighbors", error);
    for (size_t m = 0; m < members && status == PSB_OK; m++) {
        const vector *v = &work->v[m == 0 ? i : near->model[i * near->length + m - 1]];
        memcpy(all + count, v->entries, v->count * sizeof *all);
        count += v->count;
    }
    vector *mean = &work->averaged[i];
    mean->entries = all;
    if (status == PSB_OK) {
        qsort(all, count, sizeof *all, by_model);
    }
    for (size_t a = 0; a < count; a++) {
        double share = all[a].value / (double)members;
        if (mean->count > 0 && all[mean->count - 1].model == all[a].model) {
            all[mean->count - 1].value += share;
        } else {
            all[mean->count++] = (entry){all[a].model, share};
        }
    }
    return status;
}

/* The sum over t of min(v_i(t), v_j(t)), t ascending; `dense` is v_i with all its zeros. */
static double in_common(const job *work, const double *dense, size_t j) {
    const vector *v = &work->averaged[j];
    double sum = 0;
    for (size_t a = 0; a < v->count; a++) {
        double value = dense[v->entries[a].model];
        sum += value < v->entries[a].value ? value : v->entries[a].value;
    }
    return sum;
}

static float mix(const job *work, double common, double d) {
    double far = 1 - common / (2 - common), lambda = work->o->lambda;
    double mixed = (1 - lambda) * far + lambda * d / work->near->mean;
    return mixed > 0 ? (float)mixed : 0.0F; /* rounding may leave less than 0 */
}

static psb_status fill_row(void *context, void *own, size_t i, psb_error *error PSB_UNUSED) {
    const job *work = context;
    const psb_near *near = work->near;
    const vector *v = &work->averaged[i];
    size_t length = work->matrix != NULL ? near->models : near->length;
    const float *distances = (work->matrix != NULL ? work->matrix->data : near->distance);
    double *dense = own;
    memset(dense, 0, near->models * sizeof *dense);
    for (size_t a = 0; a < v->count; a++) {
        dense[v->entries[a].model] = v->entries[a].value;
    }
    for (size_t at = i * length, r = 0; r < length; r++, at++) {
        size_t j = work->matrix != NULL ? r : near->model[at];
        work->out[at] = i == j ? 0.0F : mix(work, in_common(work, dense, j), (double)distances[at]);
    }
    return PSB_OK;
}

static void free_vectors(vector *vectors, size_t n) {
    for (size_t i = 0; vectors != NULL && i < n; i++) {
        free(vectors[i].entries);
    }
    free(vectors);
}

static psb_status rerank(job work, psb_error *error) {
    size_t n = work.near->models;
    psb_status status = PSB_OK;
    work.v = psb_new_zero(&status, n, sizeof *work.v, "neighbors", error);
    work.averaged = psb_new_zero(&status, n, sizeof *work.averaged, "neighbors", error);
    psb_loop loop = {.count = n,
                     .threads = work.o->threads,
                     .bytes = room(&work) * sizeof(uint32_t),
                     .name = "neighbors",
                     .job = &work};
    loop.item = encode;
    PSB_THEN(status, psb_parallel(&loop, error));
    loop.item = average;
    PSB_THEN(status, psb_parallel(&loop, error));
    loop.item = fill_row;
    loop.bytes = n * sizeof(double);
    PSB_THEN(status, psb_parallel(&loop, error));
    free_vectors(work.v, n);
    free_vectors(work.averaged, n);
    return status;
}

const char *psb_rerank_name(psb_rerank_method method) {
    static const char *const names[] = {"k-reciprocal", "manifold", "k-reciprocal+manifold"};
    return names[method];
}

static psb_status reciprocal_lists(const psb_near *near, const psb_reranking *options, float *out,
                                   psb_error *error) {
    size_t least = options->k1 > options->k2 - 1 ? options->k1 : options->k2 - 1;
    if (near->length < least && near->length + 1 < near->models) {
        return psb_fail(error, PSB_ERROR_INPUT,
                        "lists of %zu neighbors: want %zu or more (search -k)", near->length,
                        least);
    }
    return rerank((job){.near = near, .o = options, .out = out}, error);
}

/* a = a / mean(a) + b / mean(b), means over `pairs`; an array whose mean is 0 is all 0. */
static void add_over_means(float *a, const float *b, size_t count, double pairs) {
    double sum[2] = {0, 0};
    for (size_t i = 0; i < count; i++) {
        sum[0] += (double)a[i];
        sum[1] += (double)b[i];
    }
    double scale[] = {sum[0] > 0 ? pairs / sum[0] : 0, sum[1] > 0 ? pairs / sum[1] : 0};
    for (size_t i = 0; i < count; i++) {
        a[i] = (float)((double)a[i] * scale[0] + (double)b[i] * scale[1]);
    }
}

psb_status psb_rerank_lists(const psb_near *near, const psb_reranking *options, float *out,
                            psb_error *error) {
    size_t count = near->models * near->length;
    psb_status status = PSB_OK;
    if (!(near->mean > 0)) {
        return psb_fail(error, PSB_ERROR_INPUT, "the mean distance is %g, and has to be above 0",
                        near->mean);
    }
    if (options->method == PSB_MR) {
        return psb_manifold_lists(near, options->threads, out, error);
    }
    status = reciprocal_lists(near, options, out, error);
    if (options->method == PSB_KR_MR) {
        PSB_FREED float *other = psb_new(&status, count, sizeof *other, "lists", error);
        PSB_THEN(status, psb_manifold_lists(near, options->threads, other, error));
        if (status == PSB_OK) {
            add_over_means(out, other, count, (double)count);
        }
    }
    return status;
}

/* ---- matrices -------------------------------------------------------------------------- */

static psb_status check(const psb_matrix *matrix, psb_error *error) {
    for (size_t i = 0; i < matrix->n; i++) {
        for (size_t j = 0; j <= i; j++) {
            float d = matrix->data[i * matrix->n + j], e = matrix->data[j * matrix->n + i];
            if (d != e || (i == j && d != 0.0F)) {
                return psb_fail(error, PSB_ERROR_INPUT,
                                "row %zu, column %zu is %g, row %zu, column %zu is %g: only "
                                "symmetric distances, 0 on the diagonal, are re-ranked",
                                i, j, (double)d, j, i, (double)e);
            }
        }
    }
    return PSB_OK;
}

/* Ranks by lists of all other models, and puts the results into the order of the matrix. */
static psb_status manifold_matrix(const psb_near *near, int threads, float *out, psb_error *error) {
    size_t n = near->models;
    psb_status status = PSB_OK;
    PSB_FREED float *listed = psb_new(&status, n, near->length * sizeof *listed, "lists", error);
    PSB_THEN(status, psb_manifold_lists(near, threads, listed, error));
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        out[i * n + i] = 0;
        for (size_t r = 0; r < near->length; r++) {
            size_t at = i * near->length + r;
            out[i * n + near->model[at]] = listed[at];
        }
    }
    return status;
}

psb_status psb_rerank_matrix(const psb_matrix *matrix, const psb_reranking *options, float *out,
                             psb_error *error) {
    size_t n = matrix->n, k1 = options->k1, k2 = options->k2;
    size_t length = k1 > k2 - 1 ? k1 : k2 - 1;
    psb_near near = {.models = n};
    near.length = length < n && options->method == PSB_KR ? length : n - 1;
    near.mean = psb_matrix_mean(matrix);
    psb_status status = check(matrix, error);
    PSB_THEN_IF(status, !(near.mean > 0),
                psb_fail(error, PSB_ERROR_INPUT, "there are no distances above 0 to re-rank"));
    PSB_FREED uint32_t *model =
        psb_new(&status, n, near.length * sizeof *model, "neighbors", error);
    PSB_FREED float *distance =
        psb_new(&status, n, near.length * sizeof *distance, "neighbors", error);
    PSB_THEN(status, psb_nearest_of_matrix(matrix, NULL, near.length, options->threads, model,
                                           distance, error));
    near.model = model;
    near.distance = distance;
    if (options->method != PSB_MR) {
        PSB_THEN(status, rerank((job){&near, matrix, options, NULL, NULL, out}, error));
    }
    if (options->method == PSB_MR) {
        PSB_THEN(status, manifold_matrix(&near, options->threads, out, error));
    } else if (options->method == PSB_KR_MR) {
        PSB_FREED float *other = psb_new(&status, n, n * sizeof *other, "distances", error);
        PSB_THEN(status, manifold_matrix(&near, options->threads, other, error));
        if (status == PSB_OK) {
            add_over_means(out, other, n * n, (double)n * (double)(n - 1));
        }
    }
    return status;
}
