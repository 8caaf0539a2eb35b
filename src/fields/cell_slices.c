/*
 * Distributes pieces: closed forms for all pieces and their triangles side by side, in loops that
 * compilers vectorize, and their shares of the four slices that most pieces do not exceed; then one
 * piece after the other onto its slices.
 */
#include "fields/cell_slices.h"

#include "core/elementary.h"

enum {
    NEAR = 4,    /* slices that most pieces do not exceed */
    ABREAST = 8, /* slices of other pieces that are added to at a time */
    /* Places of triangles: the first of each piece, the second, the further ones. */
    SECOND = PSB_PIECES,
    FURTHER = 2 * PSB_PIECES,
    PLACES = FURTHER + PSB_FURTHER,
};

typedef double near_slices __attribute__((vector_size(8 * NEAR), aligned(8), may_alias));

/* Triangles by place. */
typedef double places[PLACES];

/*
 * Triangles by the distances of their corners: what lies below a level grows with the square from
 * the nearest corner, and ends with that to the farthest.
 */
typedef struct fan {
    places least, middle, most, area;
    places rise, fall; /* factors of the squares */
    places floor;      /* what lies below the last level up to the middle corner */
    places first;      /* slice of the piece */
    /* What lies in the first slices of the piece, if it is in the ball and in no others. */
    double share[PLACES][NEAR];
} fan;

/* Of pieces; slices while they are in the ball. */
typedef struct extents {
    double least[PSB_PIECES], most[PSB_PIECES], last[PSB_PIECES];
} extents;

/* Rounds a number down that is at least 0 and small. */
PSB_INLINE double round_down(double x) {
    double whole = (x + 0x1p52) - 0x1p52;
    return whole - (x < whole ? 1.0 : 0.0);
}

/* Measures n triangles, from `place` on, but for their factors. */
PSB_INLINE void measure(const psb_cell_corners *p, const psb_cell_corners *q,
                        const psb_cell_corners *r, const double *scale, int n, int place,
                        fan *restrict f) {
    for (int i = 0; i < n; i++) {
        double least = psb_min(p->distance[i], q->distance[i]);
        double most = psb_max(p->distance[i], q->distance[i]);
        f->least[place + i] = psb_min(least, r->distance[i]);
        f->middle[place + i] = psb_max(least, psb_min(most, r->distance[i]));
        f->most[place + i] = psb_max(most, r->distance[i]);
        double across = (q->flat[0][i] - p->flat[0][i]) * (r->flat[1][i] - p->flat[1][i]) -
                        (q->flat[1][i] - p->flat[1][i]) * (r->flat[0][i] - p->flat[0][i]);
        f->area[place + i] = scale[i] * fabs(across);
    }
}

PSB_INLINE void find_factors(int n, fan *f) {
    for (int i = 0; i < n; i++) {
        double least = f->least[i], middle = f->middle[i], most = f->most[i];
        double begin = (middle - least) * (most - least), end = (most - middle) * (most - least);
        double up = round_down(psb_max(psb_min(middle, PSB_BALL_SLICES), 0.0));
        up = 0.0 < up ? up : least; /* the first slice begins nowhere */
        up = psb_max(up, least) - least;
        f->rise[i] = f->area[i] / (0.0 < begin ? begin : INFINITY);
        f->fall[i] = f->area[i] / (0.0 < end ? end : INFINITY);
        f->floor[i] = f->rise[i] * (up * up);
    }
}

/* One of them, but for its slice. */
typedef struct triangle {
    double least, middle, most, area, rise, fall, floor;
} triangle;

PSB_INLINE triangle take(const fan *f, int i) {
    return (triangle){f->least[i], f->middle[i], f->most[i], f->area[i],
                      f->rise[i],  f->fall[i],   f->floor[i]};
}

/* What of a triangle lies below a level. Maxima because of rounding. */
PSB_INLINE double lie_below(double level, const triangle *t) {
    double up = psb_max(level - t->least, 0.0), down = psb_max(t->most - level, 0.0);
    double below = psb_max(t->floor, t->area - t->fall * (down * down));
    return level <= t->middle ? t->rise * (up * up) : below;
}

