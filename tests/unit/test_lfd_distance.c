/* Tests the light field's distance: rotation group, every kernel against the reference, axioms. */
#include "core/random.h"
#include "core/vector.h"
#include "lightfield/metric_kernel.h"
#include "support/test.h"

enum { ROWS = 9, RECORD = PSB_LFD_RECORD, LENGTH = PSB_LFD_LENGTH };

static uint8_t rows[ROWS * LENGTH];
static psb_lfd_rotations rotation;

/*
 * Random rows; the last two are extremes, whose distance does not fit 16 bits, and row 5 is row 0
 * with its dodecahedra in another order and turned.
 */
static int fill(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(11, "rows", "test");
    for (int i = 0; i < ROWS * LENGTH; i++) {
        rows[i] = (uint8_t)psb_random_below(&random, i / LENGTH == 1 ? 256 : 40);
    }
    psb_dodecahedron_rotations(rotation);
    for (int d = 0; d < 10; d++) {
        for (int m = 0; m < PSB_AXES; m++) {
            memcpy(rows + 5 * LENGTH + ((d + 3) % 10 * 10 + rotation[37][m]) * RECORD,
                   rows + (d * 10 + m) * RECORD, RECORD);
        }
    }
    memset(rows + 7 * LENGTH, 0, LENGTH);
    memset(rows + 8 * LENGTH, 255, LENGTH);
    return 0;
}

static bool same(const uint8_t *a, const uint8_t *b) {
    return memcmp(a, b, PSB_AXES) == 0;
}

static void the_rotations_form_a_group(void **state) {
    (void)state;
    double vertex[PSB_AXES][3];
    psb_dodecahedron_vertices(vertex);
    int identities = 0, fixed = 0;
    for (int a = 0; a < PSB_ROTATIONS; a++) {
        int moved = 0;
        for (int m = 0; m < PSB_AXES; m++) {
            moved += rotation[a][m] != m;
            const uint8_t *last = rotation[a - a % PSB_TETRAHEDRAL]; /* what makes the dozen */
            assert_int_equal(rotation[a][m], last[psb_tetrahedral[a % PSB_TETRAHEDRAL][m]]);
        }
        identities += moved == 0;
        fixed += PSB_AXES - moved;
        for (int b = 0; b < PSB_ROTATIONS; b++) {
            uint8_t product[PSB_AXES];
            int found = 0;
            for (int m = 0; m < PSB_AXES; m++) {
                product[m] = rotation[a][rotation[b][m]];
            }
            for (int c = 0; c < PSB_ROTATIONS; c++) {
                found += same(product, rotation[c]);
            }
            assert_int_equal(found, 1);
        }
        /* Angles between axes are kept. */
        for (int m = 0; m < PSB_AXES; m++) {
            for (int n = 0; n < PSB_AXES; n++) {
                ASSERT_NEAR(fabs(psb_dot(vertex[rotation[a][m]], vertex[rotation[a][n]])),
                            fabs(psb_dot(vertex[m], vertex[n])), 1e-12);
            }
        }
    }
    assert_int_equal(identities, 1);
    assert_int_equal(fixed, PSB_ROTATIONS); /* Burnside: all axes can be carried to all */
    ASSERT_NEAR(psb_norm(vertex[0]), 1.07047, 1e-5);
}

/* Once more, by the definition and nothing else. */
static double slow_distance(const uint8_t *a, const uint8_t *b) {
    double least = INFINITY;
    for (int alignment = 0; alignment < 100 * PSB_ROTATIONS; alignment++) {
        const uint8_t *pi = rotation[alignment % PSB_ROTATIONS];
        int da = alignment / PSB_ROTATIONS / 10, db = alignment / PSB_ROTATIONS % 10;
        double sum = 0.0;
        for (int at = 0; at < PSB_AXES * RECORD; at++) {
            int m = at / RECORD, k = at % RECORD;
            int difference = a[(10 * da + pi[m]) * RECORD + k] - b[(10 * db + m) * RECORD + k];
            sum += (k >= 35 && k <= 45 ? 2.0 : 1.0) * abs(difference);
        }
        least = fmin(least, sum);
    }
    return least;
}

