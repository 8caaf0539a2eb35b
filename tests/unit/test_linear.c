/* Tests products and eigenvalues, and that threads do not disturb each other. */
#include "core/linear.h"
#include "core/random.h"
#include "support/test.h"

#include <stdatomic.h>

static double entry(int i, int j) {
    return (double)((7 * i + 13 * j + i * j) % 11 - 5);
}

static void fill(int rows, int columns, int seed, double *out) {
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            out[i * columns + j] = entry(i + seed, j);
        }
    }
}

/* Numbers of sizes from 2^-20 to 1, all digits in use. */
static void fill_random(psb_random *random, size_t n, double *out) {
    for (size_t i = 0; i < n; i++) {
        out[i] = ldexp(psb_random_unit(random) - 0.5, -(int)psb_random_below(random, 20));
    }
}

static double norm_of(const double *x, int step, int k) {
    double sum = 0;
    for (int i = 0; i < k; i++) {
        sum += x[i * step] * x[i * step];
    }
    return sqrt(sum);
}

/* Against sums in long double: both forms, blocks and stretches that are full and that are not,
 * lines of very different norms, rows longer in memory than they count. */
static void products_have_the_precision_of_double(void **state) {
    (void)state;
    enum { MOST = 300, DEEP = 1100 };
    static const int shapes[][3] = {{1, 1, 1},      {5, 7, 9},       {1, 300, 30}, {300, 1, 513},
                                    {257, 30, 512}, {20, 258, 1100}, {64, 64, 64}};
    static double a[MOST * DEEP], b[MOST * DEEP], c[MOST * MOST], again[MOST * MOST];
    psb_random random = psb_random_seeded(1, "product", "test");
    for (size_t s = 0; s < 2 * sizeof shapes / sizeof *shapes; s++) {
        int m = shapes[s / 2][0], n = shapes[s / 2][1], k = shapes[s / 2][2];
        bool turned = s % 2 != 0;
        fill_random(&random, MOST * DEEP, a);
        fill_random(&random, MOST * DEEP, b);
        for (int i = 0; i < DEEP; i++) {
            a[i] *= 1e30;         /* the first row is large */
            a[DEEP + i] *= 1e-30; /* the second is small, the third all zeros */
            a[2 * DEEP + i] = 0;
        }
        psb_product x = {.m = m,
                         .n = n,
                         .k = k,
                         .a = a,
                         .lda = DEEP,
                         .b = b,
                         .ldb = turned ? DEEP : MOST,
                         .transpose_b = turned,
                         .c = c,
                         .ldc = MOST};
        assert_int_equal(psb_matrix_product(&x, NULL), PSB_OK);
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                const double *row = a + i * DEEP, *column = turned ? b + j * DEEP : b + j;
                int step = turned ? 1 : MOST;
                long double sum = 0;
                for (int l = 0; l < k; l++) {
                    sum += (long double)row[l] * column[l * step];
                }
                double norms = norm_of(row, 1, k) * norm_of(column, step, k);
                ASSERT_NEAR(c[i * MOST + j], (double)sum, 1e-13 * norms);
                assert_true(i != 2 || c[i * MOST + j] == 0);
            }
        }
        /* A number depends on its own two lines only. */
        x.m = 1;
        x.a = a + (m - 1) * DEEP;
        x.c = again;
        assert_int_equal(psb_matrix_product(&x, NULL), PSB_OK);
        assert_memory_equal(again, c + (m - 1) * MOST, (size_t)n * sizeof *c);
    }
}

