/* Expected largest distances, from the outermost slice inwards. */
#include "fields/extent.h"

#include "core/vector.h"

#include <stdbool.h>
#include <string.h>

const char *const psb_extent_poles[] = {"largest", "middle", "smallest", NULL};

enum { BYTE = 8, STACK = 64 };

/* What is known of a random set of points, in a slice or from some radius outwards. */
typedef struct outlook {
    double distance; /* expected largest distance, 0 if there is no point */
    double none;     /* probability that there is no point */
} outlook;

/* With more points than that there is one for sure, to double precision. */
static const double most_points = 40.0;

/* The slices of a byte side by side, wherever they begin. */
typedef double numbers __attribute__((vector_size(8 * BYTE), aligned(8), may_alias));

/* Bytes of slices that the nodes of a row reach into, by node, from the outermost inwards. */
typedef struct stack {
    const double *radius; /* where a slice begins */
    outlook *row;         /* of each node, what is known */
    double *shells;       /* the same of shells: [shell][node] */
    int n;
    uint16_t first[STACK]; /* slice */
    uint16_t node[STACK];
    double points[STACK * BYTE]; /* expected number in a slice */
    double empty[STACK * BYTE];  /* 1 where that is 0, else 0 */
    double some[STACK * BYTE];   /* probability that there is one */
    double mean[STACK * BYTE];   /* the same divided by the number, 1 without one */
} stack;

/*
 * 1 - exp(-n) for 0 <= n <= 40: with n = k log 2 + r it is 1 - 2^-k exp(-r), exp by its series.
 * Relative error below 1e-10 for small n as well; plain arithmetic, which compilers turn into SIMD.
 */
PSB_INLINE double some_of(double n) {
    static const double log2_high = 0x1.62e42fefa38p-1, log2_low = 0x1.ef35793c7673p-45;
    static const double round = 0x1.8p52;
    double shifted = n * M_LOG2E + round;
    double k = shifted - round;
    double r = k * log2_high - n + k * log2_low; /* -0.35 ... 0.35 */
    double p = 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = (p * r + 1.0) * r; /* exp(r) - 1 */
    uint64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (1023 - bits) << 52;
    double power; /* 2^-k */
    memcpy(&power, &bits, sizeof power);
    return (1.0 - power) - power * p;
}

/* Two loops, because compilers turn a single one into branches for the empty slices. */
PSB_INLINE void fill_probabilities(stack *s) {
    for (int i = 0; i < s->n * BYTE; i++) {
        s->empty[i] = s->points[i] > 0.0 ? 0.0 : 1.0;
        s->points[i] = s->points[i] > 0.0 ? s->points[i] : 0.0;
    }
    for (int i = 0; i < s->n * BYTE; i++) {
        s->some[i] = some_of(psb_min(s->points[i], most_points));
        s->mean[i] = (s->some[i] + s->empty[i]) / (s->points[i] + s->empty[i]);
    }
}

/* Adds what lies below what is known. */
PSB_INLINE void add_below(outlook *o, double distance, double none) {
    o->distance += o->none * distance;
    o->none *= none;
}

/* Within the ball slices make shells, outside they count one by one; empty ones change nothing. */
PSB_INLINE void add_byte(const stack *s, int b) {
    const numbers *begin = (const numbers *)(s->radius + s->first[b]);
    const numbers *end = (const numbers *)(s->radius + s->first[b] + 1);
    const numbers *some = (const numbers *)(s->some + b * BYTE);
    const numbers *mean = (const numbers *)(s->mean + b * BYTE);
    numbers distance = *begin * *some + (*end - *begin) * (1.0 - *mean), none = 1.0 - *some;
    bool inside = s->first[b] < PSB_BALL_SLICES;
    outlook *all = &s->row[s->node[b]];
    for (int last = BYTE - 1; last > 0; last -= PSB_SHELL_SLICES) {
        outlook o = inside ? (outlook){0.0, 1.0} : *all;
        for (int i = last; i > last - PSB_SHELL_SLICES; i--) {
            add_below(&o, distance[i], none[i]);
        }
        if (inside) {
            int shell = (s->first[b] + last) / PSB_SHELL_SLICES;
            s->shells[shell * PSB_GRID + s->node[b]] = o.distance;
            add_below(all, o.distance, o.none);
        } else {
            *all = o;
        }
    }
}

