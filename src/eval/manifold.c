/*
 * Manifold ranking: the graph by rows, a system of equations for each model, and the results for
 * the pairs of the lists.
 */
#include "eval/manifold.h"

#include "core/elementary.h"
#include "core/parallel.h"

#include <math.h>

enum { NEIGHBORS = 5, ROUNDS_MOST = 500 };
static const double kept = 0.9, least_share = 1e-12, of_distance = 0.5;

typedef struct edge {
    uint32_t from, to;
    double weight;
} edge;

typedef struct job {
    const psb_near *near;
    edge *edges;   /* by `from`, then `to`; the edges of model i begin at first[i] */
    size_t *first; /* models + 1 */
    size_t *asked; /* positions in near->model that hold model i, from asked_first[i] on */
    size_t *asked_first;
    double *found; /* -log F at each position in near->model */
} job;

/* ---- the graph ------------------------------------------------------------------------- */

static int by_ends(const void *a, const void *b) {
    const edge *x = a, *y = b;
    int from = (x->from > y->from) - (x->from < y->from);
    return from != 0 ? from : (x->to > y->to) - (x->to < y->to);
}

/* The weight of two models at distance 0 is 1, whatever the widths are. */
static double weight_of(double d, double widths) {
    return d > 0 ? (widths > 0 ? psb_exp(-d * d / widths) : 0) : 1;
}

/*
 * Makes two edges for every neighbor, one in each direction with half of its weight, and joins
 * equal edges. Returns their number.
 */
static size_t add_edges(const psb_near *near, size_t k, edge *edges) {
    size_t count = 0, joined = 0;
    for (size_t i = 0; i < near->models; i++) {
        const uint32_t *model = near->model + i * near->length;
        const float *distance = near->distance + i * near->length;
        for (size_t r = 0; r < k; r++) {
            double width = (double)near->distance[model[r] * near->length + k - 1];
            double weight = weight_of((double)distance[r], (double)distance[k - 1] * width) / 2;
            edges[count++] = (edge){(uint32_t)i, model[r], weight};
            edges[count++] = (edge){model[r], (uint32_t)i, weight};
        }
    }
    qsort(edges, count, sizeof *edges, by_ends);
    for (size_t e = 0; e < count; e++) {
        if (joined > 0 && by_ends(&edges[joined - 1], &edges[e]) == 0) {
            edges[joined - 1].weight += edges[e].weight;
        } else {
            edges[joined++] = edges[e];
        }
    }
    return joined;
}

/* Turns the weights W into 0.9 S, and finds each model's first edge. */
static psb_status scale_edges(job *work, size_t count, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED double *sum =
        psb_new_zero(&status, work->near->models, sizeof *sum, "a graph", error);
    for (size_t e = 0; e < count && status == PSB_OK; e++) {
        sum[work->edges[e].from] += work->edges[e].weight;
        work->first[work->edges[e].from + 1]++;
    }
    for (size_t e = 0; e < count && status == PSB_OK; e++) {
        double both = sum[work->edges[e].from] * sum[work->edges[e].to];
        work->edges[e].weight = both > 0 ? kept * work->edges[e].weight / sqrt(both) : 0;
    }
    for (size_t i = 0; i < work->near->models && status == PSB_OK; i++) {
        work->first[i + 1] += work->first[i];
    }
    return status;
}

/* ---- the equations --------------------------------------------------------------------- */

/* y = (I - 0.9 S) x */
static void apply(const job *work, const double *x, double *y) {
    for (size_t i = 0; i < work->near->models; i++) {
        double sum = 0;
        for (size_t e = work->first[i]; e < work->first[i + 1]; e++) {
            sum += work->edges[e].weight * x[work->edges[e].to];
        }
        y[i] = x[i] - sum;
    }
}