/* Lines as long as they may be: whole numbers, norms just below 2^26.5. */
static void whole_products_are_exact(void **state) {
    (void)state;
    enum { N = 9, K = 700 };
    static double a[N * K], c[N * N], square[N * N];
    psb_random random = psb_random_seeded(2, "whole", "test");
    for (int i = 0; i < N; i++) {
        double scale = 0;
        for (int k = 0; k < K; k++) {
            a[i * K + k] = psb_random_unit(&random) - (i % 3 == 0 ? 0.5 : 0.1);
            scale += a[i * K + k] * a[i * K + k];
        }
        scale = psb_whole_scale(scale);
        for (int k = 0; k < K; k++) {
            a[i * K + k] = psb_whole(a[i * K + k] * scale);
        }
        double norm = norm_of(a + i * K, 1, K);
        assert_true(norm >= 0x1.5p25 && norm < 0x1.6a09e6p26);
    }
    psb_product x = {.m = N,
                     .n = N,
                     .k = K,
                     .a = a,
                     .lda = K,
                     .b = a,
                     .ldb = K,
                     .transpose_b = true,
                     .c = c,
                     .ldc = N};
    psb_whole_product(&x);
    x.c = square;
    psb_whole_square(&x);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            int64_t sum = 0;
            for (int k = 0; k < K; k++) {
                sum += (int64_t)a[i * K + k] * (int64_t)a[j * K + k];
            }
            assert_true(sum < (int64_t)1 << 53 && c[i * N + j] == (double)sum);
            assert_true(j < i || square[i * N + j] == (double)sum);
        }
    }
}

/* Both parts add up to the number; scales are powers of two, whatever the norm. */
static void splits_are_exact(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(3, "split", "test");
    double low = psb_whole_low(64);
    assert_true(low == 0x1p23 && psb_whole_low(32) == 0x1p24 && psb_whole_low(1 << 14) == 0x1p19);
    for (int i = 0; i < 10000; i++) {
        double x = ldexp(psb_random_unit(&random) - 0.5, 27), high, rest;
        psb_whole_split(x, low, &high, &rest);
        assert_true(high == nearbyint(high) && rest == nearbyint(rest) && fabs(rest) <= low / 2);
        ASSERT_NEAR(high + rest / low, x, 0.5 / low);
        int exponent;
        double norm =
            ldexp(1 + psb_random_unit(&random), (int)psb_random_below(&random, 900) - 450);
        double scale = psb_whole_scale(norm * norm);
        assert_true(frexp(scale, &exponent) == 0.5);
        assert_true(norm * scale < 1.376 * 0x1p26 && norm * scale > 1.374 * 0x1p25);
    }
    assert_true(isfinite(psb_whole_scale(0)));
}

/* The reference: plain Jacobi rotations in long double; eigenvectors are rows, values ascend. */
static void rotate_until_diagonal(const double matrix[9], long double values[3],
                                  long double vectors[3][3]) {
    long double a[3][3];
    for (int i = 0; i < 9; i++) {
        a[i / 3][i % 3] = matrix[i];
        vectors[i / 3][i % 3] = i / 3 == i % 3;
    }
    for (int sweep = 0; sweep < 60; sweep++) {
        int p = sweep % 3 == 2, q = sweep % 3 == 0 ? 1 : 2; /* 01, 02, 12 in turn */
        if (a[p][q] == 0) {
            continue;
        }
        long double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        long double t = copysignl(1, theta) / (fabsl(theta) + sqrtl(theta * theta + 1));
        long double c = 1 / sqrtl(t * t + 1), s = t * c;
        for (int k = 0; k < 3; k++) {
            long double x = a[k][p], y = a[k][q];
            a[k][p] = c * x - s * y;
            a[k][q] = s * x + c * y;
        }
        for (int k = 0; k < 3; k++) {
            long double x = a[p][k], y = a[q][k], u = vectors[p][k], v = vectors[q][k];
            a[p][k] = c * x - s * y;
            a[q][k] = s * x + c * y;
            vectors[p][k] = c * u - s * v;
            vectors[q][k] = s * u + c * v;
        }
    }
    for (int i = 0; i < 3; i++) {
        values[i] = a[i][i];
    }
    for (int i = 0; i < 3; i++) { /* three comparisons sort three values */
        int at = i % 2;
        for (int k = 0; k < 3 && values[at] > values[at + 1]; k++) {
            long double x = vectors[at][k];
            vectors[at][k] = vectors[at + 1][k];
            vectors[at + 1][k] = x;
        }
        if (values[at] > values[at + 1]) {
            long double x = values[at];
            values[at] = values[at + 1];
            values[at + 1] = x;
        }
    }
}

