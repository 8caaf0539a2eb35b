/* Tests the transform against direct quadrature, Parseval, rotation of degrees, and the sampling of
 * spheres. */
#include "core/linear.h"
#include "core/random.h"
#include "fields/shape.h"
#include "support/harmonics.h"
#include "support/meshes.h"
#include "support/test.h"

#include <string.h>

static psb_harmonics *harmonics;
static psb_sphere_grid *spheres;
static double *samples, *scratch;
static psb_coefficients *shells;

static int setup(void **state) {
    (void)state;
    psb_error error;
    psb_status status = psb_linear_setup(&error);
    PSB_THEN(status, psb_harmonics_new(&harmonics, &error));
    PSB_THEN(status, psb_sphere_grid_new(&spheres, &error));
    samples = psb_new(&status, PSB_SPHERE_SAMPLES, sizeof *samples, "samples", &error);
    scratch = psb_new(&status, psb_harmonics_scratch(PSB_SHELLS), sizeof *scratch, "it", &error);
    shells = psb_new(&status, PSB_SHELLS, sizeof *shells, "shells", &error);
    return status == PSB_OK ? 0 : -1;
}

static int teardown(void **state) {
    (void)state;
    free(shells);
    free(scratch);
    free(samples);
    psb_sphere_grid_free(spheres);
    psb_harmonics_free(harmonics);
    return 0;
}

static void direction(int i, int j, double u[3]) {
    double polar = M_PI * (2 * j + 1) / 128.0, azimuth = 2.0 * M_PI * i / 64.0;
    u[0] = sin(polar) * cos(azimuth);
    u[1] = sin(polar) * sin(azimuth);
    u[2] = cos(polar);
}

/* Random coefficients of a real function, and the function's value at a direction. */
static void random_function(uint64_t seed, psb_coefficients a) {
    psb_random random = psb_random_seeded(seed, "function", "test");
    for (int l = 0; l < PSB_DEGREES; l++) {
        for (int m = 0; m <= l; m++) {
            a[psb_lm(l, m)][0] = psb_random_unit(&random) - 0.5;
            a[psb_lm(l, m)][1] = m > 0 ? psb_random_unit(&random) - 0.5 : 0.0;
        }
    }
}

static double value_at(psb_coefficients a, const double u[3]) {
    psb_coefficients y;
    test_harmonics(u, y);
    double sum = 0.0;
    for (int l = 0; l < PSB_DEGREES; l++) {
        for (int m = 0; m <= l; m++) {
            const double *c = a[psb_lm(l, m)], *v = y[psb_lm(l, m)];
            sum += (m > 0 ? 2.0 : 1.0) * (c[0] * v[0] - c[1] * v[1]);
        }
    }
    return sum;
}

static void constant_has_one_coefficient(void **state) {
    (void)state;
    for (int s = 0; s < PSB_GRID * PSB_GRID; s++) {
        samples[s] = 1.0;
    }
    psb_harmonics_forward(harmonics, 1, samples, scratch, shells);
    ASSERT_NEAR(shells[0][0][0], sqrt(4.0 * M_PI), 1e-12);
    for (int lm = 1; lm < PSB_COEFFICIENTS; lm++) {
        ASSERT_NEAR(shells[0][lm][0], 0.0, 1e-12);
        ASSERT_NEAR(shells[0][lm][1], 0.0, 1e-12);
    }
}

/* Low harmonics written out by hand fix sign and normalisation. */
static void low_harmonics_are_the_textbook_ones(void **state) {
    (void)state;
    double u[3];
    direction(5, 20, u);
    psb_coefficients y;
    test_harmonics(u, y);
    ASSERT_NEAR(y[psb_lm(1, 0)][0], sqrt(3.0 / (4.0 * M_PI)) * u[2], 1e-15);
    ASSERT_NEAR(y[psb_lm(1, 1)][0], -sqrt(3.0 / (8.0 * M_PI)) * u[0], 1e-15);
    ASSERT_NEAR(y[psb_lm(1, 1)][1], -sqrt(3.0 / (8.0 * M_PI)) * u[1], 1e-15);
    ASSERT_NEAR(y[psb_lm(2, 0)][0], sqrt(5.0 / (16.0 * M_PI)) * (3.0 * u[2] * u[2] - 1.0), 1e-15);
    ASSERT_NEAR(y[psb_lm(2, 1)][0], -sqrt(15.0 / (8.0 * M_PI)) * u[0] * u[2], 1e-15);
    ASSERT_NEAR(y[psb_lm(2, 2)][1], sqrt(15.0 / (32.0 * M_PI)) * 2.0 * u[0] * u[1], 1e-15);
}