static void the_reference_is_what_it_says(void **state) {
    (void)state;
    for (int i = 0; i < ROWS; i += 2) {
        for (int j = 1; j < ROWS; j += 3) {
            double expected = slow_distance(rows + i * LENGTH, rows + j * LENGTH);
            assert_true(psb_lfd_metric.pair(rows + i * LENGTH, rows + j * LENGTH, LENGTH) ==
                        expected);
        }
    }
    assert_true(slow_distance(rows + 7 * LENGTH, rows + 8 * LENGTH) == 147900.0);
}

static void kernels_give_the_same_integers(void **state) {
    (void)state;
    psb_block table = {&psb_lfd_metric, {rows, ROWS, LENGTH, PSB_UINT8}, NULL, NULL};
    void *scratch = aligned_alloc(64, (psb_lfd_metric.tile_scratch(ROWS, LENGTH) + 63) / 64 * 64);
    assert_non_null(scratch);
    int tried = 0;
    for (int k = 0; psb_lfd_kernels[k] != NULL; k++) {
        if (!psb_cpu_has(psb_lfd_kernels[k]->needs)) {
            print_message("no %s here\n", psb_lfd_kernels[k]->name);
            continue;
        }
        float out[ROWS][ROWS + 2];
        psb_lfd_tile((const psb_lfd_kernel *)psb_lfd_kernels[k], &table, &table, false, scratch,
                     out[0], ROWS + 2);
        for (int i = 0; i < ROWS; i++) {
            for (int j = 0; j < ROWS; j++) {
                double expected = psb_lfd_metric.pair(rows + i * LENGTH, rows + j * LENGTH, LENGTH);
                if (out[i][j] != (float)expected) {
                    fail_msg("%s: %g, not %g for (%d, %d)", psb_lfd_kernels[k]->name,
                             (double)out[i][j], expected, i, j);
                }
            }
        }
        tried++;
    }
    assert_true(tried > 0);
    free(scratch);
}

/* The sum of one alignment, by the definition. */
static uint32_t sum_of(const uint8_t *a, const uint8_t *b, psb_lfd_alignment at) {
    uint32_t sum = 0;
    for (int i = 0; i < PSB_AXES * RECORD; i++) {
        int m = i / RECORD, k = i % RECORD;
        int difference = a[(10 * at.left + m) * RECORD + k] -
                         b[(10 * at.right + rotation[at.rotation][m]) * RECORD + k];
        sum += (uint32_t)((k >= 35 && k <= 45 ? 2 : 1) * abs(difference));
    }
    return sum;
}

/* Rows that differ by 1 here and there, and by more and more. */
static void fill_similar(uint8_t similar[ROWS * LENGTH]) {
    psb_random random = psb_random_seeded(12, "similar", "test");
    memcpy(similar, rows, LENGTH);
    for (int i = LENGTH; i < ROWS * LENGTH; i++) {
        uint64_t change = psb_random_below(&random, 2u << i / LENGTH / 2);
        similar[i] = (uint8_t)(similar[i - LENGTH] + change);
    }
}

/* Says whether the search for alignments left out everything within the limit, and checks that it
   leaves out none that it should not. */
static bool nothing_near(const psb_lfd_kernel *kernel, const uint8_t *a, const uint8_t *b,
                         uint32_t limit, uint32_t distance) {
    static psb_lfd_costs costs;
    static psb_lfd_right_sketch right;
    static psb_lfd_sketch sketch[2];
    psb_lfd_alignment found[PSB_LFD_FEW];
    psb_lfd_list list;
    memset(&costs, 0xff, sizeof costs);
    psb_lfd_sketch_make(a, &sketch[0]);
    psb_lfd_sketch_make(b, &sketch[1]);
    psb_lfd_sketch_arrange(&sketch[1], &right);
    int met = kernel->meet(&sketch[0], &sketch[1], limit, &list);
    assert_int_equal(met > 0, kernel->meet(&sketch[0], &sketch[1], limit, NULL) > 0);
    if (met == 0 || limit >= UINT16_MAX) {
        assert_true(met > 0 || distance > limit);
        return met == 0;
    }
    assert_int_equal(met, list.count);
    size_t count = kernel->near(&sketch[0], &list, &right, rotation, limit, &costs, found);
    uint32_t least = UINT32_MAX;
    for (size_t f = 0; f < count && f < PSB_LFD_FEW; f++) {
        uint32_t sum = sum_of(a, b, found[f]);
        least = sum < least ? sum : least;
    }
    assert_true(least >= distance);
    assert_true(count > PSB_LFD_FEW || least == distance || distance > limit);
    return count == 0;
}

