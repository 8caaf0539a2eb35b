/*
 * SECSHEL: shells and sectors (Ankerst, Kastenmueller, Kriegel, Seidl 1999; paper, section 2).
 *
 * The row has surface area by direction on each of 32 concentric shells, in the aligned pose, as
 * 256 harmonic coefficients a shell. The paper leaves open how area is binned and whether shells
 * are weighted by their radius. Linear sharing in direction and distance, no factor and no
 * smoothing were settled by reproduction (see fields/area_field.h).
 */
#include "core/elementary.h"
#include "descriptors/citations.h"
#include "descriptors/descriptor.h"

#include <math.h>
#include <string.h>

/* Indices of the parameters in the table below. */
enum { POWER, SMOOTH, FORM };

static const psb_param params[] = {
    {"power", PSB_PARAM_REAL, 0, -3, 3, NULL, PSB_SETTLED,
     "p of the factor r^p by which shells of radius r are weighted"},
    {"smooth", PSB_PARAM_REAL, 0, 0, 10, NULL, PSB_SETTLED,
     "t of the factors exp(-t l(l+1)) by degree"},
    {"form", PSB_PARAM_CHOICE, PSB_FORM_FULL, 0, 0, psb_form_names, PSB_FROM_PAPER,
     "harmonic coefficients in full, or their magnitudes"},
    PSB_PARAM_METRIC(PSB_METRIC_L2),
    PSB_PARAM_FRAME,
};

static psb_status compute(psb_shape *shape, const psb_params *p, void *row, psb_error *error) {
    psb_area_field *field;
    psb_status status = psb_shape_area_field(shape, &field, error);
    if (status != PSB_OK) {
        return status;
    }
    double *values = psb_shape_scratch(shape)->values;
    psb_form form = (psb_form)p->value[FORM];
    for (int s = 0; s < PSB_SHELLS; s++) {
        psb_coefficients shell;
        memcpy(shell, field->shell[s], sizeof shell);
        psb_harmonics_smooth(shell, p->value[SMOOTH]);
        double *row_part = values + (size_t)s * psb_form_length(form);
        psb_harmonics_store(shell, form, row_part);
        double factor = psb_pow((s + 0.5) / PSB_SHELLS, p->value[POWER]);
        for (size_t i = 0; i < psb_form_length(form); i++) {
            row_part[i] *= factor;
        }
    }
    return psb_store_unit(values, PSB_SHELLS * psb_form_length(form), row, error);
}

const psb_descriptor psb_secshel = {
    .name = "SECSHEL",
    .title = "Sectors and shells",
    .source = "Ankerst, Kastenmueller, Kriegel, Seidl 1999",
    .bibtex = psb_ankerst_1999,
    .formula = "surface area by direction and distance, harmonic coefficients to degree 15",
    .pose = PSB_POSE_ALIGNED,
    .invariant = PSB_UNDER_ALL,
    .metric = &psb_l2,
    .revision = 4,
    PSB_PARAMS(params),
    .row_kind = PSB_ROW_SPHERES,
    .size = PSB_SHELLS,
    .compute = compute,
};
