/* Tests tiles with limits: wanted distances have the metric's own bits, however float32 rounds. */
#include "core/linear.h"
#include "core/memory.h"
#include "core/random.h"
#include "distance/screen.h"
#include "support/test.h"

#include <float.h>

enum { N = 70, M = 45, LONGEST = 544 };

static const psb_screen *const screens[] = {&psb_screen_l2, &psb_screen_cosine};

/* Bits of the last place up or down, half of them none. */
static float nudged(psb_random *random, float x) {
    size_t steps = psb_random_below(random, 4);
    return steps < 2 ? x : nextafterf(x, steps == 2 ? 4.0F : -4.0F);
}

/*
 * Rows that float32 cannot tell apart: each is one of five, with numbers of both signs that nearly
 * cancel, other by last places. `scale` may not be a power of two.
 */
static void near_ties(psb_random *random, size_t n, size_t length, float scale, float *rows) {
    float few[5][LONGEST];
    psb_random same = psb_random_seeded(4, "few", "test");
    for (size_t i = 0; i < 5 * length; i++) {
        few[i / length][i % length] = (float)psb_random_unit(&same) - 0.5F;
    }
    for (size_t i = 0; i < n; i++) {
        size_t of = psb_random_below(random, 5);
        for (size_t k = 0; k < length; k++) {
            rows[i * length + k] = nudged(random, few[of][k]) * scale;
        }
    }
}

/* Gives each row a norm of its own. */
static void scale_rows(psb_random *random, size_t n, size_t length, float *rows) {
    for (size_t i = 0; i < n; i++) {
        float factor = (float)(0.5 + psb_random_unit(random));
        for (size_t k = 0; k < length; k++) {
            rows[i * length + k] *= factor;
        }
    }
}

static void plain_rows(psb_random *random, size_t n, size_t length, float *rows) {
    for (size_t i = 0; i < n * length; i++) {
        rows[i] = (float)psb_random_unit(random) - 0.3F;
    }
}

typedef struct tile_case {
    const psb_screen *screen;
    psb_row_view a, b;
    const float *limit_a, *limit_b; /* may be NULL */
    bool upper;
} tile_case;

static void *room(size_t bytes) {
    psb_status status = PSB_OK;
    psb_error error;
    void *memory = psb_new_zero(&status, 1, bytes + 64, "room", &error);
    assert_non_null(memory);
    return memory;
}

/* A tile by the metric's own way, or by a kernel. */
static void compute(const tile_case *c, const psb_screen_kernel *kernel, float *out) {
    const psb_metric *metric = c->screen->metric, *form = kernel != NULL ? metric->limited : metric;
    psb_block a, b;
    void *prepared[2] = {room(psb_block_bytes(form, c->a.n, c->a.length)),
                         room(psb_block_bytes(form, c->b.n, c->b.length))};
    void *scratch = room(psb_tile_scratch(form, PSB_TILE, c->a.length));
    a = psb_block_prepare(form, &c->a, prepared[0]);
    b = psb_block_prepare(form, &c->b, prepared[1]);
    if (kernel != NULL) {
        a.limit = c->limit_a;
        b.limit = c->limit_b;
        psb_screen_compute(kernel, c->screen, &a, &b, c->upper, scratch, out, c->b.n);
    } else {
        form->tile(&a, &b, c->upper, scratch, out, c->b.n);
    }
    free(prepared[0]);
    free(prepared[1]);
    free(scratch);
}

/* Returns how many pairs the first kernel left alone. */
static size_t expect_asked(const tile_case *c) {
    static float whole[N * N], got[N * N];
    size_t spared = 0;
    compute(c, NULL, whole);
    for (const psb_variant *const *v = psb_screen_kernels; *v != NULL; v++) {
        if (!psb_cpu_has((*v)->needs)) {
            continue;
        }
        compute(c, (const psb_screen_kernel *)*v, got);
        for (size_t i = 0; i < c->a.n; i++) {
            for (size_t j = c->upper ? i + 1 : 0; j < c->b.n; j++) {
                size_t at = i * c->b.n + j;
                float own = c->limit_a != NULL ? c->limit_a[i] : -1.0F;
                float other = c->limit_b != NULL ? c->limit_b[j] : -1.0F;
                float most = own > other ? own : other;
                if (memcmp(&got[at], &whole[at], sizeof *got) != 0) {
                    assert_true(whole[at] > most && got[at] > most && got[at] <= FLT_MAX);
                    spared++;
                }
            }
        }
    }
    return spared;
}

/* Limits that are a distance of the row, or the number just below. */
static void limits_at_distances(psb_random *random, const tile_case *c, bool rows, float *limit) {
    static float whole[N * N];
    compute(c, NULL, whole);
    size_t n = rows ? c->a.n : c->b.n, others = rows ? c->b.n : c->a.n;
    for (size_t i = 0; i < n; i++) {
        size_t j = psb_random_below(random, others);
        limit[i] = whole[rows ? i * others + j : j * n + i];
        limit[i] = psb_random_below(random, 2) == 0 ? limit[i] : nextafterf(limit[i], 0.0F);
        /* Most ask for little, or nothing would be left out. */
        limit[i] = psb_random_below(random, 6) == 0 ? limit[i] : 0.0F;
    }
}

