/*
 * Tests VIEWS and SPIN: images against a sphere's, features and word sums against slow references
 * in double with the C library's mathematics, the Fisher vector against numerical derivatives.
 */
#include "descriptors/spin.h"
#include "distance/cube.h"
#include "local/depth_views.h"
#include "normalize/surface_points.h"
#include "support/files.h"
#include "support/meshes.h"
#include "support/test.h"

enum { SIDE = PSB_DEPTH_SIDE, PIXELS = PSB_DEPTH_PIXELS, WORDS = PSB_WORD_COUNT };
enum { NUMBERS = PSB_WORD_NUMBERS };

/* ---- views ------------------------------------------------------------------------------- */

/* Directions of unit length, no two of them the same or opposite, and none preferred. */
static void directions_are_spread(void **state) {
    (void)state;
    static const int counts[] = {PSB_CUBE_VIEWS, PSB_ICOSAHEDRON_VIEWS, PSB_FINE_VIEWS};
    for (int c = 0; c < 3; c++) {
        double d[PSB_FINE_VIEWS / 2][3], sum[3][3] = {{0}};
        int n = counts[c] / 2;
        psb_view_directions(counts[c], d);
        for (int i = 0; i < n; i++) {
            ASSERT_NEAR(d[i][0] * d[i][0] + d[i][1] * d[i][1] + d[i][2] * d[i][2], 1, 1e-12);
            for (int j = 0; j < i; j++) {
                double cosine = d[i][0] * d[j][0] + d[i][1] * d[j][1] + d[i][2] * d[j][2];
                assert_true(fabs(cosine) < 0.95);
            }
            for (int k = 0; k < 9; k++) {
                sum[k / 3][k % 3] += d[i][k / 3] * d[i][k % 3];
            }
        }
        for (int k = 0; k < 9; k++) {
            ASSERT_NEAR(sum[k / 3][k % 3], k / 3 == k % 3 ? n / 3.0 : 0, 1e-9);
        }
    }
}

static void fill(const psb_mesh *mesh, const double direction[3], float image[2][PIXELS]) {
    static psb_depth_images images;
    psb_error error;
    assert_int_equal(psb_depth_images_fill(&images, mesh, mesh->vertices, direction, image, &error),
                     PSB_OK);
    psb_buffer_free(&images.turned);
    images.turned = (psb_buffer){NULL, 0};
}

static void a_sphere_has_its_depths(void **state) {
    (void)state;
    static float image[2][PIXELS];
    psb_mesh sphere = test_sphere(0.5, 120, 240);
    fill(&sphere, (double[3]){0.6, 0, 0.8}, image);
    for (int i = 0; i < PIXELS; i++) {
        double x = (i % SIDE + 0.5) / 64 - 1, y = (i / SIDE + 0.5) / 64 - 1;
        double square = 0.25 - x * x - y * y;
        for (int side = 0; side < 2 && fabs(square) > 0.02; side++) {
            /* A vertex counts for its whole pixel: up to half of one away from where it is. */
            double steep = square > 0 ? 0.5 / sqrt(square) / 128 / sqrt(2) : 0;
            ASSERT_NEAR(image[side][i], square > 0 ? (1 + sqrt(square)) / 2 : 0, 2e-3 + steep);
        }
    }
    psb_mesh_free(&sphere);
}

/* The second image is what the opposite direction's first one shows. */
static void the_other_side_is_mirrored(void **state) {
    (void)state;
    static float here[2][PIXELS], there[2][PIXELS];
    psb_mesh blob = test_blob(3, 200);
    const double d[3] = {0.36, 0.48, 0.8}, opposite[3] = {-0.36, -0.48, -0.8};
    int other = 0, seen = 0;
    fill(&blob, d, here);
    fill(&blob, opposite, there);
    for (int i = 0; i < PIXELS; i++) {
        seen += here[1][i] > 0;
        other += fabsf(here[1][i] - there[0][i]) > 1e-6F;
    }
    assert_true(seen > 500 && other < seen / 100);
    psb_mesh_free(&blob);
}

/* ---- features ---------------------------------------------------------------------------- */

static double depth_of(const double *depth, int side, int x, int y) {
    return depth[y * side + x];
}

/* Central, at the border one-sided. */
static double slope(const double *depth, int side, int x, int y, int dx, int dy) {
    int x0 = x - dx < 0 ? x : x - dx, x1 = x + dx >= side ? x : x + dx;
    int y0 = y - dy < 0 ? y : y - dy, y1 = y + dy >= side ? y : y + dy;
    return (depth_of(depth, side, x1, y1) - depth_of(depth, side, x0, y0)) / (x1 - x0 + y1 - y0) *
           side / 2;
}

