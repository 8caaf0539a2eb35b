/* The splat: elements in arrays for vector instructions, then one by one onto their nodes. */
#include "fields/area_splat.h"

#include <math.h>
#include <string.h>

enum {
    BLOCK = 16,                  /* elements that go through their shells together */
    LANES = 4,                   /* shells that are added to at a time */
    MOST_SHELLS = PSB_SHELLS + 4 /* that one element may reach into, a multiple of the lanes */
};

typedef float lane[PSB_ELEMENTS];

/* Sums and shares side by side, wherever they begin; the indices of a shuffle of shares. */
typedef double shells __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef float shares __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int32_t places __attribute__((vector_size(4 * LANES)));

/* A point's distance in shells, and where its direction lies among the nodes. */
typedef struct placed {
    lane radial, row, column;
} placed;

typedef struct splat_batch {
    placed corner[3]; /* ascending by distance; directions half way to the corners */
    placed centre;
    int32_t first[PSB_ELEMENTS]; /* shell + 1 where the element begins */
    int32_t above[PSB_ELEMENTS]; /* middles of shells that it crosses */
    /* What each shell gets of its area: LANES shells from `first` on, then the next ones; for each
       of three directions. */
    float share[MOST_SHELLS / LANES][3][PSB_ELEMENTS][LANES];
} splat_batch;

/* Arc tangent for 0 <= t <= 1 with an error below 1e-7 (Abramowitz and Stegun 1964, 4.4.49). */
PSB_INLINE float arc_tangent(float t) {
    float s = t * t;
    float p = 0.0028662257f;
    p = p * s - 0.0161657367f;
    p = p * s + 0.0429096138f;
    p = p * s - 0.0752896400f;
    p = p * s + 0.1065626393f;
    p = p * s - 0.1420889944f;
    p = p * s + 0.1999355085f;
    p = p * s - 0.3333314528f;
    return t + t * s * p;
}

/* Angle of the point (x, y) from the x axis, 0 ... 2 pi; 0 for the origin. */
PSB_INLINE float angle_of(float x, float y) {
    const float quarter = 1.57079632679f, half = 3.14159265359f;
    float width = fabsf(x), height = fabsf(y);
    float low = width < height ? width : height;
    float high = width < height ? height : width;
    float a = arc_tangent(low / (high > 1e-30f ? high : 1e-30f));
    a = width < height ? quarter - a : a;
    a = x < 0.0f ? half - a : a;
    return y < 0.0f ? 2.0f * half - a : a;
}

PSB_INLINE float limited(float x, float low, float high) {
    x = x > low ? x : low; /* takes NaN as well */
    return x < high ? x : high;
}

PSB_INLINE void place_directions(const lane x, const lane y, const lane z, placed *out) {
    const float rows = PSB_GRID / 3.14159265359f, columns = PSB_GRID / 6.28318530718f;
    for (int i = 0; i < PSB_ELEMENTS; i++) {
        float polar = angle_of(z[i], sqrtf(x[i] * x[i] + y[i] * y[i]));
        float azimuth = angle_of(x[i], y[i]);
        out->row[i] = limited(polar * rows + 0.5f, 0.0f, PSB_GRID + 0.75f);
        out->column[i] = limited(azimuth * columns, 0.0f, PSB_GRID - 1e-5f);
    }
}

/* The coordinate 32 r - 0.5. */
PSB_INLINE void place_distance(const lane x, const lane y, const lane z, lane radial) {
    for (int i = 0; i < PSB_ELEMENTS; i++) {
        radial[i] = PSB_SHELLS * sqrtf(x[i] * x[i] + y[i] * y[i] + z[i] * z[i]) - 0.5f;
    }
}

