/* Spherical harmonics by their textbook formula: what the transforms are held against. */
#ifndef PSB_TESTS_SUPPORT_HARMONICS_H
#define PSB_TESTS_SUPPORT_HARMONICS_H

#include "fields/harmonics.h"

/* Y_lm of a unit vector u, pole z, for all (l, m): value[psb_lm(l, m)][real, imaginary]. */
void test_harmonics(const double u[3], psb_coefficients value);

#endif