static void eigenvectors_are_those_of_jacobi(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(7, "jacobi", "test");
    for (int round = 0; round < 5000; round++) {
        double matrix[9], found[9], values[3];
        for (int i = 0; i < 9; i++) {
            int mirrored = i % 3 * 3 + i / 3;
            matrix[i] = mirrored < i ? matrix[mirrored] : psb_random_unit(&random) - 0.5;
        }
        long double expected[3], vectors[3][3];
        rotate_until_diagonal(matrix, expected, vectors);
        memcpy(found, matrix, sizeof found);
        assert_true(psb_eigen_3x3(found, values));
        for (int e = 0; e < 3; e++) {
            long double along = 0, gap = 4;
            ASSERT_NEAR(values[e], (double)expected[e], 3e-15);
            for (int k = 0; k < 3; k++) {
                along += vectors[e][k] * found[3 * e + k];
                gap = k != e ? fminl(gap, fabsl(expected[k] - expected[e])) : gap;
            }
            /* An eigenvector is as sharp as its value is far from the others. */
            ASSERT_NEAR((double)fabsl(along), 1.0, 2e-15 + 4e-31 / (double)(gap * gap));
        }
    }
}

/* a = V' L V to within rounding of its largest element, V V' = 1, values ascending. */
static void expect_diagonalised(const double matrix[9]) {
    double vectors[9], values[3], largest = 0.0;
    memcpy(vectors, matrix, sizeof vectors);
    assert_true(psb_eigen_3x3(vectors, values));
    for (int i = 0; i < 9; i++) {
        largest = fmax(largest, fabs(matrix[i]));
    }
    for (int i = 0; i < 9; i++) {
        double element = 0.0, product = 0.0;
        for (int e = 0; e < 3; e++) {
            element += vectors[3 * e + i / 3] * values[e] * vectors[3 * e + i % 3];
            product += vectors[3 * (i / 3) + e] * vectors[3 * (i % 3) + e];
        }
        ASSERT_NEAR(element, matrix[i], 4e-15 * largest);
        ASSERT_NEAR(product, i / 3 == i % 3 ? 1.0 : 0.0, 2e-15);
    }
    assert_true(values[0] <= values[1] && values[1] <= values[2]);
}

static void eigenvectors_diagonalise(void **state) {
    (void)state;
    static const double special[][9] = {
        {2.0, -1.0, 0.5, -1.0, 3.0, 0.25, 0.5, 0.25, -1.0},
        {0.0},
        {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0},
        {3.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0},
        {2.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0, 2.0},
        {1.0, 1e-17, 0.0, 1e-17, 1.0, 1e-17, 0.0, 1e-17, 1.0},
        {0.0, 1e-200, 0.0, 1e-200, 1.0, 0.0, 0.0, 0.0, 0.0},
        {5e307, 5e307, 0.0, 5e307, -5e307, 5e307, 0.0, 5e307, 5e307},
        {3e-308, 1e-308, 0.0, 1e-308, 2e-308, 1e-308, 0.0, 1e-308, 5e-308},
    };
    for (size_t s = 0; s < sizeof special / sizeof *special; s++) {
        expect_diagonalised(special[s]);
    }
    /* With a range of sizes, and two values that are nearly the same as often as not. */
    psb_random random = psb_random_seeded(3, "eigen", "test");
    for (int round = 0; round < 20000; round++) {
        double matrix[9], scale = ldexp(1.0, (int)psb_random_below(&random, 1600) - 800);
        for (int i = 0; i < 3; i++) {
            for (int j = i; j < 3; j++) {
                double far = ldexp(psb_random_unit(&random) - 0.5,
                                   -(int)psb_random_below(&random, round % 2 == 0 ? 60 : 2));
                matrix[3 * i + j] = matrix[3 * j + i] =
                    scale * (i == j && round % 4 < 2 ? 1.0 + 1e-10 * far : far);
            }
        }
        expect_diagonalised(matrix);
    }
}

