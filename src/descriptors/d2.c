/*
 * D2: shape distribution of the distance between two random surface points (Osada, Funkhouser,
 * Chazelle, Dobkin 2002; paper, section 2).
 *
 * Points uniform by area, all pairs among them, 64 bins over [0, 2] in units in which the mean
 * distance to the centre is 0.5. The paper does not say how many points; 1,000 comes closest to the
 * published row. More points, hence less noise, score higher. The seed is mixed with the model's
 * id.
 */
#include "core/random.h"
#include "core/vector.h"
#include "descriptors/descriptor.h"
#include "normalize/triangle_integrals.h"

#include <stddef.h>
#include <string.h>

enum { BINS = 64 };
static const double bin_range = 2.0;

enum { BUFFER_AREAS, BUFFER_POINTS };

static const psb_param params[] = {
    {"points", offsetof(psb_params, d2.points), PSB_PARAM_INT, 1000, 2, 100000, NULL, PSB_FITTED,
     "random surface points; all pairs of them are measured"},
    {"seed", offsetof(psb_params, d2.seed), PSB_PARAM_INT, 1, 0, 2147483647, NULL, PSB_FITTED,
     "seed of the points, mixed with the model's id"},
};

static size_t length(const psb_params *p) {
    (void)p;
    return BINS;
}

/* Running sums of triangle areas. */
static void sum_areas(const psb_mesh *mesh, const double *points, double *sums) {
    double total = 0.0;
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        const uint32_t *v = mesh->triangles + 3 * t;
        total += psb_triangle_area(points + 3 * (size_t)v[0], points + 3 * (size_t)v[1],
                                   points + 3 * (size_t)v[2]);
        sums[t] = total;
    }
}

/* First triangle whose running sum exceeds `area`: degenerate ones are never chosen. */
static size_t find_triangle(const double *sums, size_t n, double area) {
    size_t low = 0, high = n - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sums[middle] > area) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static void sample(const psb_mesh *mesh, const double *points, const double *sums,
                   psb_random *random, double out[3]) {
    double pick = psb_random_unit(random) * sums[mesh->ntriangles - 1];
    const uint32_t *v = mesh->triangles + 3 * find_triangle(sums, mesh->ntriangles, pick);
    double root = sqrt(psb_random_unit(random)); /* uniform by area: Osada et al., section 3.2 */
    double along = psb_random_unit(random);
    for (size_t k = 0; k < 3; k++) {
        out[k] = (1.0 - root) * points[3 * (size_t)v[0] + k] +
                 root * (1.0 - along) * points[3 * (size_t)v[1] + k] +
                 root * along * points[3 * (size_t)v[2] + k];
    }
}

static void count_pairs(const double *p, size_t n, double counts[BINS]) {
    uint32_t count[BINS] = {0};
    memset(counts, 0, BINS * sizeof counts[0]);
    for (size_t i = 1; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            double d[3];
            psb_subtract(p + 3 * i, p + 3 * j, d);
            double bin = psb_norm(d) * (BINS / bin_range);
            if (bin < BINS) {
                count[(int)bin]++;
            }
        }
        for (size_t b = 0; b < BINS; b++) { /* a row's counts fit 32 bits, the sum may not */
            counts[b] += count[b];
            count[b] = 0;
        }
    }
}

static psb_status compute(psb_shape *shape, const psb_params *p, void *row, psb_error *error) {
    const psb_mesh *mesh = psb_shape_mesh(shape);
    const double *vertices;
    psb_status status = psb_shape_points(shape, PSB_POSE_SCALED, PSB_SCALE_MEAN, &vertices, error);
    psb_buffer *areas = psb_shape_buffer(shape, BUFFER_AREAS);
    psb_buffer *sampled = psb_shape_buffer(shape, BUFFER_POINTS);
    size_t n = (size_t)p->d2.points;
    if (status == PSB_OK) {
        status = psb_buffer_reserve(areas, mesh->ntriangles, sizeof(double), "areas", error);
    }
    if (status == PSB_OK) {
        status = psb_buffer_reserve(sampled, n, 3 * sizeof(double), "surface points", error);
    }
    if (status != PSB_OK) {
        return status;
    }
    double *points = sampled->data;
    sum_areas(mesh, vertices, areas->data);
    psb_random random = psb_random_seeded((uint64_t)p->d2.seed, psb_shape_id(shape), "D2");
    for (size_t i = 0; i < n; i++) {
        sample(mesh, vertices, areas->data, &random, points + 3 * i);
    }
    double counts[BINS];
    count_pairs(points, n, counts);
    return psb_store_unit(counts, BINS, row, error);
}

const psb_descriptor psb_d2 = {
    .name = "D2",
    .title = "D2 shape distribution",
    .source = "Osada, Funkhouser, Chazelle, Dobkin 2002",
    .formula = "histogram of the distance between two random surface points",
    .pose = PSB_POSE_SCALED,
    .element = PSB_FLOAT32,
    .metric = "l2",
    .params = params,
    .nparams = sizeof params / sizeof params[0],
    .length = length,
    .compute = compute,
};
