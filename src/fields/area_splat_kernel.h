/* The body of all versions of the splat; what is inlined here is compiled for each. */
#ifndef PSB_FIELDS_AREA_SPLAT_KERNEL_H
#define PSB_FIELDS_AREA_SPLAT_KERNEL_H

#include "fields/area_splat.h"

#include <math.h>
#include <string.h>

#define PSB_INLINE static inline __attribute__((always_inline))

enum {
    PSB_BLOCK = 16,                  /* elements that go through their shells together */
    PSB_LANES = 2,                   /* shells that are added to at a time */
    PSB_MOST_SHELLS = PSB_SHELLS + 4 /* that one element may reach into, a multiple of the lanes */
};

typedef float psb_lane[PSB_ELEMENTS];

/* Two sums side by side, wherever they begin. */
typedef double psb_two __attribute__((vector_size(16), aligned(8), may_alias));

/* A point's distance in shells, and where its direction lies among the nodes. */
typedef struct psb_placed {
    psb_lane radial, row, column;
} psb_placed;

typedef struct psb_splat_batch {
    psb_placed corner[3]; /* ascending by distance; directions half way to the corners */
    psb_placed centre;
    int32_t first[PSB_ELEMENTS]; /* shell + 1 where the element begins */
    int32_t above[PSB_ELEMENTS]; /* middles of shells that it crosses */
    psb_lane share[PSB_MOST_SHELLS]
                  [3]; /* of the element's area, by shell from `first` and direction */
} psb_splat_batch;

/* Arc tangent for 0 <= t <= 1 with an error below 1e-7 (Abramowitz and Stegun 1964, 4.4.49). */
PSB_INLINE float psb_arc_tangent(float t) {
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
PSB_INLINE float psb_angle(float x, float y) {
    const float quarter = 1.57079632679f, half = 3.14159265359f;
    float width = fabsf(x), height = fabsf(y);
    float low = width < height ? width : height;
    float high = width < height ? height : width;
    float a = psb_arc_tangent(low / (high > 1e-30f ? high : 1e-30f));
    a = width < height ? quarter - a : a;
    a = x < 0.0f ? half - a : a;
    return y < 0.0f ? 2.0f * half - a : a;
}

PSB_INLINE float psb_limited(float x, float low, float high) {
    x = x > low ? x : low; /* takes NaN as well */
    return x < high ? x : high;
}

PSB_INLINE void psb_place_directions(const psb_lane x, const psb_lane y, const psb_lane z,
                                     psb_placed *out) {
    const float rows = PSB_GRID / 3.14159265359f, columns = PSB_GRID / 6.28318530718f;
    for (int i = 0; i < PSB_ELEMENTS; i++) {
        float polar = psb_angle(z[i], sqrtf(x[i] * x[i] + y[i] * y[i]));
        float azimuth = psb_angle(x[i], y[i]);
        out->row[i] = psb_limited(polar * rows + 0.5f, 0.0f, PSB_GRID + 0.75f);
        out->column[i] = psb_limited(azimuth * columns, 0.0f, PSB_GRID - 1e-5f);
    }
}

/* The coordinate 32 r - 0.5. */
PSB_INLINE void psb_place_distance(const psb_lane x, const psb_lane y, const psb_lane z,
                                   psb_lane radial) {
    for (int i = 0; i < PSB_ELEMENTS; i++) {
        radial[i] = PSB_SHELLS * sqrtf(x[i] * x[i] + y[i] * y[i] + z[i] * z[i]) - 0.5f;
    }
}

PSB_INLINE void psb_place(const psb_element_batch *batch, psb_splat_batch *splat) {
    psb_lane centre[3];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < PSB_ELEMENTS; i++) {
            centre[k][i] =
                (batch->corner[0][k][i] + batch->corner[1][k][i] + batch->corner[2][k][i]) *
                (1.0f / 3.0f);
        }
    }
    psb_place_distance(centre[0], centre[1], centre[2], splat->centre.radial);
    if (batch->tiny) {
        psb_place_directions(centre[0], centre[1], centre[2], &splat->centre);
    }
    for (int v = 0; v < 3; v++) {
        const psb_lane *corner = batch->corner[v];
        psb_place_distance(corner[0], corner[1], corner[2], splat->corner[v].radial);
        if (!batch->tiny) {
            psb_lane half[3]; /* twice the point half way from the centre to the corner */
            for (int k = 0; k < 3; k++) {
                for (int i = 0; i < PSB_ELEMENTS; i++) {
                    half[k][i] = corner[k][i] + centre[k][i];
                }
            }
            psb_place_directions(half[0], half[1], half[2], &splat->corner[v]);
        }
    }
}

/* Swaps two corners where they are not in ascending order. */
PSB_INLINE void psb_sort_two(psb_placed *restrict a, psb_placed *restrict b) {
    for (int i = 0; i < PSB_ELEMENTS; i++) {
        float radial[2] = {a->radial[i], b->radial[i]}, row[2] = {a->row[i], b->row[i]};
        float column[2] = {a->column[i], b->column[i]};
        bool swap = radial[0] > radial[1];
        a->radial[i] = swap ? radial[1] : radial[0];
        b->radial[i] = swap ? radial[0] : radial[1];
        a->row[i] = swap ? row[1] : row[0];
        b->row[i] = swap ? row[0] : row[1];
        a->column[i] = swap ? column[1] : column[0];
        b->column[i] = swap ? column[0] : column[1];
    }
}

/*
 * Moves the corners' distances so that their mean is the true mean, to third order, and counts them
 * from the middle of the shell where the element begins.
 */
