/* Rules out pairs by products in float32, and computes the distances of the pairs that are left. */
#include "distance/screen.h"

#include "core/cpu.h"
#include "core/memory.h"
#include "core/product.h"
#include "distance/products.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    SCREEN_NEAR = 16, /* rows of b that stay in the nearest cache for all rows of a */
    PART = 4, /* if 1 / PART of a tile's pairs are wanted, the metric's own tile is cheaper */
};

/* Rows are screened if their sums of squares are between these: float32 then holds their norms'
 * inverses and products. */
static const double least_square = 1e-12, most_square = 1e24;

#define ROUNDED(sum, x, y) ((sum) + (x) * (y))

#define KERNEL plain
#define TARGET
#define LANES       4
#define ROWS        2
#define COLUMNS     2
#define EVEN        0, 2, 4, 6
#define ODD         1, 3, 5, 7
#define ADD_PRODUCT ROUNDED
#include "distance/screen_kernel.h"

static const psb_screen_kernel of_any = {
    {"plain", PSB_CPU_PLAIN}, plain_dots, plain_mark, plain_squares};

#if defined(__x86_64__) && !defined(PSB_PORTABLE)

#include <immintrin.h>

#define KERNEL                 avx2
#define TARGET                 __attribute__((target("avx2,fma")))
#define LANES                  8
#define ROWS                   2
#define COLUMNS                4
#define EVEN                   0, 2, 4, 6, 8, 10, 12, 14
#define ODD                    1, 3, 5, 7, 9, 11, 13, 15
#define ADD_PRODUCT(sum, x, y) _mm256_fmadd_ps(x, y, sum)
#include "distance/screen_kernel.h"

#define KERNEL                 avx512
#define TARGET                 __attribute__((target("avx512f")))
#define LANES                  16
#define ROWS                   4
#define COLUMNS                4
#define EVEN                   0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ODD                    1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define ADD_PRODUCT(sum, x, y) _mm512_fmadd_ps(x, y, sum)
#include "distance/screen_kernel.h"

static const psb_screen_kernel of_avx2 = {
    {"avx2", PSB_CPU_AVX2 | PSB_CPU_FMA}, avx2_dots, avx2_mark, avx2_squares};
static const psb_screen_kernel of_avx512 = {
    {"avx512", PSB_CPU_AVX512F}, avx512_dots, avx512_mark, avx512_squares};

#endif

const psb_variant *const psb_screen_kernels[] = {
#if defined(__x86_64__) && !defined(PSB_PORTABLE)
    &of_avx512.variant,
    &of_avx2.variant,
#endif
    &of_any.variant,
    NULL,
};

double psb_screen_slack(size_t length) {
    double roundings = ((double)length / 4 + 16) * 0x1p-24;
    return roundings < 0.5 ? 2.0 * roundings / (1.0 - roundings) : (double)NAN;
}

/* ---- rows made ready: their sums of squares ---------------------------------------------- */

size_t psb_screen_bytes(size_t rows, size_t length) {
    (void)length;
    return rows * sizeof(double);
}

void psb_screen_prepare(const psb_row_view *rows, void *prepared) {
    ((const psb_screen_kernel *)psb_cpu_choose(psb_screen_kernels))->squares(rows, prepared);
}

/* ---- tiles ------------------------------------------------------------------------------- */

/* Computes the conditions of a block's rows. `alone`: the other block has no limits. */
static void ask(const psb_screen *screen, const psb_block *block, bool alone,
                psb_screen_side *out) {
    const double *square = block->prepared;
    double slack = psb_screen_slack(block->rows.length);
    for (size_t i = 0; i < block->rows.n; i++) {
        double limit = block->limit != NULL ? (double)block->limit[i] : alone ? FLT_MAX : 0.0;
        psb_screen_row row = {1.0F, NAN, 0.0F}; /* not screened: no product is below NaN */
        if (square[i] >= least_square && square[i] <= most_square) {
            row = screen->row(square[i], limit, slack);
        }
        out->scale[i] = row.scale;
        out->half[i] = row.half;
        out->reach[i] = row.reach;
    }
}

/* Pairs that wait for their distances. */
typedef struct pairs {
    size_t n, row[PSB_PAIRS], column[PSB_PAIRS];
} pairs;

static void settle(const psb_screen *screen, const psb_block *a, const psb_block *b, pairs *asked,
                   float *out, size_t stride) {
    size_t length = a->rows.length;
    const float *x[PSB_PAIRS], *y[PSB_PAIRS];
    const double *xx = a->prepared, *yy = b->prepared;
    double product[PSB_PAIRS];
    for (size_t k = 0; k < PSB_PAIRS; k++) {
        size_t of = k < asked->n ? k : 0;
        x[k] = (const float *)a->rows.data + asked->row[of] * length;
        y[k] = (const float *)b->rows.data + asked->column[of] * length;
    }
    psb_product_pairs(psb_cpu_choose(psb_product_kernels), x, y, (int)length, product);
    for (size_t k = 0; k < asked->n; k++) {
        size_t i = asked->row[k], j = asked->column[k];
        out[i * stride + j] = screen->distance(product[k], xx[i], yy[j], x[k], y[k], length);
    }
    asked->n = 0;
}

/* Replaces marked pairs by their distances; line i has marked[i] of them. */
static void settle_all(const psb_screen *screen, const psb_block *a, const psb_block *b, bool upper,
                       const size_t *marked, float *out, size_t stride) {
    pairs asked = {0};
    for (size_t i = 0; i < a->rows.n; i++) {
        for (size_t j = upper ? i + 1 : 0; marked[i] > 0 && j < b->rows.n; j++) {
            if (out[i * stride + j] < 0.0F) {
                asked.row[asked.n] = i;
                asked.column[asked.n++] = j;
            }
            if (asked.n == PSB_PAIRS) {
                settle(screen, a, b, &asked, out, stride);
            }
        }
    }
    if (asked.n > 0) {
        settle(screen, a, b, &asked, out, stride);
    }
}

size_t psb_screen_scratch(size_t rows, size_t length) {
    (void)rows;
    return psb_products_scratch(PSB_TILE, length);
}

void psb_screen_compute(const psb_screen_kernel *kernel, const psb_screen *screen,
                        const psb_block *a, const psb_block *b, bool upper, void *scratch,
                        float *out, size_t stride) {
    psb_screen_side left, right;
    size_t count = 0, n = b->rows.n, marked[PSB_TILE];
    ask(screen, a, b->limit == NULL, &left);
    ask(screen, b, a->limit == NULL, &right);
    kernel->dots(&a->rows, &b->rows, out, stride);
    for (size_t i = 0; i < a->rows.n; i++) {
        marked[i] = kernel->mark(&left, i, &right, n, out + i * stride);
        count += marked[i];
    }
    if (count >= a->rows.n * n / PART) {
        screen->metric->tile(a, b, upper, scratch, out, stride); /* screening saves nothing */
    } else if (count > 0) {
        settle_all(screen, a, b, upper, marked, out, stride);
    }
}

void psb_screen_tile(const psb_block *a, const psb_block *b, bool upper, void *scratch, float *out,
                     size_t stride) {
    psb_screen_compute(psb_cpu_choose(psb_screen_kernels), (const psb_screen *)a->metric, a, b,
                       upper, scratch, out, stride);
}