typedef double maps[SIDE / 2][SIDE / 2][8];

static void slow_maps(const double *depth, int side, maps out) {
    static maps votes;
    memset(votes, 0, sizeof votes);
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) {
            double gx = slope(depth, side, x, y, 1, 0), gy = slope(depth, side, x, y, 0, 1);
            double angle = atan2(gy, gx) / (M_PI / 4), whole = floor(angle);
            double magnitude = fmin(hypot(gx, gy), 3);
            int bin = ((int)whole + 8) % 8;
            votes[y / 2][x / 2][bin] += magnitude * (1 - (angle - whole));
            votes[y / 2][x / 2][(bin + 1) % 8] += magnitude * (angle - whole);
        }
    }
    memset(out, 0, sizeof votes);
    for (int y = 0; y < side / 2; y++) {
        for (int x = 0; x < side / 2; x++) {
            for (int k = 0; k < 9; k++) {
                int j = y + k / 3 - 1, i = x + k % 3 - 1;
                double weight = (k / 3 == 1 ? 2 : 1) * (k % 3 == 1 ? 2 : 1) / 16.0;
                for (int b = 0; b < 8 && j >= 0 && i >= 0 && j < side / 2 && i < side / 2; b++) {
                    out[y][x][b] += weight * votes[j][i][b];
                }
            }
        }
    }
}

static double map_at(const maps m, int half, int x, int y, int bin) {
    return x >= 0 && y >= 0 && x < half && y < half ? m[y][x][(bin + 8) % 8] : 0;
}

static double slow_orientation(const maps m, int half, double x, double y) {
    double sum[8] = {0};
    int peak = 0;
    for (int j = 0; j < half; j++) {
        for (int i = 0; i < half; i++) {
            double square = (i - x) * (i - x) + (j - y) * (j - y);
            for (int b = 0; b < 8 && square <= 16; b++) {
                sum[b] += (1 - square / 25) * m[j][i][b];
            }
        }
    }
    for (int b = 1; b < 8; b++) {
        peak = sum[b] > sum[peak] ? b : peak;
    }
    double left = sum[(peak + 7) % 8], right = sum[(peak + 1) % 8];
    double curve = left - 2 * sum[peak] + right;
    return peak + (curve < 0 ? (left - right) / 2 / curve : 0);
}

/* The 128 numbers, each of 4 x 4 places of 8 orientations; returns their sum before the roots. */
static double slow_feature(const maps m, int half, double x, double y, double *out) {
    double angle = slow_orientation(m, half, x, y), turn = angle * M_PI / 4, total = 0;
    for (int k = 0; k < 128; k++) {
        double right = (k / 8 % 4 - 1.5) * 8 / 2.2 / 2, below = (k / 32 - 1.5) * 8 / 2.2 / 2;
        double px = x + right * cos(turn) - below * sin(turn);
        double py = y + right * sin(turn) + below * cos(turn);
        double bin = k % 8 + angle, value = 0;
        for (int c = 0; c < 8; c++) { /* the corners between which the number lies */
            double fx = floor(px) + c % 2, fy = floor(py) + c / 2 % 2, fb = floor(bin) + c / 4;
            double share = (1 - fabs(px - fx)) * (1 - fabs(py - fy)) * (1 - fabs(bin - fb));
            value += share * map_at(m, half, (int)fx, (int)fy, (int)fb % 8);
        }
        out[k] = value * exp(-(right * right + below * below) / 16);
        total += out[k];
    }
    for (int k = 0; k < 128; k++) {
        out[k] = total > 0 ? sqrt(out[k] / total) : 0;
    }
    return total;
}

static bool slow_near(const double *depth, int side, int x, int y) {
    bool near = false;
    for (int k = 0; k < 9; k++) {
        int j = y + 2 * (k / 3 - 1), i = x + 2 * (k % 3 - 1);
        near |= j >= 0 && i >= 0 && j < side && i < side && depth[j * side + i] > 0;
    }
    return near;
}

static void slow_halve(double *depth, int side) {
    for (int i = 0; i < side * side / 4; i++) {
        double sum = 0, count = 0;
        for (int k = 0; k < 4; k++) {
            double d = depth[(2 * (i / (side / 2)) + k / 2) * side + 2 * (i % (side / 2)) + k % 2];
            sum += d;
            count += d > 0;
        }
        depth[i] = count > 0 ? sum / count : 0;
    }
}

