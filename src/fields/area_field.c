/* Elements onto nodes and shells, then one transform of all shells. */
#include "fields/area_field.h"

#include "core/vector.h"
#include "fields/area_splat.h"

#include <string.h>

/*
 * Size of elements, and the part of it below which a single direction will do. With these, cutting
 * every triangle in four changes SECSHEL by less than 0.001.
 */
static const double element_size = 0.07;
static const double single_direction = 0.33;

/* Elements of less than this part of the surface's area are fine enough as they are. */
static const double unnoticed = 1e-8;

/*
 * Surfaces of more area than this, in units of the pose, consist of many layers: their elements
 * grow in proportion, so that the work stays bounded. A sphere has the area pi; one model in fifty
 * of the benchmark exceeds this.
 */
static const double many_layers = 16.0;

typedef struct splat {
    const psb_splat_kernel *kernel;
    double *sums;
} splat;

static void add_elements(void *context, const psb_element_batch *batch) {
    splat *s = context;
    s->kernel->run(batch, s->sums);
}

static double *node(double *sums, int row, int column) {
    return sums + (row * PSB_SPLAT_COLUMNS + column) * PSB_SPLAT_SHELLS;
}

static void add_node(double *to, const double *from) {
    for (int s = 0; s < PSB_SPLAT_SHELLS; s++) {
        to[s] += from[s];
    }
}

/* Adds the margins of the grid to the nodes that they are: over a pole, and once around. */
static void fold(double *sums) {
    for (int row = 0; row < PSB_SPLAT_ROWS; row++) {
        add_node(node(sums, row, 0), node(sums, row, PSB_GRID));
    }
    for (int column = 0; column < PSB_GRID; column++) {
        int across = (column + PSB_GRID / 2) % PSB_GRID;
        add_node(node(sums, 1, across), node(sums, 0, column));
        add_node(node(sums, PSB_GRID, across), node(sums, PSB_GRID + 1, column));
    }
}

/*
 * From area at the nodes to area per solid angle, the samples of functions: one for each shell, and
 * one for what lies beyond.
 */
static void make_samples(const psb_harmonics *harmonics, double *sums, double *samples,
                         double *beyond) {
    for (int j = 0; j < PSB_GRID; j++) {
        double factor = 1.0 / psb_harmonics_solid_angle(harmonics, j);
        for (int i = 0; i < PSB_GRID; i++) {
            double *at = node(sums, j + 1, i);
            at[1] += at[0];
            for (int s = 0; s < PSB_SHELLS; s++) {
                samples[(j * PSB_SHELLS + s) * PSB_GRID + i] = factor * at[s + 1];
            }
            double rest = 0.0;
            for (int s = PSB_SHELLS + 1; s < PSB_SPLAT_SHELLS; s++) {
                rest += at[s];
            }
            beyond[j * PSB_GRID + i] = factor * rest;
        }
    }
}

psb_status psb_area_field_fill(const psb_harmonics *harmonics, const psb_mesh *mesh,
                               const double *points, double area, double *samples, double *scratch,
                               psb_area_field *field, psb_error *error) {
    const size_t nodes = PSB_GRID * PSB_GRID;
    psb_status status = psb_buffer_reserve(&field->sums, PSB_SPLAT_SUMS + nodes, sizeof(double),
                                           "area by direction and distance", error);
    if (status != PSB_OK) {
        return status;
    }
    splat s = {psb_cpu_choose(psb_splat_kernels), field->sums.data};
    double *beyond = s.sums + PSB_SPLAT_SUMS;
    memset(s.sums, 0, PSB_SPLAT_SUMS * sizeof *s.sums);
    psb_element_limits limits = {element_size * psb_max(1.0, sqrt(area / many_layers)),
                                 unnoticed * area, single_direction};
    psb_area_elements(mesh, points, &limits, add_elements, &s);
    fold(s.sums);
    make_samples(harmonics, s.sums, samples, beyond);
    psb_harmonics_forward(harmonics, PSB_SHELLS, samples, scratch, field->shell);
    psb_harmonics_forward(harmonics, 1, beyond, scratch, &field->beyond);
    return PSB_OK;
}
