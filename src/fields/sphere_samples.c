/*
 * Samples by tables of voxels and weights, which are the same for every model. Sample positions are
 * symmetric about the three planes through the center, so the table holds an eighth of them; it is
 * then small enough to stay in the caches.
 */
#include "fields/sphere_samples.h"

#include "core/elementary.h"
#include "core/memory.h"

#include <math.h>
#include <stdbool.h>

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
    /* Offsets in a volume of the cells' corners from the center, mirrored along neither j nor k,
     * along k, along j, along both. Mirrored along i as well they are those of the opposite corner,
     * negated. */
    int32_t cell[4][AZIMUTHS];
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

/* Computes a sample position relative to the center, in voxels. */
static void sample_point(int j, int shell, int i, double p[3]) {
    double polar = M_PI * (2 * j + 1) / (2.0 * PSB_GRID), azimuth = 2.0 * M_PI * i / PSB_GRID;
    double radius = shell + 0.5;
    p[0] = radius * psb_sin(polar) * psb_cos(azimuth);
    p[1] = radius * psb_sin(polar) * psb_sin(azimuth);
    p[2] = radius * psb_cos(polar);
}

static void fill_trilinear(psb_sphere_grid *grid) {
    for (int j = 0; j < RINGS; j++) {
        for (int shell = 0; shell < PSB_SHELLS; shell++) {
            positions *at = &grid->trilinear[j][shell];
            for (int i = 0; i < AZIMUTHS; i++) {
                double p[3];
                sample_point(j, shell, i, p);
                for (int k = 0; k < 3; k++) {
                    at->fraction[k][i] = (float)(p[k] - floor(p[k]));
                }
                int32_t along_j = STEP_J * (int32_t)p[1], along_k = STEP_K * (int32_t)p[2];
                for (int mirror = 0; mirror < 4; mirror++) {
                    at->cell[mirror][i] = (int32_t)p[0] + (mirror / 2 == 0 ? along_j : -along_j) +
                                          (mirror % 2 == 0 ? along_k : -along_k);
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

/* Four samples, or two neighbors along i for each of two samples; the same as numbers of 64 bits;
 * the indices of a shuffle. */
typedef float four __attribute__((vector_size(16), aligned(4), may_alias));
typedef double wide_four __attribute__((vector_size(32), aligned(8), may_alias));
typedef double two_pairs __attribute__((vector_size(16)));
typedef double pair __attribute__((aligned(4), may_alias));
typedef int32_t places __attribute__((vector_size(16)));

/* Loads the numbers at `first` and `second`, each with the one behind it: compilers load a number
 * at a time for a gather. */
PSB_INLINE four load_pairs(const float *first, const float *second) {
    return (four)(two_pairs){*(const pair *)first, *(const pair *)second};
}

/* Interpolates along k and j at two positions, whose lower neighbors along i are `first` and
 * `second`. */
PSB_INLINE four interpolate_pairs(const float *first, const float *second, int32_t j, int32_t k,
                                  four part_j, four part_k) {
    four low = load_pairs(first, second), high = load_pairs(first + j, second + j);
    low += part_k * (load_pairs(first + k, second + k) - low);
    high += part_k * (load_pairs(first + j + k, second + j + k) - high);
    return low + part_j * (high - low);
}

/* Computes the values at four positions from n on, mirrored along each axis whose sign is -1. */
PSB_INLINE four interpolate(const float *centre, const positions *at, int n, int32_t sign_i,
                            int32_t sign_j, int32_t sign_k) {
    const int32_t j = sign_j * STEP_J, k = sign_k * STEP_K;
    const int32_t *offset = at->cell[2 * (sign_i != sign_j) + (sign_i != sign_k)] + n;
    const float *cell[4];
    for (int a = 0; a < 4; a++) {
        cell[a] = centre + sign_i * offset[a] - (sign_i < 0);
    }
    four part_j = *(const four *)(at->fraction[1] + n);
    four part_k = *(const four *)(at->fraction[2] + n);
    four first =
        interpolate_pairs(cell[0], cell[1], j, k, PSB_SHUFFLE(places, part_j, part_j, 0, 0, 1, 1),
                          PSB_SHUFFLE(places, part_k, part_k, 0, 0, 1, 1));
    four second =
        interpolate_pairs(cell[2], cell[3], j, k, PSB_SHUFFLE(places, part_j, part_j, 2, 2, 3, 3),
                          PSB_SHUFFLE(places, part_k, part_k, 2, 2, 3, 3));
    four left = PSB_SHUFFLE(places, first, second, 0, 2, 4, 6);
    four right = PSB_SHUFFLE(places, first, second, 1, 3, 5, 7);
    four near = sign_i > 0 ? left : right, far = sign_i > 0 ? right : left;
    return near + *(const four *)(at->fraction[0] + n) * (far - near);
}

/* Samples a quarter of a ring, `out` its first azimuth. Quarters that run backwards begin with
 * position 1: position 0, mirrored, is in the next quarter. */
PSB_INLINE void sample_quarter(const positions *at, const float *centre, int32_t sign_i,
                               int32_t sign_j, int32_t sign_k, double factor, double *out) {
    bool backwards = sign_i != sign_j;
    for (int a = 0; a < QUARTER; a += 4) {
        four values = interpolate(centre, at, a + backwards, sign_i, sign_j, sign_k);
        if (backwards) {
            values = PSB_SHUFFLE(places, values, values, 3, 2, 1, 0);
        }
        *(wide_four *)(out + (backwards ? QUARTER - 4 - a : a)) =
            factor * __builtin_convertvector(values, wide_four);
    }
}

/* Samples one ring of a sphere, in the northern or the southern half, by its first quarter. */
PSB_INLINE void sample_ring(const positions *quarter, const float *centre, int32_t sign_k,
                            double factor, double out[PSB_GRID]) {
    sample_quarter(quarter, centre, 1, 1, sign_k, factor, out);
    sample_quarter(quarter, centre, -1, 1, sign_k, factor, out + QUARTER);
    sample_quarter(quarter, centre, -1, -1, sign_k, factor, out + 2 * QUARTER);
    sample_quarter(quarter, centre, 1, -1, sign_k, factor, out + 3 * QUARTER);
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

PSB_VARIANTS_TO_AVX2(psb_trilinear, sample,
                     (const psb_sphere_grid *grid, const float *volume, double *samples),
                     (grid, volume, samples))

void psb_sphere_sample_trilinear(const psb_sphere_grid *grid, const float *volume,
                                 double *samples) {
    PSB_RUN(psb_trilinear)(grid, volume, samples);
}

PSB_INLINE void sample_nearest(const psb_sphere_grid *grid, const psb_raster *raster,
                               double *samples) {
    const uint64_t *words = raster->row[0];
    for (int row = 0; row < PSB_GRID * PSB_SHELLS; row++) {
        const uint32_t *at = grid->nearest + row * PSB_GRID;
        double factor = sphere_factor(row % PSB_SHELLS);
        for (int i = 0; i < PSB_GRID; i++) {
            uint64_t bit = words[at[i] / PSB_VOXELS] >> at[i] % PSB_VOXELS & 1;
            samples[row * PSB_GRID + i] = bit != 0 ? factor : 0.0;
        }
    }
}

PSB_GATHERING_VARIANTS_TO_AVX2(psb_nearest, sample_nearest,
                               (const psb_sphere_grid *grid, const psb_raster *raster,
                                double *samples),
                               (grid, raster, samples))

void psb_sphere_sample_nearest(const psb_sphere_grid *grid, const psb_raster *raster,
                               double *samples) {
    PSB_RUN(psb_nearest)(grid, raster, samples);
}
