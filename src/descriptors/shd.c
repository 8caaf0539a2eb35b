/*
 * SHD: spherical harmonic descriptor (Kazhdan, Funkhouser, Rusinkiewicz 2003; paper, section 2).
 *
 * SHD takes GEDT's function without alignment and makes it rotation invariant: each sphere keeps
 * only the norm of each degree's part. Section 4 of that article improves this: degrees 0 and 2
 * together are a quadratic form x'Qx, whose three principal values say more than two norms. So a
 * sphere has 17 numbers: three c_i, ascending, whose squares add up to those of the two norms, then
 * the norms of degrees 1, 3, 4, ... 15. This form and the width are settled by reproduction. Two
 * more choices are those of the original program, which made the published row: the norm over all
 * degrees up to 31 becomes 1 before degrees from 16 on are cut off, and the surface becomes voxels
 * by the sweep of fields/raster.h.
 */
#include "core/error.h"
#include "core/linear.h"
#include "descriptors/citations.h"
#include "descriptors/descriptor.h"
#include "fields/gaussian_field.h"

#include <math.h>

enum { PRINCIPAL_LENGTH = PSB_DEGREES + 1 };

enum { NORMS_PRINCIPAL, NORMS_PLAIN };
static const char *const norms_names[] = {"principal", "plain", NULL};
static const char *const scale_names[] = {"mean", "rms", NULL};
static const char *const raster_names[] = {
    [PSB_RASTER_REFERENCE] = "reference", [PSB_RASTER_SAMPLED] = "sampled", NULL};

/* Indices of the parameters in the table below. */
enum { WIDTH, SCALE, NORMS, RASTER };

static const psb_param params[] = {
    {"width", PSB_PARAM_REAL, 4.0, 0.1, 64.0, NULL, PSB_SETTLED,
     "width of the Gaussian exp(-d^2/width^2), in voxels"},
    {"scale", PSB_PARAM_CHOICE, PSB_SCALE_MEAN, 0, 0, scale_names, PSB_FROM_PAPER,
     "distance to the center that becomes 0.5: mean, or root mean square"},
    {"norms", PSB_PARAM_CHOICE, NORMS_PRINCIPAL, 0, 0, norms_names, PSB_SETTLED,
     "degrees 0 and 2 as principal values of a quadratic form, or plain norms"},
    {"raster", PSB_PARAM_CHOICE, PSB_RASTER_REFERENCE, 0, 0, raster_names, PSB_SETTLED,
     "voxels of the original program, which depend on the order of corners, or without holes"},
};

static size_t sphere_length(const psb_params *p) {
    return (int)p->value[NORMS] == NORMS_PRINCIPAL ? PRINCIPAL_LENGTH : PSB_DEGREES;
}

static size_t length(const psb_params *p) {
    return PSB_SHELLS * sphere_length(p);
}

static double degree_norm(psb_coefficients a, int l) {
    double sum = 0.0;
    for (int m = 0; m <= l; m++) {
        const double *c = a[psb_lm(l, m)];
        sum += (m > 0 ? 2.0 : 1.0) * (c[0] * c[0] + c[1] * c[1]);
    }
    return sqrt(sum);
}

/* Computes the ascending eigenvalues of Q, where x'Qx are degrees 0 and 2; the pole is axis y. */
static psb_status principal_values(psb_coefficients a, double q[3], psb_error *error) {
    const double s0 = 1.0 / sqrt(4.0 * M_PI), s1 = sqrt(5.0 / (16.0 * M_PI));
    const double s2 = sqrt(15.0 / (8.0 * M_PI)), s3 = sqrt(15.0 / (32.0 * M_PI));
    double mean = s0 * a[psb_lm(0, 0)][0];
    const double *a20 = a[psb_lm(2, 0)], *a21 = a[psb_lm(2, 1)], *a22 = a[psb_lm(2, 2)];
    double matrix[9] = {
        mean - s1 * a20[0] + 2.0 * s3 * a22[0],
        -s2 * a21[0],
        -2.0 * s3 * a22[1],
        -s2 * a21[0],
        mean + 2.0 * s1 * a20[0],
        s2 * a21[1],
        -2.0 * s3 * a22[1],
        s2 * a21[1],
        mean - s1 * a20[0] - 2.0 * s3 * a22[0],
    };
    return psb_eigen_3x3(matrix, q)
               ? PSB_OK
               : psb_fail(error, PSB_ERROR_INTERNAL, "principal values: the form is not finite");
}

static psb_status store_sphere(psb_coefficients a, int norms, double *out, psb_error *error) {
    if (norms == NORMS_PLAIN) {
        for (int l = 0; l < PSB_DEGREES; l++) {
            out[l] = degree_norm(a, l);
        }
        return PSB_OK;
    }
    double q[3];
    psb_status status = principal_values(a, q, error);
    double mean = (q[0] + q[1] + q[2]) / 3.0;
    for (int i = 0; i < 3; i++) {
        *out++ = sqrt(4.0 * M_PI / 3.0) * mean + sqrt(8.0 * M_PI / 15.0) * (q[i] - mean);
    }
    *out++ = degree_norm(a, 1);
    for (int l = 3; l < PSB_DEGREES; l++) {
        *out++ = degree_norm(a, l);
    }
    return status;
}

/* Returns the squared norm of all coefficients, those in `tails` included, m and -m: a sphere's
 * `values` have the same squared norm as its coefficients up to degree 15. */
static double whole_square(const double *values, size_t n, const psb_tail *tails) {
    double square = 0.0;
    for (size_t i = 0; i < n; i++) {
        square += values[i] * values[i];
    }
    for (size_t s = 0; s < PSB_SHELLS; s++) {
        square += tails[s].zonal + 2.0 * tails[s].other;
    }
    return square;
}

static psb_status compute(psb_shape *shape, const psb_params *p, void *row, psb_error *error) {
    const psb_gaussian gaussian = {PSB_POSE_CENTERED, (psb_scale)p->value[SCALE],
                                   (psb_raster_rule)p->value[RASTER], p->value[WIDTH]};
    psb_coefficients *shells;
    psb_tail *tails;
    psb_status status = psb_gaussian_field(shape, &gaussian, &shells, &tails, error);
    double *values = psb_shape_scratch(shape)->values;
    for (size_t s = 0; s < PSB_SHELLS && status == PSB_OK; s++) {
        status =
            store_sphere(shells[s], (int)p->value[NORMS], values + s * sphere_length(p), error);
    }
    return status == PSB_OK ? psb_store_part(values, length(p),
                                             whole_square(values, length(p), tails), row, error)
                            : status;
}

const psb_descriptor psb_shd = {
    .name = "SHD",
    .title = "Spherical harmonic descriptor",
    .source = "Kazhdan, Funkhouser, Rusinkiewicz 2003",
    .bibtex = psb_kazhdan_2003,
    .formula = "norms by degree of exp(-d(x)^2/w^2) on 32 spheres",
    .pose = PSB_POSE_CENTERED,
    .invariant = PSB_UNDER_TRANSLATION | PSB_UNDER_SCALE,
    .nearly = PSB_UNDER_ROTATION | PSB_UNDER_REFLECTION,
    .metric = &psb_l2,
    .revision = 4,
    PSB_PARAMS(params),
    .row_kind = PSB_ROW_LINES,
    .lines = PSB_SHELLS,
    .lines_title = "A line for each of 32 spheres, the innermost above; from left to right the "
                   "strength of its harmonics, low degrees first.",
    .length = length,
    .compute = compute,
};