static void features_are_those_of_a_slow_program(void **state) {
    (void)state;
    static float image[2][PIXELS];
    static psb_feature found[PSB_FEATURE_MOST];
    static psb_feature_work work;
    static double depth[PIXELS];
    static maps m;
    psb_mesh blob = test_blob(5, 60);
    fill(&blob, (double[3]){0, 0.6, 0.8}, image);
    size_t n = psb_local_features((const float *)image[0], &work, found), next = 0, doubtful = 0;
    for (int i = 0; i < PIXELS; i++) {
        depth[i] = (double)image[0][i];
    }
    for (int side = SIDE; side >= SIDE / 4; side /= 2) {
        slow_maps(depth, side, m);
        for (int y = 2; y < side; y += 4) {
            for (int x = 2; x < side; x += 4) {
                double out[128], d = depth[y * side + x], z = d > 0 ? 2 * d - 1 : 0, worst = 0;
                double px = (x + 0.5) / side * 2 - 1, py = (y + 0.5) / side * 2 - 1;
                double sum = slow_feature((const double(*)[SIDE / 2][8]) m, side / 2,
                                          (x + 0.5) / 2 - 0.5, (y + 0.5) / 2 - 0.5, out);
                assert_true(fabs(sum - 2) > 1e-4); /* no feature hangs on a rounding */
                if (sum < 2 || !slow_near(depth, side, x, y)) {
                    continue;
                }
                assert_true(next < n);
                for (int k = 0; k < 128; k++) {
                    worst = fmax(worst, fabs((double)found[next][k] - out[k]));
                }
                doubtful += worst > 0.01; /* of two equal peaks either is right */
                ASSERT_NEAR(found[next][128], sqrt(px * px + py * py + z * z), 1e-6);
                ASSERT_NEAR(found[next++][129], z, 1e-6);
            }
        }
        slow_halve(depth, side);
    }
    assert_true(n > 100);
    assert_int_equal(next, n);
    assert_true(doubtful <= n / 100);
    psb_mesh_free(&blob);
}

/* ---- spin images ------------------------------------------------------------------------- */

/* Adds the share of a table's bin whose centre is nearer than one bin to the place. */
static double bin_share(double place, int bins, int bin) {
    double at = fmin(fmax(place * bins - 0.5, 0), bins - 1);
    return fmax(1 - fabs(at - bin), 0);
}

static void slow_spin(const psb_spin_points *p, int key, double radius, double *out) {
    double side = 0;
    int count = 0;
    memset(out, 0, 64 * sizeof *out);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < PSB_SPIN_POINTS; i++) {
            double h = 0, square = 0, cosine = 0;
            for (int k = 0; k < 3; k++) {
                double d = (double)p->at[k][i] - (double)p->at[k][key];
                square += d * d;
                h += d * (double)p->normal[k][key];
                cosine += (double)p->normal[k][i] * (double)p->normal[k][key];
            }
            if (i == key || square >= radius * radius) {
                continue;
            }
            if (pass == 0) {
                side += h * (1 - square / (radius * radius));
                count++;
                continue;
            }
            h *= side > 0 ? -1 : 1;
            double beside = sqrt(fmax(square - h * h, 0)), apart = sqrt(square);
            for (int b = 0; b < 48; b++) {
                out[b] += bin_share(beside / radius, 8, b / 6) *
                          bin_share((h / radius + 1) / 2, 6, b % 6);
            }
            for (int b = 0; b < 16; b++) {
                out[48 + b] +=
                    bin_share(apart / radius, 4, b / 4) * bin_share(fabs(cosine), 4, b % 4);
            }
        }
    }
    for (int b = 0; b < 64; b++) {
        out[b] = count > 0 ? sqrt(out[b] / (2 * count)) : 0;
    }
}

static void points_of(const psb_mesh *mesh, psb_spin_points *points) {
    psb_random random = psb_random_seeded(1, "model", "SPIN");
    double *sums = malloc(mesh->ntriangles * sizeof *sums);
    psb_cloud cloud;
    psb_error error;
    assert_int_equal(psb_cloud_new(&cloud, PSB_SPIN_POINTS, true, &error), PSB_OK);
    psb_surface_cloud(mesh, mesh->vertices, sums, &random, &cloud);
    psb_spin_points_take(&cloud, points);
    psb_cloud_free(&cloud);
    free(sums);
}

