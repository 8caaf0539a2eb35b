/* Sample positions are the same for every model: voxel indices and weights are made once. */
#include "descriptors/sphere_samples.h"

#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

typedef struct position {
    uint32_t corner;   /* volume index of the cell's lowest corner */
    float fraction[3]; /* place within the cell, along i, j, k */
} position;

struct psb_sphere_grid {
    position trilinear[PSB_SPHERE_SAMPLES];
    uint32_t nearest[PSB_SPHERE_SAMPLES];
};

/* Square root of the sphere's area, in voxels. */
static double sphere_factor(int shell) {
    return sqrt(4.0 * M_PI) * (shell + 0.5);
}

static void fill(psb_sphere_grid *grid) {
    size_t s = 0;
    for (int j = 0; j < PSB_GRID; j++) {
        double polar = M_PI * (2 * j + 1) / (2.0 * PSB_GRID);
        for (int shell = 0; shell < PSB_SHELLS; shell++) {
            double radius = shell + 0.5;
            for (int i = 0; i < PSB_GRID; i++, s++) {
                double azimuth = 2.0 * M_PI * i / PSB_GRID;
                double p[3] = {radius * sin(polar) * cos(azimuth),
                               radius * sin(polar) * sin(azimuth), radius * cos(polar)};
                int cell[3], near[3];
                for (int k = 0; k < 3; k++) {
                    double x = p[k] + PSB_VOXELS / 2;
                    cell[k] = (int)floor(x);
                    near[k] = (int)floor(x + 0.5);
                    grid->trilinear[s].fraction[k] = (float)(x - cell[k]);
                }
                grid->trilinear[s].corner = (uint32_t)psb_volume_index(cell[0], cell[1], cell[2]);
                grid->nearest[s] = (uint32_t)psb_volume_index(near[0], near[1], near[2]);
            }
        }
    }
}

psb_status psb_sphere_grid_new(psb_sphere_grid **grid, psb_error *error) {
    void *memory;
    psb_status status = psb_alloc(&memory, 1, sizeof **grid, "sphere samples", error);
    *grid = memory;
    if (status == PSB_OK) {
        fill(*grid);
    }
    return status;
}

void psb_sphere_grid_free(psb_sphere_grid *grid) {
    free(grid);
}

/* Along k and j for two neighbours along i at once, then between them. */
static double interpolate(const float *v, const float f[3]) {
    enum { J = PSB_VOLUME_SIDE, K = PSB_VOLUME_SIDE * PSB_VOLUME_SIDE };
    double x = f[0], y = f[1], z = f[2];
    double pair[2];
    for (int i = 0; i < 2; i++) {
        double a = v[i], b = v[J + i], c = v[K + i], d = v[K + J + i];
        double low = a + z * (c - a);
        double high = b + z * (d - b);
        pair[i] = low + y * (high - low);
    }
    return pair[0] + x * (pair[1] - pair[0]);
}

void psb_sphere_sample_trilinear(const psb_sphere_grid *grid, const float *volume,
                                 double *samples) {
    const position *p = grid->trilinear;
    for (int row = 0; row < PSB_GRID * PSB_SHELLS; row++) {
        double factor = sphere_factor(row % PSB_SHELLS);
        for (int i = 0; i < PSB_GRID; i++, p++) {
            *samples++ = factor * interpolate(volume + p->corner, p->fraction);
        }
    }
}

void psb_sphere_sample_nearest(const psb_sphere_grid *grid, const float *volume, double *samples) {
    const uint32_t *at = grid->nearest;
    for (int row = 0; row < PSB_GRID * PSB_SHELLS; row++) {
        double factor = sphere_factor(row % PSB_SHELLS);
        for (int i = 0; i < PSB_GRID; i++) {
            *samples++ = factor * volume[*at++];
        }
    }
}
