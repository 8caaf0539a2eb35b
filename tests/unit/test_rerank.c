/* Compares k-reciprocal re-ranking, manifold ranking and cohorts with literal definitions; tests
   sums of distances, and one thread against several. */
#include "core/random.h"
#include "descriptors/descriptor.h"
#include "distance/recipe.h"
#include "eval/cohort.h"
#include "eval/rerank.h"
#include "run/record.h"
#include "studies/tune.h"
#include "support/test.h"

enum { MOST = 60 };

typedef struct sets {
    size_t n;
    const float *d;
    size_t order[MOST][MOST]; /* i, then the others by distance, ties by index */
} sets;

/* Distances of points on a line, or of few different values: many ties. */
static void make(float *d, size_t n, uint64_t seed, bool ties) {
    psb_random random = psb_random_seeded(seed, "points", "rerank");
    double at[MOST];
    for (size_t i = 0; i < n; i++) {
        at[i] = ties ? (double)psb_random_below(&random, 5) : 10 * psb_random_unit(&random);
    }
    for (size_t i = 0; i < n * n; i++) {
        d[i] = (float)fabs(at[i / n] - at[i % n]);
    }
}

static void sort(sets *s) {
    for (size_t i = 0; i < s->n; i++) {
        bool used[MOST] = {false};
        for (size_t r = 0; r < s->n; r++) {
            size_t best = s->n;
            for (size_t j = 0; j < s->n; j++) {
                bool better = best == s->n || s->d[i * s->n + j] < s->d[i * s->n + best];
                best = !used[j] && j != i && better ? j : best;
            }
            best = r == 0 ? i : best;
            used[best] = true;
            s->order[i][r] = best;
        }
    }
}

static bool in_n(const sets *s, size_t i, size_t k, size_t j) {
    for (size_t r = 0; r <= k && r < s->n; r++) {
        if (s->order[i][r] == j) {
            return true;
        }
    }
    return false;
}

static bool in_r(const sets *s, size_t i, size_t k, size_t j) {
    return in_n(s, i, k, j) && in_n(s, j, k, i);
}

static bool in_r_star(const sets *s, size_t i, size_t k1, size_t t) {
    if (in_r(s, i, k1, t)) {
        return true;
    }
    size_t half = (k1 + 1) / 2;
    for (size_t j = 0; j < s->n; j++) {
        size_t all = 0, common = 0;
        for (size_t x = 0; x < s->n; x++) {
            all += in_r(s, j, half, x);
            common += in_r(s, j, half, x) && in_r(s, i, k1, x);
        }
        if (in_r(s, i, k1, j) && in_r(s, j, half, t) && 3 * common > 2 * all) {
            return true;
        }
    }
    return false;
}

static void slow(const float *d, size_t n, const psb_reranking *o, double *out) {
    static sets s;
    static double v[MOST][MOST], mean_v[MOST][MOST];
    s.n = n;
    s.d = d;
    sort(&s);
    double m = 0;
    for (size_t i = 0; i < n * n; i++) {
        m += (double)d[i] / (double)(n * (n - 1));
    }
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t t = 0; t < n; t++) {
            v[i][t] = in_r_star(&s, i, o->k1, t) ? exp(-(double)d[i * n + t] / m) : 0;
            sum += v[i][t];
        }
        for (size_t t = 0; t < n; t++) {
            v[i][t] /= sum;
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t t = 0; t < n; t++) {
            size_t members = 0;
            mean_v[i][t] = 0;
            for (size_t j = 0; j < n; j++) {
                mean_v[i][t] += in_n(&s, i, o->k2 - 1, j) ? v[j][t] : 0;
                members += in_n(&s, i, o->k2 - 1, j);
            }
            mean_v[i][t] /= (double)members;
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double common = 0;
            for (size_t t = 0; t < n; t++) {
                common += fmin(mean_v[i][t], mean_v[j][t]);
            }
            double jaccard = 1 - common / (2 - common);
            out[i * n + j] = i == j ? 0 : (1 - o->lambda) * jaccard + o->lambda * d[i * n + j] / m;
        }
    }
}

