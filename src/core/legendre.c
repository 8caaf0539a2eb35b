/* Computes the recurrence of the normalized Legendre functions. */
#include "core/legendre.h"

#include <math.h>

void psb_legendre_fill(psb_legendre *legendre) {
    legendre->diagonal[0] = sqrt(1.0 / (4.0 * M_PI));
    for (int m = 0; m < PSB_BANDWIDTH; m++) {
        if (m > 0) { /* the factor is negative: Condon-Shortley sign */
            legendre->diagonal[m] = -legendre->diagonal[m - 1] * sqrt((2.0 * m + 1.0) / (2.0 * m));
        }
        for (int l = m + 1; l < PSB_BANDWIDTH; l++) {
            double ll = (double)l * l, mm = (double)m * m, kk = (l - 1.0) * (l - 1.0);
            legendre->a[psb_lm(l, m)] = sqrt((4.0 * ll - 1.0) / (ll - mm));
            legendre->b[psb_lm(l, m)] = sqrt((kk - mm) / (4.0 * kk - 1.0));
        }
    }
}

void psb_legendre_column(const psb_legendre *legendre, int degrees, int m, double z, double *q) {
    double before = 0.0, last = legendre->diagonal[m];
    q[0] = last;
    for (int l = m + 1; l < degrees; l++) {
        size_t lm = psb_lm(l, m);
        double next = legendre->a[lm] * (z * last - legendre->b[lm] * before);
        before = last;
        last = next;
        q[l - m] = next;
    }
}