/* No bound is above the distance: what is within a limit is found for the smallest such limit. */
static void sketches_leave_out_nothing_within(void **state) {
    (void)state;
    static uint8_t similar[ROWS * LENGTH];
    fill_similar(similar);
    for (int k = 0; psb_lfd_kernels[k] != NULL; k++) {
        const psb_lfd_kernel *kernel = (const psb_lfd_kernel *)psb_lfd_kernels[k];
        int left_out = 0;
        for (int i = 0; i < 2 * ROWS * ROWS && psb_cpu_has(kernel->variant.needs); i++) {
            const uint8_t *set = i < ROWS * ROWS ? rows : similar;
            const uint8_t *a = set + i / ROWS % ROWS * LENGTH, *b = set + i % ROWS * LENGTH;
            uint32_t distance = (uint32_t)psb_lfd_metric.pair(a, b, LENGTH);
            assert_false(nothing_near(kernel, a, b, distance, distance));
            assert_false(nothing_near(kernel, a, b, distance + 500, distance));
            left_out += distance > 0 && nothing_near(kernel, a, b, distance / 4, distance);
        }
        assert_true(left_out > ROWS || !psb_cpu_has(kernel->variant.needs));
    }
}

/* What neither row asks for may be something else, but as far away; all else stays. */
static void limits_change_nothing_within(void **state) {
    (void)state;
    enum { PLAIN = 0, LIMITED = 1 };
    static float out[2][ROWS][ROWS], again[ROWS][ROWS];
    float limit[ROWS];
    psb_block block = {&psb_lfd_metric, {rows, ROWS, LENGTH, PSB_UINT8}, NULL, NULL};
    void *scratch = aligned_alloc(64, (psb_lfd_metric.tile_scratch(ROWS, LENGTH) + 63) / 64 * 64);
    void *prepared = aligned_alloc(64, psb_block_bytes(psb_lfd_metric.limited, ROWS, LENGTH));
    assert_non_null(prepared);
    assert_non_null(scratch);
    for (int k = 0; psb_lfd_kernels[k] != NULL; k++) {
        const psb_lfd_kernel *kernel = (const psb_lfd_kernel *)psb_lfd_kernels[k];
        if (!psb_cpu_has(kernel->variant.needs)) {
            continue;
        }
        block.limit = NULL;
        psb_lfd_tile(kernel, &block, &block, false, scratch, out[PLAIN][0], ROWS);
        for (int i = 0; i < ROWS; i++) { /* its row's, some of them; 0 is the diagonal's */
            limit[i] = out[PLAIN][i][i % 3 == 0 ? (i + 1) % ROWS : i];
        }
        block.limit = limit;
        psb_lfd_tile(kernel, &block, &block, false, scratch, out[LIMITED][0], ROWS);
        /* Rows that were prepared give the same. */
        psb_block ready = psb_block_prepare(psb_lfd_metric.limited, &block.rows, prepared);
        ready.limit = limit;
        psb_lfd_tile(kernel, &ready, &ready, false, scratch, again[0], ROWS);
        assert_memory_equal(again, out[LIMITED], sizeof again);
        int others = 0;
        for (int i = 0; i < ROWS * ROWS; i++) {
            float asked = fmaxf(limit[i / ROWS], limit[i % ROWS]);
            float is = out[LIMITED][i / ROWS][i % ROWS], was = out[PLAIN][i / ROWS][i % ROWS];
            assert_true(is == was || (is > asked && is < was));
            others += is != was;
        }
        assert_true(others > 0);
    }
    free(prepared);
    free(scratch);
}