/* Synthesis, then analysis, gives the coefficients back: for one function and for 32 at once, of
 * which some are 0. */
static void analysis_inverts_synthesis(void **state) {
    (void)state;
    static const size_t counts[] = {1, PSB_SHELLS};
    for (int c = 0; c < 2; c++) {
        size_t n = counts[c];
        static psb_coefficients expected[PSB_SHELLS];
        for (size_t f = 0; f < n; f++) {
            random_function(f, expected[f]);
            if (f >= 8 && f < 20) {
                memset(expected[f], 0, sizeof expected[f]);
            }
            for (int j = 0; j < PSB_GRID; j++) {
                for (int i = 0; i < PSB_GRID; i++) {
                    double u[3];
                    direction(i, j, u);
                    samples[((size_t)j * n + f) * PSB_GRID + (size_t)i] = value_at(expected[f], u);
                }
            }
        }
        psb_harmonics_forward(harmonics, n, samples, scratch, shells);
        for (size_t f = 0; f < n; f++) {
            for (int lm = 0; lm < PSB_COEFFICIENTS; lm++) {
                ASSERT_NEAR(shells[f][lm][0], expected[f][lm][0], 1e-12);
                ASSERT_NEAR(shells[f][lm][1], expected[f][lm][1], 1e-12);
            }
        }
    }
}

/* What one sample contributes, for any sample: the harmonic there times its node's solid angle. */
static void impulse_gives_the_harmonic_at_its_node(void **state) {
    (void)state;
    for (int n = 0; n < PSB_GRID * PSB_GRID; n += 61) {
        int i = n % PSB_GRID, j = n / PSB_GRID;
        memset(samples, 0, PSB_GRID * PSB_GRID * sizeof samples[0]);
        samples[n] = 1.0;
        psb_harmonics_forward(harmonics, 1, samples, scratch, shells);
        double u[3], weight = psb_harmonics_solid_angle(harmonics, j);
        direction(i, j, u);
        psb_coefficients y;
        test_harmonics(u, y);
        for (int lm = 0; lm < PSB_COEFFICIENTS; lm++) {
            ASSERT_NEAR(shells[0][lm][0], weight * y[lm][0], 1e-15);
            ASSERT_NEAR(shells[0][lm][1], -weight * y[lm][1], 1e-15);
        }
    }
}

/* Rows in both forms have the L2 norm of the function (Parseval). */
static void stored_rows_keep_the_norm(void **state) {
    (void)state;
    psb_coefficients a;
    random_function(77, a);
    double square = 0.0; /* integral of f^2, by a fine rule that knows nothing of harmonics */
    const int n = 200;
    for (int j = 0; j < n; j++) {
        double z = -1.0 + (2.0 * j + 1.0) / n;
        for (int i = 0; i < n; i++) {
            double azimuth = 2.0 * M_PI * i / n, r = sqrt(1.0 - z * z);
            double u[3] = {r * cos(azimuth), r * sin(azimuth), z};
            square += value_at(a, u) * value_at(a, u) * 4.0 * M_PI / n / n;
        }
    }
    double full[PSB_FULL], magnitude[PSB_COEFFICIENTS], sums[2] = {0.0, 0.0};
    psb_harmonics_store(a, PSB_FORM_FULL, full);
    psb_harmonics_store(a, PSB_FORM_MAGNITUDE, magnitude);
    for (size_t i = 0; i < psb_form_length(PSB_FORM_FULL); i++) {
        sums[0] += full[i] * full[i];
    }
    for (size_t i = 0; i < psb_form_length(PSB_FORM_MAGNITUDE); i++) {
        sums[1] += magnitude[i] * magnitude[i];
        assert_true(magnitude[i] >= 0.0);
    }
    ASSERT_NEAR(sums[0], square, 2e-3 * square);
    ASSERT_NEAR(sums[1], sums[0], 1e-12 * sums[0]);
}

/* That the samples are those of i + 2 j + 3 k. */
static void assert_linear(void) {
    for (int shell = 0; shell < PSB_SHELLS - 1; shell += 5) {
        for (int j = 0; j < PSB_GRID; j += 7) {
            for (int i = 0; i < PSB_GRID; i += 5) {
                double u[3], r = shell + 0.5;
                direction(i, j, u);
                double expected = 6.0 * 32.0 + r * (u[0] + 2.0 * u[1] + 3.0 * u[2]);
                double area_root = sqrt(4.0 * M_PI * r * r);
                size_t at = ((size_t)j * PSB_SHELLS + (size_t)shell) * PSB_GRID + (size_t)i;
                ASSERT_NEAR(samples[at] / area_root, expected, 1e-4);
            }
        }
    }
}