/* Adds all of the stack to its nodes. */
PSB_INLINE void flush(stack *s) {
    fill_probabilities(s);
    for (int b = 0; b < s->n; b++) {
        add_byte(s, b);
    }
    s->n = 0;
}

/* The cells that node i of row j reaches into: four, beside a pole also the two opposite to it. */
PSB_INLINE int look_around(int j, int i, size_t cell[6]) {
    size_t upper = (size_t)j * PSB_GRID, lower = upper + PSB_GRID;
    size_t right = (size_t)i, left = (right + PSB_GRID - 1) % PSB_GRID;
    size_t polar = j == 0 ? upper : lower;
    cell[0] = upper + left;
    cell[1] = upper + right;
    cell[2] = lower + left;
    cell[3] = lower + right;
    cell[4] = polar + (left + PSB_GRID / 2) % PSB_GRID;
    cell[5] = polar + (right + PSB_GRID / 2) % PSB_GRID;
    return j > 0 && j < PSB_GRID - 1 ? 4 : 6;
}

/* Of a byte's slices the expected numbers of points; they may be 0 where the sum is not. */
PSB_INLINE void sum_cells(const double *const of[6], int ncells, double density, double *points) {
    for (int b = 0; b < BYTE; b++) {
        double sum = 0.0;
        for (int k = 0; k < ncells; k++) {
            sum += of[k][b];
        }
        points[b] = density * sum;
    }
}

/* Adds up the cells that node i of row j reaches into. */
PSB_INLINE void gather(const psb_cell_areas *cells, int j, int i, double density, stack *s) {
    const double *area = cells->area.data;
    const uint64_t *occupied = cells->occupied.data;
    size_t words = cells->slices / PSB_SLICE_WORD, cell[6];
    int ncells = look_around(j, i, cell);
    for (size_t w = words; w-- > 0;) {
        uint64_t bits = 0;
        for (int k = 0; k < ncells; k++) {
            bits |= occupied[cell[k] * words + w];
        }
        while (bits != 0) { /* a byte's slices at a time; empty ones change nothing */
            int byte = (63 - __builtin_clzll(bits)) / BYTE;
            bits &= ~(UINT64_MAX << BYTE * byte);
            size_t first = PSB_SLICE_WORD * w + (size_t)(BYTE * byte);
            const double *of[6];
            for (int k = 0; k < 6; k++) {
                of[k] = area + cell[k] * cells->step + first;
            }
            if (ncells == 4) {
                sum_cells(of, 4, density, s->points + s->n * BYTE);
            } else {
                sum_cells(of, 6, density, s->points + s->n * BYTE);
            }
            s->first[s->n] = (uint16_t)first;
            s->node[s->n] = (uint16_t)i;
            if (++s->n == STACK) {
                flush(s);
            }
        }
    }
}

PSB_INLINE void find_distances(const psb_cell_areas *cells, double density, double *whole,
                               double *shells) {
    double radius[PSB_MOST_SLICES + 1];
    for (size_t s = 0; s <= cells->slices; s++) {
        radius[s] = psb_slice_radius(s);
    }
    for (int j = 0; j < PSB_GRID; j++) {
        outlook row[PSB_GRID];
        stack s;
        s.n = 0;
        s.radius = radius;
        s.row = row;
        s.shells = shells + j * PSB_SHELLS * PSB_GRID;
        /* Ring by ring, so that it is in a near cache when distances are put into it. */
        memset(s.shells, 0, (size_t)PSB_SHELLS * PSB_GRID * sizeof *shells);
        for (int i = 0; i < PSB_GRID; i++) {
            row[i] = (outlook){0.0, 1.0};
            gather(cells, j, i, density, &s);
        }
        flush(&s);
        for (int i = 0; i < PSB_GRID; i++) {
            whole[j * PSB_GRID + i] = row[i].distance;
        }
    }
}

PSB_VARIANTS(psb_extent, find_distances,
             (const psb_cell_areas *cells, double density, double *whole, double *shells),
             (cells, density, whole, shells))

void psb_extent_distances(const psb_cell_areas *cells, double density, double *whole,
                          double *shells) {
    PSB_RUN(psb_extent)(cells, density, whole, shells);
}
