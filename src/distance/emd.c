/*
 * Earth mover's distance of two sets A and B of n points: the least, over all one-to-one maps f of
 * A to B, of the mean of |a - f(a)| (Rubner, Tomasi, Guibas 2000; Fan, Su, Guibas 2017, with the
 * mean in the place of the sum).
 *
 * An auction (Bertsekas 1988), whose raises shrink from round to round, finds a map and prices of
 * the points of B. Any prices give a lower bound (duality): the sum of what is least for each point
 * of A, its cost less the price, plus all prices. "emd-auction" ends where the map's distance is at
 * most 1 % above that bound. "emd" goes on from the prices to the best map of all, by shortest
 * augmenting paths (Jonker, Volgenant 1987): how the auction ends decides the time and not the map.
 * Costs are float32, as the points; prices of paths and sums double.
 *
 * An auction takes longest when it begins without prices, so every eighth point takes part in one
 * first. Its prices then spread to the other points: each gets the highest price with which no
 * point of A in the first auction would prefer it.
 */
#include "core/cpu.h"
#include "core/number.h"
#include "distance/lanes.h"
#include "distance/points.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 10000, /* the most points of a set */
    STEP = 8,     /* of so many points one takes part in the first auction */
    FEW = 256,    /* the fewest points that have a first auction */
    QUANTILES = 32,
    LANES = PSB_LANES,
    HALF = PSB_HALF_LANES,
    NONE = -1,
};

/* Arrays are read in whole vectors: behind the n points lie some that cost FAR. */
typedef struct work {
    _Alignas(PSB_LANES_BYTES) float b[3][MOST];
    _Alignas(PSB_LANES_BYTES) float cost[MOST];  /* of the point of A that was looked at last */
    _Alignas(PSB_LANES_BYTES) float offer[MOST]; /* prices of the auction, at most 0 */
    _Alignas(PSB_LANES_BYTES) double price[MOST];
    /* Of a search for a path. */
    _Alignas(PSB_LANES_BYTES) double length[MOST]; /* of the shortest path to a point of B */
    _Alignas(PSB_LANES_BYTES) double done[MOST];   /* INFINITY where that is known, else 0 */
    _Alignas(PSB_LANES_BYTES) int64_t from[MOST];  /* the point of A before it */
    int16_t of_a[MOST], of_b[MOST];                /* each other's, or NONE */
    int16_t waiting[MOST];                         /* of A */
    const float *rows[2];                          /* the points of A and B */
    int all, step, n, padded; /* each `step`-th of `all` points takes part: n of them */
    float size;               /* the longest side of the box of both */
    double most;              /* a larger sum of distances need not be exact; or INFINITY */
    double tolerance;         /* share by which the sum may exceed the bound; 0: the least sum */
    double sum;               /* sum of the map's distances; FLT_MAX if it exceeds `most` */
    double bound;             /* lower bound of the sum of any map */
} work;
static const float FAR = 1e38F;
static const double ROUNDING = 1e-6;
static const double TOLERANCE = 0.01;
/* Squares of smaller distances vanish. */
static const double SMALLEST = 1e-15;
/* Raises as shares of the size: in the first round, after prices were spread, and in the last. */
static const float FIRST = 0.1F, SPREAD = 0.01F, LAST_OF_FEW = 2e-3F, LAST = 1e-4F, SMALLER = 0.3F;

typedef struct two {
    float least, second;
    int place;
} two;

/* Lets every step-th point of both sets take part. */
PSB_INLINE void take(work *w, int step) {
    w->step = step;
    w->n = w->all / step;
    w->padded = (w->n + LANES - 1) / LANES * LANES;
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < w->padded; j++) {
            w->b[k][j] = j < w->n ? w->rows[1][3 * j * step + k] : 0;
        }
    }
}

PSB_INLINE const float *point_of_a(const work *w, int i) {
    return w->rows[0] + 3 * i * w->step;
}

PSB_INLINE void fill_costs(work *w, const float p[3]) {
    float x = p[0], y = p[1], z = p[2];
    for (int j = 0; j < w->padded; j++) {
        float dx = x - w->b[0][j], dy = y - w->b[1][j], dz = z - w->b[2][j];
        w->cost[j] = sqrtf(dx * dx + dy * dy + dz * dz);
    }
    for (int j = w->n; j < w->padded; j++) {
        w->cost[j] = FAR;
    }
}

