/*
 * D2: shape distribution of the distance between two random surface points (Osada, Funkhouser,
 * Chazelle, Dobkin 2002; paper, section 2).
 *
 * Draws points uniform by area and counts all pairs of them in 64 bins of distance over [0, 2], in
 * units in which the mean distance to the center is 0.5. The paper does not say how many points;
 * 1,000 comes closest to the published row. More points, hence less noise, score higher. The seed
 * is mixed with the model's id.
 */
#include "core/cpu.h"
#include "core/error.h"
#include "core/random.h"
#include "core/vector.h"
#include "descriptors/descriptor.h"
#include "normalize/surface_points.h"

#include <string.h>

enum { BINS = 64 };
static const double bin_range = 2.0;

enum { BUFFER_AREAS, BUFFER_POINTS };

/* Indices of the parameters in the table below. */
enum { POINTS, SEED };

static const psb_param params[] = {
    {"points", PSB_PARAM_INT, 1000, 2, 100000, NULL, PSB_FITTED,
     "random surface points; all pairs of them are measured"},
    {"seed", PSB_PARAM_INT, 1, 0, 2147483647, NULL, PSB_FITTED,
     "seed of the points, mixed with the model's id"},
};

/*
 * Counts pairs by the integer part of their squared distance; the last entry counts all beyond.
 * Bins end at integers, so a pair finds its bin without a square root.
 */
enum { SQUARES = BINS * BINS };
typedef struct square_counts {
    uint32_t count[SQUARES + 1];
    uint64_t total;
} square_counts;

/* Counts the pairs of point number `point` with each point before it. */
PSB_INLINE void count_row(const double *at, size_t n, size_t point, square_counts *counts) {
    enum { BLOCK = 128 };
    const double *x = at, *y = at + n, *z = at + 2 * n;
    for (size_t begin = 0; begin < point; begin += BLOCK) {
        size_t length = point - begin < BLOCK ? point - begin : BLOCK;
        int32_t square[BLOCK];
        for (size_t j = 0; j < length; j++) {
            double dx = x[point] - x[begin + j], dy = y[point] - y[begin + j];
            double dz = z[point] - z[begin + j];
            square[j] = (int32_t)psb_min(dx * dx + dy * dy + dz * dz, SQUARES);
        }
        for (size_t j = 0; j < length; j++) {
            counts->count[square[j]]++;
        }
    }
    counts->total += point;
}

PSB_INLINE void move_to_bins(square_counts *counts, double bins[BINS]) {
    for (int b = 0; b < BINS; b++) {
        for (int square = b * b; square < (b + 1) * (b + 1); square++) {
            bins[b] += counts->count[square];
        }
    }
    memset(counts, 0, sizeof *counts);
}

PSB_INLINE void count(const double *at, size_t n, double bins[BINS]) {
    square_counts counts;
    memset(&counts, 0, sizeof counts);
    memset(bins, 0, BINS * sizeof bins[0]);
    for (size_t i = 1; i < n; i++) {
        count_row(at, n, i, &counts);
        if (counts.total > UINT32_MAX - n) { /* the next row's pairs might overflow a count */
            move_to_bins(&counts, bins);
        }
    }
    move_to_bins(&counts, bins);
}

PSB_KERNEL(psb_d2, (const double *at, size_t n, double bins[BINS]))

PSB_VARIANTS(psb_d2, count, (const double *at, size_t n, double bins[BINS]), (at, n, bins))

static psb_status compute(psb_shape *shape, const psb_params *p, void *row, psb_error *error) {
    const psb_mesh *mesh = psb_shape_mesh(shape);
    const double *vertices;
    psb_status status = psb_shape_points(shape, PSB_POSE_SCALED, PSB_SCALE_MEAN, &vertices, error);
    psb_buffer *areas = psb_shape_buffer(shape, BUFFER_AREAS);
    psb_buffer *sampled = psb_shape_buffer(shape, BUFFER_POINTS);
    size_t n = (size_t)p->value[POINTS];
    PSB_THEN(status, psb_buffer_reserve(areas, mesh->ntriangles, sizeof(double), "areas", error));
    PSB_THEN(status, psb_buffer_reserve(sampled, n, 3 * sizeof(double), "surface points", error));
    if (status != PSB_OK) {
        return status;
    }
    psb_random random = psb_random_seeded((uint64_t)p->value[SEED], psb_shape_id(shape), "D2");
    double *at = sampled->data, bins[BINS];
    psb_surface_points(mesh, vertices, areas->data, &random, n, at);
    for (size_t i = 0; i < 3 * n; i++) {
        at[i] *= BINS / bin_range; /* in units of a bin */
    }
    PSB_RUN(psb_d2)(at, n, bins);
    return psb_store_unit(bins, BINS, row, error);
}

const psb_descriptor psb_d2 = {
    .name = "D2",
    .title = "D2 shape distribution",
    .source = "Osada, Funkhouser, Chazelle, Dobkin 2002",
    .bibtex =
        "@article{osada2002shape,\n"
        "  author = {Robert Osada and Thomas Funkhouser and Bernard Chazelle and David Dobkin},\n"
        "  title = {Shape Distributions},\n"
        "  journal = {ACM Transactions on Graphics},\n"
        "  volume = {21},\n"
        "  number = {4},\n"
        "  pages = {807--832},\n"
        "  year = {2002},\n"
        "  doi = {10.1145/571647.571648},\n"
        "}\n",
    .formula = "histogram of the distance between two random surface points, up to 4 times the "
               "surface's mean distance to its center",
    .pose = PSB_POSE_SCALED,
    .nearly = PSB_UNDER_ALL,
    .metric = &psb_l2,
    .revision = 1,
    PSB_PARAMS(params),
    .row_kind = PSB_ROW_BINS,
    .size = BINS,
    .compute = compute,
};
