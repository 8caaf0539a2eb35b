/* Tests products and eigenvalues, and that threads do not disturb each other. */
#include "core/linear.h"
#include "core/product.h"
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

static void products_are_those_of_three_loops(void **state) {
    (void)state;
    enum { M = 5, N = 7, K = 9, ROOM = 12 };
    double a[M * K], b[N * K], c[M * ROOM];
    fill(M, K, 1, a);
    fill(N, K, 2, b); /* N x K, or read as K x N */
    for (int transposed = 0; transposed < 2; transposed++) {
        psb_matrix_product(M, N, K, a, K, b, transposed != 0 ? K : N, transposed != 0, c, ROOM);
        for (int i = 0; i < M; i++) {
            for (int j = 0; j < N; j++) {
                double sum = 0.0;
                for (int k = 0; k < K; k++) {
                    sum += a[i * K + k] * (transposed != 0 ? b[j * K + k] : b[k * N + j]);
                }
                ASSERT_NEAR(c[i * ROOM + j], sum, 1e-12);
            }
        }
    }
}

static void squares_are_products_with_the_transpose(void **state) {
    (void)state;
    enum { N = 7, K = 9, ROOM = 12 };
    double a[N * K], c[N * ROOM], expected[N * ROOM];
    fill(N, K, 4, a);
    memset(c, 0, sizeof c);
    psb_matrix_product(N, N, K, a, K, a, K, true, expected, ROOM);
    psb_product square = {N, N, K, a, a, K, K, true, true, true, false};
    psb_product_compute(psb_cpu_choose(psb_product_kernels), &square, c, ROOM);
    for (int i = 0; i < N; i++) {
        for (int j = i; j < N; j++) {
            ASSERT_NEAR(c[i * ROOM + j], expected[i * ROOM + j], 1e-12);
        }
    }
}

/* One number of a product, in the order that core/product.h states. */
static double sum_of(const psb_product *x, int i, int j) {
    double sum = 0.0;
    for (int k = 0; k < x->k; k++) {
        sum += x->a[i * x->lda + k] * x->b[x->transpose_b ? j * x->ldb + k : k * x->ldb + j];
    }
    return sum;
}

/* Every kernel, all kinds of edges: the same bits as sums taken one after the other. */
static void kernels_agree_to_the_bit(void **state) {
    (void)state;
    enum { MOST = 150, DEEP = 300 };
    static const int shapes[][3] = {{1, 1, 5},    {1, 2, 64},  {3, 7, 127},   {8, 16, 128},
                                    {15, 64, 64}, {6, 9, 129}, {20, 18, 255}, {23, 50, 256},
                                    {2, 25, 300}, {150, 4, 3}, {4, 150, 200}};
    static double a[MOST * DEEP], b[MOST * DEEP], c[MOST * MOST];
    psb_random random = psb_random_seeded(1, "product", "test");
    for (size_t s = 0; s < 4 * sizeof shapes / sizeof *shapes; s++) {
        const int *shape = shapes[s / 4];
        bool exact = s % 4 >= 2, transpose = s % 2 != 0;
        for (int i = 0; i < MOST * DEEP; i++) {
            double p = psb_random_unit(&random) - 0.5, q = psb_random_unit(&random) - 0.5;
            a[i] = exact ? (double)(float)p : p;
            b[i] = exact ? (double)(float)q : q;
        }
        psb_product x = {shape[0],  shape[1], shape[2], a,    b, DEEP, transpose ? DEEP : MOST,
                         transpose, exact,    false,    false};
        for (const psb_variant *const *kernel = psb_product_kernels; *kernel != NULL; kernel++) {
            if (!psb_cpu_has((*kernel)->needs)) {
                continue;
            }
            psb_product_compute(*kernel, &x, c, MOST);
            for (int i = 0; i < x.m * x.n; i++) {
                double expected = sum_of(&x, i / x.n, i % x.n);
                assert_memory_equal(&c[i / x.n * MOST + i % x.n], &expected, sizeof expected);
            }
        }
    }
}

/* Pairs by themselves have the bits that they have within a product. */
static void pairs_are_those_of_products(void **state) {
    (void)state;
    static const int lengths[] = {1, 17, 128, 129, 255, 256, 300, 544};
    enum { MOST = 544 };
    static float narrow[2][PSB_PAIRS * MOST];
    static double wide[2][PSB_PAIRS * MOST];
    psb_random random = psb_random_seeded(2, "pairs", "test");
    for (int i = 0; i < 2 * PSB_PAIRS * MOST; i++) {
        narrow[i % 2][i / 2] = (float)(psb_random_unit(&random) - 0.5);
        wide[i % 2][i / 2] = narrow[i % 2][i / 2];
    }
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        int k = lengths[l];
        double c[PSB_PAIRS * PSB_PAIRS], alone[PSB_PAIRS];
        psb_product x = {PSB_PAIRS, PSB_PAIRS, k, wide[0], wide[1], k, k, true, true, false, false};
        psb_product_compute(psb_cpu_choose(psb_product_kernels), &x, c, PSB_PAIRS);
        const float *rows[PSB_PAIRS], *others[PSB_PAIRS];
        for (int j = 0; j < PSB_PAIRS; j++) {
            rows[j] = narrow[0] + j * k;
            others[j] = narrow[1] + (j + 3) % PSB_PAIRS * k;
        }
        for (const psb_variant *const *v = psb_product_kernels; *v != NULL; v++) {
            if (!psb_cpu_has((*v)->needs)) {
                continue;
            }
            psb_product_pairs(*v, rows, others, k, alone);
            for (int j = 0; j < PSB_PAIRS; j++) {
                const double *expected = &c[j * PSB_PAIRS + (j + 3) % PSB_PAIRS];
                assert_memory_equal(&alone[j], expected, sizeof *expected);
            }
        }
    }
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
    for (int t = 0; t < 2; t++) {
        fill(M, K, t, a[t]);
        fill(M, K, 5 * t + 3, b[t]);
        psb_matrix_product(M, M, K, a[t], K, b[t], K, true, expected[t], M);
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
            psb_matrix_product(M, M, K, a[t], K, b[t], K, true, c[t], M);
            wrong[t] += memcmp(c[t], expected[t], sizeof c[t]) != 0;
        }
    }
    assert_int_equal(wrong[0], 0);
    assert_int_equal(wrong[1], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_three_loops),
        cmocka_unit_test(squares_are_products_with_the_transpose),
        cmocka_unit_test(kernels_agree_to_the_bit),
        cmocka_unit_test(pairs_are_those_of_products),
        cmocka_unit_test(eigenvectors_are_those_of_jacobi),
        cmocka_unit_test(eigenvectors_diagonalise),
        cmocka_unit_test(eigenvalues_are_those_that_are_known),
        cmocka_unit_test(what_is_not_finite_has_no_eigenvalues),
        cmocka_unit_test(threads_may_multiply_at_once),
    };
    return cmocka_run_group_tests_name("linear", tests, NULL, NULL);
}
