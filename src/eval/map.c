/*
 * t-SNE on nearest neighbors. Up to PSB_MAP_EXACT models have the probabilities of all pairs, and
 * each pair is visited once, by one thread. Of more, each model has a list of pulls and a row of
 * sums: the threads share these, and what is summed over models is summed in their order.
 */
#include "eval/map.h"

#include "core/elementary.h"
#include "core/random.h"
#include "core/vector.h"
#include "eval/nearest.h"

#include <math.h>

enum { LANES = 16, BAND = 4, BLOCK = 1024, DEEPEST = 40, NOTHING = 0 };

/* Sums over the others of the way from them, times p q and times q^2. */
enum { PULL_X, PULL_Y, PUSH_X, PUSH_Y, FORCES };

/* A square of the plane with its models; its children follow each other. */
typedef struct square {
    double x, y; /* center of mass, while the tree grows its sum */
    double side;
    uint32_t count, model; /* the model of a leaf with one */
    uint32_t child[4];     /* NOTHING where there is none: no child is the first square */
} square;

typedef struct pull {
    uint32_t model;
    float p;
} pull;

typedef struct map {
    size_t n, padded;
    int threads;
    float *p;               /* of all pairs, see tile_at; NULL for more models */
    float *across;          /* padded x FORCES, [block][force][lane]: what earlier blocks do */
    size_t *first;          /* n + 1: where the pulls of each model begin; NULL for few models */
    pull *pulls;            /* of both directions, one behind the other */
    float *x, *y, *present; /* padded: places, and 1 or, behind the last model, 0 */
    double *attraction;     /* n x 2 */
    double *repulsion;      /* n x 3: as sums, and the part of their normalizer */
    PSB_ARRAY(square) tree;
} map;

size_t psb_map_neighbors(size_t n) {
    return n < 2 ? 0 : n - 1 < PSB_MAP_NEIGHBORS ? n - 1 : PSB_MAP_NEIGHBORS;
}

/* ---- probabilities ---------------------------------------------------------------------- */

/* p becomes exp(-b d) with sum 1; returns the logarithm of its perplexity, and how that falls with
 * b. */
static double spread(const double *d, size_t k, double b, double *p, double *fall) {
    double sum = 0, mean = 0, squares = 0;
    for (size_t j = 0; j < k; j++) {
        p[j] = psb_exp(-b * d[j]);
        sum += p[j];
        mean += p[j] * d[j];
        squares += p[j] * d[j] * d[j];
    }
    for (size_t j = 0; j < k; j++) {
        p[j] /= sum;
    }
    mean /= sum;
    *fall = b * (squares / sum - mean * mean);
    return psb_log(sum) + b * mean;
}

/* By Newton's method, and by halving or doubling b where that leads out of bounds; neighbors all as
 * near as each other are equal for any b. */
static void choose_spread(const float *distance, size_t k, double *p) {
    enum { TRIES = 64 };
    double wanted = psb_log(fmax(fmin((double)k / 3, 30), 1)), scale = 0, d[PSB_MAP_NEIGHBORS];
    double b = 1, low = 0, high = INFINITY;
    for (size_t j = 0; j < k; j++) {
        d[j] = (double)distance[j] * distance[j] - (double)distance[0] * distance[0];
        scale += (double)distance[j] * distance[j] / (double)k;
    }
    for (size_t j = 0; j < k && scale > 0; j++) {
        d[j] /= scale;
    }
    for (int t = 0; t < TRIES; t++) {
        double fall, off = spread(d, k, b, p, &fall) - wanted;
        if (fabs(off) < 1e-7) {
            break;
        }
        low = off > 0 ? b : low;
        high = off > 0 ? high : b;
        double next = fall > 0 ? b + off / fall : INFINITY;
        double inside = isinf(high) ? 2 * b : 0.5 * (low + high);
        b = next > low && next < high ? next : inside;
    }
}

/* Between the models of a band, which begins with `row`, and those of block `column`, its own or a
 * later one: where their p lie, [model][lane]. */
PSB_INLINE size_t tile_at(const map *m, size_t row, size_t column) {
    size_t blocks = m->padded / LANES, block = row / LANES, band = row % LANES / BAND;
    size_t before = block * blocks - block * (block - 1) / 2; /* pairs of blocks */
    return BAND * LANES * (LANES / BAND * before + band * (blocks - block) + column - block);
}