static void spin_images_are_those_of_a_slow_program(void **state) {
    (void)state;
    static psb_spin_points points;
    static psb_feature found[PSB_SPIN_FEATURES];
    psb_mesh blob = test_blob(7, 40);
    points_of(&blob, &points);
    psb_spin_features(&points, found);
    for (int f = 0; f < PSB_SPIN_FEATURES; f += 7) {
        double out[128], away = 0, along = 0;
        slow_spin(&points, 2 * f, 0.5, out);
        slow_spin(&points, 2 * f, 1.0, out + 64);
        for (int k = 0; k < 128; k++) {
            ASSERT_NEAR(found[f][k], out[k], 5e-3);
        }
        for (int k = 0; k < 3; k++) {
            away += (double)points.at[k][2 * f] * (double)points.at[k][2 * f];
            along += (double)points.at[k][2 * f] * (double)points.normal[k][2 * f];
        }
        ASSERT_NEAR(found[f][128], sqrt(away), 1e-5);
        ASSERT_NEAR(found[f][129], fabs(along) / sqrt(away), 1e-4);
    }
    psb_mesh_free(&blob);
}

/* As many points on each eighth of a box's surface as its share of the area asks for. */
static void spin_points_are_spread_by_area(void **state) {
    (void)state;
    static psb_spin_points points;
    psb_mesh box = test_box(1, 2, 3);
    int on_side[3] = {0};
    points_of(&box, &points);
    for (int i = 0; i < PSB_SPIN_POINTS; i++) {
        for (int k = 0; k < 3; k++) {
            on_side[k] += fabsf(points.normal[k][i]) > 0.99F;
        }
    }
    ASSERT_NEAR(on_side[0], PSB_SPIN_POINTS * 6.0 / 11, 12);
    ASSERT_NEAR(on_side[1], PSB_SPIN_POINTS * 3.0 / 11, 12);
    ASSERT_NEAR(on_side[2], PSB_SPIN_POINTS * 2.0 / 11, 12);
    psb_mesh_free(&box);
}

/* ---- words ------------------------------------------------------------------------------- */

/* A vocabulary and features by chance: directions are the first 48 shares, turned by nothing. */
static psb_vocabulary *some_vocabulary(void) {
    psb_vocabulary *v = calloc(1, sizeof *v);
    psb_random random = psb_random_seeded(1, "words", "test");
    for (int k = 0; k < PSB_WORD_DIRECTIONS; k++) {
        v->words.direction[k][k] = 1;
    }
    for (int p = 0; p < PSB_FEATURE_PLACES; p++) {
        v->words.place_scale[p] = 0.5F;
    }
    for (int w = 0; w < WORDS; w++) {
        v->words.weight[w] = (float)(w + 1) / (WORDS * (WORDS + 1) / 2.0F);
        for (int d = 0; d < NUMBERS; d++) {
            v->words.centre[w][d] = (float)psb_random_unit(&random);
            v->words.deviation[w][d] = 0.6F + 0.4F * (float)psb_random_unit(&random);
        }
    }
    psb_vocabulary_prepare(v);
    return v;
}

static void fill_features(psb_feature *features, size_t n) {
    psb_random random = psb_random_seeded(2, "features", "test");
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < PSB_FEATURE_NUMBERS; k++) {
            features[i][k] = (float)psb_random_unit(&random);
        }
    }
}

/* Mean log likelihood of the features, with one centre and one deviation moved. */
static double likelihood(const psb_vocabulary_words *words, const psb_feature *features, size_t n,
                         int word, int number, double centre, double deviation) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double p = 0;
        for (int w = 0; w < WORDS; w++) {
            double log_p = log((double)words->weight[w]);
            for (int d = 0; d < NUMBERS; d++) {
                bool moved = w == word && d == number;
                double x = d < PSB_WORD_DIRECTIONS
                               ? (double)features[i][d]
                               : 0.5 * (double)features[i][128 + d - PSB_WORD_DIRECTIONS];
                double s = (double)words->deviation[w][d] + (moved ? deviation : 0);
                double off = x - (double)words->centre[w][d] - (moved ? centre : 0);
                log_p -= log(s) + 0.5 * off * off / (s * s);
            }
            p += exp(log_p);
        }
        sum += log(p);
    }
    return sum / (double)n;
}

