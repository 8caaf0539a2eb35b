/* Tests the map of a set: its gradient against the definition, clusters that stay together, and
   equal bytes for any number of threads. */
#include "core/random.h"
#include "eval/map.h"
#include "support/test.h"

enum { CLUSTERS = 12, OF_EACH = 20, N = CLUSTERS * OF_EACH, DIMENSIONS = 8 };

typedef struct set {
    size_t n;
    psb_matrix matrix;
    const char **ids;
    char (*names)[16];
} set;

/* Points around as many centres, which are far from each other. */
static set make(size_t n, size_t of_each) {
    set s = {.n = n, .matrix = {.n = n}};
    psb_random random = psb_random_seeded(1, "points", "map");
    double *at = malloc(n * DIMENSIONS * sizeof *at), centre[DIMENSIONS];
    float *d = malloc(n * n * sizeof *d);
    s.ids = malloc(n * sizeof *s.ids);
    s.names = malloc(n * sizeof *s.names);
    for (size_t i = 0; i < n * DIMENSIONS; i++) {
        if (i % (of_each * DIMENSIONS) < DIMENSIONS) {
            centre[i % DIMENSIONS] = 10 * psb_random_unit(&random);
        }
        at[i] = centre[i % DIMENSIONS] + psb_random_unit(&random);
    }
    for (size_t i = 0; i < n; i++) {
        snprintf(s.names[i], sizeof s.names[i], "m%zu", i);
        s.ids[i] = s.names[i];
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t k = 0; k < DIMENSIONS; k++) {
                double way = at[i * DIMENSIONS + k] - at[j * DIMENSIONS + k];
                sum += way * way;
            }
            d[i * n + j] = (float)sqrt(sum);
        }
    }
    free(at);
    s.matrix.data = s.matrix.owned = d;
    return s;
}

static void drop(set *s) {
    free(s->matrix.owned);
    free(s->ids);
    free(s->names);
}

static float *map_of(const set *s, int threads) {
    psb_error error;
    float *xy = malloc(2 * s->n * sizeof *xy);
    assert_int_equal(psb_map_of_matrix(&s->matrix, s->ids, threads, NULL, NULL, xy, &error),
                     PSB_OK);
    return xy;
}

/* Share of the models whose nearest neighbor in the plane is of their cluster. */
static double kept(const float *xy, size_t n, size_t of_each) {
    size_t good = 0;
    for (size_t i = 0; i < n; i++) {
        size_t best = n;
        double least = INFINITY;
        for (size_t j = 0; j < n; j++) {
            double far =
                hypot((double)(xy[2 * i] - xy[2 * j]), (double)(xy[2 * i + 1] - xy[2 * j + 1]));
            if (j != i && far < least) {
                best = j;
                least = far;
            }
        }
        good += best / of_each == i / of_each;
    }
    return (double)good / (double)n;
}

static void clusters_stay_together(void **state) {
    (void)state;
    set s = make(N, OF_EACH);
    float *one = map_of(&s, 1), most = 0;
    assert_true(kept(one, N, OF_EACH) > 0.99);
    for (size_t c = 0; c < (size_t)2 * N; c++) {
        most = fmaxf(most, fabsf(one[c]));
    }
    ASSERT_NEAR((double)most, 1, 1e-6);
    for (int threads = 2; threads <= 7; threads += 5) {
        float *other = map_of(&s, threads);
        assert_memory_equal(one, other, (size_t)2 * N * sizeof *one);
        free(other);
    }
    s.ids[0] = "another";
    float *other = map_of(&s, 1);
    assert_memory_not_equal(one, other, (size_t)2 * N * sizeof *one);
    free(other);
    free(one);
    drop(&s);
}

/* ---- the gradient ------------------------------------------------------------------------ */

/* Probabilities of the k nearest, by bisection of the width, from the definition. */
static void probabilities(const psb_map_input *in, size_t i, double perplexity, double *p) {
    double low = 1e-9, high = 1e9;
    for (int t = 0; t < 80; t++) {
        double width = sqrt(low * high), sum = 0, entropy = 0;
        for (size_t j = 0; j < in->k; j++) {
            double d = (double)in->distance[i * in->k + j], d0 = (double)in->distance[i * in->k];
            p[j] = exp(-(d * d - d0 * d0) / (2 * width * width));
            sum += p[j];
        }
        for (size_t j = 0; j < in->k; j++) {
            p[j] /= sum;
            entropy -= p[j] > 0 ? p[j] * log(p[j]) : 0;
        }
        *(exp(entropy) > perplexity ? &high : &low) = width;
    }
}

