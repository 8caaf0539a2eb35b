/* Computes associated Legendre functions by their recurrence in l, normalised with factorials. */
#include "support/harmonics.h"

#include <math.h>

/* Begins with (2m - 1)!! (1 - z^2)^(m / 2), with the Condon-Shortley sign, for l = m. */
static double legendre(int l, int m, double z) {
    double before = 0.0, last = 1.0;
    for (int k = 1; k <= m; k++) {
        last *= -(2 * k - 1) * sqrt(fmax(0.0, 1.0 - z * z));
    }
    for (int k = m + 1; k <= l; k++) {
        double next = ((2 * k - 1) * z * last - (k + m - 1) * before) / (k - m);
        before = last;
        last = next;
    }
    return last;
}

void test_harmonics(const double u[3], psb_coefficients value) {
    double azimuth = atan2(u[1], u[0]);
    for (int l = 0; l < PSB_DEGREES; l++) {
        for (int m = 0; m <= l; m++) {
            double factorials = tgamma(l - m + 1.0) / tgamma(l + m + 1.0);
            double y = sqrt((2 * l + 1) / (4.0 * M_PI) * factorials) * legendre(l, m, u[2]);
            value[psb_lm(l, m)][0] = y * cos(m * azimuth);
            value[psb_lm(l, m)][1] = y * sin(m * azimuth);
        }
    }
}
