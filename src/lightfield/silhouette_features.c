/* Sums over the runs of each row of an image, in exact integers as far as they go. */
#include "lightfield/silhouette_features.h"

#include "core/elementary.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* Sums over the pixels of (u, v) = 2 ((x, y) - center): whole numbers. */
typedef struct sums {
    int64_t area, uu, vv, uv;
    int64_t farthest; /* largest u^2 + v^2 */
} sums;

static void add_run(sums *s, int64_t first, int64_t last, int64_t v) {
    int64_t n = (last - first) / 2 + 1;
    int64_t middle = (first + last) / 2;
    int64_t u = first * first > last * last ? first : last;
    s->area += n;
    s->uu += n * middle * middle + n * (n * n - 1) / 3;
    s->vv += n * v * v;
    s->uv += n * middle * v;
    s->farthest = u * u + v * v > s->farthest ? u * u + v * v : s->farthest;
}

static sums sum_pixels(const psb_bitmap *image, const psb_pixel_box *box) {
    sums s = {0};
    for (int y = box->bottom; y <= box->top; y++) {
        uint16_t ends[PSB_SIDE];
        int count = psb_row_runs(image->row[y], ends);
        for (int e = 0; e < count; e += 2) {
            int centre = box->left + box->right;
            add_run(&s, 2 * ends[e] - centre, 2 * (ends[e + 1] - 1) - centre,
                    2 * y - (box->bottom + box->top));
        }
    }
    return s;
}

void psb_silhouette_measure(const psb_bitmap *image, psb_silhouette_features *features) {
    memset(features, 0, sizeof *features);
    features->box = psb_bitmap_box(image);
    if (features->box.left > features->box.right) {
        return;
    }
    sums s = sum_pixels(image, &features->box);
    double rim = (double)psb_bitmap_count_rim(image, &features->box);
    double area = (double)s.area, uu = (double)s.uu, vv = (double)s.vv, uv = (double)s.uv;
    features->area = (size_t)s.area;
    features->centre[0] = (features->box.left + features->box.right) / 2.0;
    features->centre[1] = (features->box.bottom + features->box.top) / 2.0;
    features->radius = sqrt((double)s.farthest) / 2.0;
    features->circularity = rim > 0.0 ? fmin(1.0, 4.0 * PI * area / (rim * rim)) : 0.0;
    if (s.area >= 2) {
        double sum = uu + vv;
        double squares = (uu - vv) * (uu - vv) + 4.0 * uv * uv;
        features->eccentricity = fmin(1.0, squares / (sum * sum));
    }
}

enum { CHUNK = 64, PAIRS = PSB_FOURIER / 2 };

/* Sums for two coefficients. As arrays of numbers the compiler would keep them in memory. */
typedef double two __attribute__((vector_size(16)));

/* What the coefficients are computed from: bend is 2 - 2 cos(angle). */
typedef struct sums_of_contour {
    double bend[PSB_FOURIER], sum[PSB_FOURIER], step[PSB_FOURIER], total;
} sums_of_contour;

/* The distances of pixels from the center. */
static void find_distances(const uint16_t *pixel, size_t n, const double centre[2],
                           double distance[CHUNK]) {
    for (size_t t = 0; t < n; t++) {
        double dx = pixel[t] % PSB_SIDE - centre[0];
        double dy = pixel[t] / PSB_SIDE - centre[1];
        distance[t] = sqrt(dx * dx + dy * dy);
    }
}

/*
 * Goertzel's algorithm as Reinsch has it, for what turns slowly: of the sums s of distance[t'] *
 * sin((t - t' + 1) angle) / sin(angle) the last one and how it differs from the one before.
 */
static void add_contour(const psb_contour *contour, const double centre[2], sums_of_contour *out) {
    two bend[PAIRS], sum[PAIRS] = {{0.0}}, step[PAIRS] = {{0.0}};
    double total = 0.0, distance[CHUNK];
    memcpy(bend, out->bend, sizeof bend);
    for (size_t first = 0; first < contour->length; first += CHUNK) {
        size_t n = contour->length - first < CHUNK ? contour->length - first : CHUNK;
        find_distances(contour->pixel + first, n, centre, distance);
        for (size_t t = 0; t < n; t++) {
            total += distance[t];
#pragma GCC unroll 5
            for (int k = 0; k < PAIRS; k++) {
                step[k] = (step[k] + distance[t]) - bend[k] * sum[k];
                sum[k] += step[k];
            }
        }
    }
    out->total = total;
    memcpy(out->sum, sum, sizeof sum);
    memcpy(out->step, step, sizeof step);
}

void psb_contour_fourier(const psb_contour *contour, const double centre[2],
                         double coefficient[PSB_FOURIER]) {
    const size_t n = contour->length;
    sums_of_contour out;
    memset(coefficient, 0, PSB_FOURIER * sizeof *coefficient);
    if (n < 8) {
        return;
    }
    for (int k = 0; k < PSB_FOURIER; k++) {
        double half = 2.0 * psb_sin(PI * (k + 1) / (double)n);
        out.bend[k] = half * half;
    }
    add_contour(contour, centre, &out);
    for (size_t k = 0; k < PSB_FOURIER && k + 1 <= n / 2; k++) {
        double last = out.sum[k], b = out.bend[k];
        double along = out.step[k] - 0.5 * b * last;
        coefficient[k] = sqrt(along * along + b * (1.0 - 0.25 * b) * last * last) / out.total;
    }
}