/* Pairs of two blocks are kept from the earlier one's side. */
static void add_probability(map *m, size_t i, size_t j, float p) {
    if (i / LANES <= j / LANES) {
        m->p[tile_at(m, i, j / LANES) + i % BAND * LANES + j % LANES] += p;
    }
}

static psb_status make_room_for_pulls(map *m, const psb_map_input *in, size_t *next,
                                      psb_error *error) {
    psb_status status = PSB_OK;
    m->first = psb_new_zero(&status, m->n + 1, sizeof *m->first, "a map", error);
    m->pulls = psb_new(&status, 2 * m->n, in->k * sizeof *m->pulls, "a map", error);
    for (size_t e = 0; e < m->n * in->k && status == PSB_OK; e++) {
        m->first[e / in->k + 1]++;
        m->first[in->neighbor[e] + 1]++;
    }
    for (size_t i = 0; i < m->n && status == PSB_OK; i++) {
        m->first[i + 1] += m->first[i];
        next[i] = m->first[i];
    }
    return status;
}

static psb_status choose_spreads(map *m, const psb_map_input *in, psb_error *error) {
    psb_status status = PSB_OK;
    size_t n = in->n, k = in->k;
    double p[PSB_MAP_NEIGHBORS];
    PSB_FREED size_t *next = psb_new_zero(&status, n + 1, sizeof *next, "a map", error);
    PSB_THEN_IF(status, m->p == NULL, make_room_for_pulls(m, in, next, error));
    for (size_t i = 0; i < n && k > 0 && status == PSB_OK; i++) { /* one model alone has no pull */
        choose_spread(in->distance + i * k, k, p);
        for (size_t j = 0; j < k; j++) {
            uint32_t other = in->neighbor[i * k + j];
            float half = (float)(p[j] / (2.0 * (double)n));
            if (m->p != NULL) {
                add_probability(m, i, other, half);
                add_probability(m, other, i, half);
            } else {
                m->pulls[next[i]++] = (pull){other, half};
                m->pulls[next[other]++] = (pull){(uint32_t)i, half};
            }
        }
    }
    return status;
}

/* ---- forces ------------------------------------------------------------------------------ */

/* What the others do to the models of a band; each lane has a part. */
typedef struct band_sums {
    float force[FORCES][BAND][LANES], q[BAND][LANES];
} band_sums;

typedef struct pusher {
    psb_variant variant;
    /* Fills the sums of the band that begins with `row`, and adds to `across` what it does to later
     * blocks. Pairs within a block are visited from both sides, so that their q count half. */
    void (*push)(const map *m, size_t row, band_sums *out);
} pusher;

#define KERNEL plain
#define TARGET
#define WIDTH 4
#include "eval/map_kernel.h"

static const pusher push_any = {{"plain", PSB_CPU_PLAIN}, plain};

#if defined(__x86_64__) && !defined(PSB_PORTABLE)

#define KERNEL avx2
#define TARGET __attribute__((target("avx2")))
#define WIDTH  8
#include "eval/map_kernel.h"

#define KERNEL avx512
#define TARGET __attribute__((target("avx512f")))
#define WIDTH  16
#include "eval/map_kernel.h"

static const pusher push_avx2 = {{"avx2", PSB_CPU_AVX2}, avx2};
static const pusher push_avx512 = {{"avx512", PSB_CPU_AVX512F}, avx512};

#endif

const psb_variant *const psb_map_pushers[] = {
#if defined(__x86_64__) && !defined(PSB_PORTABLE)
    &push_avx512.variant,
    &push_avx2.variant,
#endif
    &push_any.variant,
    NULL,
};

static double add_up(const float lanes[LANES]) {
    double sum = 0;
    for (int l = 0; l < LANES; l++) {
        sum += (double)lanes[l];
    }
    return sum;
}

