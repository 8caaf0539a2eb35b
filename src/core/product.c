/* Multiplies matrices in blocks: first by stretches of k, then by panels of columns, then by
 * rows. */
#include "core/product.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { WIDTH = 16, STRETCH = 128, MOST_ROWS = 128 };

/* A panel: at most WIDTH columns of b, whose rows are `line` apart, for the next `depth` values of
 * k. The sums start from c if `more`, else from 0. */
typedef struct product_panel {
    const double *b;
    size_t depth, line, lda, ldc;
    bool more;
} product_panel;

#define ROUNDED(sum, x, y) ((sum) + (x) * (y))

#define KERNEL      plain
#define ADD_PRODUCT ROUNDED
#define TARGET
#define LANES 2
#define ROWS  4
#include "core/product_kernel.h"

static int least(int a, int b) {
    return a < b ? a : b;
}

/* Products of two float32 are exact in double; eight independent sums hide the latency of
 * addition. */
static void pairs_plain(const float *const *x, const float *const *y, int k,
                        double product[PSB_PAIRS]) {
    double terms[PSB_PAIRS][STRETCH], sum[PSB_PAIRS] = {0};
    for (int from = 0, depth; from < k; from += depth) {
        depth = least(k - from, STRETCH);
        for (int j = 0; j < PSB_PAIRS; j++) {
            for (int i = 0; i < depth; i++) {
                terms[j][i] = (double)x[j][from + i] * (double)y[j][from + i];
            }
        }
        for (int i = 0; i < depth; i++) {
            for (int j = 0; j < PSB_PAIRS; j++) {
                sum[j] += terms[j][i];
            }
        }
    }
    memcpy(product, sum, sizeof sum);
}

typedef void multiply_rows(int rows, int width, const product_panel *panel, const double *a,
                           double *c);

typedef struct product_kernel {
    psb_variant variant;
    multiply_rows *rounded, *fused;
    void (*pairs)(const float *const *x, const float *const *y, int k, double product[PSB_PAIRS]);
} product_kernel;

static const product_kernel of_any = {{"plain", PSB_CPU_PLAIN}, plain, plain, pairs_plain};

#if defined(__x86_64__) && !defined(PSB_PORTABLE)

#include <immintrin.h>

#define KERNEL      avx2
#define TARGET      __attribute__((target("avx2")))
#define ADD_PRODUCT ROUNDED
#define LANES       4
#define ROWS        4
#include "core/product_kernel.h"

#define KERNEL                 avx2_fused
#define TARGET                 __attribute__((target("avx2,fma")))
#define ADD_PRODUCT(sum, x, y) _mm256_fmadd_pd(x, y, sum)
#define LANES                  4
#define ROWS                   4
#include "core/product_kernel.h"

#define KERNEL      avx512
#define TARGET      __attribute__((target("avx512f")))
#define ADD_PRODUCT ROUNDED
#define LANES       8
#define ROWS        10
#include "core/product_kernel.h"

#define KERNEL                 avx512_fused
#define TARGET                 __attribute__((target("avx512f")))
#define ADD_PRODUCT(sum, x, y) _mm512_fmadd_pd(x, y, sum)
#define LANES                  8
#define ROWS                   8
#include "core/product_kernel.h"

/* Four products of each of four pairs, transposed so that one addition serves four pairs. */
__attribute__((target("avx2"))) static void pairs_avx2(const float *const *x, const float *const *y,
                                                       int k, double product[PSB_PAIRS]) {
    __m256d sum[PSB_PAIRS / 4] = {{0}};
    int i = 0;
    for (; i + 4 <= k; i += 4) {
        for (int g = 0; g < PSB_PAIRS / 4; g++) {
            __m256d term[4];
            for (int j = 0; j < 4; j++) {
                term[j] = _mm256_mul_pd(_mm256_cvtps_pd(_mm_loadu_ps(x[4 * g + j] + i)),
                                        _mm256_cvtps_pd(_mm_loadu_ps(y[4 * g + j] + i)));
            }
            __m256d even = _mm256_unpacklo_pd(term[0], term[1]);
            __m256d odd = _mm256_unpackhi_pd(term[0], term[1]);
            __m256d other_even = _mm256_unpacklo_pd(term[2], term[3]);
            __m256d other_odd = _mm256_unpackhi_pd(term[2], term[3]);
            sum[g] = _mm256_add_pd(sum[g], _mm256_permute2f128_pd(even, other_even, 0x20));
            sum[g] = _mm256_add_pd(sum[g], _mm256_permute2f128_pd(odd, other_odd, 0x20));
            sum[g] = _mm256_add_pd(sum[g], _mm256_permute2f128_pd(even, other_even, 0x31));
            sum[g] = _mm256_add_pd(sum[g], _mm256_permute2f128_pd(odd, other_odd, 0x31));
        }
    }
    memcpy(product, sum, sizeof sum);
    for (int j = 0; j < PSB_PAIRS; j++) {
        for (int rest = i; rest < k; rest++) {
            product[j] += (double)x[j][rest] * (double)y[j][rest];
        }
    }
}