static void follows_the_definitions(void **state) {
    (void)state;
    static const psb_reranking options[] = {{10, 3, 0.5, 1, PSB_KR}, {1, 1, 1, 2, PSB_KR},
                                            {7, 1, 0.3, 3, PSB_KR},  {4, 6, 0, 1, PSB_KR},
                                            {20, 2, 0.9, 2, PSB_KR}, {80, 70, 0.5, 1, PSB_KR}};
    static float d[MOST * MOST], out[MOST * MOST];
    static double expected[MOST * MOST];
    psb_error error;
    for (size_t c = 0; c < 24; c++) {
        size_t n = c % 3 == 0 ? MOST : 7 + 11 * (c % 3);
        make(d, n, c, c % 2 == 0);
        psb_matrix matrix = {.n = n, .data = d};
        assert_int_equal(psb_rerank_matrix(&matrix, &options[c / 4], out, &error), PSB_OK);
        slow(d, n, &options[c / 4], expected);
        for (size_t i = 0; i < n * n; i++) {
            ASSERT_NEAR((double)out[i], expected[i], 1e-6);
            assert_true(out[i] == out[i % n * n + i / n]);
        }
    }
}

/* Lists that hold everything give what the matrix gives; short ones are refused. */
static void lists_are_like_the_matrix(void **state) {
    (void)state;
    enum { N = 40 };
    static float d[N * N], whole[N * N], near_distance[N * N], out[N * N];
    static uint32_t near_model[N * N];
    static sets s = {.n = N, .d = d};
    psb_reranking options = PSB_RERANK_DEFAULTS;
    psb_error error;
    make(d, N, 77, true);
    sort(&s);
    psb_matrix matrix = {.n = N, .data = d};
    assert_int_equal(psb_rerank_matrix(&matrix, &options, whole, &error), PSB_OK);
    psb_near near = {N, N - 1, near_model, near_distance, psb_matrix_mean(&matrix)};
    for (size_t i = 0; i < N; i++) {
        for (size_t r = 0; r + 1 < N; r++) {
            near_model[i * near.length + r] = (uint32_t)s.order[i][r + 1];
            near_distance[i * near.length + r] = d[i * N + s.order[i][r + 1]];
        }
    }
    for (int method = PSB_MR; method <= PSB_KR_MR; method++) {
        options.method = (psb_rerank_method)method;
        assert_int_equal(psb_rerank_matrix(&matrix, &options, out, &error), PSB_OK);
        assert_int_equal(psb_rerank_lists(&near, &options, whole, &error), PSB_OK);
        for (size_t i = 0; i < N * (N - 1); i++) {
            ASSERT_NEAR((double)whole[i], (double)out[i / (N - 1) * N + near_model[i]], 1e-6);
        }
    }
    options.method = PSB_KR;
    assert_int_equal(psb_rerank_matrix(&matrix, &options, whole, &error), PSB_OK);
    assert_int_equal(psb_rerank_lists(&near, &options, out, &error), PSB_OK);
    for (size_t i = 0; i < N * (N - 1); i++) {
        assert_true(out[i] == whole[i / (N - 1) * N + near_model[i]]);
    }
    near.length = 9;
    assert_int_equal(psb_rerank_lists(&near, &options, out, &error), PSB_ERROR_INPUT);
    assert_string_equal(error.message, "lists of 9 neighbors: want 10 or more (search -k)");
    options.method = PSB_MR;
    assert_int_equal(psb_rerank_lists(&near, &options, out, &error), PSB_OK);
    near.length = 4;
    assert_int_equal(psb_rerank_lists(&near, &options, out, &error), PSB_ERROR_INPUT);
}