static double product(const double *x, const double *y, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* Solves for x, column i of F; the other three arrays are scratch. */
static void solve(const job *work, size_t i, double *x, double *rest, double *step, double *image) {
    size_t n = work->near->models;
    memset(x, 0, n * sizeof *x);
    memset(rest, 0, n * sizeof *rest);
    rest[i] = 1;
    memcpy(step, rest, n * sizeof *step);
    double square = 1;
    for (int round = 0; round < ROUNDS_MOST && square > 1e-30; round++) {
        apply(work, step, image);
        double length = square / product(step, image, n), before = square;
        for (size_t k = 0; k < n; k++) {
            x[k] += length * step[k];
            rest[k] -= length * image[k];
        }
        square = product(rest, rest, n);
        for (size_t k = 0; k < n; k++) {
            step[k] = rest[k] + square / before * step[k];
        }
    }
}

/*
 * F is symmetric except for rounding. So every pair takes its value from the column of the lower
 * index, whichever of the two lists contains the pair.
 */
static psb_status rank_model(void *context, void *own, size_t i, psb_error *error PSB_UNUSED) {
    const job *work = context;
    const psb_near *near = work->near;
    size_t n = near->models;
    double *x = own;
    solve(work, i, x, x + n, x + 2 * n, x + 3 * n);
    for (size_t r = 0; r < near->length; r++) {
        size_t at = i * near->length + r, j = near->model[at];
        if (j > i) {
            work->found[at] = -psb_log(x[j] > least_share ? x[j] : least_share);
        }
    }
    for (size_t a = work->asked_first[i]; a < work->asked_first[i + 1]; a++) {
        size_t at = work->asked[a], j = at / near->length;
        if (j > i) {
            work->found[at] = -psb_log(x[j] > least_share ? x[j] : least_share);
        }
    }
    return PSB_OK;
}

/* ---- lists ----------------------------------------------------------------------------- */

static void index_lists(job *work) {
    const psb_near *near = work->near;
    size_t n = near->models, all = n * near->length;
    for (size_t at = 0; at < all; at++) {
        work->asked_first[near->model[at] + 1]++;
    }
    for (size_t i = 0; i < n; i++) {
        work->asked_first[i + 1] += work->asked_first[i];
    }
    for (size_t at = all; at-- > 0;) { /* backwards, so that a model's positions ascend */
        work->asked[--work->asked_first[near->model[at] + 1]] = at;
    }
    for (size_t i = 0; i < n; i++) {
        work->asked_first[i] = work->asked_first[i + 1];
    }
    work->asked_first[n] = all;
}

static void mix(const job *work, float *out) {
    const psb_near *near = work->near;
    size_t all = near->models * near->length;
    double least = work->found[0], sum = 0;
    for (size_t at = 0; at < all; at++) {
        least = work->found[at] < least ? work->found[at] : least;
    }
    for (size_t at = 0; at < all; at++) {
        sum += work->found[at] - least;
    }
    double mean = sum / (double)all;
    for (size_t at = 0; at < all; at++) {
        double far = mean > 0 ? (work->found[at] - least) / mean : 0;
        out[at] = (float)(far + of_distance * (double)near->distance[at] / near->mean);
    }
}

psb_status psb_manifold_lists(const psb_near *near, int threads, float *out, psb_error *error) {
    size_t n = near->models, all = n * near->length;
    size_t k = near->length < NEIGHBORS ? near->length : NEIGHBORS;
    job work = {.near = near};
    psb_status status = PSB_OK;
    if (near->length < NEIGHBORS && near->length + 1 < n) {
        return psb_fail(error, PSB_ERROR_INPUT,
                        "lists of %zu neighbors: want %d or more (search -k)", near->length,
                        NEIGHBORS);
    }
    work.edges = psb_new(&status, n, 2 * k * sizeof *work.edges, "a graph", error);
    work.first = psb_new_zero(&status, n + 1, sizeof *work.first, "a graph", error);
    work.asked = psb_new(&status, all, sizeof *work.asked, "lists", error);
    work.asked_first = psb_new_zero(&status, n + 1, sizeof *work.asked_first, "lists", error);
    work.found = psb_new(&status, all, sizeof *work.found, "lists", error);
    if (status == PSB_OK) {
        status = scale_edges(&work, add_edges(near, k, work.edges), error);
        index_lists(&work);
    }
    psb_loop loop = {.count = n,
                     .threads = threads,
                     .bytes = 4 * n * sizeof(double),
                     .name = "a graph",
                     .item = rank_model,
                     .job = &work};
    PSB_THEN(status, psb_parallel(&loop, error));
    if (status == PSB_OK) {
        mix(&work, out);
    }
    free(work.edges);
    free(work.first);
    free(work.asked);
    free(work.asked_first);
    free(work.found);
    return status;
}
