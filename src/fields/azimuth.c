/*
 * The fast Fourier transform of 64 = 8 x 8 azimuths: eight transforms of the azimuths b, b + 8,
 * ..., then for each order k one transform of their eight coefficients, each turned by b k / 64. Of
 * a real function only orders up to 4 are computed; the others are conjugate. Eight functions are
 * transformed side by side, so that vectors work across functions. A library's transform adds in
 * another order on other processors; this one always adds in the same order.
 */
#include "fields/azimuth.h"

#include "core/elementary.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { SIDE = 8, HALF = SIDE / 2, LANES = 8 };

void psb_azimuth_fill(psb_azimuth_waves *waves) {
    for (int k = 0; k <= HALF; k++) {
        for (int b = 0; b < SIDE; b++) {
            double angle = 2.0 * M_PI * k * b / PSB_AZIMUTHS;
            waves->cosine[k][b] = psb_cos(angle);
            waves->sine[k][b] = psb_sin(angle);
        }
    }
}

/* Computes orders 0 ... 4 of eight real numbers; orders 0 and 4 are real. */
PSB_INLINE void transform_eight(const double x[SIDE], double real[HALF + 1],
                                double imaginary[HALF + 1]) {
    const double sum_04 = x[0] + x[4], sum_26 = x[2] + x[6];
    const double sum_15 = x[1] + x[5], sum_37 = x[3] + x[7];
    const double difference_04 = x[0] - x[4], difference_26 = x[2] - x[6];
    const double difference_15 = x[1] - x[5], difference_37 = x[3] - x[7];
    const double across = M_SQRT1_2 * (difference_15 - difference_37);
    const double along = M_SQRT1_2 * (difference_15 + difference_37);
    real[0] = (sum_04 + sum_26) + (sum_15 + sum_37);
    real[1] = difference_04 + across;
    real[2] = sum_04 - sum_26;
    real[3] = difference_04 - across;
    real[4] = (sum_04 + sum_26) - (sum_15 + sum_37);
    imaginary[0] = imaginary[4] = 0.0;
    imaginary[1] = -(difference_26 + along);
    imaginary[2] = sum_37 - sum_15;
    imaginary[3] = difference_26 - along;
}

/* The results of transform_columns: [order k][azimuth b][function]. */
typedef struct eighths {
    double real[HALF + 1][SIDE][LANES], imaginary[HALF + 1][SIDE][LANES];
} eighths;

PSB_INLINE void transform_columns(double samples[PSB_AZIMUTHS][LANES], eighths *columns) {
    for (int b = 0; b < SIDE; b++) {
        for (int f = 0; f < LANES; f++) {
            double x[SIDE], real[HALF + 1], imaginary[HALF + 1];
            for (int a = 0; a < SIDE; a++) {
                x[a] = samples[SIDE * a + b][f];
            }
            transform_eight(x, real, imaginary);
            for (int k = 0; k <= HALF; k++) {
                columns->real[k][b][f] = real[k];
                columns->imaginary[k][b][f] = imaginary[k];
            }
        }
    }
}

/* The results of transform_rows: orders k + 8 j and, `mirrored`, 8 (j + 1) - k for j = 0 ... 3. */
typedef struct octave {
    double real[HALF][LANES], imaginary[HALF][LANES];
    double mirrored_real[HALF][LANES], mirrored_imaginary[HALF][LANES];
} octave;

/* Transforms x + sqrt(-1) y, the turned coefficients of order k, as x and y separately; orders
 * beyond 4 follow from the conjugates of both transforms. */
PSB_INLINE void transform_rows(const psb_azimuth_waves *waves, const eighths *columns, int k,
                               octave *out) {
    for (int f = 0; f < LANES; f++) {
        double x[SIDE], y[SIDE], of_x[2][HALF + 1], of_y[2][HALF + 1];
        for (int b = 0; b < SIDE; b++) {
            double real = columns->real[k][b][f], imaginary = columns->imaginary[k][b][f];
            x[b] = real * waves->cosine[k][b] + imaginary * waves->sine[k][b];
            y[b] = imaginary * waves->cosine[k][b] - real * waves->sine[k][b];
        }
        transform_eight(x, of_x[0], of_x[1]);
        transform_eight(y, of_y[0], of_y[1]);
        for (int j = 0; j < HALF; j++) {
            out->real[j][f] = of_x[0][j] - of_y[1][j];
            out->imaginary[j][f] = of_x[1][j] + of_y[0][j];
            out->mirrored_real[j][f] = of_x[0][j + 1] + of_y[1][j + 1];
            out->mirrored_imaginary[j][f] = of_x[1][j + 1] - of_y[0][j + 1];
        }
    }
}

/* Writes one order of the first `count` functions. */
PSB_INLINE void write(const double *real, const double *imaginary, size_t count, double *out) {
    double both[LANES][2];
    for (int f = 0; f < LANES; f++) {
        both[f][0] = real[f];
        both[f][1] = imaginary[f];
    }
    if (count == LANES) { /* a size that the compiler knows */
        memcpy(out, both, sizeof both);
    } else {
        memcpy(out, both, count * sizeof *both);
    }
}

