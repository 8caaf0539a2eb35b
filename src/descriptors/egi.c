/*
 * EGI: extended Gaussian image (Horn 1984; paper, section 2).
 *
 * The row has surface area by direction of the normal, in the frame of the model's principal axes,
 * as 256 harmonic coefficients, summed directly over faces. Polygon files do not orient their faces
 * reliably, and the paper does not say what it does about that. Here half of a face's area counts
 * at n and half at -n, which reproduces the published results by group; outward or given normals do
 * not. The smoothing, Fejer means of order 16 (a weight of 1 - l/17 for degree l), is fitted to the
 * published row; it was chosen before a Gaussian lobe of 7 degrees, which fits the groups as well
 * and the row less.
 */
#include "descriptors/descriptor.h"
#include "fields/gauss_image.h"

/* Indices of the parameters in the table below. */
enum { SMOOTH, NORMALS, FORM };

static const psb_param params[] = {
    {"smooth", PSB_PARAM_REAL, PSB_PARAM_INSTEAD, 0, 10, psb_gauss_windows, PSB_FITTED,
     "t of the factors exp(-t l(l+1)) by degree; fejer: 1 - l/17 instead"},
    {"normals", PSB_PARAM_CHOICE, PSB_NORMALS_BOTH, 0, 0, psb_normals_names, PSB_SETTLED,
     "a face counts at n and -n, as oriented, or turned outward"},
    {"form", PSB_PARAM_CHOICE, PSB_FORM_FULL, 0, 0, psb_form_names, PSB_FROM_PAPER,
     "harmonic coefficients in full, or their magnitudes"},
    PSB_PARAM_METRIC(PSB_METRIC_L2),
    PSB_PARAM_FRAME,
};

static psb_status compute(psb_shape *shape, const psb_params *p, void *row, psb_error *error) {
    psb_coefficients image;
    psb_status status =
        psb_gauss_image(shape, (psb_normals)p->value[NORMALS], 0.0, &image, NULL, error);
    if (status != PSB_OK) {
        return status;
    }
    psb_gauss_smooth(image, p->value[SMOOTH]);
    return psb_store_functions(shape, &image, 1, (psb_form)p->value[FORM], row, error);
}

const psb_descriptor psb_egi = {
    .name = "EGI",
    .title = "Extended Gaussian image",
    .source = "Horn 1984",
    .bibtex = "@article{horn1984extended,\n"
              "  author = {Berthold K. P. Horn},\n"
              "  title = {Extended {Gaussian} Images},\n"
              "  journal = {Proceedings of the IEEE},\n"
              "  volume = {72},\n"
              "  number = {12},\n"
              "  pages = {1671--1686},\n"
              "  year = {1984},\n"
              "  doi = {10.1109/PROC.1984.13073},\n"
              "}\n",
    .formula = "area of faces at the directions of their normals, smoothed, harmonic coefficients "
               "to degree 15",
    .pose = PSB_POSE_ALIGNED,
    .invariant = PSB_UNDER_ALL,
    .metric = &psb_l2,
    .revision = 5,
    PSB_PARAMS(params),
    .row_kind = PSB_ROW_SPHERES,
    .size = 1,
    .compute = compute,
};