/* Cost less price: the least, its first place, and the next. */
PSB_INLINE two find_two(const work *w) {
    psb_floats least = (psb_floats){0} + INFINITY, second = least;
    psb_ints place = {0}, at = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    for (int j = 0; j < w->padded; j += LANES) {
        psb_floats x = *(const psb_floats *)(const void *)(w->cost + j) -
                       *(const psb_floats *)(const void *)(w->offer + j);
        psb_ints less = x < least;
        psb_floats other = PSB_CHOOSE_FLOATS(less, least, x);
        psb_ints closer = other < second;
        second = PSB_CHOOSE_FLOATS(closer, other, second);
        place = (less & at) | (~less & place);
        least = PSB_CHOOSE_FLOATS(less, x, least);
        at += LANES;
    }
    two out = {least[0], second[0], place[0]};
    for (int l = 1; l < LANES; l++) {
        bool before = least[l] < out.least || (least[l] == out.least && place[l] < out.place);
        float other = before ? out.least : least[l];
        out.second = other < out.second ? other : out.second;
        out.second = second[l] < out.second ? second[l] : out.second;
        out.place = before ? place[l] : out.place;
        out.least = before ? least[l] : out.least;
    }
    return out;
}

PSB_INLINE void give(work *w, int a, int b) {
    w->of_a[a] = (int16_t)b;
    w->of_b[b] = (int16_t)a;
}

/*
 * Runs a round of the auction: each point of A takes the point of B that is best for it, and raises
 * its price. Returns whether every point of A has one in the end.
 */
PSB_INLINE bool bid(work *w, float raise) {
    int count = w->n;
    for (int i = 0; i < w->n; i++) {
        w->waiting[i] = (int16_t)(w->n - 1 - i);
        w->of_b[i] = NONE;
    }
    for (int left = 100 * w->n; count > 0 && left > 0; left--) {
        int i = w->waiting[--count];
        fill_costs(w, point_of_a(w, i));
        two best = find_two(w);
        int before = w->of_b[best.place];
        w->offer[best.place] -= (best.second < FAR / 2 ? best.second - best.least : 0) + raise;
        give(w, i, best.place);
        if (before != NONE) {
            w->waiting[count++] = (int16_t)before;
        }
    }
    return count == 0;
}

/* Makes prices of all points, of which the highest is 0, from the first auction's. */
PSB_INLINE void spread(work *w) {
    int few = w->n, step = w->step;
    float most = -INFINITY;
    for (int i = 0; i < few; i++) {
        fill_costs(w, point_of_a(w, i));
        w->length[i] = (double)find_two(w).least;
    }
    take(w, 1);
    for (int j = 0; j < w->padded; j++) {
        w->offer[j] = INFINITY;
    }
    for (int i = 0; i < few; i++) {
        float least = (float)w->length[i];
        fill_costs(w, point_of_a(w, i * step));
        for (int j = 0; j < w->padded; j++) {
            float x = w->cost[j] - least;
            w->offer[j] = x < w->offer[j] ? x : w->offer[j];
        }
    }
    for (int j = 0; j < w->n; j++) {
        most = w->offer[j] > most ? w->offer[j] : most;
    }
    for (int j = 0; j < w->padded; j++) {
        w->offer[j] = j < w->n ? w->offer[j] - most : 0;
    }
}

/*
 * Paths that end with point i of A, whose own is `offset` less its price, go on to all points of B.
 * The nearest one whose path is not known yet.
 */
PSB_INLINE int relax(work *w, double offset, int i) {
    psb_doubles least = (psb_doubles){0} + INFINITY;
    psb_longs place = {0}, at = {0, 1, 2, 3, 4, 5, 6, 7}, own = (psb_longs){0} + i;
    for (int j = 0; j < w->padded; j += HALF) {
        psb_doubles *length = (psb_doubles *)(void *)(w->length + j);
        psb_longs *from = (psb_longs *)(void *)(w->from + j);
        psb_doubles cost =
            __builtin_convertvector(*(psb_half_floats *)(void *)(w->cost + j), psb_doubles);
        psb_doubles done = *(psb_doubles *)(void *)(w->done + j);
        psb_doubles x = cost - *(psb_doubles *)(void *)(w->price + j) + offset + done;
        psb_longs less = x < *length;
        *from = (less & own) | (~less & *from);
        *length = PSB_CHOOSE_DOUBLES(less, x, *length);
        x = *length + done;
        less = x < least;
        place = (less & at) | (~less & place);
        least = PSB_CHOOSE_DOUBLES(less, x, least);
        at += HALF;
    }
    int best = 0;
    for (int l = 1; l < HALF; l++) {
        bool before = least[l] < least[best] || (least[l] == least[best] && place[l] < place[best]);
        best = before ? l : best;
    }
    return (int)place[best];
}

