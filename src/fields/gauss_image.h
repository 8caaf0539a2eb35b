/*
 * Computes the measure that EGI and CEGI share: every face adds its area, times exp(i phase d), in
 * the direction of its normal; d is the signed distance of its plane from the center of mass.
 */
#pragma once

#include "fields/shape.h"

/* The places at which a face with normal n at distance d counts. */
typedef enum psb_normals {
    PSB_NORMALS_BOTH,     /* half of the face at (n, d), half at (-n, -d) */
    PSB_NORMALS_ORIENTED, /* at (n, d), n by the order of the face's corners */
    PSB_NORMALS_OUTWARD,  /* at (n, d) or (-n, -d), whichever has d > 0; at both for d = 0 */
} psb_normals;
extern const char *const psb_normals_names[];

/*
 * Computes the coefficients, in the frame of the aligned pose, of the measure's real part and,
 * unless `imaginary` is NULL, of its imaginary part; d is in the units of that pose. For phase 0
 * the total mass is the surface's area in that pose.
 */
psb_status psb_gauss_image(psb_shape *shape, psb_normals normals, double phase,
                           psb_coefficients *real, psb_coefficients *imaginary, psb_error *error);

/* Smooths such an image by psb_harmonics_smooth with this t; by Fejer means if t is negative. */
void psb_gauss_smooth(psb_coefficients a, double t);
/* Has the name of the Fejer means as a parameter's word, and NULL. */
extern const char *const psb_gauss_windows[];
