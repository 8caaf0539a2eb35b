/*
 * SECTORS: sector histogram (Ankerst, Kastenmueller, Kriegel, Seidl 1999; paper, section 2).
 *
 * The row has surface area by direction from the center of mass, in the aligned pose, as 256
 * harmonic coefficients: SECSHEL without its shells. The printed size, 552 bytes, would be that of
 * magnitudes, but the printed comparison time and the published results by group are those of full
 * coefficients. The smoothing, a Gaussian of about 4 degrees, is fitted to the published row;
 * values from 3 to 4.5 degrees fit equally well.
 */
#include "descriptors/citations.h"
#include "descriptors/descriptor.h"

#include <string.h>

/* Indices of the parameters in the table below. */
enum { SMOOTH, FORM };

static const psb_param params[] = {
    {"smooth", PSB_PARAM_REAL, 0.0025, 0, 10, NULL, PSB_FITTED,
     "t of the factors exp(-t l(l+1)) by degree"},
    {"form", PSB_PARAM_CHOICE, PSB_FORM_FULL, 0, 0, psb_form_names, PSB_SETTLED,
     "harmonic coefficients in full, or their magnitudes"},
    PSB_PARAM_METRIC(PSB_METRIC_L2),
    PSB_PARAM_FRAME,
};

static void add(psb_coefficients sum, psb_coefficients a) {
    for (size_t i = 0; i < PSB_COEFFICIENTS; i++) {
        sum[i][0] += a[i][0];
        sum[i][1] += a[i][1];
    }
}

static psb_status compute(psb_shape *shape, const psb_params *p, void *row, psb_error *error) {
    psb_area_field *field;
    psb_status status = psb_shape_area_field(shape, &field, error);
    if (status != PSB_OK) {
        return status;
    }
    psb_coefficients sum;
    memcpy(sum, field->beyond, sizeof sum);
    for (size_t s = 0; s < PSB_SHELLS; s++) {
        add(sum, field->shell[s]);
    }
    psb_harmonics_smooth(sum, p->value[SMOOTH]);
    return psb_store_functions(shape, &sum, 1, (psb_form)p->value[FORM], row, error);
}

const psb_descriptor psb_sectors = {
    .name = "SECTORS",
    .title = "Sector histogram",
    .source = "Ankerst, Kastenmueller, Kriegel, Seidl 1999",
    .bibtex = psb_ankerst_1999,
    .formula = "surface area by direction, smoothed, harmonic coefficients to degree 15",
    .pose = PSB_POSE_ALIGNED,
    .invariant = PSB_UNDER_ALL,
    .metric = &psb_l2,
    .revision = 4,
    PSB_PARAMS(params),
    .row_kind = PSB_ROW_SPHERES,
    .size = 1,
    .compute = compute,
};
