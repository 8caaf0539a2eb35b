/* Tests two sets compared: streamed against every pair, one after the other; intervals; ties. */
#include "core/file.h"
#include "core/random.h"
#include "core/text.h"
#include "io/npy.h"
#include "lightfield/metric_kernel.h"
#include "studies/generative.h"
#include "support/files.h"
#include "support/meshes.h"
#include "support/test.h"
#include "synth/synth.h"

enum { GENERATED = 300, REFERENCES = 131, LENGTH = 6, ROUNDS = 2000 };

/* Few different numbers: many distances are 0, or equal. */
static float rows[GENERATED + REFERENCES][LENGTH];

static int fill(void **state) {
    (void)state;
    psb_random random = psb_random_seeded(5, "rows", "test");
    for (int i = 0; i < (GENERATED + REFERENCES) * LENGTH; i++) {
        rows[i / LENGTH][i % LENGTH] = (float)psb_random_below(&random, 12);
    }
    psb_error error;
    test_folder();
    assert_int_equal(
        psb_npy_write(test_path("generated.npy"), rows, GENERATED, LENGTH, PSB_FLOAT32, &error),
        PSB_OK);
    assert_int_equal(psb_npy_write(test_path("reference.npy"), rows[GENERATED], REFERENCES, LENGTH,
                                   PSB_FLOAT32, &error),
                     PSB_OK);
    return 0;
}

static int clean(void **state) {
    (void)state;
    test_folder_remove();
    return 0;
}

/* ---- the slow reference ---------------------------------------------------------------- */

/* d[i * n + j], the first `generated` of the n shapes are generated. */
static void slow_figures(const double *d, size_t generated, size_t n, double figures[3]) {
    size_t references = n - generated, covered = 0;
    double sum = 0, correct = 0;
    for (size_t r = generated; r < n; r++) {
        double least = INFINITY;
        for (size_t g = 0; g < generated; g++) {
            least = fmin(least, d[r * n + g]);
        }
        sum += least;
        bool found = false;
        for (size_t g = 0; g < generated; g++) {
            bool is_first = true;
            for (size_t s = generated; s < n; s++) {
                is_first = is_first &&
                           (s < r ? d[g * n + s] > d[g * n + r] : d[g * n + s] >= d[g * n + r]);
            }
            found = found || is_first;
        }
        covered += found;
    }
    for (size_t i = 0; i < n; i++) {
        double least[2] = {INFINITY, INFINITY};
        for (size_t j = 0; j < n; j++) {
            bool other = (i < generated) != (j < generated);
            least[other] = i != j ? fmin(least[other], d[i * n + j]) : least[other];
        }
        correct += least[0] < least[1] ? 1 : least[0] == least[1] ? 0.5 : 0;
    }
    figures[0] = sum / (double)references;
    figures[1] = (double)covered / (double)references;
    figures[2] = correct / (double)n;
}

static psb_generative_job job_of(const char *metric, int threads) {
    static const psb_metric *chosen;
    chosen = psb_metric_find(metric);
    return (psb_generative_job){
        .metrics = &chosen,
        .nmetrics = 1,
        .threads = threads,
        .options = {.memory = (size_t)1 << 30, .rounds = ROUNDS, .seed = 3}};
}

static psb_generative_row compare(psb_generative_job job, const char *generated,
                                  const char *reference) {
    char path[300];
    snprintf(path, sizeof path, "%s", test_path(generated));
    job.options.sets[PSB_GENERATED] = path;
    job.options.sets[PSB_REFERENCE] = test_path(reference);
    psb_generative_row row;
    size_t failures;
    psb_error error;
    assert_int_equal(psb_generative_compare(&job, &row, &failures, &error), PSB_OK);
    assert_int_equal(failures, 0);
    return row;
}

