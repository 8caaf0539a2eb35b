/* Products: fours of rows and columns and what is left, stretches of k, panels of columns. */
#include "core/product.h"

#include <stddef.h>
#include <string.h>

enum { WIDTH = 16, MOST_ROWS = 128, MOST_PARTS = 8 };

/* Columns of b, `line` apart, that each k-th number of the rows of a is multiplied with. */
typedef struct product_part {
    const double *b;
    size_t depth, line, lda, step;
} product_part;

#define ROUNDED(sum, x, y) ((sum) + (x) * (y))

#define KERNEL      plain
#define ADD_PRODUCT ROUNDED
#define TARGET
#define LANES 2
#define ROWS  4
#include "core/product_kernel.h"

typedef void multiply_rows(int rows, int width, const product_part *part, const double *a,
                           double *sum);

typedef struct product_kernel {
    psb_variant variant;
    multiply_rows *rounded, *fused;
} product_kernel;

static const product_kernel of_any = {{"plain", PSB_CPU_PLAIN}, plain, plain};

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

static const product_kernel of_avx2 = {{"avx2", PSB_CPU_AVX2 | PSB_CPU_FMA}, avx2, avx2_fused};
static const product_kernel of_avx512 = {{"avx512", PSB_CPU_AVX512F}, avx512, avx512_fused};

#endif

const psb_variant *const psb_product_kernels[] = {
#if defined(__x86_64__) && !defined(PSB_PORTABLE)
    &of_avx512.variant,
    &of_avx2.variant,
#endif
    &of_any.variant,
    NULL,
};

static int least(int a, int b) {
    return a < b ? a : b;
}

/* Adds the sums of some rows to c, or puts them there; parts are added in pairs. */
static void add(double *sum, int rows, int width, int parts, bool first, double *c, int ldc) {
    const int size = rows * WIDTH;
    for (; parts > 1; parts /= 2) {
        for (int p = 0; p < parts / 2; p++) {
            for (int i = 0; i < size; i++) {
                sum[p * size + i] = sum[2 * p * size + i] + sum[(2 * p + 1) * size + i];
            }
        }
    }
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < width; j++) {
            double *at = c + (size_t)i * (size_t)ldc + j;
            *at = (first ? 0.0 : *at) + sum[i * WIDTH + j];
        }
    }
}

/* Columns of b, or rows where it is to be transposed, side by side, with zeros behind them. */
static void pack(const double *b, size_t ldb, bool transpose, int columns, int depth,
                 double packed[PSB_STRETCH * WIDTH]) {
    if (columns < WIDTH) {
        memset(packed, 0, PSB_STRETCH * WIDTH * sizeof *packed);
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

/* Rows i ... i + rows - 1 and columns j ... of a product, whose sums have so many parts. */
typedef struct region {
    int i, rows, j, columns, parts;
} region;

/* At most WIDTH columns of a region, for k = from ... from + depth - 1. */
static void multiply_panel(const product_kernel *kernel, const psb_product *x, region r, int from,
                           int depth, double *c, int ldc) {
    double packed[PSB_STRETCH * WIDTH], sum[MOST_PARTS * MOST_ROWS * WIDTH];
    int width = r.columns > WIDTH / 2 ? WIDTH : WIDTH / 2;
    size_t ldb = (size_t)x->ldb, j = (size_t)r.j, k = (size_t)from, line = ldb;
    size_t parts = (size_t)r.parts;
    const double *b = x->transpose_b ? x->b + j * ldb + k : x->b + k * ldb + j;
    if (x->transpose_b || r.columns < width) {
        pack(b, ldb, x->transpose_b, r.columns, depth, packed);
        b = packed;
        line = WIDTH;
    }
    for (int i = r.i; i < r.i + r.rows; i += MOST_ROWS) {
        int rows = least(r.i + r.rows - i, MOST_ROWS);
        const double *a = x->a + (size_t)i * (size_t)x->lda + k;
        for (size_t p = 0; p < parts; p++) {
            product_part part = {b + p * line, ((size_t)depth - p + parts - 1) / parts,
                                 parts * line, (size_t)x->lda, parts};
            (x->exact ? kernel->fused : kernel->rounded)(rows, width, &part, a + p,
                                                         sum + p * (size_t)(rows * WIDTH));
        }
        add(sum, rows, r.columns, (int)parts, from == 0 && !x->more,
            c + (size_t)i * (size_t)ldc + j, ldc);
    }
}

int psb_product_stretch(int rest) {
    return rest >= 2 * PSB_STRETCH || rest <= PSB_STRETCH ? least(rest, PSB_STRETCH)
                                                          : (rest / 2 + 3) / 4 * 4;
}

static void multiply_region(const product_kernel *kernel, const psb_product *x, region r, double *c,
                            int ldc) {
    for (int from = 0, depth; from < x->k; from += depth) {
        depth = psb_product_stretch(x->k - from);
        for (int j = 0; j < r.columns; j += WIDTH) {
            region panel = {r.i, r.rows, r.j + j, least(r.columns - j, WIDTH), r.parts};
            panel.rows = x->upper ? least(r.rows, panel.j + panel.columns - r.i) : r.rows;
            multiply_panel(kernel, x, panel, from, depth, c, ldc);
        }
    }
}

/* As many of what is left as are whole fours, or else two, or one. */
static int fours(int rest) {
    return rest >= 4 ? rest / 4 * 4 : rest >= 2 ? 2 : 1;
}

void psb_product_compute(const psb_variant *kernel, const psb_product *product, double *c,
                         int ldc) {
    for (region r = {0}; r.j < product->n; r.j += r.columns) {
        r.columns = fours(product->n - r.j);
        for (r.i = 0; r.i < product->m; r.i += r.rows) {
            r.rows = fours(product->m - r.i);
            int block = least(r.rows, 4) * least(r.columns, 4);
            r.parts = block < MOST_PARTS ? MOST_PARTS / block : 1;
            multiply_region((const product_kernel *)kernel, product, r, c, ldc);
        }
    }
}

/* No product of two of these is rounded; eight sums side by side hide how long an addition takes.
 */
void psb_product_pairs(const float *const *x, const float *const *y, int k,
                       double product[PSB_PAIRS]) {
    double terms[PSB_PAIRS][PSB_STRETCH];
    for (int j = 0; j < PSB_PAIRS; j++) {
        product[j] = 0.0;
    }
    for (int from = 0, depth; from < k; from += depth) {
        double sum[PSB_PAIRS] = {0};
        depth = psb_product_stretch(k - from);
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
        for (int j = 0; j < PSB_PAIRS; j++) {
            product[j] += sum[j];
        }
    }
}
