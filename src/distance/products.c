/*
 * Computes scalar products of rows: converts stretches of rows to double, side by side, short
 * enough for the caches.
 */
#include "distance/products.h"

#include "core/product.h"

enum { STRETCH = 128 };

/*
 * Converts `depth` numbers of each row to double, from number `from` on. Prefetches the next
 * stretch, since the processor does not foresee it in long rows.
 */
static const double *widen(const psb_row_view *rows, size_t from, size_t depth, double *wide) {
    const float *row = (const float *)rows->data + from;
    for (size_t i = 0; i < rows->n; i++, row += rows->length) {
        for (size_t k = 0; k < depth; k += 16) {
            __builtin_prefetch(row + depth + k);
        }
        for (size_t k = 0; k < depth; k++) {
            wide[i * STRETCH + k] = row[k];
        }
    }
    return wide;
}

size_t psb_products(const psb_block *a, const psb_block *b, bool upper, double *product) {
    size_t m = a->rows.n, n = b->rows.n, length = a->rows.length, depth;
    double *wide_a = product + m * n, *wide_b = wide_a + m * STRETCH;
    for (size_t from = 0; from < length; from += depth) {
        depth = length - from < STRETCH ? length - from : STRETCH;
        const double *x = widen(&a->rows, from, depth, wide_a);
        const double *y = upper ? x : widen(&b->rows, from, depth, wide_b);
        psb_product part = {(int)m,  (int)n, (int)depth, x,     y,       STRETCH,
                            STRETCH, true,   true,       upper, from > 0};
        psb_product_compute(psb_cpu_choose(psb_product_kernels), &part, product, (int)n);
    }
    return n;
}

size_t psb_products_scratch(size_t rows, size_t length) {
    (void)length;
    return sizeof(double) * rows * (rows + 2 * STRETCH);
}