PSB_INLINE void transform_group(const psb_azimuth_waves *waves, int orders, size_t count,
                                double samples[PSB_AZIMUTHS][LANES], size_t order_step,
                                double *out) {
    eighths columns;
    transform_columns(samples, &columns);
    for (int k = 0; k <= HALF; k++) {
        octave rows;
        transform_rows(waves, &columns, k, &rows);
        for (int j = 0; j < orders / SIDE; j++) {
            write(rows.real[j], rows.imaginary[j], count,
                  out + (size_t)(SIDE * j + k) * order_step);
            if (k % HALF != 0) { /* else the mirrored orders are the same */
                write(rows.mirrored_real[j], rows.mirrored_imaginary[j], count,
                      out + (size_t)(SIDE * (j + 1) - k) * order_step);
            }
        }
    }
}

/* Vectors: four numbers, the indices of a shuffle of them, and LANES numbers as bits. */
typedef double four __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t places __attribute__((vector_size(32)));
typedef uint64_t words __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

/* Transposes azimuths i ... i + 3 of four functions into columns f ... f + 3. */
PSB_INLINE void turn(const double *samples, int i, int f, double gathered[PSB_AZIMUTHS][LANES]) {
    const four *a = (const four *)(samples + i), *b = (const four *)(samples + i + PSB_AZIMUTHS);
    const four *c = (const four *)(samples + i + 2 * PSB_AZIMUTHS);
    const four *d = (const four *)(samples + i + 3 * PSB_AZIMUTHS);
    four ab = PSB_SHUFFLE(places, *a, *b, 0, 4, 2, 6), cd = PSB_SHUFFLE(places, *c, *d, 0, 4, 2, 6);
    four next_ab = PSB_SHUFFLE(places, *a, *b, 1, 5, 3, 7);
    four next_cd = PSB_SHUFFLE(places, *c, *d, 1, 5, 3, 7);
    *(four *)&gathered[i][f] = PSB_SHUFFLE(places, ab, cd, 0, 1, 4, 5);
    *(four *)&gathered[i + 1][f] = PSB_SHUFFLE(places, next_ab, next_cd, 0, 1, 4, 5);
    *(four *)&gathered[i + 2][f] = PSB_SHUFFLE(places, ab, cd, 2, 3, 6, 7);
    *(four *)&gathered[i + 3][f] = PSB_SHUFFLE(places, next_ab, next_cd, 2, 3, 6, 7);
}

/* Puts `count` functions side by side and zeros beside them. */
PSB_INLINE void gather(const double *samples, size_t count, double gathered[PSB_AZIMUTHS][LANES]) {
    if (count == LANES) {
        for (int i = 0; i < PSB_AZIMUTHS; i += 4) {
            turn(samples, i, 0, gathered);
            turn(samples + 4 * PSB_AZIMUTHS, i, 4, gathered);
        }
        return;
    }
    memset(gathered, 0, PSB_AZIMUTHS * sizeof *gathered);
    for (size_t f = 0; f < count; f++) {
        for (int i = 0; i < PSB_AZIMUTHS; i++) {
            gathered[i][f] = samples[f * PSB_AZIMUTHS + (size_t)i];
        }
    }
}

/* Returns whether all samples are 0 or -0; joins the numbers' bits, which is faster than to compare
 * numbers. */
PSB_INLINE bool are_zero(const double *samples, size_t functions) {
    uint64_t joined = 0;
    for (size_t f = 0; f < functions && joined << 1 == 0; f++) { /* the shift drops the sign */
        words any = {0};
        for (int i = 0; i < PSB_AZIMUTHS; i += LANES) {
            any |= *(const words *)(samples + f * PSB_AZIMUTHS + i);
        }
        for (int k = 0; k < LANES; k++) {
            joined |= any[k];
        }
    }
    return joined << 1 == 0;
}

PSB_INLINE void write_zeros(size_t count, double *out) {
    if (count == LANES) { /* a size that the compiler knows */
        memset(out, 0, 2 * LANES * sizeof *out);
    } else {
        memset(out, 0, 2 * count * sizeof *out);
    }
}

PSB_INLINE void transform(const psb_azimuth_waves *waves, int orders, size_t functions,
                          const double *samples, size_t order_step, double *out) {
    for (size_t f = 0, count; f < functions; f += count) {
        count = functions - f < LANES ? functions - f : LANES;
        double gathered[PSB_AZIMUTHS][LANES];
        const double *of_group = samples + f * PSB_AZIMUTHS;
        /* Most fields are 0 nearly everywhere, and the transform of zeros is 0. */
        if (are_zero(of_group, count)) {
            for (int m = 0; m < orders; m++) {
                write_zeros(count, out + (size_t)m * order_step + 2 * f);
            }
            continue;
        }
        gather(of_group, count, gathered);
        transform_group(waves, orders, count, gathered, order_step, out + 2 * f);
    }
}

PSB_VARIANTS(psb_azimuth_kernels, psb_azimuth_kernel, transform,
             (const psb_azimuth_waves *waves, int orders, size_t functions, const double *samples,
              size_t order_step, double *out),
             (waves, orders, functions, samples, order_step, out))

void psb_azimuth_transform(const psb_azimuth_waves *waves, int orders, size_t functions,
                           const double *samples, size_t order_step, double *out) {
    const psb_azimuth_kernel *kernel = psb_cpu_choose(psb_azimuth_kernels);
    kernel->transform(waves, orders, functions, samples, order_step, out);
}
