/*
 * Fourier transforms by FFTW. Plans are made without its SIMD kernels, which it chooses by
 * processor, and without trying which is fastest. For up to 128 numbers such a plan is one piece of
 * plain code: the bits are the same on every x86-64 processor as long as that code is compiled for
 * all of them, as Debian's is.
 */
#pragma once

#include "psbench.h"

enum { PSB_FOURIER_MOST = 128 };

/* Read-only: several threads may use it at once. */
typedef struct psb_fourier psb_fourier;

/*
 * Makes the plan to transform n <= PSB_FOURIER_MOST real numbers f(i), one after the other, to the
 * sums over i of f(i) exp(-2 pi sqrt(-1) m i / n), 0 <= m <= n / 2. The real and the imaginary part
 * for order m go to out[m * step] and out[m * step + 1]; `step` is even.
 */
psb_status psb_fourier_new(int n, int step, psb_fourier **plan, psb_error *error);
void psb_fourier_free(psb_fourier *plan);

/* Transforms `in` to `out`, which is another array. Allocates nothing. */
void psb_fourier_transform(const psb_fourier *plan, const double *in, double *out);
