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

static double interpolate(const float *v, const float f[3]) {
    enum { J = PSB_VOLUME_SIDE, K = PSB_VOLUME_SIDE * PSB_VOLUME_SIDE };
    double x = f[0], y = f[1], z = f[2];
    double a = v[0] + x * (v[1] - (double)v[0]);
    double b = v[J] + x * (v[J + 1] - (double)v[J]);
    double c = v[K] + x * (v[K + 1] - (double)v[K]);
    double d = v[K + J] + x * (v[K + J + 1] - (double)v[K + J]);
    double low = a + y * (b - a);
    double high = c + y * (d - c);
    return low + z * (high - low);
}

void psb_sphere_sample_trilinear(const psb_sphere_grid *grid, const float *volume,
                                 double *samples) {
    for (size_t s = 0; s < PSB_SPHERE_SAMPLES; s++) {
        const position *p = &grid->trilinear[s];
        double factor = sphere_factor((int)(s / PSB_GRID % PSB_SHELLS));
        samples[s] = factor * interpolate(volume + p->corner, p->fraction);
    }
}

void psb_sphere_sample_nearest(const psb_sphere_grid *grid, const float *volume, double *samples) {
    for (size_t s = 0; s < PSB_SPHERE_SAMPLES; s++) {
        double factor = sphere_factor((int)(s / PSB_GRID % PSB_SHELLS));
        samples[s] = factor * volume[grid->nearest[s]];
    }
}