/* The inverse of I - 0.9 S by elimination. */
static void slow_manifold(const float *d, size_t n, double *out) {
    static sets s;
    static double w[MOST][MOST], a[MOST][2 * MOST];
    double sum[MOST], least = INFINITY, mean = 0, mean_d = 0;
    s.n = n;
    s.d = d;
    sort(&s);
    memset(w, 0, sizeof w);
    for (size_t i = 0; i < n; i++) {
        for (size_t r = 1; r <= 5; r++) {
            size_t j = s.order[i][r];
            double widths = (double)d[i * n + s.order[i][5]] * (double)d[j * n + s.order[j][5]];
            double square = (double)d[i * n + j] * (double)d[i * n + j];
            double weight = square > 0 ? exp(-square / widths) : 1;
            w[i][j] += weight / 2;
            w[j][i] += weight / 2;
        }
    }
    for (size_t i = 0; i < n; i++) {
        sum[i] = 0;
        for (size_t j = 0; j < n; j++) {
            sum[i] += w[i][j];
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            a[i][j] = (i == j) - 0.9 * w[i][j] / sqrt(sum[i] * sum[j]);
            a[i][n + j] = i == j;
        }
    }
    for (size_t p = 0; p < n; p++) { /* strictly dominated by its diagonal: no pivots */
        for (size_t i = 0; i < n; i++) {
            double share = i == p ? 1 - 1 / a[p][p] : a[i][p] / a[p][p];
            for (size_t j = 2 * n; j-- > 0;) {
                a[i][j] -= share * a[p][j];
            }
        }
    }
    for (size_t i = 0; i < n * n; i++) {
        out[i] = i / n == i % n ? 0 : -log(fmax(a[i / n][n + i % n], 1e-12));
        least = i / n != i % n ? fmin(least, out[i]) : least;
        mean_d += (double)d[i] / (double)(n * (n - 1));
    }
    for (size_t i = 0; i < n * n; i++) {
        mean += i / n != i % n ? (out[i] - least) / (double)(n * (n - 1)) : 0;
    }
    for (size_t i = 0; i < n * n; i++) {
        out[i] = i / n == i % n ? 0 : (out[i] - least) / mean + 0.5 * (double)d[i] / mean_d;
    }
}

/* Alone and added to what is k-reciprocal, each over its mean. */
static void manifolds_follow_the_definition(void **state) {
    (void)state;
    static float d[MOST * MOST], out[MOST * MOST], kr[MOST * MOST];
    static double expected[MOST * MOST];
    psb_reranking options = {10, 3, 0.3, 1, PSB_MR};
    psb_error error;
    for (size_t c = 0; c < 4; c++) {
        size_t n = c == 3 ? 12 : 30 + 15 * (c % 3);
        make(d, n, 40 + c, false);
        psb_matrix matrix = {.n = n, .data = d};
        options.threads = (int)c % 2 + 1;
        options.method = PSB_MR;
        assert_int_equal(psb_rerank_matrix(&matrix, &options, out, &error), PSB_OK);
        slow_manifold(d, n, expected);
        double mean[2] = {0, 0};
        options.method = PSB_KR;
        assert_int_equal(psb_rerank_matrix(&matrix, &options, kr, &error), PSB_OK);
        for (size_t i = 0; i < n * n; i++) {
            ASSERT_NEAR((double)out[i], expected[i], 1e-4);
            assert_true(out[i] == out[i % n * n + i / n]);
            mean[0] += (double)kr[i] / (double)(n * (n - 1));
            mean[1] += (double)out[i] / (double)(n * (n - 1));
        }
        options.method = PSB_KR_MR;
        float *both = calloc(n * n, sizeof *both);
        assert_int_equal(psb_rerank_matrix(&matrix, &options, both, &error), PSB_OK);
        for (size_t i = 0; i < n * n; i++) {
            ASSERT_NEAR((double)both[i], (double)kr[i] / mean[0] + (double)out[i] / mean[1], 1e-5);
        }
        free(both);
    }
}

/* Rows in which lambda was the other weight have no figures. */
static void older_rows_are_stale(void **state) {
    (void)state;
    psb_descriptor_facts of = {.uses = "context", .metric = "k-reciprocal", .revision = NAN};
    psb_finding found = {.state = PSB_OUTPUT_OK};
    psb_run_judge(&of, &found);
    assert_int_equal(found.state, PSB_OUTPUT_STALE);
    assert_non_null(strstr(found.reason, "made by revision 1 of k-reciprocal"));
    found.state = PSB_OUTPUT_OK;
    of.revision = psb_run_method_revision("k-reciprocal");
    psb_run_judge(&of, &found);
    assert_int_equal(found.state, PSB_OUTPUT_OK);
    of = (psb_descriptor_facts){.uses = "pair", .metric = "sum", .revision = NAN};
    psb_run_judge(&of, &found);
    assert_int_equal(found.state, PSB_OUTPUT_OK);
}

