/* Closed forms for eight pieces side by side, then one piece after the other onto its slices. */
#include "fields/cell_slices.h"

#include "core/elementary.h"
#include "core/vector.h"

enum { LANES = 8, WINDOW = 4, FANS = PSB_PART_CORNERS - 2 };

typedef double lane[PSB_PIECES];

/* Numbers of slices side by side. */
typedef double numbers __attribute__((vector_size(8 * WINDOW), aligned(8), may_alias));
typedef int64_t masks __attribute__((vector_size(8 * WINDOW), may_alias));

/*
 * The triangles that pieces consist of, by the distances of their corners: what lies below a level
 * grows with the square from the nearest corner, and ends with that to the farthest.
 */
typedef struct fan {
    lane least, middle, most;
    lane area;
    lane rise, fall; /* factors of the squares */
    lane floor;      /* what lies below the last level up to the middle corner */
} fan;

typedef struct fans {
    fan triangle[FANS];
    lane least, most;                            /* distance of a piece */
    lane area;                                   /* of a piece */
    int32_t first[PSB_PIECES], last[PSB_PIECES]; /* slices of a piece, while it is in the ball */
} fans;

void psb_slice_levels(size_t slices, double *level) {
    for (size_t s = 0; s < PSB_LEVELS; s++) {
        level[s] = s < slices ? PSB_BALL_SLICES * psb_slice_radius(s) : INFINITY;
    }
    level[0] = -INFINITY;
}

PSB_INLINE void measure_triangles(const psb_cell_pieces *pieces, int block, int v, fan *out) {
    for (int i = block; i < block + LANES; i++) {
        double x = pieces->distance[0][i], y = pieces->distance[v][i];
        double z = pieces->distance[v + 1][i];
        double least = psb_min(x, y), most = psb_max(x, y);
        double middle = psb_max(least, psb_min(most, z));
        out->least[i] = psb_min(least, z);
        out->middle[i] = middle;
        out->most[i] = psb_max(most, z);
        double a = pieces->flat[0][0][i], b = pieces->flat[0][1][i];
        double across = (pieces->flat[v][0][i] - a) * (pieces->flat[v + 1][1][i] - b) -
                        (pieces->flat[v][1][i] - b) * (pieces->flat[v + 1][0][i] - a);
        out->area[i] = pieces->scale[i] * fabs(across);
    }
}

PSB_INLINE void find_factors(int block, fan *out) {
    double begin[LANES], end[LANES], up[LANES];
    for (int k = 0; k < LANES; k++) {
        int i = block + k;
        double least = out->least[i], middle = out->middle[i], most = out->most[i];
        begin[k] = (middle - least) * (most - least);
        end[k] = (most - middle) * (most - least);
        double level = psb_max(0.0, psb_min(middle, PSB_BALL_SLICES));
        up[k] = (double)(int32_t)level;
    }
    for (int k = 0; k < LANES; k++) {
        begin[k] = begin[k] > 0.0 ? begin[k] : INFINITY;
        end[k] = end[k] > 0.0 ? end[k] : INFINITY;
        double least = out->least[block + k];
        double level = up[k] > 0.0 ? up[k] : least;
        up[k] = psb_max(level, least) - least;
    }
    for (int k = 0; k < LANES; k++) {
        int i = block + k;
        out->rise[i] = out->area[i] / begin[k];
        out->fall[i] = out->area[i] / end[k];
        out->floor[i] = out->rise[i] * (up[k] * up[k]);
    }
}

PSB_INLINE void measure_block(const psb_cell_pieces *pieces, int block, fans *out) {
    double most_corners = 0.0;
    for (int i = block; i < block + LANES; i++) {
        most_corners = psb_max(most_corners, pieces->corners[i]);
        out->least[i] = INFINITY;
        out->most[i] = out->area[i] = 0.0;
    }
    for (int t = 0; t < (int)most_corners - 2; t++) {
        fan *triangle = &out->triangle[t];
        measure_triangles(pieces, block, t + 1, triangle);
        find_factors(block, triangle);
        for (int i = block; i < block + LANES; i++) {
            bool there = t + 2 < pieces->corners[i];
            double least = psb_min(out->least[i], triangle->least[i]);
            double most = psb_max(out->most[i], triangle->most[i]);
            double area = out->area[i] + triangle->area[i];
            out->least[i] = there ? least : out->least[i];
            out->most[i] = there ? most : out->most[i];
            out->area[i] = there ? area : out->area[i];
        }
    }
    for (int i = block; i < block + LANES; i++) {
        out->first[i] = (int32_t)psb_max(psb_min(out->least[i], PSB_BALL_SLICES), 0.0);
        out->last[i] = (int32_t)psb_min(out->most[i], PSB_BALL_SLICES);
    }
}