/* Distributes triangles over their pieces' first slices; nothing is left beyond the last one. */
PSB_INLINE void share_out(int n, fan *f) {
    for (int i = 0; i < n; i++) {
        const triangle t = take(f, i);
        double before = 0.0, level = f->first[i];
        for (int s = 0; s < NEAR - 1; s++) {
            level += 1.0;
            double below = lie_below(level, &t);
            f->share[i][s] = below - before;
            before = below;
        }
        f->share[i][NEAR - 1] = psb_max(t.floor, t.area) - before;
    }
}

/* Slices of pieces, and their first two triangles. */
PSB_INLINE void measure_pieces(const psb_cell_pieces *restrict pieces, extents *restrict out,
                               fan *restrict f) {
    const psb_cell_corners *at = pieces->corner;
    measure(&at[0], &at[1], &at[2], pieces->scale, PSB_PIECES, 0, f);
    measure(&at[0], &at[2], &at[3], pieces->scale, PSB_PIECES, SECOND, f);
    for (int i = 0; i < PSB_PIECES; i++) {
        const bool two = 3.0 < pieces->corners[i];
        double least = two ? psb_min(f->least[SECOND + i], f->least[i]) : f->least[i];
        double most = two ? psb_max(f->most[SECOND + i], f->most[i]) : f->most[i];
        f->area[SECOND + i] = two ? f->area[SECOND + i] : 0.0;
        out->least[i] = least = psb_min(pieces->least[i], least);
        out->most[i] = most = psb_max(pieces->most[i], most);
        out->last[i] = round_down(psb_min(most, PSB_BALL_SLICES));
        f->first[i] = round_down(psb_max(psb_min(least, PSB_BALL_SLICES), 0.0));
        f->first[SECOND + i] = f->first[i];
    }
}

PSB_INLINE void measure_further(const psb_cell_pieces *pieces, fan *f) {
    const psb_cell_corners *at = pieces->further;
    measure(&at[0], &at[1], &at[2], pieces->further_scale, PSB_FURTHER, FURTHER, f);
    for (int i = 0; i < PSB_FURTHER; i++) {
        f->first[FURTHER + i] = f->first[pieces->piece[i]];
    }
}

/* Two triangles within one slice count as one. */
PSB_INLINE void merge(const extents *e, fan *f) {
    for (int i = 0; i < PSB_PIECES; i++) {
        bool one_slice = f->first[i] == e->last[i] && e->most[i] < PSB_BALL_SLICES;
        f->area[i] = one_slice ? f->area[i] + f->area[SECOND + i] : f->area[i];
        f->area[SECOND + i] = one_slice ? 0.0 : f->area[SECOND + i];
    }
}

