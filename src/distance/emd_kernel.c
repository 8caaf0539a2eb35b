/* The map of emd.c, by vectors as wide as the instruction set's registers. */
#include "core/watch.h"
#include "distance/emd.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum {
    STEP = 8,  /* of so many points one takes part in the first auction */
    FEW = 256, /* the fewest points that have a first auction */
    MOST_LANES = 16,
    LANES = PSB_SET_BYTES / 4,
    HALF = LANES / 2,
    NONE = -1,
};

static const float FAR = 1e38F;
/* Raises as shares of the size: in the first round, after prices were spread, and in the last. */
static const float FIRST = 0.1F, SPREAD = 0.01F, LAST_OF_FEW = 2e-3F, LAST = 1e-4F, SMALLER = 0.3F;

typedef float floats __attribute__((vector_size(PSB_SET_BYTES)));
typedef float half_floats __attribute__((vector_size(PSB_SET_BYTES / 2)));
typedef int32_t ints __attribute__((vector_size(PSB_SET_BYTES)));
typedef double doubles __attribute__((vector_size(PSB_SET_BYTES)));
typedef int64_t longs __attribute__((vector_size(PSB_SET_BYTES)));

/* Takes each lane from a if the mask, the result of a comparison, is set there, else from b. */
#define CHOOSE(type, bits, mask, a, b) (type)(((mask) & (bits)(a)) | (~(mask) & (bits)(b)))

typedef struct two {
    float least, second;
    int place;
} two;

/* Lets every step-th point of both sets take part. */
static void take(psb_emd_work *w, int step) {
    w->step = step;
    w->n = w->all / step;
    w->padded = (w->n + MOST_LANES - 1) / MOST_LANES * MOST_LANES;
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < w->padded; j++) {
            w->b[k][j] = j < w->n ? w->rows[1][3 * j * step + k] : 0;
        }
    }
}

static const float *point_of_a(const psb_emd_work *w, int i) {
    return w->rows[0] + 3 * i * w->step;
}

static void fill_costs(psb_emd_work *w, const float p[3]) {
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
static two find_two(const psb_emd_work *w) {
    floats least = (floats){0} + INFINITY, second = least;
    ints place = {0}, at = {0};
    for (int l = 0; l < LANES; l++) {
        at[l] = l;
    }
    for (int j = 0; j < w->padded; j += LANES) {
        floats x = *(const floats *)(const void *)(w->cost + j) -
                   *(const floats *)(const void *)(w->offer + j);
        ints less = x < least;
        floats other = CHOOSE(floats, ints, less, least, x);
        ints closer = other < second;
        second = CHOOSE(floats, ints, closer, other, second);
        place = (less & at) | (~less & place);
        least = CHOOSE(floats, ints, less, x, least);
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

static void give(psb_emd_work *w, int a, int b) {
    w->of_a[a] = (int16_t)b;
    w->of_b[b] = (int16_t)a;
}

/*
 * Runs a round of the auction: each point of A takes the point of B that is best for it, and raises
 * its price. Returns whether every point of A has one in the end.
 */
static bool bid(psb_emd_work *w, float raise) {
    int count = w->n;
    for (int i = 0; i < w->n; i++) {
        w->waiting[i] = (int16_t)(w->n - 1 - i);
        w->of_b[i] = NONE;
    }
    for (int left = 100 * w->n; count > 0 && left > 0 && psb_goes_on((size_t)left); left--) {
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
static void spread(psb_emd_work *w) {
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
static int relax(psb_emd_work *w, double offset, int i) {
    doubles least = (doubles){0} + INFINITY;
    longs place = {0}, at = {0}, own = place + i;
    for (int l = 0; l < HALF; l++) {
        at[l] = l;
    }
    for (int j = 0; j < w->padded; j += HALF) {
        doubles *length = (doubles *)(void *)(w->length + j);
        longs *from = (longs *)(void *)(w->from + j);
        doubles cost = __builtin_convertvector(*(half_floats *)(void *)(w->cost + j), doubles);
        doubles done = *(doubles *)(void *)(w->done + j);
        doubles x = cost - *(doubles *)(void *)(w->price + j) + offset + done;
        longs less = x < *length;
        *from = (less & own) | (~less & *from);
        *length = CHOOSE(doubles, longs, less, x, *length);
        x = *length + done;
        less = x < least;
        place = (less & at) | (~less & place);
        least = CHOOSE(doubles, longs, less, x, least);
        at += HALF;
    }
    int best = 0;
    for (int l = 1; l < HALF; l++) {
        bool before = least[l] < least[best] || (least[l] == least[best] && place[l] < place[best]);
        best = before ? l : best;
    }
    return (int)place[best];
}

static void augment(psb_emd_work *w, int start) {
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
static double bound_by_prices(psb_emd_work *w) {
    double sum = 0;
    for (int i = 0; i < w->n; i++) {
        fill_costs(w, point_of_a(w, i));
        sum += (double)find_two(w).least * (1 - PSB_EMD_ROUNDING);
    }
    for (int j = 0; j < w->n; j++) {
        sum += (double)w->offer[j];
    }
    return sum;
}

/* Returns the sum of the map's distances. */
static double sum_of_map(const psb_emd_work *w) {
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
static bool auction(psb_emd_work *w) {
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
        w->sum = w->bound > w->most * (1 + PSB_EMD_ROUNDING) ? (double)FLT_MAX
                 : whole && w->tolerance > 0                 ? sum_of_map(w)
                                                             : INFINITY;
        if (w->sum == (double)FLT_MAX || w->sum <= (1 + w->tolerance) * w->bound) {
            return true;
        }
    }
    return false;
}

static void assign(psb_emd_work *w) {
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
        if (psb_go_on(NULL) != PSB_OK) { /* not all points have one: no sum */
            w->bound = w->sum = 0;
            return;
        }
        augment(w, w->waiting[k]);
    }
    w->bound = w->sum = sum_of_map(w);
}

const psb_emd_kernel PSB_OF_SET(psb_emd_of) = {PSB_SET_VARIANT, assign};