static void push_pairs(const map *m) {
    const pusher *chosen = psb_cpu_choose(psb_map_pushers);
    memset(m->across, 0, FORCES * m->padded * sizeof *m->across);
    for (size_t row = 0; row < m->n; row += BAND) {
        band_sums sums;
        chosen->push(m, row, &sums);
        for (size_t i = row; i < row + BAND && i < m->n; i++) {
            const float *across = m->across + FORCES * LANES * (i / LANES) + i % LANES;
            double force[FORCES];
            for (int f = 0; f < FORCES; f++) {
                force[f] = (double)across[f * LANES] + add_up(sums.force[f][i - row]);
            }
            memcpy(m->attraction + 2 * i, force + PULL_X, 2 * sizeof *force);
            memcpy(m->repulsion + 3 * i, force + PUSH_X, 2 * sizeof *force);
            m->repulsion[3 * i + 2] = 2 * add_up(sums.q[i - row]) - 1; /* without its own q */
        }
    }
}

static uint32_t new_square(map *m, double side, psb_status *status, psb_error *error) {
    PSB_ARRAY_ROOM(status, &m->tree, "a map", error);
    if (*status != PSB_OK) {
        return NOTHING;
    }
    m->tree.items[m->tree.count] = (square){.side = side};
    return (uint32_t)m->tree.count++;
}

/* Goes down to a square of its own, taking along the model that a leaf on the way has. */
static psb_status insert(map *m, uint32_t model, const double corner[2], psb_error *error) {
    psb_status status = PSB_OK;
    double left = corner[0], top = corner[1];
    uint32_t at = 0;
    for (int depth = 0; status == PSB_OK; depth++) {
        square *s = &m->tree.items[at];
        uint32_t before = s->count++, alone = s->model;
        s->x += (double)m->x[model];
        s->y += (double)m->y[model];
        if (before == 0) {
            s->model = model;
        }
        if (before == 0 || depth == DEEPEST) {
            return PSB_OK;
        }
        double half = 0.5 * s->side;
        for (int moved = before == 1 ? 0 : 1; moved < 2 && status == PSB_OK; moved++) {
            uint32_t which = moved == 0 ? alone : model;
            int right = (double)m->x[which] >= left + half;
            int below = (double)m->y[which] >= top + half;
            uint32_t child = m->tree.items[at].child[2 * below + right];
            if (child == NOTHING) {
                child = new_square(m, half, &status, error);
                m->tree.items[at].child[2 * below + right] = child;
            }
            if (moved == 0 && status == PSB_OK) {
                square *leaf = &m->tree.items[child];
                leaf->x = (double)m->x[alone];
                leaf->y = (double)m->y[alone];
                leaf->count = 1;
                leaf->model = alone;
            } else {
                left += right ? half : 0;
                top += below ? half : 0;
                at = child;
            }
        }
    }
    return status;
}

static psb_status grow_tree(map *m, psb_error *error) {
    psb_status status = PSB_OK;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < m->n; i++) {
        low[0] = psb_min(low[0], (double)m->x[i]);
        low[1] = psb_min(low[1], (double)m->y[i]);
        high[0] = psb_max(high[0], (double)m->x[i]);
        high[1] = psb_max(high[1], (double)m->y[i]);
    }
    m->tree.count = 0;
    new_square(m, fmax(high[0] - low[0], high[1] - low[1]), &status, error);
    for (size_t i = 0; i < m->n && status == PSB_OK; i++) {
        status = insert(m, (uint32_t)i, low, error);
    }
    for (size_t s = 0; s < m->tree.count; s++) {
        m->tree.items[s].x /= m->tree.items[s].count;
        m->tree.items[s].y /= m->tree.items[s].count;
    }
    return status;
}

/* Squares that are small for how far they are act as one model of their weight. */
static void repel_from_tree(const map *m, size_t i, double out[3]) {
    uint32_t open[4 * DEEPEST + 4];
    size_t count = 1;
    open[0] = 0;
    out[0] = out[1] = out[2] = 0;
    while (count > 0) {
        const square *s = &m->tree.items[open[--count]];
        double dx = (double)m->x[i] - s->x, dy = (double)m->y[i] - s->y;
        double far = dx * dx + dy * dy;
        bool inner = (s->child[0] | s->child[1] | s->child[2] | s->child[3]) != NOTHING;
        if (inner && 4 * s->side * s->side > far) {
            for (int c = 3; c >= 0; c--) {
                if (s->child[c] != NOTHING) {
                    open[count++] = s->child[c];
                }
            }
            continue;
        }
        double q = 1 / (1 + far), weight = s->count;
        out[0] += weight * q * q * dx;
        out[1] += weight * q * q * dy;
        out[2] += weight * q;
    }
    out[2] -= 1; /* the model itself */
}