/* Values known in closed form: of diag(1, 2, 4) turned by a rotation whose elements are exact. */
static void eigenvalues_are_those_that_are_known(void **state) {
    (void)state;
    static const double turn[3][3] = {{2, -1, 2}, {2, 2, -1}, {-1, 2, 2}}; /* thrice */
    double matrix[9] = {0}, values[3];
    for (int i = 0; i < 9; i++) {
        for (int e = 0; e < 3; e++) {
            matrix[i] += turn[e][i / 3] * ldexp(1.0, e) * turn[e][i % 3];
        }
    }
    assert_true(psb_eigen_3x3(matrix, values));
    for (int e = 0; e < 3; e++) {
        double along = 0.0;
        for (int k = 0; k < 3; k++) {
            along += matrix[3 * e + k] * turn[e][k] / 3.0;
        }
        ASSERT_NEAR(values[e], ldexp(9.0, e), 2e-14);
        ASSERT_NEAR(fabs(along), 1.0, 1e-15);
    }
}

static void what_is_not_finite_has_no_eigenvalues(void **state) {
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 9; i++) {
        for (size_t b = 0; b < 3; b++) {
            double matrix[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, values[3];
            matrix[i] = bad[b];
            assert_false(psb_eigen_3x3(matrix, values));
        }
    }
}

/*
 * Two threads multiply at the same moment, again and again. The numbers are small integers, so any
 * difference from the first product, made alone, is a fault.
 */
static void threads_may_multiply_at_once(void **state) {
    (void)state;
    enum { M = 128, K = 256, ROUNDS = 1500 };
    static double a[2][M * K], b[2][M * K], c[2][M * M], expected[2][M * M];
    assert_int_equal(psb_linear_setup(NULL), PSB_OK);
    psb_product product[2];
    for (int t = 0; t < 2; t++) {
        fill(M, K, t, a[t]);
        fill(M, K, 5 * t + 3, b[t]);
        product[t] = (psb_product){.m = M,
                                   .n = M,
                                   .k = K,
                                   .a = a[t],
                                   .lda = K,
                                   .b = b[t],
                                   .ldb = K,
                                   .transpose_b = true,
                                   .c = expected[t],
                                   .ldc = M};
        psb_whole_product(&product[t]);
        product[t].c = c[t];
    }
    atomic_int arrived = 0;
    int wrong[2] = {0, 0};
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int t = 0; t < 2; t++) {
        for (int r = 1; r <= ROUNDS; r++) {
            atomic_fetch_add(&arrived, 1);
            /* Busy, so that both go on together; for a while, as there may be but one processor. */
            int wait = 100000;
            while (wait > 0 && atomic_load(&arrived) < 2 * r) {
                wait--;
            }
            psb_whole_product(&product[t]);
            wrong[t] += memcmp(c[t], expected[t], sizeof c[t]) != 0;
        }
    }
    assert_int_equal(wrong[0], 0);
    assert_int_equal(wrong[1], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_have_the_precision_of_double),
        cmocka_unit_test(whole_products_are_exact),
        cmocka_unit_test(splits_are_exact),
        cmocka_unit_test(eigenvectors_are_those_of_jacobi),
        cmocka_unit_test(eigenvectors_diagonalise),
        cmocka_unit_test(eigenvalues_are_those_that_are_known),
        cmocka_unit_test(what_is_not_finite_has_no_eigenvalues),
        cmocka_unit_test(threads_may_multiply_at_once),
    };
    return cmocka_run_group_tests_name("linear", tests, NULL, NULL);
}
