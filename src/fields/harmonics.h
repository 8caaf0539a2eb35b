/*
 * Spherical harmonics of functions sampled on the 64 x 64 grid: coefficients up to degree 15, and
 * the energy of degrees 16 to 31.
 *
 * Grid: azimuth 2 pi i / 64, i = 0 ... 63; polar angle pi (2j + 1) / 128, j = 0 ... 63. Quadrature:
 * Driscoll and Healy 1994 for bandwidth 32. Harmonics: orthonormal, complex, Condon-Shortley sign;
 * the function 1 has a_00 = sqrt(4 pi). Only m >= 0 is kept, since the other half of a real
 * function follows from it.
 */
#pragma once

#include "core/cpu.h"
#include "core/legendre.h"
#include "psbench.h"

enum {
    PSB_GRID = 64,   /* samples along the azimuth, and along the polar angle */
    PSB_SHELLS = 32, /* concentric spheres of a volume */
};

/* Coefficients of one function: [psb_lm(l, m)][real, imaginary]. */
typedef double psb_coefficients[PSB_COEFFICIENTS][2];

/* The transform of a ring, Legendre functions times quadrature weights. Shared and read-only. */
typedef struct psb_harmonics psb_harmonics;
psb_status psb_harmonics_new(psb_harmonics **harmonics, psb_error *error);
void psb_harmonics_free(psb_harmonics *harmonics);

/* Returns the doubles of scratch memory that a transform of n functions needs. */
size_t psb_harmonics_scratch(size_t n);

/*
 * Transforms n functions at once. `samples` is laid out [polar j][function][azimuth i].
 */
void psb_harmonics_forward(const psb_harmonics *harmonics, size_t n, const double *samples,
                           double *scratch, psb_coefficients *out);

/* The sum of |a_lm|^2 of one function over the degrees 16 to 31, which are not kept. */
typedef struct psb_tail {
    double zonal; /* over m = 0 */
    double other; /* over m > 0, each m once: half the sum over m and -m */
} psb_tail;

/* Does the work of psb_harmonics_forward, and sets the n tails. */
void psb_harmonics_forward_tails(const psb_harmonics *harmonics, size_t n, const double *samples,
                                 double *scratch, psb_coefficients *out, psb_tail *tails);

/*
 * Returns the solid angle of a node of ring j, which is its quadrature weight; the angles of all
 * nodes sum to 4 pi. A measure on the nodes, divided by their solid angles, gives samples for
 * psb_harmonics_forward.
 */
double psb_harmonics_solid_angle(const psb_harmonics *harmonics, int j);

enum { PSB_BATCH = 128 };

/* A batch of unit vectors: coordinate k of vector i is at[k][i]. */
typedef struct psb_directions {
    double at[3][PSB_BATCH];
} psb_directions;

/*
 * The weights of a measure on the directions of a batch, and the coefficients to which it adds sum
 * of weight_i conj(Y_lm(u_i)). Even and odd degrees have separate weights, because a weight on -u
 * counts positive for even degrees and negative for odd ones; NULL: none.
 */
typedef struct psb_direction_weights {
    const double *even, *odd; /* PSB_BATCH numbers each, 0 beyond the batch's last direction */
    psb_coefficients *sum;
} psb_direction_weights;

/* Adds a batch to each of up to PSB_MEASURES measures. All of `directions` must be finite. */
enum { PSB_MEASURES = 2 };
void psb_harmonics_add(const psb_harmonics *harmonics, const psb_directions *directions,
                       const psb_direction_weights *measures, size_t nmeasures);

PSB_KERNEL(psb_batch, (const psb_harmonics *harmonics, const psb_directions *directions,
                       const psb_direction_weights *measures, size_t nmeasures))

/*
 * Convolves with the heat kernel: multiplies degree l by exp(-t l (l + 1)). For small t the kernel
 * is a Gaussian whose standard deviation is sqrt(2 t) radians.
 */
void psb_harmonics_smooth(psb_coefficients a, double t);

/* Takes Fejer means of order 16: multiplies degree l by 1 - l / 17. */
void psb_harmonics_fejer(psb_coefficients a);

/* How a function on the sphere is stored: see psb_harmonics_store. */
typedef enum psb_form { PSB_FORM_FULL, PSB_FORM_MAGNITUDE, PSB_FORM_SUM } psb_form;

/* Returns how many numbers a function has in this form: PSB_FULL or PSB_COEFFICIENTS. */
size_t psb_form_length(psb_form form);

/*
 * Stores one function in a form:
 * PSB_FORM_FULL: a_l0, sqrt2 Re a_lm, sqrt2 Im a_lm, by degree and order, so that Euclidean
 *   distances of rows are L2 distances of functions;
 * PSB_FORM_MAGNITUDE: |a_lm|, those of m > 0 times sqrt2;
 * PSB_FORM_SUM: |Re a_lm| + |Im a_lm|, without the factor sqrt2.
 */
void psb_harmonics_store(psb_coefficients a, psb_form form, double *row);

extern const char *const psb_form_names[];