/* All cells together do not fit into a processor's nearer caches. */
PSB_INLINE void fetch_slices(const psb_cell_pieces *pieces, const fan *f, const extents *e,
                             const psb_cell_areas *cells) {
    const double *slices = cells->area.data;
    for (int k = 0; k < pieces->n; k++) {
        const double *of = slices + pieces->cell[k] * cells->step;
        __builtin_prefetch(of + (int)f->first[k], 1);
        __builtin_prefetch(of + (int)e->last[k], 1);
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

/* Slices of a cell that are about to hold something. */
PSB_INLINE void occupy(uint64_t *occupied, int first, int last) {
    unsigned first_word = (unsigned)first / PSB_SLICE_WORD;
    unsigned last_word = (unsigned)last / PSB_SLICE_WORD;
    uint64_t from = ~(uint64_t)0 << (unsigned)first % PSB_SLICE_WORD;
    uint64_t until = ~(uint64_t)0 >> (PSB_SLICE_WORD - 1 - (unsigned)last % PSB_SLICE_WORD);
    for (unsigned w = first_word; w < last_word; w++) {
        occupied[w] |= from;
        from = ~(uint64_t)0;
    }
    occupied[last_word] |= from & until;
}

PSB_INLINE const near_slices *share_of(const fan *f, int place) {
    return (const near_slices *)f->share[place];
}

/* Adds piece k to at most NEAR slices of the ball. The second triangle of a piece within one slice
 * is in the first. */
PSB_INLINE void add_near(const fan *f, int k, int further, int end, bool one_slice,
                         double *slices) {
    near_slices *at = (near_slices *)slices, first = *share_of(f, k);
    for (int t = further; t < end && one_slice; t++) {
        first += *share_of(f, FURTHER + t);
    }
    near_slices sum = *at + first + *share_of(f, SECOND + k);
    for (int t = further; t < end && !one_slice; t++) {
        sum += *share_of(f, FURTHER + t);
    }
    *at = sum;
}

/* Adds a triangle to slices first ... last, by whole ABREAST of them. */
PSB_INLINE void add_triangle(const triangle t, int first, int last, const double *restrict level,
                             double *restrict slices) {
    for (int s = first & -ABREAST; s <= last; s += ABREAST) {
        for (int k = s; k < s + ABREAST; k++) {
            slices[k] += lie_below(level[k + 1], &t) - lie_below(level[k], &t);
        }
    }
}

/* Adds piece k to any slices. */
PSB_INLINE void add_far(const fan *f, int k, int further, int end, int first, int last,
                        const double *restrict level, double *restrict slices) {
    if (first == last) {
        double area = f->area[k] + f->area[SECOND + k];
        for (int t = further; t < end; t++) {
            area += f->area[FURTHER + t];
        }
        slices[first] += area;
        return;
    }
    add_triangle(take(f, k), first, last, level, slices);
    add_triangle(take(f, SECOND + k), first, last, level, slices);
    for (int t = further; t < end; t++) {
        add_triangle(take(f, FURTHER + t), first, last, level, slices);
    }
}

/* Outside of the ball slices are not whole numbers. */
static void correct_outside(const double *level, size_t slices, int place, fan *f) {
    double middle = f->middle[place];
    if (middle >= PSB_BALL_SLICES) {
        double up = psb_max(level[slice_at(level, slices, middle)] - f->least[place], 0.0);
        f->floor[place] = f->rise[place] * (up * up);
    }
}

PSB_INLINE void add(const double *level, const psb_cell_pieces *pieces, psb_cell_areas *cells) {
    fan f;
    extents e;
    const int n = pieces->nfurther > 0 ? PLACES : FURTHER;
    measure_pieces(pieces, &e, &f);
    fetch_slices(pieces, &f, &e, cells);
    measure_further(pieces, &f);
    find_factors(n, &f);
    merge(&e, &f);
    share_out(n, &f);
    const size_t step = cells->step, words = cells->slices / PSB_SLICE_WORD;
    double *const area = cells->area.data;
    uint64_t *const occupied = cells->occupied.data;
    for (int k = 0, further = 0, end; k < pieces->n; k++, further = end) {
        bool outside = e.most[k] >= PSB_BALL_SLICES;
        int first = (int)f.first[k], last = (int)e.last[k];
        end = pieces->end[k];
        if (outside) {
            first = slice_at(level, cells->slices, e.least[k]);
            last = slice_at(level, cells->slices, e.most[k]);
            correct_outside(level, cells->slices, k, &f);
            correct_outside(level, cells->slices, SECOND + k, &f);
            for (int t = further; t < end; t++) {
                correct_outside(level, cells->slices, FURTHER + t, &f);
            }
        }
        double *slices = area + pieces->cell[k] * step;
        occupy(occupied + pieces->cell[k] * words, first, last);
        if (last - first < NEAR && !outside) {
            add_near(&f, k, further, end, first == last, slices + first);
        } else {
            add_far(&f, k, further, end, first, last, level, slices);
        }
    }
}

PSB_VARIANTS(psb_slice, add,
             (const double *level, const psb_cell_pieces *pieces, psb_cell_areas *cells),
             (level, pieces, cells))

void psb_slice_levels(size_t slices, double *level) {
    for (size_t s = 0; s < PSB_LEVELS; s++) {
        level[s] = s < slices ? PSB_BALL_SLICES * psb_slice_radius(s) : INFINITY;
    }
    level[0] = -INFINITY;
}
