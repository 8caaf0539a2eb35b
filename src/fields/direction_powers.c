/* Plain loops over a batch, which compilers turn into vector instructions. */
#include "fields/direction_powers.h"

#include <string.h>

PSB_INLINE void fill(const psb_directions *directions, const double *weights,
                     psb_direction_powers *out) {
    const double *x = directions->at[0], *y = directions->at[1], *z = directions->at[2];
    for (int i = 0; i < PSB_BATCH; i++) {
        out->chebyshev[0][0][i] = 1.0;
        out->chebyshev[1][0][i] = z[i];
    }
    for (int k = 2; k < PSB_DEGREES; k++) {
        const double *before = out->chebyshev[k % 2][k / 2 - 1];
        const double *last = out->chebyshev[(k - 1) % 2][(k - 1) / 2];
        double *next = out->chebyshev[k % 2][k / 2];
        for (int i = 0; i < PSB_BATCH; i++) {
            next[i] = 2.0 * z[i] * last[i] - before[i];
        }
    }
    memcpy(out->turned[0][0][0], weights, sizeof out->turned[0][0][0]);
    memset(out->turned[0][0][1], 0, sizeof out->turned[0][0][1]);
    for (int m = 1; m < PSB_DEGREES; m++) {
        const double(*last)[PSB_BATCH] = out->turned[(m - 1) % 2][(m - 1) / 2];
        double(*next)[PSB_BATCH] = out->turned[m % 2][m / 2];
        for (int i = 0; i < PSB_BATCH; i++) {
            next[0][i] = last[0][i] * x[i] + last[1][i] * y[i];
            next[1][i] = last[1][i] * x[i] - last[0][i] * y[i];
        }
    }
}

PSB_VARIANTS(psb_powers_kernels, psb_powers_kernel, fill,
             (const psb_directions *directions, const double *weights, psb_direction_powers *out),
             (directions, weights, out))
