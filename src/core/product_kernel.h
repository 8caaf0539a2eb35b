/*
 * The kernel of core/product.h. Include it once for each instruction set, after defining
 *
 *     KERNEL   the function's name
 *     TARGET   the attribute that names the instruction set
 *     LANES    doubles in a vector
 *     ADD_PRODUCT(sum, x, y)   sum + x y for vectors
 *     ROWS     rows of a that are computed together: as many as have sums in registers
 *
 * The end of this file undefines them. It has no include guard because it is included several
 * times.
 */
#define JOIN_(a, b) a##_##b
#define JOIN(a, b)  JOIN_(a, b)
#define VECTOR      JOIN(KERNEL, vector)
#define BLOCK       JOIN(KERNEL, block)
#define BLOCKS      JOIN(KERNEL, blocks)
#define ALWAYS      static inline __attribute__((always_inline))

typedef double VECTOR __attribute__((vector_size(8 * LANES)));

/* Computes `rows` rows by `vectors` vectors of columns; both are constants where this is
 * inlined. */
TARGET ALWAYS void BLOCK(int rows, int vectors, const product_panel *p, const double *a,
                         const double *b, double *c) {
    VECTOR total[ROWS][2] = {{{0}}}, y[2];
    for (int i = 0; i < rows && p->more; i++) {
        memcpy(total[i], c + (size_t)i * p->ldc, (size_t)vectors * sizeof y[0]);
    }
    for (size_t k = 0; k < p->depth; k++) {
        for (int v = 0; v < vectors; v++) {
            memcpy(&y[v], b + k * p->line + v * LANES, sizeof y[v]);
        }
        for (int i = 0; i < rows; i++) {
            VECTOR x = a[(size_t)i * p->lda + k] - (VECTOR){0}; /* the number in all lanes */
            for (int v = 0; v < vectors; v++) {
                total[i][v] = ADD_PRODUCT(total[i][v], x, y[v]);
            }
        }
    }
    for (int i = 0; i < rows; i++) {
        memcpy(c + (size_t)i * p->ldc, total[i], (size_t)vectors * sizeof y[0]);
    }
}

/* Computes two vectors of columns at a time, or one at the end. */
TARGET ALWAYS void BLOCKS(int rows, int width, const product_panel *p, const double *a, double *c) {
    for (int j = 0; j < width; j += 2 * LANES) {
        if (width - j > LANES) {
            BLOCK(rows, 2, p, a, p->b + j, c + j);
        } else {
            BLOCK(rows, 1, p, a, p->b + j, c + j);
        }
    }
}

TARGET static void KERNEL(int rows, int width, const product_panel *p, const double *a, double *c) {
    int i = 0;
    for (; i + ROWS <= rows; i += ROWS) {
        BLOCKS(ROWS, width, p, a + (size_t)i * p->lda, c + (size_t)i * p->ldc);
    }
    for (; i + 4 <= rows; i += 4) {
        BLOCKS(4, width, p, a + (size_t)i * p->lda, c + (size_t)i * p->ldc);
    }
    for (; i + 2 <= rows; i += 2) {
        BLOCKS(2, width, p, a + (size_t)i * p->lda, c + (size_t)i * p->ldc);
    }
    if (i < rows) {
        BLOCKS(1, width, p, a + (size_t)i * p->lda, c + (size_t)i * p->ldc);
    }
}

#undef JOIN_
#undef JOIN
#undef VECTOR
#undef BLOCK
#undef BLOCKS
#undef ALWAYS
#undef KERNEL
#undef TARGET
#undef LANES
#undef ROWS
#undef ADD_PRODUCT