static void attract(const map *m, size_t i, double out[2]) {
    out[0] = out[1] = 0;
    for (size_t e = m->first[i]; e < m->first[i + 1]; e++) {
        const pull *to = &m->pulls[e];
        double dx = (double)m->x[i] - (double)m->x[to->model];
        double dy = (double)m->y[i] - (double)m->y[to->model];
        double force = (double)to->p / (1 + dx * dx + dy * dy);
        out[0] += force * dx;
        out[1] += force * dy;
    }
}

static psb_status push_block(void *job, void *own PSB_UNUSED, size_t block,
                             psb_error *error PSB_UNUSED) {
    const map *m = job;
    size_t first = block * BLOCK, end = first + BLOCK < m->n ? first + BLOCK : m->n;
    for (size_t i = first; i < end; i++) {
        repel_from_tree(m, i, m->repulsion + 3 * i);
        attract(m, i, m->attraction + 2 * i);
    }
    return PSB_OK;
}

static psb_status find_gradient(map *m, double exaggeration, double *gradient, psb_error *error) {
    psb_status status = PSB_OK;
    if (m->p != NULL) {
        push_pairs(m);
    } else {
        status = grow_tree(m, error);
        PSB_THEN(status, psb_parallel(&(psb_loop){.count = (m->n + BLOCK - 1) / BLOCK,
                                                  .threads = m->threads,
                                                  .item = push_block,
                                                  .job = m},
                                      error));
    }
    double all = 0;
    for (size_t i = 0; i < m->n && status == PSB_OK; i++) {
        all += m->repulsion[3 * i + 2];
    }
    for (size_t c = 0; c < 2 * m->n && status == PSB_OK; c++) {
        gradient[c] = 4 * (exaggeration * m->attraction[c] -
                           (all > 0 ? m->repulsion[3 * (c / 2) + c % 2] / all : 0));
    }
    return status;
}

/* ---- steps ------------------------------------------------------------------------------- */

static void map_free(map *m) {
    free(m->p);
    free(m->across);
    free(m->first);
    free(m->pulls);
    free(m->x);
    free(m->y);
    free(m->present);
    free(m->attraction);
    free(m->repulsion);
    free(m->tree.items);
}

static psb_status map_begin(const psb_map_input *in, int threads, map *m, psb_error *error) {
    static const char what[] = "a map";
    psb_status status = PSB_OK;
    if (in->n > PSB_MAP_MOST) {
        return psb_fail(error, PSB_ERROR_USAGE, "a map has at most %d models, not %zu",
                        PSB_MAP_MOST, in->n);
    }
    size_t n = in->n, padded = (n + LANES - 1) / LANES * LANES;
    *m = (map){.n = n, .padded = padded, .threads = threads};
    if (n <= PSB_MAP_EXACT) {
        size_t numbers_of_pairs = tile_at(m, padded, padded / LANES);
        m->p = psb_new_zero(&status, numbers_of_pairs, sizeof *m->p, what, error);
        m->across = psb_new(&status, padded, FORCES * sizeof *m->across, what, error);
    }
    m->x = psb_new_zero(&status, padded, sizeof *m->x, what, error);
    m->y = psb_new_zero(&status, padded, sizeof *m->y, what, error);
    m->present = psb_new_zero(&status, padded, sizeof *m->present, what, error);
    m->attraction = psb_new(&status, n, 2 * sizeof *m->attraction, what, error);
    m->repulsion = psb_new(&status, n, 3 * sizeof *m->repulsion, what, error);
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        m->present[i] = 1;
    }
    return PSB_THEN(status, choose_spreads(m, in, error));
}

/* Near to the middle, where the models' ids say. */
static void scatter(map *m, const char *const *ids) {
    for (size_t i = 0; i < m->n; i++) {
        psb_random random = psb_random_seeded(PSB_MAP_REVISION, ids[i], "map");
        m->x[i] = (float)(1e-3 * (psb_random_unit(&random) - 0.5));
        m->y[i] = (float)(1e-3 * (psb_random_unit(&random) - 0.5));
    }
}

/* With momentum; a coordinate that keeps its direction becomes faster, another slower. The gradient
 * falls with the number of models, so the rate grows with it. */