PSB_INLINE void psb_find_slabs(psb_splat_batch *splat) {
    float *low = splat->corner[0].radial, *middle = splat->corner[1].radial;
    float *high = splat->corner[2].radial;
    psb_lane shift, start, end;
    for (int i = 0; i < PSB_ELEMENTS; i++) {
        float linear = (low[i] + middle[i] + high[i]) * (1.0f / 3.0f);
        shift[i] = 0.75f * (splat->centre.radial[i] - linear) + 1.0f;
        start[i] = psb_limited(low[i] + shift[i], 0.0f, PSB_SHELLS + 1);
        end[i] = psb_limited(high[i] + shift[i], 0.0f, PSB_SHELLS + 1);
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
typedef struct psb_part {
    float corner[3], radial[3];
} psb_part;

PSB_INLINE psb_part psb_whole(const float x[3]) {
    psb_part whole;
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
PSB_INLINE psb_part psb_part_below(const float x[3], float level, const psb_part *whole) {
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
    psb_part below;
    for (int v = 0; v < 3; v++) {
        float other_corner = whole->corner[v] - cut_corner[v];
        float other_radial = whole->radial[v] - cut_radial[v];
        below.corner[v] = upper ? other_corner : cut_corner[v];
        below.radial[v] = upper ? other_radial : cut_radial[v];
    }
    return below;
}

/* What is known of a block's elements while their slabs are gone through. */
typedef struct psb_slab_sums {
    float corner[3][PSB_BLOCK], radial[3][PSB_BLOCK]; /* integrals below the slab */
    float carried[3][PSB_BLOCK]; /* what the shell at its lower side got from the slab below */
} psb_slab_sums;

/*
 * Slab number `slab`, counted from the first, of the elements from `block` on: the share of the
 * shell at its lower side is complete then, that of the shell at its upper side is carried on. The
 * directions' functions are those that are 1 half way to their corner and 0 half way to the others.
 */
PSB_INLINE void psb_share_slab(psb_splat_batch *splat, int block, int slab, bool last, bool tiny,
                               psb_slab_sums *sums) {
    const float endless = 1e30f;
    const float of_corner = tiny ? 0.0f : 2.0f, of_sum = tiny ? 1.0f : -1.0f / 3.0f;
    for (int i = 0; i < PSB_BLOCK; i++) {
        const float x[3] = {splat->corner[0].radial[block + i], splat->corner[1].radial[block + i],
                            splat->corner[2].radial[block + i]};
        psb_part whole = psb_whole(x);
        float level = slab < splat->above[block + i] ? (float)(slab + 1) : endless;
        psb_part top = last ? whole : psb_part_below(x, level, &whole);
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
            splat->share[slab][v][block + i] = of_corner * lower[v] + of_sum * sum;
        }
    }
}

/* Fills `share` for the elements from `block` on, up to a multiple of the lanes. */
PSB_INLINE void psb_share(psb_splat_batch *splat, int block, bool tiny) {
    psb_slab_sums sums;
    memset(&sums, 0, sizeof sums);
    int most = 0, slab = 0;
    for (int i = 0; i < PSB_BLOCK; i++) {
        most = splat->above[block + i] > most ? splat->above[block + i] : most;
    }
    for (; slab < most; slab++) {
        psb_share_slab(splat, block, slab, false, tiny, &sums);
    }
    /* Above the last slab there is only what is carried on, and then nothing. */
    for (; slab < most + 2 || slab % PSB_LANES != 0; slab++) {
        psb_share_slab(splat, block, slab, true, tiny, &sums);
    }
}

/* Adds an element's shares for one direction to its four nodes. */
PSB_INLINE void psb_add_direction(const psb_splat_batch *splat, const psb_placed *at, int direction,
                                  size_t i, double area, double *sums) {
    int row = (int)at->row[i], column = (int)at->column[i];
    double down = at->row[i] - (float)row, right = at->column[i] - (float)column;
    double right_down = area * down * right, left_down = area * down - right_down;
    double right_up = area * right - right_down, left_up = area - area * down - right_up;
    double *node = sums + (row * PSB_SPLAT_COLUMNS + column) * PSB_SPLAT_SHELLS + splat->first[i];
    for (int start = 0; start < splat->above[i] + 2; start += PSB_LANES) {
        const psb_lane(*from)[3] = &splat->share[start];
        psb_two share = {from[0][direction][i], from[1][direction][i]};
        psb_two *shells = (psb_two *)(node + start);
        enum { RIGHT = PSB_SPLAT_SHELLS / PSB_LANES, DOWN = RIGHT * PSB_SPLAT_COLUMNS };
        shells[0] += left_up * share;
        shells[RIGHT] += right_up * share;
        shells[DOWN] += left_down * share;
        shells[DOWN + RIGHT] += right_down * share;
    }
}

PSB_INLINE void psb_splat_add(const psb_element_batch *batch, double *sums) {
    psb_splat_batch splat;
    psb_place(batch, &splat);
    psb_sort_two(&splat.corner[0], &splat.corner[1]);
    psb_sort_two(&splat.corner[1], &splat.corner[2]);
    psb_sort_two(&splat.corner[0], &splat.corner[1]);
    psb_find_slabs(&splat);
    for (int block = 0; block < PSB_ELEMENTS; block += PSB_BLOCK) {
        psb_share(&splat, block, batch->tiny);
    }
    for (size_t i = 0; i < batch->n; i++) {
        if (batch->tiny) {
            psb_add_direction(&splat, &splat.centre, 0, i, batch->area[i], sums);
        } else {
            for (int v = 0; v < 3; v++) {
                psb_add_direction(&splat, &splat.corner[v], v, i, batch->area[i], sums);
            }
        }
    }
}

#endif
