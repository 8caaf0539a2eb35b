/* Rows in double, and their products. */
#include "distance/products.h"

#include "core/product.h"

#include <string.h>

enum {
    GROUP = 16, /* rows come in whole groups */
    SUMS = 8,   /* of a sum of squares side by side, for SIMD */
};

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

/* A row as doubles; returns its sum of squares. */
static double widen(const float *row, size_t length, double *wide) {
    double sums[SUMS] = {0};
    size_t k = 0;
    for (; k + SUMS <= length; k += SUMS) {
        for (size_t l = 0; l < SUMS; l++) {
            double x = row[k + l];
            wide[k + l] = x;
            sums[l] += x * x;
        }
    }
    double sum = 0.0;
    for (; k < length; k++) {
        wide[k] = row[k];
        sum += wide[k] * wide[k];
    }
    for (size_t l = 0; l < SUMS; l++) {
        sum += sums[l];
    }
    return sum;
}

void psb_products_prepare(const psb_row_view *rows, void *prepared) {
    const float *data = rows->data;
    size_t length = rows->length, all = whole(rows->n, GROUP);
    double *squares = prepared, *wide = squares + room_for_squares(rows->n);
    for (size_t i = 0; i < rows->n; i++) {
        squares[i] = widen(data + i * length, length, wide + i * length);
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