/* 4 sum over j of (p - q) (yi - yj) / (1 + |yi - yj|^2), with all pairs. */
static void slow_gradient(const psb_map_input *in, const float *xy, double *out) {
    size_t n = in->n;
    double *P = calloc(n * n, sizeof *P), all = 0;
    double p[PSB_MAP_NEIGHBORS];
    for (size_t i = 0; i < n; i++) {
        probabilities(in, i, fmin(30, (double)in->k / 3), p);
        for (size_t j = 0; j < in->k; j++) {
            size_t other = in->neighbor[i * in->k + j];
            P[i * n + other] += p[j] / (2 * (double)n);
            P[other * n + i] += p[j] / (2 * (double)n);
        }
    }
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < n; i++) {
            out[2 * i] = out[2 * i + 1] = 0;
            for (size_t j = 0; j < n; j++) {
                double dx = (double)xy[2 * i] - (double)xy[2 * j];
                double dy = (double)xy[2 * i + 1] - (double)xy[2 * j + 1];
                double w = 1 / (1 + dx * dx + dy * dy);
                if (turn == 0) {
                    all += j != i ? w : 0;
                } else {
                    out[2 * i] += 4 * (P[i * n + j] - w / all) * w * dx;
                    out[2 * i + 1] += 4 * (P[i * n + j] - w / all) * w * dy;
                }
            }
        }
    }
    free(P);
}

/* Any lists will do: of each model those behind it, ever farther. */
static psb_map_input lists_of(size_t n) {
    size_t k = psb_map_neighbors(n);
    psb_random random = psb_random_seeded(3, "lists", "map");
    uint32_t *neighbor = malloc(n * k * sizeof *neighbor);
    float *distance = malloc(n * k * sizeof *distance);
    for (size_t e = 0; e < n * k; e++) {
        neighbor[e] = (uint32_t)((e / k + 1 + e % k) % n);
        distance[e] = (float)psb_random_unit(&random) + (e % k > 0 ? distance[e - 1] : 1);
    }
    return (psb_map_input){n, k, neighbor, distance, NULL};
}

/* The largest error, in parts of the largest gradient. */
static double gradient_error(size_t n, double spread) {
    psb_map_input in = lists_of(n);
    psb_random random = psb_random_seeded(2, "places", "map");
    float *xy = malloc(2 * n * sizeof *xy);
    double *fast = malloc(2 * n * sizeof *fast), *slow = malloc(2 * n * sizeof *slow);
    double error = 0, largest = 0;
    psb_error message;
    for (size_t c = 0; c < 2 * n; c++) {
        xy[c] = (float)(spread * psb_random_unit(&random));
    }
    assert_int_equal(psb_map_gradient(&in, xy, 1, 2, fast, &message), PSB_OK);
    slow_gradient(&in, xy, slow);
    for (int threads = 1; threads <= 7; threads += 6) {
        double *again = malloc(2 * n * sizeof *again);
        assert_int_equal(psb_map_gradient(&in, xy, 1, threads, again, &message), PSB_OK);
        assert_memory_equal(fast, again, 2 * n * sizeof *again);
        free(again);
    }
    for (size_t c = 0; c < 2 * n; c++) {
        error = fmax(error, fabs(fast[c] - slow[c]));
        largest = fmax(largest, fabs(slow[c]));
    }
    free((void *)(uintptr_t)in.neighbor);
    free((void *)(uintptr_t)in.distance);
    free(xy);
    free(fast);
    free(slow);
    return error / largest;
}

static void the_gradient_is_that_of_the_definition(void **state) {
    (void)state;
    ASSERT_NEAR(gradient_error(N, 20), 0, 1e-4);
    ASSERT_NEAR(gradient_error(7, 1), 0, 1e-4);
    /* Far models act from the centre of their mass. */
    ASSERT_NEAR(gradient_error(PSB_MAP_EXACT + 60, 40), 0, 0.04);
}

static void small_sets_have_maps(void **state) {
    (void)state;
    for (size_t n = 1; n < 6; n++) {
        set s = make(n, 2);
        float *xy = map_of(&s, 2);
        for (size_t c = 0; c < 2 * n; c++) {
            assert_true(fabsf(xy[c]) <= 1);
        }
        free(xy);
        drop(&s);
    }
    set alike = make(30, 30);
    memset(alike.matrix.owned, 0, 30 * 30 * sizeof(float));
    float *xy = map_of(&alike, 1);
    assert_true(isfinite(xy[0]));
    free(xy);
    drop(&alike);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clusters_stay_together),
        cmocka_unit_test(the_gradient_is_that_of_the_definition),
        cmocka_unit_test(small_sets_have_maps),
    };
    return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