/* The slice of a distance in slices of the ball, so that the levels agree. */
static int32_t slice_at(const double *level, size_t slices, double distance) {
    if (distance < PSB_BALL_SLICES) {
        return distance > 0.0 ? (int32_t)distance : 0;
    }
    double slice = PSB_BALL_SLICES * (1.0 + psb_log(distance * (1.0 / PSB_BALL_SLICES)));
    int32_t s = (int32_t)psb_min(slice, (double)(slices - 1));
    s -= distance < level[s];
    return s + (distance >= level[s + 1]);
}

/* Outside of the ball slices are not whole numbers. */
static void correct_outside(const double *level, size_t slices, int i, int triangles, fans *f) {
    f->first[i] = slice_at(level, slices, f->least[i]);
    f->last[i] = slice_at(level, slices, f->most[i]);
    for (int t = 0; t < triangles; t++) {
        fan *triangle = &f->triangle[t];
        if (triangle->middle[i] >= PSB_BALL_SLICES) {
            double begin = level[slice_at(level, slices, triangle->middle[i])];
            double up = psb_max(begin - triangle->least[i], 0.0);
            triangle->floor[i] = triangle->rise[i] * (up * up);
        }
    }
}

/* Slices of a cell that are about to hold something. */
PSB_INLINE void occupy(uint64_t *occupied, int first, int last) {
    int first_word = first / PSB_SLICE_WORD, last_word = last / PSB_SLICE_WORD;
    uint64_t from = ~(uint64_t)0 << first % PSB_SLICE_WORD;
    uint64_t until = ~(uint64_t)0 >> (PSB_SLICE_WORD - 1 - last % PSB_SLICE_WORD);
    for (int w = first_word; w < last_word; w++) {
        occupied[w] |= from;
        from = ~(uint64_t)0;
    }
    occupied[last_word] |= from & until;
}

/* Sets numbers to others wherever a condition is true; conditions are vectors of -1 and 0. */
#define WHERE(condition, numbers_, others)                                                         \
    numbers_ = (numbers)(((condition) & (masks)(others)) | (~(condition) & (masks)(numbers_)))

/* What of triangle i lies below levels. Maxima because of rounding. */
PSB_INLINE void find_below(const fan *f, int i, const double *level, numbers *below) {
    numbers at = *(const numbers *)level, none = {0.0}, floor = none + f->floor[i];
    numbers up = at - f->least[i], down = f->most[i] - at;
    WHERE(up < 0.0, up, none);
    WHERE(down < 0.0, down, none);
    *below = f->area[i] - f->fall[i] * (down * down);
    WHERE(*below < floor, *below, floor);
    WHERE(at <= f->middle[i], *below, f->rise[i] * (up * up));
}

/* Adds triangle i to slices `first` to `last`, and zeros beside them. */
PSB_INLINE void add_triangle(const fan *f, int i, int first, int last, const double *level,
                             double *slices) {
    numbers before = {0.0};
    for (int s = first & -WINDOW; s <= last; s += WINDOW) {
        numbers below;
        find_below(f, i, level + s + 1, &below);
        *(numbers *)(slices + s) += below - PSB_SHUFFLE(masks, before, below, 3, 4, 5, 6);
        before = below;
    }
}

PSB_INLINE void add(const double *level, const psb_cell_pieces *pieces, psb_cell_areas *cells) {
    fans f;
    for (int block = 0; block < pieces->n; block += LANES) {
        measure_block(pieces, block, &f);
    }
    for (int i = 0; i < pieces->n; i++) {
        int triangles = (int)pieces->corners[i] - 2;
        if (f.most[i] >= PSB_BALL_SLICES) {
            correct_outside(level, cells->slices, i, triangles, &f);
        }
        int first = f.first[i], last = f.last[i];
        double *slices = cells->area.data;
        slices += pieces->cell[i] * cells->slices;
        uint64_t *occupied = cells->occupied.data;
        occupy(occupied + pieces->cell[i] * (cells->slices / PSB_SLICE_WORD), first, last);
        if (first ==
            last) { /* as wide as others, for what was written last may still be on its way */
            int begin = first & -WINDOW;
            numbers area = f.area[i] + (numbers){0.0};
            masks which = (masks){0, 1, 2, 3} == (int64_t)(first - begin);
            *(numbers *)(slices + begin) += (numbers)(which & (masks)area);
        } else {
            for (int t = 0; t < triangles; t++) {
                add_triangle(&f.triangle[t], i, first, last, level, slices);
            }
        }
    }
}

PSB_VARIANTS(psb_slice_kernels, psb_slice_kernel, add,
             (const double *level, const psb_cell_pieces *pieces, psb_cell_areas *cells),
             (level, pieces, cells))
