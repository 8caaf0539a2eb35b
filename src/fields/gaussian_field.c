/* Squared distances are small integers, so the Gaussian is a table. */
#include "fields/gaussian_field.h"

#include "core/elementary.h"

#include <math.h>

/* A Gaussian below this counts as 0: far less than the rounding of the results. */
static const double negligible = 1e-9;

/* The largest squared distance at which it is more. */
static int most_distance(double width) {
    return (int)fmin(-psb_log(negligible) * width * width, PSB_DISTANCE_MOST);
}

static void fill_volume(const psb_distance_grid *grid, double width, float *volume) {
    float table[PSB_DISTANCE_MOST + 2];
    int most = most_distance(width);
    for (int d2 = 0; d2 <= most; d2++) {
        table[d2] = (float)psb_exp(-d2 / (width * width));
    }
    table[most + 1] = 0.0F;
    for (int k = 0; k < PSB_VOXELS; k++) {
        for (int j = 0; j < PSB_VOXELS; j++) {
            if (!psb_distance_row(j, k)) {
                continue;
            }
            float *row = volume + psb_volume_index(0, j, k);
            for (int i = 0; i < PSB_VOXELS; i++) {
                row[i] = table[grid->squared[k][j][i]];
            }
        }
    }
}

psb_status psb_gaussian_field(psb_shape *shape, const psb_gaussian *gaussian,
                              psb_coefficients **coefficients, psb_tail **tails, psb_error *error) {
    const psb_distance_grid *grid;
    psb_status status = psb_shape_distance(shape, gaussian->pose, gaussian->scale, gaussian->raster,
                                           most_distance(gaussian->width), &grid, error);
    const psb_sphere_grid *spheres;
    PSB_THEN(status, psb_shape_spheres(shape, &spheres, error));
    if (status != PSB_OK) {
        return status;
    }
    const psb_harmonics *harmonics = psb_shape_harmonics(shape);
    const psb_scratch *scratch = psb_shape_scratch(shape);
    fill_volume(grid, gaussian->width, scratch->volume);
    psb_sphere_sample_trilinear(spheres, scratch->volume, scratch->samples);
    *coefficients = scratch->coefficients;
    if (tails == NULL) {
        psb_harmonics_forward(harmonics, PSB_SHELLS, scratch->samples, scratch->transform,
                              scratch->coefficients);
    } else {
        psb_harmonics_forward_tails(harmonics, PSB_SHELLS, scratch->samples, scratch->transform,
                                    scratch->coefficients, scratch->tails);
        *tails = scratch->tails;
    }
    return PSB_OK;
}