PSB_INLINE void place(const psb_element_batch *batch, splat_batch *splat) {
    lane centre[3];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < PSB_ELEMENTS; i++) {
            centre[k][i] =
                (batch->corner[0][k][i] + batch->corner[1][k][i] + batch->corner[2][k][i]) *
                (1.0f / 3.0f);
        }
    }
    place_distance(centre[0], centre[1], centre[2], splat->centre.radial);
    if (batch->tiny) {
        place_directions(centre[0], centre[1], centre[2], &splat->centre);
    }
    for (int v = 0; v < 3; v++) {
        const lane *corner = batch->corner[v];
        place_distance(corner[0], corner[1], corner[2], splat->corner[v].radial);
        if (!batch->tiny) {
            lane half[3]; /* twice the point half way from the center to the corner */
            for (int k = 0; k < 3; k++) {
                for (int i = 0; i < PSB_ELEMENTS; i++) {
                    half[k][i] = corner[k][i] + centre[k][i];
                }
            }
            place_directions(half[0], half[1], half[2], &splat->corner[v]);
        }
    }
}

/* Sorts corners by distance; in registers, because stores that depend on the order are slow. */
PSB_INLINE void sort_corners(placed corner[3]) {
    for (int i = 0; i < PSB_ELEMENTS; i++) {
        float at[3][3];
        for (int v = 0; v < 3; v++) {
            at[v][0] = corner[v].radial[i];
            at[v][1] = corner[v].row[i];
            at[v][2] = corner[v].column[i];
        }
        for (int step = 0; step < 3; step++) {
            float *a = at[step % 2], *b = at[step % 2 + 1];
            bool swap = a[0] > b[0];
            for (int k = 0; k < 3; k++) {
                float low = swap ? b[k] : a[k], high = swap ? a[k] : b[k];
                a[k] = low;
                b[k] = high;
            }
        }
        for (int v = 0; v < 3; v++) {
            corner[v].radial[i] = at[v][0];
            corner[v].row[i] = at[v][1];
            corner[v].column[i] = at[v][2];
        }
    }
}

/*
 * Moves the corners' distances so that their mean is the true mean, to third order, and counts them
 * from the middle of the shell where the element begins.
 */
PSB_INLINE void find_slabs(splat_batch *splat) {
    float *low = splat->corner[0].radial, *middle = splat->corner[1].radial;
    float *high = splat->corner[2].radial;
    lane shift, start, end;
    for (int i = 0; i < PSB_ELEMENTS; i++) {
        float linear = (low[i] + middle[i] + high[i]) * (1.0f / 3.0f);
        shift[i] = 0.75f * (splat->centre.radial[i] - linear) + 1.0f;
        start[i] = limited(low[i] + shift[i], 0.0f, PSB_SHELLS + 1);
        end[i] = limited(high[i] + shift[i], 0.0f, PSB_SHELLS + 1);
    }
    for (int i = 0; i < PSB_ELEMENTS; i++) {
        splat->first[i] = (int32_t)start[i];
        splat->above[i] = (int32_t)end[i] - splat->first[i];
        shift[i] -= (float)splat->first[i];
        low[i] += shift[i];
        middle[i] += shift[i];
        high[i] += shift[i];
    }
}

/*
 * Integrals over part of an element of area 1: of its barycentric coordinates, and of those times
 * the distance.
 */
typedef struct part {
    float corner[3], radial[3];
} part;

PSB_INLINE part all_of(const float x[3]) {
    part whole;
    float sum = x[0] + x[1] + x[2];
    for (int v = 0; v < 3; v++) {
        whole.corner[v] = 1.0f / 3.0f;
        whole.radial[v] = (x[v] + sum) * (1.0f / 12.0f);
    }
    return whole;
}

/*
 * What lies below a level above x[0], corners at x in ascending order. The level cuts a triangle
 * off at the lowest or, if it lies above the middle corner, at the highest corner.
 */