/* A linear volume is sampled exactly by trilinear interpolation, from rows that have distances. */
static void spheres_sample_a_linear_volume(void **state) {
    (void)state;
    float *volume = calloc(PSB_VOLUME, sizeof *volume);
    assert_non_null(volume);
    for (int k = 0; k < PSB_VOXELS; k++) {
        for (int j = 0; j < PSB_VOXELS; j++) {
            for (int i = 0; i < PSB_VOXELS; i++) {
                volume[psb_volume_index(i, j, k)] =
                    psb_distance_row(j, k) ? (float)(i + 2 * j + 3 * k) : NAN;
            }
        }
    }
    for (int v = 0; psb_trilinear_kernels[v] != NULL; v++) {
        if (psb_cpu_has(psb_trilinear_kernels[v]->needs)) {
            const psb_trilinear_kernel *kernel = (const void *)psb_trilinear_kernels[v];
            kernel->run(spheres, volume, samples);
            assert_linear();
        }
    }
    free(volume);
}

/* All versions for this processor give the same bits. */
static void versions_of_sampling_agree(void **state) {
    (void)state;
    const size_t bytes = PSB_SPHERE_SAMPLES * sizeof(double);
    psb_random random = psb_random_seeded(4, "spheres", "test");
    float *volume = calloc(PSB_VOLUME, sizeof *volume);
    double *expected = malloc(bytes);
    assert_true(volume != NULL && expected != NULL);
    for (int v = 0; v < PSB_VOXELS * PSB_VOXELS * PSB_VOXELS; v++) {
        int i = v % PSB_VOXELS, j = v / PSB_VOXELS % PSB_VOXELS;
        volume[psb_volume_index(i, j, v / PSB_VOXELS / PSB_VOXELS)] =
            (float)psb_random_unit(&random);
    }
    psb_sphere_sample_trilinear(spheres, volume, expected);
    for (int v = 0; psb_trilinear_kernels[v] != NULL; v++) {
        if (psb_cpu_has(psb_trilinear_kernels[v]->needs)) {
            ((const psb_trilinear_kernel *)psb_trilinear_kernels[v])->run(spheres, volume, samples);
            assert_memory_equal(samples, expected, bytes);
        }
    }
    psb_raster raster;
    for (int j = 0; j < PSB_VOXELS * PSB_VOXELS; j++) {
        raster.row[j / PSB_VOXELS][j % PSB_VOXELS] = psb_random_below(&random, UINT64_MAX);
    }
    psb_sphere_sample_nearest(spheres, &raster, expected);
    for (int v = 0; psb_nearest_kernels[v] != NULL; v++) {
        if (psb_cpu_has(psb_nearest_kernels[v]->needs)) {
            ((const psb_nearest_kernel *)psb_nearest_kernels[v])->run(spheres, &raster, samples);
            assert_memory_equal(samples, expected, bytes);
        }
    }
    free(expected);
    free(volume);
}

static void solid_angles_cover_the_sphere(void **state) {
    (void)state;
    double sum = 0.0;
    for (int j = 0; j < PSB_GRID; j++) {
        sum += PSB_GRID * psb_harmonics_solid_angle(harmonics, j);
    }
    ASSERT_NEAR(sum, 4.0 * M_PI, 1e-12);
}

/* A batch of random directions with weights of both signs; the last ones have weight 0. */
static void random_batch(psb_directions *directions, double even[PSB_BATCH],
                         double odd[PSB_BATCH]) {
    psb_random random = psb_random_seeded(5, "batch", "test");
    for (int i = 0; i < PSB_BATCH; i++) {
        double z = 2.0 * psb_random_unit(&random) - 1.0, r = sqrt(1.0 - z * z);
        double azimuth = 2.0 * M_PI * psb_random_unit(&random);
        directions->at[0][i] = r * cos(azimuth);
        directions->at[1][i] = r * sin(azimuth);
        directions->at[2][i] = z;
        even[i] = i < 100 ? psb_random_unit(&random) - 0.3 : 0.0;
        odd[i] = i < 100 ? psb_random_unit(&random) - 0.3 : 0.0;
    }
}

