/*
 * Samples by tables of voxels and weights, which are the same for every model. Sample positions are
 * symmetric about the three planes through the centre, so the table holds an eighth of them; it is
 * then small enough to stay in the caches.
 */
#include "fields/sphere_samples.h"

#include "core/elementary.h"
#include "core/memory.h"

#include <math.h>

enum {
    CENTRE = PSB_VOXELS / 2,
    RINGS = PSB_GRID / 2, /* north of the equator */
    QUARTER = PSB_GRID / 4,
    AZIMUTHS = QUARTER + 1, /* 0 ... 90 degrees */
    STEP_J = PSB_VOLUME_SIDE,
    STEP_K = PSB_VOLUME_SIDE * PSB_VOLUME_SIDE,
};

/* The samples of one ring of one sphere, as arrays for vector instructions. */
typedef struct positions {
    /* Offsets in a volume, along i, j, k, of the cells' corners from the centre. */
    int32_t cell[3][AZIMUTHS];
    float fraction[3][AZIMUTHS]; /* place within the cell, from that corner outwards */
} positions;

struct psb_sphere_grid {
    positions trilinear[RINGS][PSB_SHELLS];
    uint32_t nearest[PSB_SPHERE_SAMPLES]; /* (64 k + j) 64 + i */
};

/* Returns the square root of the sphere's area, in voxels. */
PSB_INLINE double sphere_factor(int shell) {
    return sqrt(4.0 * M_PI) * (shell + 0.5);
}

/* Computes a sample position relative to the centre, in voxels. */
static void sample_point(int j, int shell, int i, double p[3]) {
    double polar = M_PI * (2 * j + 1) / (2.0 * PSB_GRID), azimuth = 2.0 * M_PI * i / PSB_GRID;
    double radius = shell + 0.5;
    p[0] = radius * psb_sin(polar) * psb_cos(azimuth);
    p[1] = radius * psb_sin(polar) * psb_sin(azimuth);
    p[2] = radius * psb_cos(polar);
}

static void fill_trilinear(psb_sphere_grid *grid) {
    static const int32_t step[3] = {1, STEP_J, STEP_K};
    for (int j = 0; j < RINGS; j++) {
        for (int shell = 0; shell < PSB_SHELLS; shell++) {
            positions *at = &grid->trilinear[j][shell];
            for (int i = 0; i < AZIMUTHS; i++) {
                double p[3];
                sample_point(j, shell, i, p);
                for (int k = 0; k < 3; k++) {
                    at->cell[k][i] = step[k] * (int32_t)p[k];
                    at->fraction[k][i] = (float)(p[k] - floor(p[k]));
                }
            }
        }
    }
}

static void fill_nearest(psb_sphere_grid *grid) {
    uint32_t *at = grid->nearest;
    for (int j = 0; j < PSB_GRID; j++) {
        for (int shell = 0; shell < PSB_SHELLS; shell++) {
            for (int i = 0; i < PSB_GRID; i++) {
                double p[3];
                sample_point(j, shell, i, p);
                uint32_t voxel[3];
                for (int k = 0; k < 3; k++) {
                    voxel[k] = (uint32_t)floor(p[k] + CENTRE + 0.5);
                }
                *at++ = (voxel[2] * PSB_VOXELS + voxel[1]) * PSB_VOXELS + voxel[0];
            }
        }
    }
}

psb_status psb_sphere_grid_new(psb_sphere_grid **grid, psb_error *error) {
    psb_status status = PSB_OK;
    *grid = psb_new(&status, 1, sizeof **grid, "sphere samples", error);
    if (status == PSB_OK) {
        fill_trilinear(*grid);
        fill_nearest(*grid);
    }
    return status;
}

void psb_sphere_grid_free(psb_sphere_grid *grid) {
    free(grid);
}

/*
 * Computes the values at the positions from `begin` on, mirrored along each axis whose sign is -1.
 * Quarters that run backwards begin with position 1: position 0, mirrored, is in the next quarter.
 */
