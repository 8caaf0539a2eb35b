/* Computes scalar products of rows: converts stretches of rows, short enough for the caches, and
 * passes them to BLAS. */
#include "distance/products.h"

#include "core/cpu.h"
#include "core/linear.h"

enum { STRETCH = 256, SUMS = 8 };

PSB_INLINE void make_whole(const float *row, size_t n, double scale, double *out) {
    for (size_t k = 0; k < n; k++) {
        out[k] = psb_whole((double)row[k] * scale);
    }
}

/* Sums side by side, for SIMD. */
static double sum_up(const double *sums, double sum) {
    for (int l = 0; l < SUMS; l++) {
        sum += sums[l];
    }
    return sum;
}

psb_product_row psb_product_row_of(const float *row, size_t length) {
    double sums[SUMS] = {0}, rest = 0;
    size_t whole = length / SUMS * SUMS;
    for (size_t k = 0; k < whole; k += SUMS) {
        for (size_t l = 0; l < SUMS; l++) {
            sums[l] += (double)row[k + l] * (double)row[k + l];
        }
    }
    for (size_t k = whole; k < length; k++) {
        rest += (double)row[k] * (double)row[k];
    }
    double unit = 1 / psb_whole_scale(sum_up(sums, rest));
    return (psb_product_row){psb_products_pair(row, unit, row, unit, length), unit};
}

void psb_products_prepare(const psb_row_view *rows, void *prepared) {
    psb_product_row *out = prepared;
    for (size_t i = 0; i < rows->n; i++) {
        out[i] = psb_product_row_of((const float *)rows->data + i * rows->length, rows->length);
    }
}

size_t psb_products_bytes(size_t rows, size_t length PSB_UNUSED) {
    return rows * sizeof(psb_product_row);
}

double psb_products_pair(const float *x, double unit_x, const float *y, double unit_y,
                         size_t length) {
    double a[STRETCH], b[STRETCH], sums[SUMS] = {0};
    for (size_t from = 0, depth; from < length; from += depth) {
        depth = length - from < STRETCH ? length - from : STRETCH;
        make_whole(x + from, depth, 1 / unit_x, a);
        make_whole(y + from, depth, 1 / unit_y, b);
        size_t k = 0;
        for (; k + SUMS <= depth; k += SUMS) {
            for (size_t l = 0; l < SUMS; l++) {
                sums[l] += a[k + l] * b[k + l];
            }
        }
        for (; k < depth; k++) {
            sums[0] += a[k] * b[k];
        }
    }
    return sum_up(sums, 0) * unit_x * unit_y;
}

/* Converts `depth` numbers of each row, from number `from` on. */
static void convert(const psb_block *block, size_t from, size_t depth, double *out) {
    const psb_product_row *row = block->prepared;
    const float *numbers = (const float *)block->rows.data + from;
    for (size_t i = 0; i < block->rows.n; i++, numbers += block->rows.length) {
        make_whole(numbers, depth, 1 / row[i].unit, out + i * STRETCH);
    }
}

size_t psb_products(const psb_block *a, const psb_block *b, bool upper, double *product) {
    size_t m = a->rows.n, n = b->rows.n, length = a->rows.length, depth;
    double *x = product + m * n, *y = upper ? x : x + m * STRETCH;
    const psb_product_row *row_a = a->prepared, *row_b = b->prepared;
    for (size_t from = 0; from < length; from += depth) {
        depth = length - from < STRETCH ? length - from : STRETCH;
        psb_product part = {.m = (int)m,
                            .n = (int)n,
                            .k = (int)depth,
                            .a = x,
                            .lda = STRETCH,
                            .b = y,
                            .ldb = STRETCH,
                            .transpose_b = true,
                            .more = from > 0,
                            .c = product,
                            .ldc = (int)n};
        convert(a, from, depth, x);
        if (upper) {
            psb_whole_square(&part);
        } else {
            convert(b, from, depth, y);
            psb_whole_product(&part);
        }
    }
    for (size_t i = 0; i < m; i++) {
        for (size_t j = upper ? i : 0; j < n; j++) {
            product[i * n + j] *= row_a[i].unit * row_b[j].unit;
        }
    }
    return n;
}

size_t psb_products_scratch(size_t rows, size_t length PSB_UNUSED) {
    return sizeof(double) * rows * (rows + 2 * STRETCH);
}