static const product_kernel of_avx2 = {
    {"avx2", PSB_CPU_AVX2 | PSB_CPU_FMA}, avx2, avx2_fused, pairs_avx2};
static const product_kernel of_avx512 = {
    {"avx512", PSB_CPU_AVX512F | PSB_CPU_AVX2}, avx512, avx512_fused, pairs_avx2};

#endif

const psb_variant *const psb_product_kernels[] = {
#if defined(__x86_64__) && !defined(PSB_PORTABLE)
    &of_avx512.variant,
    &of_avx2.variant,
#endif
    &of_any.variant,
    NULL,
};

/* Copies columns of b (rows, if transposed) side by side and pads them with zeros to WIDTH. */
static void pack(const double *b, size_t ldb, bool transpose, int columns, int depth,
                 double packed[STRETCH * WIDTH]) {
    if (columns < WIDTH) {
        memset(packed, 0, STRETCH * WIDTH * sizeof *packed);
    }
    for (int k = 0; k < depth && !transpose; k++) {
        memcpy(packed + k * WIDTH, b + (size_t)k * ldb, (size_t)columns * sizeof *packed);
    }
    for (int j = 0; j < columns && transpose; j++) {
        for (int k = 0; k < depth; k++) {
            packed[k * WIDTH + j] = b[(size_t)j * ldb + (size_t)k];
        }
    }
}

/* For a panel narrower than the kernel's width: the kernel writes to `sum`, whose rows are WIDTH
 * long, and only the columns that exist are copied to c. */
static void multiply_narrow(multiply_rows *multiply, int rows, int width, int columns,
                            product_panel panel, const double *a, double *c) {
    double sum[MOST_ROWS * WIDTH] = {0};
    size_t ldc = panel.ldc, kept = (size_t)columns * sizeof *c;
    panel.ldc = WIDTH;
    for (int i = 0, count; i < rows; i += count, a += (size_t)count * panel.lda) {
        count = least(rows - i, MOST_ROWS);
        double *at = c + (size_t)i * ldc;
        for (int r = 0; r < count && panel.more; r++) {
            memcpy(sum + r * WIDTH, at + (size_t)r * ldc, kept);
        }
        multiply(count, width, &panel, a, sum);
        for (int r = 0; r < count; r++) {
            memcpy(at + (size_t)r * ldc, sum + r * WIDTH, kept);
        }
    }
}

/* Computes columns j ... j + columns - 1 for k = from ... from + depth - 1. */
static void multiply_panel(multiply_rows *multiply, const psb_product *x, int from, int depth,
                           int j, int columns, double *c, int ldc) {
    double packed[STRETCH * WIDTH];
    int width = columns > WIDTH / 2 ? WIDTH : WIDTH / 2;
    int rows = x->upper ? least(x->m, j + columns) : x->m;
    size_t ldb = (size_t)x->ldb, column = (size_t)j, k = (size_t)from;
    const double *b = x->transpose_b ? x->b + column * ldb + k : x->b + k * ldb + column;
    product_panel panel = {b, (size_t)depth, ldb, (size_t)x->lda, (size_t)ldc, x->more || from > 0};
    if (x->transpose_b || columns < width) {
        pack(b, ldb, x->transpose_b, columns, depth, packed);
        panel.b = packed;
        panel.line = WIDTH;
    }
    if (columns < width) {
        multiply_narrow(multiply, rows, width, columns, panel, x->a + k, c + j);
    } else {
        multiply(rows, width, &panel, x->a + k, c + j);
    }
}

void psb_product_compute(const psb_variant *kernel, const psb_product *product, double *c,
                         int ldc) {
    const product_kernel *with = (const product_kernel *)kernel;
    for (int from = 0; from < product->k; from += STRETCH) {
        for (int j = 0; j < product->n; j += WIDTH) {
            multiply_panel(product->exact ? with->fused : with->rounded, product, from,
                           least(product->k - from, STRETCH), j, least(product->n - j, WIDTH), c,
                           ldc);
        }
    }
}

void psb_product_pairs(const psb_variant *kernel, const float *const *x, const float *const *y,
                       int k, double product[PSB_PAIRS]) {
    ((const product_kernel *)kernel)->pairs(x, y, k, product);
}
