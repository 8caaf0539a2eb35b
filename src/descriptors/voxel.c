/*
 * VOXEL: binary function on 32 concentric spheres (paper, section 2).
 *
 * The function is 1 in every voxel that the aligned surface passes through, 0 elsewhere. It is
 * sampled on GEDT's spheres and stored as 256 harmonic coefficients each. The paper does not say
 * how the spheres read the grid: that they took the nearest voxel was settled by reproduction.
 * Trilinear interpolation scores above the published row.
 */
#include "descriptors/citations.h"
#include "descriptors/descriptor.h"

enum { SAMPLING_NEAREST, SAMPLING_TRILINEAR };
static const char *const sampling_names[] = {"nearest", "trilinear", NULL};

/* Indices of the parameters in the table below. */
enum { SAMPLING, FORM };

static const psb_param params[] = {
    {"sampling", PSB_PARAM_CHOICE, SAMPLING_NEAREST, 0, 0, sampling_names, PSB_SETTLED,
     "value between voxels: of the nearest one, or interpolated"},
    {"form", PSB_PARAM_CHOICE, PSB_FORM_FULL, 0, 0, psb_form_names, PSB_FROM_PAPER,
     "harmonic coefficients in full, or their magnitudes"},
    PSB_PARAM_METRIC(PSB_METRIC_L2),
    PSB_PARAM_FRAME,
};

static void fill_volume(const psb_raster *raster, float *volume) {
    for (int k = 0; k < PSB_VOXELS; k++) {
        for (int j = 0; j < PSB_VOXELS; j++) {
            float *row = volume + psb_volume_index(0, j, k);
            uint64_t bits = raster->row[k][j];
            for (int i = 0; i < PSB_VOXELS; i++) {
                row[i] = (float)(bits >> i & 1);
            }
        }
    }
}

static psb_status compute(psb_shape *shape, const psb_params *p, void *row, psb_error *error) {
    const psb_raster *raster;
    psb_status status = psb_shape_raster(shape, PSB_POSE_ALIGNED, PSB_SCALE_MEAN, &raster, error);
    const psb_sphere_grid *spheres;
    PSB_THEN(status, psb_shape_spheres(shape, &spheres, error));
    if (status != PSB_OK) {
        return status;
    }
    const psb_scratch *scratch = psb_shape_scratch(shape);
    if ((int)p->value[SAMPLING] == SAMPLING_NEAREST) {
        psb_sphere_sample_nearest(spheres, raster, scratch->samples);
    } else {
        fill_volume(raster, scratch->volume);
        psb_sphere_sample_trilinear(spheres, scratch->volume, scratch->samples);
    }
    psb_harmonics_forward(psb_shape_harmonics(shape), PSB_SHELLS, scratch->samples,
                          scratch->transform, scratch->coefficients);
    return psb_store_functions(shape, scratch->coefficients, PSB_SHELLS, (psb_form)p->value[FORM],
                               row, error);
}

const psb_descriptor psb_voxel = {
    .name = "VOXEL",
    .title = "Voxel grid",
    .source = "Kazhdan, Funkhouser, Rusinkiewicz 2003",
    .bibtex = psb_kazhdan_2003,
    .formula =
        "1 in voxels that the surface meets, on 32 spheres, harmonic coefficients to degree 15",
    .pose = PSB_POSE_ALIGNED,
    .invariant = PSB_UNDER_ALL,
    .metric = &psb_l2,
    .revision = 3,
    PSB_PARAMS(params),
    .row_kind = PSB_ROW_SPHERES,
    .size = PSB_SHELLS,
    .compute = compute,
};