/* Sums of weight conj(Y_lm), one direction after the other. */
static void sums_over_directions_are_those_of_harmonics(void **state) {
    (void)state;
    static psb_directions directions;
    static double even[PSB_BATCH], odd[PSB_BATCH];
    random_batch(&directions, even, odd);
    static psb_coefficients expected, both, parts, untouched;
    for (int i = 0; i < PSB_BATCH; i++) {
        double u[3] = {directions.at[0][i], directions.at[1][i], directions.at[2][i]};
        psb_coefficients y;
        test_harmonics(u, y);
        for (int l = 0; l < PSB_DEGREES; l++) {
            for (int m = 0; m <= l; m++) {
                double weight = l % 2 == 0 ? even[i] : odd[i];
                expected[psb_lm(l, m)][0] += weight * y[psb_lm(l, m)][0];
                expected[psb_lm(l, m)][1] -= weight * y[psb_lm(l, m)][1];
            }
        }
    }
    psb_direction_weights measure = {even, odd, &both};
    psb_harmonics_add(harmonics, &directions, &measure, 1);
    for (int v = 0; psb_batch_kernels[v] != NULL; v++) {
        if (psb_cpu_has(psb_batch_kernels[v]->needs)) {
            psb_coefficients again = {{0.0}};
            measure.sum = &again;
            ((const psb_batch_kernel *)psb_batch_kernels[v])
                ->run(harmonics, &directions, &measure, 1);
            assert_memory_equal(again, both, sizeof both);
        }
    }
    /* One parity each into the same sum, beside a measure that adds nothing. */
    psb_direction_weights first[] = {{even, NULL, &parts}, {NULL, NULL, &untouched}};
    psb_direction_weights second[] = {{NULL, NULL, &untouched}, {NULL, odd, &parts}};
    psb_harmonics_add(harmonics, &directions, first, 2);
    psb_harmonics_add(harmonics, &directions, second, 2);
    for (int lm = 0; lm < PSB_COEFFICIENTS; lm++) {
        for (int part = 0; part < 2; part++) {
            ASSERT_NEAR(both[lm][part], expected[lm][part], 1e-11);
            ASSERT_NEAR(parts[lm][part], expected[lm][part], 1e-11);
            assert_true(untouched[lm][part] == 0.0);
        }
    }
}

/* Turning an axis over changes signs of coefficients only, turning about the pole phases. */
static void magnitudes_ignore_flips_and_turns_about_the_pole(void **state) {
    (void)state;
    static psb_directions directions;
    static double even[PSB_BATCH], odd[PSB_BATCH];
    random_batch(&directions, even, odd);
    double expected[PSB_COEFFICIENTS], row[PSB_COEFFICIENTS];
    for (int change = -1; change < 4; change++) { /* none, the three axes, a turn */
        psb_directions changed = directions;
        for (int i = 0; change >= 0 && i < PSB_BATCH; i++) {
            if (change < 3) {
                changed.at[change][i] = -directions.at[change][i];
            } else {
                double x = directions.at[0][i], y = directions.at[1][i];
                changed.at[0][i] = cos(0.7) * x - sin(0.7) * y;
                changed.at[1][i] = sin(0.7) * x + cos(0.7) * y;
            }
        }
        psb_coefficients sum = {{0.0}};
        psb_direction_weights measure = {even, even, &sum};
        psb_harmonics_add(harmonics, &changed, &measure, 1);
        psb_harmonics_store(sum, PSB_FORM_MAGNITUDE, change < 0 ? expected : row);
        for (int lm = 0; change >= 0 && lm < PSB_COEFFICIENTS; lm++) {
            ASSERT_NEAR(row[lm], expected[lm], 1e-11);
        }
    }
}

/* For small t the heat kernel's second moment is that of a Gaussian of standard deviation
 * sqrt(2 t): 1 - cos(angle) is 2 t on average, and exactly 1 - exp(-2 t). */
static void smoothing_spreads_a_point(void **state) {
    (void)state;
    const double t = 0.01, pole[3] = {0.0, 0.0, 1.0};
    psb_coefficients point, twice;
    test_harmonics(pole, point);
    memcpy(twice, point, sizeof twice);
    psb_harmonics_smooth(point, t);
    double mass = point[psb_lm(0, 0)][0] * sqrt(4.0 * M_PI);
    double cosine = point[psb_lm(1, 0)][0] * sqrt(4.0 * M_PI / 3.0);
    ASSERT_NEAR(mass, 1.0, 1e-12);
    ASSERT_NEAR(cosine, exp(-2.0 * t), 1e-12);
    psb_harmonics_smooth(twice, 0.4 * t);
    psb_harmonics_smooth(twice, 0.6 * t);
    for (int lm = 0; lm < PSB_COEFFICIENTS; lm++) {
        ASSERT_NEAR(twice[lm][0], point[lm][0], 1e-14);
    }
}