static void refuses_what_is_no_distance(void **state) {
    (void)state;
    float d[9] = {0, 1, 2, 1, 0, 3, 2, 3, 0}, out[9];
    psb_reranking options = PSB_RERANK_DEFAULTS;
    psb_matrix matrix = {.n = 3, .data = d};
    psb_error error;
    assert_int_equal(psb_rerank_matrix(&matrix, &options, out, &error), PSB_OK);
    d[5] = 4;
    assert_int_equal(psb_rerank_matrix(&matrix, &options, out, &error), PSB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "row 2, column 1 is 3, row 1, column 2 is 4"));
    d[5] = 3;
    d[4] = 1;
    assert_int_equal(psb_rerank_matrix(&matrix, &options, out, &error), PSB_ERROR_INPUT);
    memset(d, 0, sizeof d);
    assert_int_equal(psb_rerank_matrix(&matrix, &options, out, &error), PSB_ERROR_INPUT);
    matrix.n = 1;
    assert_int_equal(psb_rerank_matrix(&matrix, &options, out, &error), PSB_ERROR_INPUT);
}

/* The mean of the smallest, found one after the other. */
static double slow_level(const float *distances, size_t n) {
    bool used[MOST] = {false};
    double sum = 0;
    size_t count = 0;
    while ((double)count < 0.11 * (double)n - 1e-9) {
        size_t least = n;
        for (size_t k = 0; k < n; k++) {
            least = !used[k] && (least == n || distances[k] < distances[least]) ? k : least;
        }
        used[least] = true;
        sum += (double)distances[least];
        count++;
    }
    return sum / (double)count;
}

/* What is far from the cohort is drawn in; a unit of distance, and the cohort's order, do not
   matter. */
static void cohorts_follow_the_definition(void **state) {
    (void)state;
    enum { N = 20, COHORT = 37 };
    static float d[MOST * MOST], out[N * N], again[N * N];
    double level[N], large[N], flat[N];
    psb_random random = psb_random_seeded(5, "models", "cohort");
    psb_error error;
    make(d, N, 6, false);
    psb_matrix matrix = {.n = N, .data = d};
    assert_int_equal(psb_cohort_nearest(1), 1);
    assert_int_equal(psb_cohort_nearest(904), 100);
    assert_int_equal(psb_cohort_nearest(903), 100);
    for (size_t i = 0; i < N; i++) {
        float to[COHORT], turned[COHORT];
        for (size_t k = 0; k < COHORT; k++) {
            to[k] = turned[COHORT - 1 - k] =
                (float)(psb_random_unit(&random) + 0.1 * (double)i + 0.1);
        }
        double expected = slow_level(to, COHORT);
        level[i] = psb_cohort_level(to, COHORT);
        ASSERT_NEAR(level[i], expected, 1e-12);
        assert_true(psb_cohort_level(turned, COHORT) == level[i]);
        large[i] = 4 * level[i];
        flat[i] = 2;
    }
    assert_int_equal(psb_cohort_normalise(&matrix, level, 2, out, &error), PSB_OK);
    for (size_t i = 0; i < N * N; i++) {
        ASSERT_NEAR((double)out[i], (double)d[i] / sqrt(level[i / N] * level[i % N]), 1e-6);
        assert_true(out[i] == out[i % N * N + i / N]);
    }
    assert_int_equal(psb_cohort_normalise(&matrix, large, 1, again, &error), PSB_OK);
    for (size_t i = 0; i < N * N; i++) {
        assert_true(4 * again[i] == out[i]);
    }
    assert_int_equal(psb_cohort_normalise(&matrix, flat, 1, again, &error), PSB_OK);
    for (size_t i = 0; i < N * N; i++) {
        assert_true(2 * again[i] == d[i]);
    }
    level[7] = 0;
    assert_int_equal(psb_cohort_normalise(&matrix, level, 1, out, &error), PSB_ERROR_INPUT);
    assert_non_null(strstr(error.message, "row 7: "));
}