PSB_INLINE void augment(work *w, int start) {
    int i = start, j = NONE;
    double offset = 0, most;
    for (int k = 0; k < w->padded; k++) {
        w->length[k] = INFINITY;
        w->done[k] = 0;
    }
    while (true) {
        fill_costs(w, point_of_a(w, i));
        if (i != start) {
            offset -= (double)w->cost[j] - w->price[j];
        }
        j = relax(w, offset, i);
        if (w->of_b[j] == NONE) {
            break;
        }
        w->done[j] = INFINITY;
        offset = w->length[j];
        i = w->of_b[j];
    }
    most = w->length[j];
    for (int k = 0; k < w->n; k++) {
        w->price[k] += w->done[k] > 0 ? w->length[k] - most : 0;
    }
    do {
        int next;
        i = (int)w->from[j];
        next = i != start ? w->of_a[i] : NONE;
        give(w, i, j);
        j = next;
    } while (i != start);
}

/*
 * Returns a sum of distances that no map is below. Costs and offers are of one sign, so that
 * rounding changes each by less than a millionth.
 */
PSB_INLINE double bound_by_prices(work *w) {
    double sum = 0;
    for (int i = 0; i < w->n; i++) {
        fill_costs(w, point_of_a(w, i));
        sum += (double)find_two(w).least * (1 - ROUNDING);
    }
    for (int j = 0; j < w->n; j++) {
        sum += (double)w->offer[j];
    }
    return sum;
}

/* Returns the sum of the map's distances. */
PSB_INLINE double sum_of_map(const work *w) {
    double sum = 0;
    for (int i = 0; i < w->n; i++) {
        double square = 0;
        for (int k = 0; k < 3; k++) {
            double d = (double)w->rows[0][3 * i + k] - (double)w->rows[1][3 * w->of_a[i] + k];
            square += d * d;
        }
        sum += sqrt(square);
    }
    return sum;
}

/* Returns whether the auction's map will do, or its sum is found to exceed `most`. */
PSB_INLINE bool auction(work *w) {
    float raise = w->size * FIRST;
    take(w, w->all >= FEW ? STEP : 1);
    for (int j = 0; j < w->padded; j++) {
        w->offer[j] = 0;
    }
    if (w->step > 1) {
        for (; raise > w->size * LAST_OF_FEW; raise *= SMALLER) {
            bid(w, raise);
        }
        spread(w);
        raise = w->size * SPREAD;
    }
    for (; raise > w->size * LAST; raise *= SMALLER) {
        bool whole = bid(w, raise);
        if (w->most == INFINITY && w->tolerance == 0) {
            continue;
        }
        w->bound = bound_by_prices(w);
        w->sum = w->bound > w->most * (1 + ROUNDING) ? (double)FLT_MAX
                 : whole && w->tolerance > 0         ? sum_of_map(w)
                                                     : INFINITY;
        if (w->sum == (double)FLT_MAX || w->sum <= (1 + w->tolerance) * w->bound) {
            return true;
        }
    }
    return false;
}

PSB_INLINE void assign(work *w) {
    int left = 0;
    if (auction(w)) {
        return;
    }
    for (int j = 0; j < w->padded; j++) {
        w->of_b[j] = NONE;
        w->price[j] = (double)w->offer[j];
    }
    for (int i = 0; i < w->n; i++) {
        fill_costs(w, point_of_a(w, i));
        int best = find_two(w).place;
        if (w->of_b[best] == NONE) {
            give(w, i, best);
        } else {
            w->waiting[left++] = (int16_t)i;
        }
    }
    for (int k = 0; k < left; k++) {
        augment(w, w->waiting[k]);
    }
    w->bound = w->sum = sum_of_map(w);
}

typedef struct psb_assign_kernel {
    psb_variant variant;
    void (*assign)(work *w);
} psb_assign_kernel;

PSB_VARIANTS(psb_emd_kernels, psb_assign_kernel, assign, (work * w), (w))

/* Whether all coordinates are in range; their box then says the size. */
static bool prepare(const float *a, const float *b, int n, work *w) {
    w->rows[0] = a;
    w->rows[1] = b;
    w->all = n;
    w->size = 0;
    for (int k = 0; k < 3; k++) {
        float low = a[k], high = a[k];
        for (int i = k; i < 3 * n; i += 3) {
            low = fminf(low, fminf(a[i], b[i]));
            high = fmaxf(high, fmaxf(a[i], b[i]));
        }
        w->size = fmaxf(w->size, high - low);
        if (!(low >= -PSB_POINTS_LARGEST && high <= PSB_POINTS_LARGEST)) {
            return false;
        }
    }
    return true;
}

/*
 * The same for either order of the two; INFINITY where a coordinate is out of range. Any number
 * above `most` where it is larger than that. `*bound`, unless NULL: no map has less.
 */