static void streamed_figures_are_those_of_all_pairs(void **state) {
    (void)state;
    static const char *const metrics[] = {"l1", "l2", "cd", "emd",
                                          "emd-auction"}; /* of points: of two each */
    size_t n = GENERATED + REFERENCES;
    double *d = malloc(n * n * sizeof *d), expected[3];
    assert_non_null(d);
    for (int m = 0; m < 5; m++) {
        for (size_t k = 0; k < n * n; k++) {
            d[k] = (float)psb_metric_find(metrics[m])->pair(rows[k / n], rows[k % n], LENGTH);
        }
        slow_figures(d, GENERATED, n, expected);
        psb_generative_row row = compare(job_of(metrics[m], 1), "generated.npy", "reference.npy");
        assert_int_equal(row.count[PSB_GENERATED], GENERATED);
        assert_int_equal(row.count[PSB_REFERENCE], REFERENCES);
        for (int f = 0; f < 3; f++) {
            ASSERT_NEAR(row.figures[f].value, expected[f], 1e-6);
        }
        /* Not all the same, or the test would say little. */
        assert_true(expected[1] > 0.3 && expected[1] < 0.99 && expected[2] > 0.3);
        psb_generative_row other = compare(job_of(metrics[m], 3), "generated.npy", "reference.npy");
        assert_memory_equal(row.figures, other.figures, sizeof row.figures);
    }
    free(d);
}

static void a_copy_cannot_be_told_from_its_reference(void **state) {
    (void)state;
    psb_generative_row row = compare(job_of("l2", 2), "reference.npy", "reference.npy");
    ASSERT_NEAR(row.figures[PSB_MATCHING_DISTANCE].value, 0, 0);
    assert_true(row.figures[PSB_ONE_NEAREST_NEIGHBOR].value < 0.5);
}

/* ---- intervals ------------------------------------------------------------------------- */

/* The nearest shapes of all as the given distances say. */
static void measure(size_t n, float *own[2], float *other[2], bool *covered, uint64_t seed,
                    psb_set_value figures[3]) {
    psb_set_distances d = {.count = {n, n},
                           .own = {own[0], own[1]},
                           .other = {other[0], other[1]},
                           .covered = covered};
    psb_resampling resampling = {ROUNDS, seed, 1, NULL, NULL};
    psb_error error;
    assert_int_equal(psb_two_sets_measure(&d, "test", &resampling, figures, &error), PSB_OK);
}

static void intervals_are_as_wide_as_means_vary(void **state) {
    (void)state;
    enum { N = 400 };
    static float far[N], values[N], near[N];
    static bool covered[N];
    psb_random random = psb_random_seeded(9, "values", "test");
    double sum = 0, square = 0, share = 0;
    for (int i = 0; i < N; i++) {
        far[i] = 5;
        near[i] = 1;
        values[i] = (float)(2 + psb_random_unit(&random));
        covered[i] = psb_random_below(&random, 4) == 0;
        sum += values[i];
        square += (double)values[i] * values[i];
        share += covered[i] / (double)N;
    }
    psb_set_value f[3], again[3];
    measure(N, (float *[]){near, far}, (float *[]){values, values}, covered, 1, f);
    double mean = sum / N, error = sqrt((square / N - mean * mean) / N);
    ASSERT_NEAR(f[0].value, mean, 1e-12);
    ASSERT_NEAR(f[0].low, mean - 1.96 * error, 0.2 * error);
    ASSERT_NEAR(f[0].high, mean + 1.96 * error, 0.2 * error);
    error = sqrt(share * (1 - share) / N);
    ASSERT_NEAR(f[1].low, share - 1.96 * error, 0.3 * error);
    ASSERT_NEAR(f[1].high, share + 1.96 * error, 0.3 * error);
    /* All generated shapes are near their own, no reference is: drawn for itself, neither varies.
     */
    ASSERT_NEAR(f[2].value, 0.5, 0);
    ASSERT_NEAR(f[2].low, 0.5, 0);
    ASSERT_NEAR(f[2].high, 0.5, 0);
    measure(N, (float *[]){near, far}, (float *[]){values, values}, covered, 2, again);
    assert_true(again[0].low != f[0].low && again[0].value == f[0].value);
    /* As near to both sets: one half each. */
    measure(N, (float *[]){near, far}, (float *[]){near, far}, covered, 1, f);
    ASSERT_NEAR(f[2].value, 0.5, 0);
}

