/*
 * CEGI: complex extended Gaussian image (Kang, Ikeuchi 1991; paper, section 2).
 *
 * EGI with complex weights: the area of a face times exp(i w d), d the signed distance of its plane
 * from the center of mass where the mean distance of the surface is 0.5. The row has 256 harmonic
 * coefficients of the real part, then 256 of the imaginary part, scaled by one common norm. The
 * paper gives neither w nor the smoothing; w = pi and EGI's smoothing are fitted to the published
 * row (3.0 and 3.3 are worse); that both sides of a face count was settled with EGI.
 */
#include "descriptors/descriptor.h"
#include "fields/gauss_image.h"

#include <math.h>

/* Indices of the parameters in the table below. */
enum { SMOOTH, PHASE, NORMALS, FORM };

static const psb_param params[] = {
    {"smooth", PSB_PARAM_REAL, PSB_PARAM_INSTEAD, 0, 10, psb_gauss_windows, PSB_FITTED,
     "t of the factors exp(-t l(l+1)) by degree; fejer: 1 - l/17 instead"},
    {"phase", PSB_PARAM_REAL, M_PI, 0, 1000, NULL, PSB_FITTED,
     "w of the weights exp(i w d), radians per unit in which the mean distance is 0.5"},
    {"normals", PSB_PARAM_CHOICE, PSB_NORMALS_BOTH, 0, 0, psb_normals_names, PSB_SETTLED,
     "a face counts at n and -n, as oriented, or turned outward"},
    {"form", PSB_PARAM_CHOICE, PSB_FORM_FULL, 0, 0, psb_form_names, PSB_FROM_PAPER,
     "harmonic coefficients in full, or their magnitudes"},
    PSB_PARAM_METRIC(PSB_METRIC_L2),
    PSB_PARAM_FRAME,
};

static psb_status compute(psb_shape *shape, const psb_params *p, void *row, psb_error *error) {
    psb_coefficients part[2]; /* real, imaginary */
    psb_status status = psb_gauss_image(shape, (psb_normals)p->value[NORMALS], p->value[PHASE],
                                        &part[0], &part[1], error);
    if (status != PSB_OK) {
        return status;
    }
    psb_gauss_smooth(part[0], p->value[SMOOTH]);
    psb_gauss_smooth(part[1], p->value[SMOOTH]);
    return psb_store_functions(shape, part, 2, (psb_form)p->value[FORM], row, error);
}

const psb_descriptor psb_cegi = {
    .name = "CEGI",
    .title = "Complex extended Gaussian image",
    .source = "Kang, Ikeuchi 1991",
    .bibtex =
        "@inproceedings{kang1991determining,\n"
        "  author = {Sing Bing Kang and Katsushi Ikeuchi},\n"
        "  title = {Determining {3-D} Object Pose Using the Complex Extended {Gaussian} Image},\n"
        "  booktitle = {IEEE Conference on Computer Vision and Pattern Recognition},\n"
        "  pages = {580--585},\n"
        "  year = {1991},\n"
        "}\n",
    .formula = "EGI with faces weighted by exp(i w d), d the signed distance of their plane",
    .pose = PSB_POSE_ALIGNED,
    .invariant = PSB_UNDER_ALL,
    .metric = &psb_l2,
    .revision = 5,
    PSB_PARAMS(params),
    .row_kind = PSB_ROW_SPHERES,
    .size = 2,
    .compute = compute,
};