/* Every length of what is left behind whole vectors; both ends, one end, a tile with itself. */
static void what_is_asked_for_has_the_same_bits(void **state) {
    (void)state;
    static const size_t lengths[] = {16, 17, 23, 31, 33, 100, 300, 544};
    static const float scales[] = {1.0F, 3e-5F, 7e8F};
    static float a[N * LONGEST], b[M * LONGEST];
    float limits[2][N];
    psb_random random = psb_random_seeded(7, "screen", "test");
    size_t spared = 0;
    for (size_t l = 0; l < 8 * 6; l++) {
        size_t length = lengths[l % 8];
        for (size_t s = 0; s < 2; s++) {
            if (l / 8 < 3) {
                near_ties(&random, N, length, scales[l / 8], a);
                near_ties(&random, M, length, scales[l / 8], b);
            } else {
                plain_rows(&random, N, length, a);
                plain_rows(&random, M, length, b);
            }
            if (l / 8 % 2 != 0) {
                scale_rows(&random, N, length, a);
                scale_rows(&random, M, length, b);
            }
            tile_case c = {
                screens[s], {a, N, length, PSB_FLOAT32}, {b, M, length, PSB_FLOAT32}, NULL, NULL,
                false};
            limits_at_distances(&random, &c, true, limits[0]);
            limits_at_distances(&random, &c, false, limits[1]);
            c.limit_a = limits[0];
            spared += expect_asked(&c);
            c.limit_b = limits[1];
            spared += expect_asked(&c);
            c.b = c.a;
            c.upper = true;
            c.limit_b = c.limit_a;
            spared += expect_asked(&c);
        }
    }
    assert_true(spared > 100000);
}

/* Rows that float32 does not hold the squares of, of zeros, and not finite. */
static void rows_out_of_range_are_not_screened(void **state) {
    (void)state;
    enum { LENGTH = 20 };
    static const float odd[] = {0.0F, 1e-30F, 1e-12F, 1e13F, 3e37F, INFINITY, NAN, -1e20F};
    static float a[N * LENGTH], b[M * LENGTH];
    float limits[N];
    psb_random random = psb_random_seeded(8, "screen", "test");
    for (size_t s = 0; s < 2; s++) {
        plain_rows(&random, N, LENGTH, a);
        plain_rows(&random, M, LENGTH, b);
        for (size_t i = 0; i < 8; i++) {
            for (size_t k = 0; k < LENGTH; k++) {
                a[7 * i * LENGTH + k] *= odd[i];
                b[5 * i * LENGTH + k] *= odd[(i + 3) % 8];
            }
        }
        for (size_t i = 0; i < N; i++) {
            limits[i] = i % 3 == 0 ? 1e-3F : 0.0F;
        }
        /* With NaN's, all that is not a number is. */
        static float whole[N * M], got[N * M];
        tile_case c = {
            screens[s], {a, N, LENGTH, PSB_FLOAT32}, {b, M, LENGTH, PSB_FLOAT32}, limits, NULL,
            false};
        compute(&c, NULL, whole);
        for (const psb_variant *const *v = psb_screen_kernels; *v != NULL; v++) {
            if (psb_cpu_has((*v)->needs)) {
                compute(&c, (const psb_screen_kernel *)*v, got);
                for (size_t i = 0; i < N * M; i++) {
                    bool close = !(whole[i] > limits[i / M]);
                    bool same = memcmp(&got[i], &whole[i], sizeof *got) == 0;
                    assert_true(same || (isnan(got[i]) && isnan(whole[i])) ||
                                (!close && got[i] > limits[i / M]));
                    assert_int_equal(isfinite(got[i]) != 0, isfinite(whole[i]) != 0);
                }
            }
        }
    }
}

/* No product is off by more than the bound says, and rows do not ask for less than that. */
static void products_are_within_the_bound(void **state) {
    (void)state;
    static float a[N * LONGEST], out[N * N];
    psb_random random = psb_random_seeded(9, "screen", "test");
    for (size_t length = 16; length <= LONGEST; length += 44) {
        plain_rows(&random, N / 2, length, a);
        near_ties(&random, N - N / 2, length, 1.0F, a + N / 2 * length);
        psb_rough_product(N, N, (int)length, a, a, true, out, N);
        for (size_t i = 0; i < N * N; i++) {
            const float *x = a + i / N * length, *y = a + i % N * length;
            double sum = 0.0, magnitude = 0.0;
            for (size_t k = 0; k < length; k++) {
                sum += (double)x[k] * (double)y[k];
                magnitude += fabs((double)x[k] * (double)y[k]);
            }
            ASSERT_NEAR(out[i], sum, psb_screen_slack(length) / 2 * magnitude);
        }
    }
    assert_true(isnan(psb_screen_slack((size_t)1 << 40)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_asked_for_has_the_same_bits),
        cmocka_unit_test(rows_out_of_range_are_not_screened),
        cmocka_unit_test(products_are_within_the_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