/* ---- models ---------------------------------------------------------------------------- */

enum { MODELS = 24, OF_GENERATED = 11 };

static uint8_t lfd[MODELS][PSB_LFD_LENGTH];

static void write_models(void) {
    for (size_t i = 0; i < MODELS; i++) {
        psb_text off = {0};
        psb_mesh mesh;
        char name[64], id[16];
        assert_int_equal(psb_synth_model(PSB_SYNTH_SEED, i * 3, &off, NULL), PSB_OK);
        snprintf(id, sizeof id, "%02zu", i);
        snprintf(name, sizeof name, "%s/%s.off", i < OF_GENERATED ? "samples" : "models", id);
        test_write(name, off.data, off.length);
        assert_int_equal(psb_mesh_read(test_path(name), &mesh, NULL), PSB_OK);
        test_describe("LFD", &mesh, id, (float *)(void *)lfd[i]);
        psb_mesh_free(&mesh);
        psb_text_free(&off);
    }
}

static psb_generative_row compare_models(psb_spec *spec, const char *folder, size_t lost) {
    char samples[300], models[300], run[300];
    snprintf(samples, sizeof samples, "%s", test_path("samples"));
    snprintf(models, sizeof models, "%s", test_path("models"));
    snprintf(run, sizeof run, "%s", test_path("run"));
    psb_generative_job job = job_of("lfd", 2);
    job.nmetrics = 0;
    job.options.sets[PSB_GENERATED] = samples;
    job.options.sets[PSB_REFERENCE] = models;
    job.options.folder = folder != NULL ? run : NULL;
    job.options.command_line = "psbench generative";
    job.specs = &spec;
    job.nspecs = 1;
    psb_generative_row row;
    size_t failures;
    psb_error error;
    assert_int_equal(psb_generative_compare(&job, &row, &failures, &error), PSB_OK);
    assert_int_equal(failures, lost);
    return row;
}

/* Distances are those of the plain light field program, to the unit. */
static void models_are_compared_as_the_light_field_program_does(void **state) {
    (void)state;
    assert_int_equal(psb_make_folder(test_path("samples"), NULL), PSB_OK);
    assert_int_equal(psb_make_folder(test_path("models"), NULL), PSB_OK);
    write_models();
    psb_lfd_rotations rotation;
    psb_dodecahedron_rotations(rotation);
    double d[MODELS * MODELS], expected[3];
    for (size_t k = 0; k < sizeof d / sizeof d[0]; k++) {
        d[k] = psb_lfd_distance(lfd[k / MODELS], lfd[k % MODELS], rotation);
    }
    slow_figures(d, OF_GENERATED, MODELS, expected);
    psb_spec *spec;
    assert_int_equal(psb_spec_parse(NULL, "LFD", &spec, NULL), PSB_OK);
    psb_generative_row row = compare_models(spec, NULL, 0);
    for (int f = 0; f < 3; f++) {
        ASSERT_NEAR(row.figures[f].value, expected[f], 1e-9);
    }
    assert_true(row.figures[0].value > 100);
    /* A model that cannot be read is counted; what is left there goes on, in a folder or not. */
    test_write("samples/broken.off", "OFF\n3 1 0\n", 10);
    psb_generative_row other = compare_models(spec, "run", 1);
    assert_memory_equal(row.figures, other.figures, sizeof row.figures);
    assert_true(psb_is_file(test_path("run/generated/work/LFD.rows")));
    assert_true(psb_is_file(test_path("run/generated/failures.tsv")));
    other = compare_models(spec, "run", 1);
    assert_memory_equal(row.figures, other.figures, sizeof row.figures);
    psb_spec_free(spec);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streamed_figures_are_those_of_all_pairs),
        cmocka_unit_test(a_copy_cannot_be_told_from_its_reference),
        cmocka_unit_test(intervals_are_as_wide_as_means_vary),
        cmocka_unit_test(models_are_compared_as_the_light_field_program_does),
    };
    return cmocka_run_group_tests(tests, fill, clean);
}
