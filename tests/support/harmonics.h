/* Computes spherical harmonics by their textbook formula; tests compare the transforms with it. */
#pragma once

#include "fields/harmonics.h"

/* Computes all Y_lm of a unit vector u, pole z: value[psb_lm(l, m)][real, imaginary]. */
void test_harmonics(const double u[3], psb_coefficients value);
