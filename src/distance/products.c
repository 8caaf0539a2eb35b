/* Rows in double, and their products. */
#include "distance/products.h"

#include "core/product.h"

#include <string.h>

enum { GROUP = 16 }; /* rows come in whole groups */

static size_t whole(size_t n, size_t unit) {
    return (n + unit - 1) / unit * unit;
}

/* Numbers in front of the rows: their sums of squares. */
static size_t room_for_squares(size_t rows) {
    return whole(rows, PSB_TILE);
}

static const double *rows_behind(const psb_block *block) {
    return (const double *)block->prepared + room_for_squares(block->rows.n);
}

size_t psb_products_bytes(size_t rows, size_t length) {
    return sizeof(double) * (room_for_squares(rows) + whole(rows, GROUP) * length);
}

const double *psb_products_squares(const psb_block *block) {
    return block->prepared;
}

void psb_products_prepare(const psb_row_view *rows, void *prepared) {
    const float *data = rows->data;
    size_t length = rows->length, all = whole(rows->n, GROUP);
    double *squares = prepared, *wide = squares + room_for_squares(rows->n);
    for (size_t i = 0; i < rows->n; i++) {
        squares[i] = psb_row_square(data + i * length, length);
    }
    for (size_t k = 0; k < rows->n * length; k++) {
        wide[k] = data[k];
    }
    memset(wide + rows->n * length, 0, (all - rows->n) * length * sizeof *wide);
}

size_t psb_products(const psb_block *a, const psb_block *b, bool upper, double *product) {
    size_t stride = whole(b->rows.n, GROUP);
    int m = (int)whole(a->rows.n, GROUP), n = (int)stride, k = (int)a->rows.length;
    psb_product of = {m, n, k, rows_behind(a), rows_behind(b), k, k, true, true, upper};
    psb_product_compute(psb_cpu_choose(psb_product_kernels), &of, product, n);
    return stride;
}

size_t psb_products_scratch(size_t rows, size_t length) {
    (void)length;
    return sizeof(double) * whole(rows, GROUP) * whole(rows, GROUP);
}