static void sums_weigh_and_take_the_least(void **state) {
    (void)state;
    const float a[] = {0, 1, 6}, b[] = {0, 4, 2}, c[] = {3, 5, 0};
    const float *members[] = {a, b, c};
    const psb_recipe recipe = {.nterms = 2,
                               .terms = {{.member = {"A", "B"}, .weight = 2, .scale = 4},
                                         {.member = {"C"}, .weight = 1, .scale = 0.5}}};
    const char *names[PSB_MEMBERS_MOST];
    float out[3];
    psb_text formula = {0};
    assert_int_equal(psb_recipe_members(&recipe, names), 3);
    assert_string_equal(names[2], "C");
    psb_recipe_sum(&recipe, members, 3, out);
    assert_true(out[0] == 6.0F && out[1] == 10.5F && out[2] == 1.0F);
    psb_recipe_formula(&recipe, &formula);
    assert_string_equal(formula.data, "2 min(A, B) / 4 + C / 0.5");
    psb_text_free(&formula);
}

/* What the table says of the members' rows is what their descriptors make. */
static void the_table_knows_its_members(void **state) {
    (void)state;
    for (size_t r = 0; psb_recipe_at(r) != NULL; r++) {
        const psb_recipe *recipe = psb_recipe_at(r);
        size_t bytes = 0;
        for (size_t t = 0; t < recipe->nterms; t++) {
            const psb_term *term = &recipe->terms[t];
            for (int k = 0; k < 2 && term->member[k] != NULL; k++) {
                psb_spec *spec;
                if (recipe->learned && !psb_spec_is_known(NULL, term->member[k])) {
                    bytes += term->length * sizeof(float); /* a signature */
                    continue;
                }
                assert_int_equal(psb_spec_parse(NULL, term->member[k], &spec, NULL), PSB_OK);
                assert_ptr_equal(psb_spec_metric(spec), term->metric);
                assert_int_equal(psb_spec_length(spec), term->length);
                bytes += psb_spec_row_bytes(spec);
                psb_spec_free(spec);
            }
        }
        assert_int_equal(psb_recipe_row_bytes(recipe), bytes);
        assert_ptr_equal(psb_recipe_of_rows(bytes), recipe);
        assert_null(psb_recipe_of_rows(bytes + 1));
    }
}

static void fill_member(psb_random *random, const psb_term *term, char *row) {
    for (size_t i = 0; i < term->length; i++) {
        float number = (float)(psb_random_unit(random) - 0.5);
        if (term->metric->element == PSB_UINT8) {
            row[i] = (char)psb_random_below(random, 200);
        } else {
            memcpy(row + i * sizeof number, &number, sizeof number);
        }
    }
}

/* Rows side by side give the bits of the sum of the members' matrices, and of the pair. */
static void compare_sums_of(const psb_recipe *recipe) {
    enum { N = PSB_TILE + 5 }; /* two tiles a side */
    size_t bytes = psb_recipe_row_bytes(recipe), offset = 0, count = 0;
    char *rows = calloc(N, bytes), *part = calloc(N, bytes);
    float *own = calloc(N * N, sizeof *own), *sum = calloc(N * N, sizeof *sum);
    assert_true(rows != NULL && part != NULL && own != NULL && sum != NULL);
    psb_matrix members[PSB_MEMBERS_MOST] = {{0}};
    psb_random random = psb_random_seeded(8, "members", "sum");
    psb_error error;
    for (size_t t = 0; t < recipe->nterms; t++) {
        const psb_term *term = &recipe->terms[t];
        for (int k = 0; k < 2 && term->member[k] != NULL; k++) {
            size_t size = term->length * (term->metric->element == PSB_UINT8 ? 1 : sizeof(float));
            float *d = calloc(N * N, sizeof *d);
            for (size_t i = 0; i < N; i++) {
                fill_member(&random, term, part + i * size);
                memcpy(rows + i * bytes + offset, part + i * size, size);
            }
            psb_row_view view = {part, N, term->length, term->metric->element};
            assert_int_equal(psb_distance_matrix(term->metric, &view, 1, d, NULL, NULL, &error),
                             PSB_OK);
            members[count++] = (psb_matrix){.n = N, .data = d, .owned = d};
            offset += size;
        }
    }
    assert_int_equal(psb_recipe_sum_matrices(recipe, members, 2, sum, &error), PSB_OK);
    psb_row_view view = {rows, N, bytes, PSB_UINT8};
    assert_int_equal(psb_metric_check(&psb_sum, &view, &error), PSB_OK);
    assert_int_equal(psb_distance_matrix(&psb_sum, &view, 2, own, NULL, NULL, &error), PSB_OK);
    assert_memory_equal(own, sum, N * N * sizeof *sum);
    for (size_t i = 0; i < 3; i++) {
        double pair = psb_sum.pair(rows + i * bytes, rows + (N - 1) * bytes, bytes);
        ASSERT_NEAR(pair, (double)sum[i * N + N - 1], 1e-6 * pair);
    }
    for (size_t m = 0; m < count; m++) {
        psb_matrix_close(&members[m]);
    }
    free(rows);
    free(part);
    free(own);
    free(sum);
}

