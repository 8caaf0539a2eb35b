/* Rules out pairs by products in float32, and computes the distances of the pairs that are left. */
#include "distance/screen.h"

#include "core/linear.h"
#include "distance/products.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { PART = 4 }; /* if 1 / PART of a tile's pairs are wanted, the metric's own tile is cheaper */

/* Rows are screened if their sums of squares are between these: float32 then holds their norms'
 * inverses and products. */
static const double least_square = 1e-12, most_square = 1e24;

/* Replaces the n products of row i of a by -1 if the pair is wanted, else by a number above all
 * limits. Sets *wanted to how many are. */
PSB_INLINE void mark(const psb_screen_side *a, size_t i, const psb_screen_side *b, size_t n,
                     float *restrict products, size_t *wanted) {
    float scale = a->scale[i], half = a->half[i], reach = a->reach[i];
    int32_t count = 0;
    for (size_t j = 0; j < n; j++) {
        float farther = reach > b->reach[j] ? reach : b->reach[j];
        bool far = products[j] * scale * b->scale[j] < half + b->half[j] - farther;
        products[j] = far ? FLT_MAX : -1.0F;
        count += far ? 0 : 1;
    }
    *wanted = (size_t)count;
}

PSB_VARIANTS(psb_screen, mark,
             (const psb_screen_side *a, size_t i, const psb_screen_side *b, size_t n,
              float *restrict products, size_t *wanted),
             (a, i, b, n, products, wanted))

double psb_screen_slack(size_t length) {
    double roundings = ((double)length + 16) * 0x1p-24;
    return roundings < 0.5 ? 2.0 * roundings / (1.0 - roundings) : (double)NAN;
}

/* ---- tiles ------------------------------------------------------------------------------- */

/* Computes the conditions of a block's rows. `alone`: the other block has no limits. */
static void ask(const psb_screen *screen, const psb_block *block, bool alone,
                psb_screen_side *out) {
    const psb_product_row *rows = block->prepared;
    double slack = psb_screen_slack(block->rows.length);
    for (size_t i = 0; i < block->rows.n; i++) {
        double limit = block->limit != NULL ? (double)block->limit[i] : alone ? FLT_MAX : 0.0;
        psb_screen_row row = {1.0F, NAN, 0.0F}; /* not screened: no product is below NaN */
        if (rows[i].square >= least_square && rows[i].square <= most_square) {
            row = screen->row(rows[i].square, limit, slack);
        }
        out->scale[i] = row.scale;
        out->half[i] = row.half;
        out->reach[i] = row.reach;
    }
}

/* Replaces marked pairs by their distances; line i has marked[i] of them. */
static void settle(const psb_screen *screen, const psb_block *a, const psb_block *b, bool upper,
                   const size_t *marked, float *out, size_t stride) {
    const psb_product_row *x = a->prepared, *y = b->prepared;
    size_t length = a->rows.length;
    for (size_t i = 0; i < a->rows.n; i++) {
        const float *row = (const float *)a->rows.data + i * length;
        for (size_t j = upper ? i + 1 : 0; marked[i] > 0 && j < b->rows.n; j++) {
            if (out[i * stride + j] < 0.0F) {
                const float *other = (const float *)b->rows.data + j * length;
                double product = psb_products_pair(row, x[i].unit, other, y[j].unit, length);
                out[i * stride + j] =
                    (float)screen->distance(product, x[i].square, y[j].square, row, other, length);
            }
        }
    }
}

size_t psb_screen_scratch(size_t rows, size_t length) {
    return psb_products_scratch(rows, length);
}

void psb_screen_compute(const psb_screen_kernel *kernel, const psb_screen *screen,
                        const psb_block *a, const psb_block *b, bool upper, void *scratch,
                        float *out, size_t stride) {
    psb_screen_side left, right;
    size_t count = 0, n = b->rows.n, marked[PSB_SCREEN_ROWS];
    ask(screen, a, b->limit == NULL, &left);
    ask(screen, b, a->limit == NULL, &right);
    psb_rough_product((int)a->rows.n, (int)n, (int)a->rows.length, a->rows.data, b->rows.data, true,
                      out, (int)stride);
    for (size_t i = 0; i < a->rows.n; i++) {
        kernel->run(&left, i, &right, n, out + i * stride, &marked[i]);
        count += marked[i];
    }
    if (count >= a->rows.n * n / PART) {
        screen->metric->tile(a, b, upper, scratch, out, stride); /* screening saves nothing */
    } else if (count > 0) {
        settle(screen, a, b, upper, marked, out, stride);
    }
}

void psb_screen_tile(const psb_block *a, const psb_block *b, bool upper, void *scratch, float *out,
                     size_t stride) {
    psb_screen_compute(psb_cpu_choose(psb_screen_kernels), (const psb_screen *)a->metric, a, b,
                       upper, scratch, out, stride);
}