PSB_INLINE part part_below(const float x[3], float level, const part *whole) {
    const float least = 1e-30f;
    level = level < x[2] ? level : x[2];
    bool upper = (level > x[1]) | (level >= x[2]); /* also where all three are equal */
    float end = upper ? x[2] : x[0];
    float height = x[2] - x[0], side = fabsf(x[1] - end), up = fabsf(level - end);
    float along = up / (height > least ? height : least); /* where it meets the edges */
    float across = up / (side > least ? side : least);
    float area = along * across, third = area * (1.0f / 3.0f), twelfth = area * (1.0f / 12.0f);
    float sum = end + 2.0f * level; /* of the cut-off's corners */
    float rest = 3.0f - along - across;
    /* Product of two linear functions: area / 12 (sum of products + product of sums). */
    float corner_end = third * rest, corner_other = third * along;
    float radial_end = twelfth * (end + (rest - 1.0f) * level + rest * sum);
    float radial_other = twelfth * along * (level + sum);
    float cut_corner[3] = {upper ? corner_other : corner_end, third * across,
                           upper ? corner_end : corner_other};
    float cut_radial[3] = {upper ? radial_other : radial_end, twelfth * across * (level + sum),
                           upper ? radial_end : radial_other};
    part below;
    for (int v = 0; v < 3; v++) {
        float other_corner = whole->corner[v] - cut_corner[v];
        float other_radial = whole->radial[v] - cut_radial[v];
        below.corner[v] = upper ? other_corner : cut_corner[v];
        below.radial[v] = upper ? other_radial : cut_radial[v];
    }
    return below;
}

/* What is known of a block's elements while their slabs are gone through. */
typedef struct slab_sums {
    float corner[3][BLOCK], radial[3][BLOCK]; /* integrals below the slab */
    float carried[3][BLOCK]; /* what the shell at its lower side got from the slab below */
} slab_sums;

/*
 * Slab number `slab`, counted from the first, of the elements from `block` on: the share of the
 * shell at its lower side is complete then, that of the shell at its upper side is carried on. The
 * directions' functions are those that are 1 half way to their corner and 0 half way to the others.
 */
PSB_INLINE void share_slab(const splat_batch *splat, int block, int slab, bool last, bool tiny,
                           slab_sums *sums, float share[3][BLOCK]) {
    const float endless = 1e30f;
    const float of_corner = tiny ? 0.0f : 2.0f, of_sum = tiny ? 1.0f : -1.0f / 3.0f;
    for (int i = 0; i < BLOCK; i++) {
        const float x[3] = {splat->corner[0].radial[block + i], splat->corner[1].radial[block + i],
                            splat->corner[2].radial[block + i]};
        part whole = all_of(x);
        float level = slab < splat->above[block + i] ? (float)(slab + 1) : endless;
        part top = last ? whole : part_below(x, level, &whole);
        float lower[3];
        for (int v = 0; v < 3; v++) {
            float corner = top.corner[v] - sums->corner[v][i];
            float upper = top.radial[v] - sums->radial[v][i] - (float)slab * corner;
            lower[v] = sums->carried[v][i] + corner - upper;
            sums->carried[v][i] = upper;
            sums->corner[v][i] = top.corner[v];
            sums->radial[v][i] = top.radial[v];
        }
        float sum = lower[0] + lower[1] + lower[2];
        for (int v = 0; v < 3; v++) {
            share[v][i] = of_corner * lower[v] + of_sum * sum;
        }
    }
}

/* From shares of LANES elements by shell, 3 * BLOCK apart, to shares of LANES shells by element. */
PSB_INLINE void turn(const float *by_shell, float by_element[LANES][LANES]) {
    const shares *from = (const shares *)by_shell, *next = (const shares *)(by_shell + 3 * BLOCK);
    const shares *third = (const shares *)(by_shell + 6 * BLOCK);
    const shares *last = (const shares *)(by_shell + 9 * BLOCK);
    shares *to = (shares *)by_element;
    shares a = PSB_SHUFFLE(places, *from, *next, 0, 4, 1, 5);
    shares b = PSB_SHUFFLE(places, *third, *last, 0, 4, 1, 5);
    shares c = PSB_SHUFFLE(places, *from, *next, 2, 6, 3, 7);
    shares d = PSB_SHUFFLE(places, *third, *last, 2, 6, 3, 7);
    to[0] = PSB_SHUFFLE(places, a, b, 0, 1, 4, 5);
    to[1] = PSB_SHUFFLE(places, a, b, 2, 3, 6, 7);
    to[2] = PSB_SHUFFLE(places, c, d, 0, 1, 4, 5);
    to[3] = PSB_SHUFFLE(places, c, d, 2, 3, 6, 7);
}

