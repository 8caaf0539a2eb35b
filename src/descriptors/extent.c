/* Expected largest distances, from the outermost slice inwards. */
#include "descriptors/extent.h"

#include <math.h>
#include <string.h>

const char *const psb_extent_poles[] = {"largest", "middle", "smallest", NULL};

/* What is known of a random set of points within a node's reach, from some radius outwards. */
typedef struct outlook {
    double distance; /* expected largest distance, 0 counted where there is no point */
    double none;     /* probability that there is no point */
} outlook;

/* Adds the points of a slice below; their number is n on average, and they lie evenly in it. */
static void add_slice(outlook *o, size_t slice, double n) {
    double begin = psb_slice_radius(slice);
    double thickness = psb_slice_radius(slice + 1) - begin;
    double some = -expm1(-n);
    o->distance += o->none * (begin * some + thickness * (1.0 - some / n));
    o->none *= 1.0 - some;
}

/* Looks at the slices first ... last - 1 of a node that lies between two columns of cells. */
static outlook look(const double *left, const double *right, size_t first, size_t last,
                    double density) {
    outlook o = {0.0, 1.0};
    for (size_t s = last; s-- > first;) {
        double n = density * (left[s] + right[s]);
        if (n > 0.0) {
            add_slice(&o, s, n);
        }
    }
    return o;
}

static void add(double *sum, const double *cell, size_t slices) {
    for (size_t s = 0; s < slices; s++) {
        sum[s] += cell[s];
    }
}

/* For a row of nodes, the columns' areas in the rows of cells before and after it. */
static void add_rows(const psb_cell_areas *cells, int j, double *row) {
    size_t slices = cells->slices;
    memset(row, 0, PSB_GRID * slices * sizeof *row);
    for (int r = j; r <= j + 1; r++) {
        const double *cell = cells->area.data;
        cell += (size_t)r * PSB_GRID * slices;
        for (size_t i = 0; i < PSB_GRID; i++) {
            add(row + i * slices, cell + i * slices, slices);
            if (r == 0 || r == PSB_GRID) { /* reaches over the pole */
                size_t opposite = (i + PSB_GRID / 2) % PSB_GRID;
                add(row + i * slices, cell + opposite * slices, slices);
            }
        }
    }
}

void psb_extent_distances(const psb_cell_areas *cells, double density, double *row, double *whole,
                          double *shells) {
    for (int j = 0; j < PSB_GRID; j++) {
        add_rows(cells, j, row);
        for (size_t i = 0; i < PSB_GRID; i++) {
            const double *left = row + (i + PSB_GRID - 1) % PSB_GRID * cells->slices;
            const double *right = row + i * cells->slices;
            outlook all = look(left, right, PSB_BALL_SLICES, cells->slices, density);
            for (size_t s = PSB_SHELLS; s-- > 0;) {
                size_t first = s * PSB_SHELL_SLICES;
                outlook shell = look(left, right, first, first + PSB_SHELL_SLICES, density);
                all.distance += all.none * shell.distance;
                all.none *= shell.none;
                shells[((size_t)j * PSB_SHELLS + s) * PSB_GRID + i] = shell.distance;
            }
            whole[(size_t)j * PSB_GRID + i] = all.distance;
        }
    }
}