static void distances_are_symmetric_and_blind_to_turns(void **state) {
    (void)state;
    float out[ROWS][ROWS];
    psb_row_view table = {rows, ROWS, LENGTH, PSB_UINT8};
    psb_error error;
    assert_int_equal(psb_distance_matrix(&psb_lfd_metric, &table, 2, out[0], NULL, NULL, &error),
                     PSB_OK);
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < ROWS; j++) {
            const uint8_t *a = rows + i * LENGTH, *b = rows + j * LENGTH;
            double d = psb_lfd_metric.pair(a, b, LENGTH);
            assert_true(d == psb_lfd_metric.pair(b, a, LENGTH));
            assert_true((d == 0.0) == (i == j || (i == 0 && j == 5) || (i == 5 && j == 0)));
            assert_true(out[i][j] == (float)d);
        }
    }
    for (int j = 0; j < ROWS; j++) {
        assert_true(out[0][j] == out[5][j]);
    }
}

/* Whichever way the cameras are turned and wherever they begin, each kernel finds it out. */
static void no_rotation_of_the_cameras_is_left_out(void **state) {
    (void)state;
    static uint8_t turned[PSB_ROTATIONS * LENGTH];
    for (int at = 0; at < PSB_ROTATIONS * PSB_VIEWS; at++) {
        int r = at / PSB_VIEWS, d = at % PSB_VIEWS / PSB_AXES, m = at % PSB_AXES;
        memcpy(turned + r * LENGTH + ((d + r) % 10 * PSB_AXES + rotation[r][m]) * RECORD,
               rows + (d * PSB_AXES + m) * RECORD, RECORD);
    }
    psb_block one = {&psb_lfd_metric, {rows, 1, LENGTH, PSB_UINT8}, NULL, NULL};
    psb_block all = {&psb_lfd_metric, {turned, PSB_ROTATIONS, LENGTH, PSB_UINT8}, NULL, NULL};
    size_t bytes = psb_lfd_metric.tile_scratch(PSB_ROTATIONS, LENGTH);
    void *scratch = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert_non_null(scratch);
    for (int r = 0; r < PSB_ROTATIONS; r++) {
        assert_true(psb_lfd_metric.pair(rows, turned + r * LENGTH, LENGTH) == 0.0);
    }
    for (int k = 0; psb_lfd_kernels[k] != NULL; k++) {
        float out[PSB_ROTATIONS];
        if (!psb_cpu_has(psb_lfd_kernels[k]->needs)) {
            continue;
        }
        psb_lfd_tile((const psb_lfd_kernel *)psb_lfd_kernels[k], &one, &all, false, scratch, out,
                     PSB_ROTATIONS);
        for (int r = 0; r < PSB_ROTATIONS; r++) {
            assert_true(out[r] == 0.0F);
        }
    }
    free(scratch);
}

static void other_lengths_are_refused(void **state) {
    (void)state;
    static uint8_t two[2 * 4500];
    float out[4];
    psb_row_view table = {two, 2, 4500, PSB_UINT8};
    psb_error error;
    assert_int_equal(psb_distance_matrix(&psb_lfd_metric, &table, 1, out, NULL, NULL, &error),
                     PSB_ERROR_USAGE);
    assert_string_equal(error.message, "metric lfd does not take rows of 4500 numbers");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rotations_form_a_group),
        cmocka_unit_test(the_reference_is_what_it_says),
        cmocka_unit_test(kernels_give_the_same_integers),
        cmocka_unit_test(sketches_leave_out_nothing_within),
        cmocka_unit_test(limits_change_nothing_within),
        cmocka_unit_test(distances_are_symmetric_and_blind_to_turns),
        cmocka_unit_test(no_rotation_of_the_cameras_is_left_out),
        cmocka_unit_test(other_lengths_are_refused),
    };
    return cmocka_run_group_tests_name("lfd_distance", tests, fill, NULL);
}
