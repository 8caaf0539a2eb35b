/*
 * The kernels of distance/screen.h, to be included once for each instruction set, after
 *
 *     KERNEL   the name of what is defined
 *     TARGET   the attribute that names the instruction set
 *     LANES    float32's in a vector
 *     ROWS     number of rows of a that are worked on together
 *     COLUMNS  number of rows of b, likewise: ROWS * COLUMNS == LANES
 *     EVEN     indices of the even lanes of two vectors, one behind the other, as an argument list
 *     ODD      indices of the odd lanes
 *     ADD_PRODUCT(sum, x, y)   sum + x * y of vectors, possibly fused
 *
 * have been defined; undefines them. No include guard: its text is meant to appear several times.
 *
 * Rows are read in place. The last numbers of a row, too few for a vector, are read as one vector
 * with the numbers before them, which are masked in a.
 */
#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)
#define VECTOR      JOIN(KERNEL, vector)
#define MASK        JOIN(KERNEL, mask)
#define STEP        JOIN(KERNEL, step)
#define BLOCK       JOIN(KERNEL, block)
#define DOTS        JOIN(KERNEL, dots)
#define MARK        JOIN(KERNEL, mark)
#define SQUARES     JOIN(KERNEL, squares)
#define ALWAYS      static inline __attribute__((always_inline))
#define LOOSE       JOIN(KERNEL, loose)

typedef float LOOSE __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef float VECTOR __attribute__((vector_size(4 * LANES)));
typedef int32_t MASK __attribute__((vector_size(4 * LANES)));

TARGET ALWAYS void STEP(const float *const *a, const float *const *b, size_t k, const MASK *mask,
                        VECTOR *total) {
    VECTOR y[COLUMNS];
    for (int j = 0; j < COLUMNS; j++) {
        y[j] = *(const LOOSE *)(b[j] + k);
    }
    for (int i = 0; i < ROWS; i++) {
        VECTOR x = *(const LOOSE *)(a[i] + k);
        if (mask != NULL) {
            x = (VECTOR)((MASK)x & *mask);
        }
        for (int j = 0; j < COLUMNS; j++) {
            total[i * COLUMNS + j] = ADD_PRODUCT(total[i * COLUMNS + j], x, y[j]);
        }
    }
}

/* Returns the scalar products of ROWS rows with COLUMNS rows as one vector. */
TARGET ALWAYS VECTOR BLOCK(const float *const *a, const float *const *b, size_t length) {
    VECTOR total[LANES] = {{0}};
    MASK mask;
    memset(&mask, 0xff, sizeof mask);
    size_t k = 0;
    for (; k + LANES <= length; k += LANES) {
        STEP(a, b, k, NULL, total);
    }
    if (k < length) {
        memset(&mask, 0, (LANES - (length - k)) * sizeof mask[0]);
        STEP(a, b, length - LANES, &mask, total);
    }
#pragma GCC unroll 4
    for (int n = LANES / 2; n > 0; n /= 2) {
#pragma GCC unroll 8
        for (int v = 0; v < n; v++) {
            VECTOR x = total[2 * v], y = total[2 * v + 1];
            total[v] = PSB_SHUFFLE(MASK, x, y, EVEN) + PSB_SHUFFLE(MASK, x, y, ODD);
        }
    }
    return total[0];
}

/* Computes all products; a block of rows that is not full repeats the last row. */
TARGET static void DOTS(const psb_row_view *a, const psb_row_view *b, float *out, size_t stride) {
    size_t length = a->length;
    for (size_t near = 0; near < b->n; near += SCREEN_NEAR) {
        size_t end = b->n - near < SCREEN_NEAR ? b->n : near + SCREEN_NEAR;
        for (size_t i = 0; i < a->n; i += ROWS) {
            const float *x[ROWS], *y[COLUMNS];
            for (size_t r = 0; r < ROWS; r++) {
                x[r] = (const float *)a->data + (i + r < a->n ? i + r : a->n - 1) * length;
            }
            for (size_t j = near; j < end; j += COLUMNS) {
                for (size_t c = 0; c < COLUMNS; c++) {
                    y[c] = (const float *)b->data + (j + c < end ? j + c : end - 1) * length;
                }
                VECTOR sums = BLOCK(x, y, length);
                for (size_t r = 0; r < ROWS && i + r < a->n; r++) {
                    for (size_t c = 0; c < COLUMNS && j + c < end; c++) {
                        out[(i + r) * stride + j + c] = sums[r * COLUMNS + c];
                    }
                }
            }
        }
    }
}

TARGET static size_t MARK(const psb_screen_side *a, size_t i, const psb_screen_side *b, size_t n,
                          float *restrict line) {
    float scale = a->scale[i], half = a->half[i], reach = a->reach[i];
    int32_t count = 0;
    for (size_t j = 0; j < n; j++) {
        float farther = reach > b->reach[j] ? reach : b->reach[j];
        bool far = line[j] * scale * b->scale[j] < half + b->half[j] - farther;
        line[j] = far ? FLT_MAX : -1.0F;
        count += far ? 0 : 1;
    }
    return (size_t)count;
}

TARGET static void SQUARES(const psb_row_view *rows, double *out) {
    for (size_t i = 0; i < rows->n; i++) {
        out[i] = psb_row_square((const float *)rows->data + i * rows->length, rows->length);
    }
}

#undef JOIN_
#undef JOIN
#undef VECTOR
#undef LOOSE
#undef MASK
#undef STEP
#undef BLOCK
#undef DOTS
#undef MARK
#undef SQUARES
#undef ALWAYS
#undef KERNEL
#undef TARGET
#undef LANES
#undef ROWS
#undef COLUMNS
#undef EVEN
#undef ODD
#undef ADD_PRODUCT