static void fisher_vectors_are_derivatives(void **state) {
    (void)state;
    enum { N = 40 };
    static psb_feature features[N];
    static psb_word_sums sums, view;
    static float vector[2 * PSB_WORD_LENGTH];
    psb_vocabulary *v = some_vocabulary();
    fill_features(features, N);
    psb_words_add(v, (const psb_feature *)features, N, &sums, &view);
    psb_fisher_vector(&v->words, &sums, vector);
    for (int k = 0; k < PSB_WORD_LENGTH; k += 131) {
        const double step = 1e-4;
        int w = k / NUMBERS, d = k % NUMBERS;
        double deviation = (double)v->words.deviation[w][d];
        double root = sqrt((double)v->words.weight[w]), slopes[2];
        for (int s = 0; s < 2; s++) {
            double by = s == 0 ? step : 0, wide = s == 0 ? 0 : step;
            slopes[s] =
                (likelihood(&v->words, (const psb_feature *)features, N, w, d, by, wide) -
                 likelihood(&v->words, (const psb_feature *)features, N, w, d, -by, -wide)) /
                (2 * step);
        }
        ASSERT_NEAR(vector[k], slopes[0] * deviation / root, 2e-4);
        ASSERT_NEAR(vector[PSB_WORD_LENGTH + k], slopes[1] * deviation / root / sqrt(2), 2e-4);
    }
    double total = 0;
    for (int w = 0; w < WORDS; w++) {
        total += (double)sums.zeroth[w];
        assert_true(view.zeroth[w] <= sums.zeroth[w]);
    }
    ASSERT_NEAR(total, N, 1e-3);
    free(v);
}

/* All kernels of this processor give the bytes of the plain one. */
static void kernels_agree(void **state) {
    (void)state;
    enum { N = 60 };
    static psb_feature features[N];
    static psb_word_sums sums[2], view[2];
    psb_vocabulary *v = some_vocabulary();
    fill_features(features, N);
    for (int k = 0; psb_words_kernels[k] != NULL; k++) {
        bool plain = psb_words_kernels[k + 1] == NULL;
        if (!psb_cpu_has(psb_words_kernels[k]->needs)) {
            continue;
        }
        for (int pass = 0; pass < 2; pass++) { /* this kernel, then the one that is chosen */
            const psb_variant *words = pass == 0 ? psb_words_kernels[k] : NULL;
            memset(&sums[pass], 0, sizeof sums[pass]);
            memset(&view[pass], 0, sizeof view[pass]);
            ((const psb_words_kernel *)(words != NULL ? words : psb_cpu_choose(psb_words_kernels)))
                ->run(v, (const psb_feature *)features, N, &sums[pass], &view[pass]);
        }
        assert_memory_equal(&sums[0], &sums[1], sizeof sums[0]);
        assert_memory_equal(&view[0], &view[1], sizeof view[0]);
        assert_true(plain || k < 2);
    }
    free(v);
}

/* ---- rows and distances ------------------------------------------------------------------ */

/* A code is at distance 0 from itself with its views permuted by any of the 24 rotations. */
static void turned_views_are_the_same(void **state) {
    (void)state;
    psb_cube_turns view;
    int8_t row[PSB_CUBE_LENGTH], turned[PSB_CUBE_LENGTH];
    psb_random random = psb_random_seeded(1, "codes", "test");
    psb_cube_turns_fill(view);
    for (int v = 0; v < PSB_CUBE_VIEWS; v++) {
        double vector[PSB_CUBE_CODE], sum = 0;
        for (int k = 0; k < PSB_CUBE_CODE; k++) {
            vector[k] = psb_random_unit(&random) - 0.5;
            sum += vector[k] * vector[k];
        }
        for (int k = 0; k < PSB_CUBE_CODE; k++) {
            row[v * PSB_CUBE_CODE + k] = (int8_t)lrint(vector[k] / sqrt(sum) * PSB_CUBE_UNIT);
        }
    }
    double own = 0;
    for (int i = 0; i < PSB_CUBE_LENGTH; i++) {
        own += row[i] * row[i];
    }
    own = 1 - own / (PSB_CUBE_VIEWS * PSB_CUBE_UNIT * PSB_CUBE_UNIT);
    for (int r = 0; r < PSB_CUBE_ROTATIONS; r++) {
        bool used[PSB_CUBE_VIEWS] = {false};
        for (int v = 0; v < PSB_CUBE_VIEWS; v++) {
            assert_false(used[view[r][v]]);
            used[view[r][v]] = true;
            memcpy(turned + view[r][v] * PSB_CUBE_CODE, row + v * PSB_CUBE_CODE, PSB_CUBE_CODE);
        }
        for (int other = 0; other < r; other++) {
            assert_memory_not_equal(view[r], view[other], sizeof view[r]);
        }
        ASSERT_NEAR(psb_cube.pair(row, turned, PSB_CUBE_LENGTH), fmax(own, 0), 1e-12);
        ASSERT_NEAR(psb_cube.pair(turned, row, PSB_CUBE_LENGTH), fmax(own, 0), 1e-12);
    }
}

