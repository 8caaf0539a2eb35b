/* Rows in double, and their products. */
#include "distance/products.h"

#include "core/linear.h"

#include <string.h>

enum {
    GROUP = 16,     /* rows come in whole groups */
    SUMS = 8,       /* of a sum of squares side by side, for SIMD */
    SMALL = 1 << 20 /* multiplications: up to so many, or less, a product may count as small */
};

static size_t whole(size_t n, size_t unit) {
    return (n + unit - 1) / unit * unit;
}

/* Numbers in a row with the zeros behind it: so many that a product of full tiles is not small. */
static size_t depth_of(size_t length) {
    size_t least = SMALL / (PSB_TILE * PSB_TILE) + 1;
    return length > least ? length : least;
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

/* Rows in memory: all of a tile unless any two groups give a product that is not small. */
static size_t rows_of(size_t rows, size_t length) {
    bool small = GROUP * GROUP * depth_of(length) <= SMALL;
    return larger(whole(rows, GROUP), small ? PSB_TILE : 0);
}

/* Numbers in front of the rows: their sums of squares. */
static size_t room_for_squares(size_t rows) {
    return whole(rows, PSB_TILE);
}

static const double *rows_behind(const psb_block *block) {
    return (const double *)block->prepared + room_for_squares(block->rows.n);
}

size_t psb_products_bytes(size_t rows, size_t length) {
    return sizeof(double) * (room_for_squares(rows) + rows_of(rows, length) * depth_of(length));
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
    size_t length = rows->length, depth = depth_of(length), all = rows_of(rows->n, length);
    double *squares = prepared, *wide = squares + room_for_squares(rows->n);
    for (size_t i = 0; i < rows->n; i++) {
        squares[i] = widen(data + i * length, length, wide + i * depth);
        memset(wide + i * depth + length, 0, (depth - length) * sizeof *wide);
    }
    memset(wide + rows->n * depth, 0, (all - rows->n) * depth * sizeof *wide);
}

size_t psb_products(const psb_block *a, const psb_block *b, bool upper, double *product) {
    const double *wide_a = rows_behind(a), *wide_b = rows_behind(b);
    size_t depth = depth_of(a->rows.length);
    size_t rows = whole(a->rows.n, GROUP), columns = whole(b->rows.n, GROUP);
    rows = rows * columns * depth > SMALL ? rows : larger(rows, PSB_TILE);
    columns = rows * columns * depth > SMALL ? columns : larger(columns, PSB_TILE);
    size_t stride = larger(columns, PSB_TILE);
    int m = (int)rows, n = (int)columns, k = (int)depth;
    if (upper) {
        psb_matrix_square(n, k, wide_b, k, product, (int)stride);
    } else {
        psb_matrix_product(m, n, k, wide_a, k, wide_b, k, true, product, (int)stride);
    }
    return stride;
}

size_t psb_products_scratch(size_t rows, size_t length) {
    (void)length;
    size_t side = larger(whole(rows, GROUP), PSB_TILE);
    return sizeof(double) * side * side;
}