/* Fills `share` for the elements from `block` on, up to a multiple of the lanes. */
PSB_INLINE void share_block(splat_batch *splat, int block, bool tiny) {
    slab_sums sums;
    memset(&sums, 0, sizeof sums);
    int most = 0;
    for (int i = 0; i < BLOCK; i++) {
        most = splat->above[block + i] > most ? splat->above[block + i] : most;
    }
    for (int start = 0; start < most + 2; start += LANES) {
        float share[LANES][3][BLOCK];
        for (int k = 0; k < LANES; k++) {
            if (start + k < most) {
                share_slab(splat, block, start + k, false, tiny, &sums, share[k]);
            } else if (start + k < most + 2) { /* only what is carried on, from the second */
                share_slab(splat, block, start + k, true, tiny, &sums, share[k]);
            } else {
                memset(share[k], 0, sizeof share[k]);
            }
        }
        for (int v = 0; v < 3; v++) {
            for (int i = 0; i < BLOCK; i += LANES) {
                turn(&share[0][v][i], splat->share[start / LANES][v] + block + i);
            }
        }
    }
}

/* The first of a direction's four nodes, at the shell where the element begins, and their shares.
 */
typedef struct footprint {
    int32_t node[PSB_ELEMENTS];
    double weight[4][PSB_ELEMENTS]; /* left and right of the upper row, then of the lower one */
} footprint;

PSB_INLINE void find_footprint(const splat_batch *splat, const placed *at, const double *area,
                               footprint *out) {
    for (int i = 0; i < PSB_ELEMENTS; i++) {
        int row = (int)at->row[i], column = (int)at->column[i];
        double down = at->row[i] - (float)row, right = at->column[i] - (float)column;
        double right_down = area[i] * down * right, left_down = area[i] * down - right_down;
        double right_up = area[i] * right - right_down;
        out->node[i] = (row * PSB_SPLAT_COLUMNS + column) * PSB_SPLAT_SHELLS + splat->first[i];
        out->weight[0][i] = area[i] - area[i] * down - right_up;
        out->weight[1][i] = right_up;
        out->weight[2][i] = left_down;
        out->weight[3][i] = right_down;
    }
}

/* Adds the shares of one element, `n` of its directions, which have their nodes in common. */
PSB_INLINE void add_element(const splat_batch *splat, const footprint *at, int direction, int n,
                            size_t i, double *sums) {
    static const int step[4] = {0, PSB_SPLAT_SHELLS, PSB_SPLAT_SHELLS * PSB_SPLAT_COLUMNS,
                                PSB_SPLAT_SHELLS * (PSB_SPLAT_COLUMNS + 1)};
    for (int start = 0; start < splat->above[i] + 2; start += LANES) {
        for (int k = 0; k < 4; k++) {
            shells *to = (shells *)(sums + at[direction].node[i] + step[k] + start);
            shells sum = *to;
            for (int v = direction; v < direction + n; v++) {
                const shares *from = (const shares *)splat->share[start / LANES][v][i];
                sum += at[v].weight[k][i] * __builtin_convertvector(*from, shells);
            }
            *to = sum;
        }
    }
}

PSB_INLINE void add(const psb_element_batch *batch, double *sums) {
    splat_batch splat;
    place(batch, &splat);
    sort_corners(splat.corner);
    find_slabs(&splat);
    for (int block = 0; block < PSB_ELEMENTS; block += BLOCK) {
        share_block(&splat, block, batch->tiny);
    }
    footprint at[3];
    for (int v = 0; v < (batch->tiny ? 1 : 3); v++) {
        find_footprint(&splat, batch->tiny ? &splat.centre : &splat.corner[v], batch->area, &at[v]);
    }
    for (size_t i = 0; i < batch->n; i++) {
        if (batch->tiny) {
            add_element(&splat, at, 0, 1, i, sums);
        } else if (at[0].node[i] == at[1].node[i] && at[1].node[i] == at[2].node[i]) {
            add_element(&splat, at, 0, 3, i, sums);
        } else {
            for (int v = 0; v < 3; v++) {
                add_element(&splat, at, v, 1, i, sums);
            }
        }
    }
}

PSB_VARIANTS(psb_splat, add, (const psb_element_batch *batch, double *sums), (batch, sums))