static void rows_side_by_side_are_the_sum_of_matrices(void **state) {
    (void)state;
    for (size_t r = 0; psb_recipe_at(r) != NULL; r++) {
        compare_sums_of(psb_recipe_at(r));
        /* The length of a row tells the recipe. */
        assert_ptr_equal(psb_recipe_of_rows(psb_recipe_row_bytes(psb_recipe_at(r))),
                         psb_recipe_at(r));
    }
}

/* Of a row that knows the classes and one of noise, the noise is weighed down. */
static void tuning_finds_what_helps(void **state) {
    (void)state;
    enum { N = 24 };
    char text[600] = "PSB 1\n4 24\n";
    float good[N * N], noise[N * N];
    psb_random random = psb_random_seeded(3, "noise", "tune");
    for (int c = 0, length = (int)strlen(text); c < 4; c++) {
        length += snprintf(text + length, sizeof text - (size_t)length, "c%d 0 6\n", c);
        for (int i = 0; i < 6; i++) {
            length += snprintf(text + length, sizeof text - (size_t)length, "m%d\n", 6 * c + i);
        }
    }
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j <= i; j++) {
            good[i * N + j] = good[j * N + i] = i == j ? 0 : i / 6 == j / 6 ? 1 : 1.3F;
            noise[i * N + j] = noise[j * N + i] = i == j ? 0 : (float)psb_random_unit(&random);
        }
    }
    psb_classification cla;
    psb_error error;
    double dcg;
    assert_int_equal(psb_cla_parse("c", text, strlen(text), &cla, &error), PSB_OK);
    psb_matrix members[] = {{.n = N, .data = good}, {.n = N, .data = noise}};
    psb_recipe recipe = {.nterms = 2,
                         .terms = {{.member = {"A"}, .weight = 1, .scale = 1},
                                   {.member = {"B"}, .weight = 1, .scale = 1}}};
    assert_int_equal(psb_tune_weights(&recipe, members, &cla, 2, &dcg, &error), PSB_OK);
    ASSERT_NEAR(dcg, 1, 1e-12);
    assert_true(recipe.terms[0].weight * 0.3 >= recipe.terms[1].weight);
    psb_cla_free(&cla);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_the_definitions),
        cmocka_unit_test(lists_are_like_the_matrix),
        cmocka_unit_test(refuses_what_is_no_distance),
        cmocka_unit_test(manifolds_follow_the_definition),
        cmocka_unit_test(older_rows_are_stale),
        cmocka_unit_test(cohorts_follow_the_definition),
        cmocka_unit_test(sums_weigh_and_take_the_least),
        cmocka_unit_test(the_table_knows_its_members),
        cmocka_unit_test(rows_side_by_side_are_the_sum_of_matrices),
        cmocka_unit_test(tuning_finds_what_helps),
    };
    return cmocka_run_group_tests_name("rerank", tests, NULL, NULL);
}