PSB_INLINE void interpolate(const float *centre, const positions *at, int begin, int32_t sign_i,
                            int32_t sign_j, int32_t sign_k, float values[QUARTER]) {
    const int32_t j = sign_j * STEP_J, k = sign_k * STEP_K;
    for (int a = 0; a < QUARTER; a++) {
        const int n = begin + a;
        int32_t v = sign_i * at->cell[0][n] + sign_j * at->cell[1][n] + sign_k * at->cell[2][n];
        float pair[2];
        for (int p = 0; p < 2; p++, v += sign_i) {
            float low = centre[v] + at->fraction[2][n] * (centre[v + k] - centre[v]);
            float high = centre[v + j] + at->fraction[2][n] * (centre[v + j + k] - centre[v + j]);
            pair[p] = low + at->fraction[1][n] * (high - low);
        }
        values[a] = pair[0] + at->fraction[0][n] * (pair[1] - pair[0]);
    }
}

/* Samples one ring of a sphere, in the northern or the southern half, by its first quarter. */
PSB_INLINE void sample_ring(const positions *quarter, const float *centre, int32_t sign_k,
                            double factor, double out[PSB_GRID]) {
    float values[4][QUARTER];
    interpolate(centre, quarter, 0, 1, 1, sign_k, values[0]);
    interpolate(centre, quarter, 1, -1, 1, sign_k, values[1]);
    interpolate(centre, quarter, 0, -1, -1, sign_k, values[2]);
    interpolate(centre, quarter, 1, 1, -1, sign_k, values[3]);
    for (int a = 0; a < QUARTER; a++) {
        out[a] = factor * values[0][a];
    }
    for (int a = 0; a < QUARTER; a++) {
        out[2 * QUARTER - 1 - a] = factor * values[1][a];
    }
    for (int a = 0; a < QUARTER; a++) {
        out[2 * QUARTER + a] = factor * values[2][a];
    }
    for (int a = 0; a < QUARTER; a++) {
        out[4 * QUARTER - 1 - a] = factor * values[3][a];
    }
}

PSB_INLINE void sample(const psb_sphere_grid *grid, const float *volume, double *samples) {
    const float *centre = volume + psb_volume_index(CENTRE, CENTRE, CENTRE);
    for (int j = 0; j < RINGS; j++) {
        double *north = samples + (size_t)j * PSB_SHELLS * PSB_GRID;
        double *south = samples + (size_t)(PSB_GRID - 1 - j) * PSB_SHELLS * PSB_GRID;
        for (int shell = 0; shell < PSB_SHELLS; shell++) {
            const positions *quarter = &grid->trilinear[j][shell];
            double factor = sphere_factor(shell);
            sample_ring(quarter, centre, 1, factor, north + shell * PSB_GRID);
            sample_ring(quarter, centre, -1, factor, south + shell * PSB_GRID);
        }
    }
}

PSB_GATHERING_VARIANTS(psb_trilinear_kernels, psb_trilinear_kernel, sample,
                       (const psb_sphere_grid *grid, const float *volume, double *samples),
                       (grid, volume, samples))

void psb_sphere_sample_trilinear(const psb_sphere_grid *grid, const float *volume,
                                 double *samples) {
    const psb_trilinear_kernel *kernel = psb_cpu_choose(psb_trilinear_kernels);
    kernel->sample(grid, volume, samples);
}

void psb_sphere_sample_nearest(const psb_sphere_grid *grid, const psb_raster *raster,
                               double *samples) {
    const uint64_t *words = raster->row[0];
    const uint32_t *at = grid->nearest;
    for (int row = 0; row < PSB_GRID * PSB_SHELLS; row++) {
        double factor = sphere_factor(row % PSB_SHELLS);
        for (int i = 0; i < PSB_GRID; i++, at++) {
            *samples++ = (words[*at / PSB_VOXELS] >> *at % PSB_VOXELS & 1) != 0 ? factor : 0.0;
        }
    }
}
