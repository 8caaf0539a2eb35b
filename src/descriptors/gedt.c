/*
 * GEDT: Gaussian Euclidean distance transform (Kazhdan, Funkhouser, Rusinkiewicz 2003; paper,
 * section 2).
 *
 * The function is exp(-d^2 / w^2), d the distance to the surface, on 32 concentric spheres in the
 * aligned pose; the row has 256 harmonic coefficients of each. The paper gives spheres, degrees and
 * storage; the width of the Gaussian, 4 of the 64 voxels, was settled by reproducing the published
 * row.
 */
#include "core/error.h"
#include "core/memory.h"
#include "descriptors/citations.h"
#include "descriptors/descriptor.h"
#include "fields/gaussian_field.h"

#include <string.h>

/* Indices of the parameters in the table below. */
enum { WIDTH, FORM, SHELLS };

static const char *const shells_names[] = {"8", "16", "32", NULL};
enum { SHELLS_8, SHELLS_16, SHELLS_32 };

static const psb_param params[] = {
    {"width", PSB_PARAM_REAL, 4.0, 0.1, 64.0, NULL, PSB_SETTLED,
     "width of the Gaussian exp(-d^2/width^2), in voxels"},
    {"form", PSB_PARAM_CHOICE, PSB_FORM_FULL, 0, 0, psb_form_names, PSB_FROM_PAPER,
     "harmonic coefficients in full, or their magnitudes"},
    {"shells", PSB_PARAM_CHOICE, SHELLS_32, 0, 0, shells_names, PSB_BEYOND,
     "spheres that are kept: all 32, or evenly spaced ones"},
    PSB_PARAM_METRIC(PSB_METRIC_L2),
    PSB_PARAM_FRAME,
};

/* Returns how many successive spheres are replaced by the middle one of them. */
static size_t step_of(const psb_params *p) {
    return (size_t)4 >> (int)p->value[SHELLS];
}

static size_t length(const psb_params *p) {
    return PSB_SHELLS / step_of(p) * psb_form_length((psb_form)p->value[FORM]);
}

static psb_status compute(psb_shape *shape, const psb_params *p, void *row, psb_error *error) {
    psb_coefficients *shells = NULL;
    const psb_gaussian gaussian = {PSB_POSE_ALIGNED, PSB_SCALE_MEAN, PSB_RASTER_SAMPLED,
                                   p->value[WIDTH]};
    psb_status status = psb_gaussian_field(shape, &gaussian, &shells, NULL, error);
    size_t step = step_of(p), kept = PSB_SHELLS / step;
    for (size_t s = 0; s < kept && status == PSB_OK && step > 1; s++) {
        memcpy(shells[s], shells[s * step + step / 2], sizeof shells[s]);
    }
    return PSB_THEN(status,
                    psb_store_functions(shape, shells, kept, (psb_form)p->value[FORM], row, error));
}

const psb_descriptor psb_gedt = {
    .name = "GEDT",
    .title = "Gaussian Euclidean distance transform",
    .source = "Kazhdan, Funkhouser, Rusinkiewicz 2003",
    .bibtex = psb_kazhdan_2003,
    .formula = "exp(-d(x)^2/w^2) on 32 spheres, harmonic coefficients to degree 15",
    .pose = PSB_POSE_ALIGNED,
    .invariant = PSB_UNDER_ALL,
    .metric = &psb_l2,
    .revision = 4,
    PSB_PARAMS(params),
    .row_kind = PSB_ROW_SPHERES,
    .length = length,
    .compute = compute,
};