static void hamming_counts_bits(void **state) {
    (void)state;
    enum { LENGTH = 27 };
    uint8_t a[LENGTH], b[LENGTH];
    psb_random random = psb_random_seeded(1, "bits", "test");
    int differ = 0;
    for (int i = 0; i < LENGTH; i++) {
        a[i] = (uint8_t)psb_random_below(&random, 256);
        b[i] = (uint8_t)psb_random_below(&random, 256);
        for (int bit = 0; bit < 8; bit++) {
            differ += (a[i] >> bit & 1) != (b[i] >> bit & 1);
        }
    }
    ASSERT_NEAR(psb_hamming.pair(a, b, LENGTH), 2.0 * differ / (8 * LENGTH), 1e-15);
    ASSERT_NEAR(psb_hamming.pair(a, a, LENGTH), 0, 0);
}

/* A model that is turned by a rotation of the cube is nearer to itself than to another one. */
static void turned_models_are_alike(void **state) {
    (void)state;
    uint8_t row[PSB_CUBE_LENGTH], turned[PSB_CUBE_LENGTH], other[PSB_CUBE_LENGTH];
    const double none[3] = {0, 0, 0};
    double rotation[3][3];
    psb_mesh blob = test_blob(13, 80), another = test_blob(14, 80);
    test_describe("VIEWS", &blob, "blob", (float *)(void *)row);
    test_describe("VIEWS", &another, "another", (float *)(void *)other);
    test_rotation(1, 1, 1, 2 * M_PI / 3, rotation);
    test_transform(&blob, (const double(*)[3])rotation, none);
    test_describe("VIEWS", &blob, "blob", (float *)(void *)turned);
    double near = psb_cube.pair(row, turned, PSB_CUBE_LENGTH);
    double far = psb_cube.pair(row, other, PSB_CUBE_LENGTH);
    assert_true(near < 0.1 && far > 3 * near);
    psb_mesh_free(&blob);
    psb_mesh_free(&another);
}

/* The shipped vocabularies are of the right kinds; a damaged one is refused. */
static void vocabularies_are_whole(void **state) {
    (void)state;
    psb_error error;
    psb_vocabulary *v, *again;
    const char *path = test_path("vocabulary");
    for (int kind = 0; kind < PSB_VOCABULARY_KINDS; kind++) {
        static char bytes[1 << 20];
        assert_int_equal(psb_vocabulary_shipped((psb_vocabulary_kind)kind, &v, &error), PSB_OK);
        assert_int_equal(v->kind, kind);
        assert_true(v->models > 900);
        assert_int_equal(psb_vocabulary_write(v, path, &error), PSB_OK);
        FILE *file = fopen(path, "rb");
        size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        assert_int_equal(psb_vocabulary_parse("copy", bytes, size, &again, &error), PSB_OK);
        assert_memory_equal(v, again, sizeof *v);
        psb_vocabulary_free(again);
        bytes[size / 2] ^= 1;
        assert_int_equal(psb_vocabulary_parse("copy", bytes, size, &again, &error),
                         PSB_ERROR_INPUT);
        assert_int_equal(psb_vocabulary_parse("copy", bytes, size / 2, &again, &error),
                         PSB_ERROR_INPUT);
        psb_vocabulary_free(v);
    }
    test_folder_remove();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directions_are_spread),
        cmocka_unit_test(a_sphere_has_its_depths),
        cmocka_unit_test(the_other_side_is_mirrored),
        cmocka_unit_test(features_are_those_of_a_slow_program),
        cmocka_unit_test(spin_images_are_those_of_a_slow_program),
        cmocka_unit_test(spin_points_are_spread_by_area),
        cmocka_unit_test(fisher_vectors_are_derivatives),
        cmocka_unit_test(kernels_agree),
        cmocka_unit_test(turned_views_are_the_same),
        cmocka_unit_test(hamming_counts_bits),
        cmocka_unit_test(turned_models_are_alike),
        cmocka_unit_test(vocabularies_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