/* By hand: the arithmetic means of the partial sums of degrees 0 ... k, k = 0 ... 16. */
static void fejer_means_are_means_of_partial_sums(void **state) {
    (void)state;
    psb_coefficients a, mean = {{0}};
    random_function(77, a);
    for (int k = 0; k <= PSB_DEGREES; k++) {
        for (int l = 0; l <= k && l < PSB_DEGREES; l++) {
            for (int m = 0; m <= l; m++) {
                mean[psb_lm(l, m)][0] += a[psb_lm(l, m)][0] / (PSB_DEGREES + 1);
                mean[psb_lm(l, m)][1] += a[psb_lm(l, m)][1] / (PSB_DEGREES + 1);
            }
        }
    }
    psb_harmonics_fejer(a);
    for (int lm = 0; lm < PSB_COEFFICIENTS; lm++) {
        ASSERT_NEAR(a[lm][0], mean[lm][0], 1e-14);
        ASSERT_NEAR(a[lm][1], mean[lm][1], 1e-14);
    }
}

/* The Legendre polynomial of this degree, by Bonnet's recurrence. */
static double legendre(int degree, double z) {
    double before = 0.0, last = 1.0;
    for (int l = 1; l <= degree; l++) {
        double next = ((2 * l - 1) * z * last - (l - 1) * before) / l;
        before = last;
        last = next;
    }
    return last;
}

/*
 * Of one sample of weight w the coefficients are w Y_lm there, and by the addition theorem the
 * squares of a degree's harmonics add up to (2 l + 1) / 4 pi in any direction.
 */
static void tails_are_the_degrees_16_to_31(void **state) {
    (void)state;
    static const size_t counts[] = {1, PSB_SHELLS};
    for (int c = 0; c < 2; c++) {
        size_t count = counts[c], last = count - 1;
        for (int n = 0; n < PSB_GRID * PSB_GRID; n += 121) {
            int i = n % PSB_GRID, j = n / PSB_GRID;
            psb_tail tails[PSB_SHELLS];
            memset(samples, 0, count * PSB_GRID * PSB_GRID * sizeof samples[0]);
            samples[((size_t)j * count + last) * PSB_GRID + (size_t)i] = 1.0;
            psb_harmonics_forward_tails(harmonics, count, samples, scratch, shells, tails);
            double u[3], weight = psb_harmonics_solid_angle(harmonics, j);
            direction(i, j, u);
            double zonal = 0.0, all = 0.0;
            for (int l = PSB_DEGREES; l < 2 * PSB_DEGREES; l++) {
                double share = weight * weight * (2 * l + 1) / (4.0 * M_PI);
                all += share;
                zonal += share * legendre(l, u[2]) * legendre(l, u[2]);
            }
            ASSERT_NEAR(tails[last].zonal, zonal, 1e-12 * all);
            ASSERT_NEAR(tails[last].zonal + 2.0 * tails[last].other, all, 1e-12 * all);
            for (size_t f = 0; f < last; f++) {
                assert_true(tails[f].zonal == 0.0 && tails[f].other == 0.0);
            }
            psb_coefficients y;
            test_harmonics(u, y);
            for (int lm = 0; lm < PSB_COEFFICIENTS; lm++) {
                ASSERT_NEAR(shells[last][lm][0], weight * y[lm][0], 1e-15);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_has_one_coefficient),
        cmocka_unit_test(low_harmonics_are_the_textbook_ones),
        cmocka_unit_test(analysis_inverts_synthesis),
        cmocka_unit_test(impulse_gives_the_harmonic_at_its_node),
        cmocka_unit_test(stored_rows_keep_the_norm),
        cmocka_unit_test(spheres_sample_a_linear_volume),
        cmocka_unit_test(versions_of_sampling_agree),
        cmocka_unit_test(solid_angles_cover_the_sphere),
        cmocka_unit_test(sums_over_directions_are_those_of_harmonics),
        cmocka_unit_test(magnitudes_ignore_flips_and_turns_about_the_pole),
        cmocka_unit_test(smoothing_spreads_a_point),
        cmocka_unit_test(fejer_means_are_means_of_partial_sums),
        cmocka_unit_test(tails_are_the_degrees_16_to_31),
    };
    return cmocka_run_group_tests_name("harmonics", tests, setup, teardown);
}
