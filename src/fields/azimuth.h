/* Fourier coefficients of real functions on 64 azimuths. */
#ifndef PSB_FIELDS_AZIMUTH_H
#define PSB_FIELDS_AZIMUTH_H

#include "core/cpu.h"

#include <stddef.h>

enum {
    PSB_AZIMUTHS = 64,
    PSB_ORDERS = PSB_AZIMUTHS / 2,
};

/* Cosines and sines of the angles 2 pi k b / 64: [k][b] */
typedef struct psb_azimuth_waves {
    double cosine[5][8], sine[5][8];
} psb_azimuth_waves;

void psb_azimuth_fill(psb_azimuth_waves *waves);

/*
 * Computes the sums over i of f(i) exp(-2 pi sqrt(-1) m i / 64), for 0 <= m < orders, which is 16
 * or 32. `samples` is laid out [function][azimuth i]; the real and the imaginary part for order m
 * of function f are written to out + m * order_step + 2 f.
 */
void psb_azimuth_transform(const psb_azimuth_waves *waves, int orders, size_t functions,
                           const double *samples, size_t order_step, double *out);

typedef struct psb_azimuth_kernel {
    psb_variant variant;
    void (*transform)(const psb_azimuth_waves *waves, int orders, size_t functions,
                      const double *samples, size_t order_step, double *out);
} psb_azimuth_kernel;

/* The psb_azimuth_kernel of this build, fastest first; all give the same bits. */
extern const psb_variant *const psb_azimuth_kernels[];

#endif