static double measure(const void *one, const void *other, size_t length, double tolerance,
                      double most, double *bound) {
    int order = memcmp(one, other, length * sizeof(float)), n = (int)(length / 3);
    work w;
    w.sum = w.bound = order == 0 ? 0 : INFINITY;
    if (order != 0 && prepare(order < 0 ? one : other, order < 0 ? other : one, n, &w)) {
        w.tolerance = tolerance;
        w.most = most * n;
        ((const psb_assign_kernel *)psb_cpu_choose(psb_emd_kernels))->assign(&w);
    }
    if (bound != NULL) {
        *bound = w.bound / n;
    }
    return w.sum == (double)FLT_MAX ? w.sum : w.sum / n;
}

static double pair(const void *a, const void *b, size_t length) {
    return measure(a, b, length, 0, INFINITY, NULL);
}

static double pair_by_auction(const void *a, const void *b, size_t length) {
    return measure(a, b, length, TOLERANCE, INFINITY, NULL);
}

double psb_emd_gap(const void *a, const void *b, size_t length) {
    double bound, value = measure(a, b, length, TOLERANCE, INFINITY, &bound);
    return value > bound ? value / bound - 1 : 0;
}

/* The mean distance to the nearest point of the other, from the side where that is larger. */
static double bound(const void *a, const void *b, size_t n, float *squares) {
    double sum[2] = {0};
    for (int side = 0; side < 2; side++) {
        psb_points_nearest(side == 0 ? a : b, side == 0 ? b : a, squares, NULL);
        for (size_t i = 0; i < n; i++) {
            sum[side] += sqrt((double)squares[i]);
        }
    }
    return (sum[0] > sum[1] ? sum[0] : sum[1]) / (double)n * (1 - ROUNDING);
}

/* A pair that is too far is found out by the points' nearest, or by prices. */
static void tile(const psb_block *a, const psb_block *b, bool upper, void *scratch, float *out,
                 size_t stride) {
    size_t length = a->rows.length, bytes = psb_points_bytes(length / 3);
    const float *rows_a = a->rows.data, *rows_b = b->rows.data;
    double tolerance = a->metric == &psb_emd_auction ? TOLERANCE : 0;
    for (size_t i = 0; i < a->rows.n; i++) {
        for (size_t j = upper ? i + 1 : 0; j < b->rows.n; j++) {
            const void *x = (const char *)a->prepared + i * bytes;
            const void *y = (const char *)b->prepared + j * bytes;
            double limit = (double)psb_block_limit(a, i, b, j);
            bool limited = limit >= SMALLEST && limit < (double)FLT_MAX && psb_points_in_range(x) &&
                           psb_points_in_range(y);
            if (limited && bound(x, y, length / 3, scratch) > limit) {
                out[i * stride + j] = FLT_MAX;
            } else {
                out[i * stride + j] =
                    (float)measure(rows_a + i * length, rows_b + j * length, length, tolerance,
                                   limited ? limit : INFINITY, NULL);
            }
        }
    }
}

static size_t tile_scratch(size_t rows, size_t length) {
    (void)rows;
    return length / 3 * sizeof(float);
}

/* For each axis some of the coordinates in ascending order: nearly the moves along that axis. */
static void outline(const void *row, size_t length, float *out) {
    const float *at = row;
    size_t n = length / 3;
    float sorted[MOST];
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < n; i++) {
            sorted[i] = at[3 * i + k];
        }
        qsort(sorted, n, sizeof *sorted, psb_by_float);
        for (size_t q = 0; q < QUANTILES; q++) {
            *out++ = sorted[(2 * q + 1) * n / (2 * QUANTILES)];
        }
    }
}

static int accepts(size_t length) {
    return psb_points_accept(length) && length <= (size_t)3 * MOST;
}

#define METRIC(other_name, meaning, one_pair)                                                      \
    {                                                                                              \
        .name = other_name, .help = meaning, .revision = 1, .element = PSB_FLOAT32,                \
        .most_rows = PSB_TILE, .pair = one_pair, .prepare = psb_points_prepare_rows,               \
        .prepared_bytes = psb_points_prepared_bytes, .tile = tile, .tile_scratch = tile_scratch,   \
        .accepts = accepts, .outline = outline, .outline_length = 3 * QUANTILES,                   \
    }

const psb_metric psb_emd =
    METRIC("emd", "of up to 10,000 points: mean distance of the best one-to-one map", pair);
const psb_metric psb_emd_auction =
    METRIC("emd-auction", "the same of a map that is proven to be within 1 % of the best",
           pair_by_auction);