static void move(map *m, const double *gradient, double rate, double momentum, double *speed,
                 double *gain) {
    double middle[2] = {0, 0};
    for (size_t c = 0; c < 2 * m->n; c++) {
        float *at = (c % 2 == 0 ? m->x : m->y) + c / 2;
        bool turns = (gradient[c] > 0) == (speed[c] > 0);
        gain[c] = fmax(turns ? 0.9 * gain[c] : gain[c] + 0.3, 0.01);
        speed[c] = momentum * speed[c] - rate * gain[c] * gradient[c];
        *at = (float)((double)*at + speed[c]);
        middle[c % 2] += (double)*at / (double)m->n;
    }
    for (size_t i = 0; i < m->n; i++) {
        m->x[i] -= (float)middle[0];
        m->y[i] -= (float)middle[1];
    }
}

/* The middle of what they cover becomes 0. */
static void give(const map *m, float *xy) {
    float low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < 2 * m->n; i++) {
        xy[i] = (i % 2 == 0 ? m->x : m->y)[i / 2];
        low[i % 2] = fminf(low[i % 2], xy[i]);
        high[i % 2] = fmaxf(high[i % 2], xy[i]);
    }
    float half = 0.5F * fmaxf(high[0] - low[0], high[1] - low[1]);
    for (size_t i = 0; i < 2 * m->n; i++) {
        float from_middle = xy[i] - 0.5F * (low[i % 2] + high[i % 2]);
        xy[i] = half > 0 ? fmaxf(-1, fminf(1, from_middle / half)) : 0;
    }
}

psb_status psb_map_make(const psb_map_input *in, int threads, psb_progress *progress, void *context,
                        float *xy, psb_error *error) {
    map m = {.n = 0};
    psb_status status = map_begin(in, threads, &m, error);
    PSB_FREED double *gradient = psb_new(&status, in->n, 2 * sizeof *gradient, "a map", error);
    PSB_FREED double *speed = psb_new_zero(&status, in->n, 2 * sizeof *speed, "a map", error);
    PSB_FREED double *gain = psb_new(&status, in->n, 2 * sizeof *gain, "a map", error);
    if (status == PSB_OK) {
        scatter(&m, in->ids);
        for (size_t c = 0; c < 2 * in->n; c++) {
            gain[c] = 1;
        }
    }
    for (int step = 0; step < PSB_MAP_STEPS && status == PSB_OK; step++) {
        bool early = step < PSB_MAP_STEPS / 4;
        double exaggeration = early ? 3 : 1, rate = 0.45 * (double)in->n / exaggeration;
        status = find_gradient(&m, exaggeration, gradient, error);
        if (status == PSB_OK) {
            move(&m, gradient, rate, early ? 0.8 : 0.94, speed, gain);
        }
        if (status == PSB_OK && progress != NULL &&
            progress((size_t)step + 1, PSB_MAP_STEPS, context) != 0) {
            status = psb_fail(error, PSB_ERROR_INTERRUPTED, "interrupted");
        }
    }
    if (status == PSB_OK) {
        give(&m, xy);
    }
    map_free(&m);
    return status;
}

psb_status psb_map_gradient(const psb_map_input *in, const float *xy, double exaggeration,
                            int threads, double *gradient, psb_error *error) {
    map m = {.n = 0};
    psb_status status = map_begin(in, threads, &m, error);
    for (size_t i = 0; i < in->n && status == PSB_OK; i++) {
        m.x[i] = xy[2 * i];
        m.y[i] = xy[2 * i + 1];
    }
    PSB_THEN(status, find_gradient(&m, exaggeration, gradient, error));
    map_free(&m);
    return status;
}

psb_status psb_map_of_matrix(const psb_matrix *matrix, const char *const *ids, int threads,
                             psb_progress *progress, void *context, float *xy, psb_error *error) {
    psb_status status = PSB_OK;
    size_t n = matrix->n, k = psb_map_neighbors(n);
    PSB_FREED uint32_t *neighbor = psb_new(&status, n, k * sizeof *neighbor, "a map", error);
    PSB_FREED float *distance = psb_new(&status, n, k * sizeof *distance, "a map", error);
    PSB_THEN(status, psb_nearest_of_matrix(matrix, NULL, k, threads, neighbor, distance, error));
    const psb_map_input in = {n, k, neighbor, distance, ids};
    return PSB_THEN(status, psb_map_make(&in, threads, progress, context, xy, error));
}
