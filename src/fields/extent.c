/* Expected largest distances, from the outermost slice inwards. */
#include "fields/extent.h"

#include "core/vector.h"

#include <string.h>

const char *const psb_extent_poles[] = {"largest", "middle", "smallest", NULL};

enum { BYTE = 8 };

/* What is known of a random set of points within a node's reach, from some radius outwards. */
typedef struct outlook {
    double distance; /* expected largest distance, 0 counted where there is no point */
    double none;     /* probability that there is no point */
} outlook;

/* The slices within a node's reach that are not empty, from the outermost inwards. */
typedef struct profile {
    int slices;
    uint16_t slice[PSB_MOST_SLICES + 1]; /* behind the last, one that turned out to be empty */
    double points[PSB_MOST_SLICES + 1];  /* expected number of points in a slice */
    double some[PSB_MOST_SLICES];        /* probability that there is one */
    double mean[PSB_MOST_SLICES];        /* the same divided by the number */
} profile;

/* With more points than that there is one for sure, to double precision. */
static const double most_points = 40.0;

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

PSB_INLINE void fill_probabilities(profile *p) {
    for (int i = 0; i < p->slices; i++) {
        p->some[i] = some_of(psb_min(p->points[i], most_points));
        p->mean[i] = p->some[i] / p->points[i];
    }
}

/* Adds up the cells that a node reaches into, as offsets into the areas. */
PSB_INLINE void gather(const psb_cell_areas *cells, const size_t *cell, int ncells, double density,
                       profile *p) {
    const double *area = cells->area.data;
    const uint64_t *occupied = cells->occupied.data;
    size_t words = cells->slices / PSB_SLICE_WORD;
    int n = 0;
    for (size_t w = words; w-- > 0;) {
        uint64_t bits = 0;
        for (int k = 0; k < ncells; k++) {
            bits |= occupied[cell[k] * words + w];
        }
        while (bits != 0) { /* a byte's slices at a time; empty ones change nothing */
            int byte = (63 - __builtin_clzll(bits)) / BYTE;
            bits &= ~(UINT64_MAX << BYTE * byte);
            size_t slice = PSB_SLICE_WORD * w + (size_t)(BYTE * byte);
            double points[BYTE] = {0.0};
            for (int k = 0; k < ncells; k++) {
                for (int i = 0; i < BYTE; i++) {
                    points[i] += area[cell[k] * cells->slices + slice + (size_t)i];
                }
            }
            for (int i = BYTE - 1; i >= 0; i--) {
                p->slice[n] = (uint16_t)(slice + (size_t)i);
                p->points[n] = density * points[i]; /* may be 0 where the sum is not */
                n += p->points[n] > 0.0;
            }
        }
    }
    p->slices = n;
}

/* The four cells around the node (j, i); beside a pole also the two opposite to it. */
PSB_INLINE void look_around(const psb_cell_areas *cells, int j, int i, double density, profile *p) {
    size_t upper = (size_t)j * PSB_GRID, lower = upper + PSB_GRID;
    size_t right = (size_t)i, left = (right + PSB_GRID - 1) % PSB_GRID;
    size_t cell[6] = {upper + left, upper + right, lower + left, lower + right};
    if (j > 0 && j < PSB_GRID - 1) {
        gather(cells, cell, 4, density, p);
    } else {
        size_t polar = j == 0 ? upper : lower;
        cell[4] = polar + (left + PSB_GRID / 2) % PSB_GRID;
        cell[5] = polar + (right + PSB_GRID / 2) % PSB_GRID;
        gather(cells, cell, 6, density, p);
    }
    fill_probabilities(p);
}

/* Adds the points of a slice below those known, which lie evenly in it. */
PSB_INLINE void add_slice(outlook *o, const profile *p, int i, const double *radius) {
    double begin = radius[p->slice[i]], end = radius[p->slice[i] + 1];
    o->distance += o->none * (begin * p->some[i] + (end - begin) * (1.0 - p->mean[i]));
    o->none *= 1.0 - p->some[i];
}

/* Returns the extent; shell[s * PSB_GRID] gets that of shell s. */
PSB_INLINE double fold(const profile *p, const double *radius, double *shell) {
    outlook all = {0.0, 1.0};
    int i = 0;
    for (; i < p->slices && p->slice[i] >= PSB_BALL_SLICES; i++) {
        add_slice(&all, p, i, radius);
    }
    while (i < p->slices) {
        int s = p->slice[i] / PSB_SHELL_SLICES;
        outlook o = {0.0, 1.0};
        for (; i < p->slices && p->slice[i] >= s * PSB_SHELL_SLICES; i++) {
            add_slice(&o, p, i, radius);
        }
        shell[s * PSB_GRID] = o.distance;
        all.distance += all.none * o.distance;
        all.none *= o.none;
    }
    return all.distance;
}

PSB_INLINE void find_distances(const psb_cell_areas *cells, double density, double *whole,
                               double *shells) {
    double radius[PSB_MOST_SLICES + 1];
    for (size_t s = 0; s <= cells->slices; s++) {
        radius[s] = psb_slice_radius(s);
    }
    memset(shells, 0, (size_t)PSB_SHELLS * PSB_NODES * sizeof *shells);
    profile p;
    for (int j = 0; j < PSB_GRID; j++) {
        for (int i = 0; i < PSB_GRID; i++) {
            look_around(cells, j, i, density, &p);
            whole[j * PSB_GRID + i] = fold(&p, radius, shells + j * PSB_SHELLS * PSB_GRID + i);
        }
    }
}

PSB_VARIANTS(psb_extent_kernels, psb_extent_kernel, find_distances,
             (const psb_cell_areas *cells, double density, double *whole, double *shells),
             (cells, density, whole, shells))

void psb_extent_distances(const psb_cell_areas *cells, double density, double *whole,
                          double *shells) {
    const psb_extent_kernel *kernel = psb_cpu_choose(psb_extent_kernels);
    kernel->distances(cells, density, whole, shells);
}
