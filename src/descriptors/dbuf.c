/*
 * DBUF: depth buffers. Ours, 2026; not one of the paper's descriptors. Depth images of an aligned
 * model are known to distinguish shapes since Heczko, Keim, Saupe, Vranic 2002; the rest is made
 * for the metric pose48.
 *
 * The pose is aligned, with mean distance 0.5. Each axis has two depth images, from both sides: D+
 * = (z + 1) / 2 of the largest coordinate z, D- = (1 - z) / 2 of the least, clamped to 0 ... 1, 0
 * where the model is not. Their slopes G = min(3, |gradient of 64 D|), by central differences, show
 * creases and outlines. E = (G+ + G-) / 2 and O = (G+ - G-) / 2 are the parts even and odd along
 * the axis. The row has the orthonormal cosine transform (DCT-II) of each part at frequencies u + v
 * < 16: 136 numbers, 816 in all. Mirroring a model only changes signs, and another order of the
 * axes only permutes numbers: see distance/pose.h.
 *
 * Scores on the training set hardly depend on the window (0.8 to 1.4) or on 64 or 128 pixels.
 */
#include "core/elementary.h"
#include "core/vector.h"
#include "descriptors/citations.h"
#include "descriptors/descriptor.h"
#include "distance/pose.h"
#include "local/depth_buffer.h"

enum { SIDE = PSB_DEPTH_SIDE, FREQUENCIES = PSB_DEPTH_FREQUENCIES };

static const double steepest = 3.0, steps = 64.0;

static const psb_param params[] = {
    PSB_PARAM_METRIC(PSB_METRIC_POSE48),
    PSB_PARAM_FRAME,
};

/* How `compute` uses the shape's scratch memory. */
typedef struct workspace {
    double seen[2][PSB_DEPTH_PIXELS]; /* coordinates, then depths; 0: positive side */
    double slope[PSB_DEPTH_PIXELS];
    double waves[FREQUENCIES][2];                    /* see fill_waves */
    double half[FREQUENCIES][SIDE];                  /* lines transformed */
    double transformed[2][FREQUENCIES][FREQUENCIES]; /* [side][u][v] */
} workspace;

_Static_assert(sizeof(workspace) <= PSB_SPHERE_SAMPLES * sizeof(double), "it fits");

/* Fills in the cosines and sines of pi u / 256, by which the transform of a line is turned, times
 * the norm of frequency u. */
static void fill_waves(double waves[FREQUENCIES][2]) {
    for (int u = 0; u < FREQUENCIES; u++) {
        double norm = sqrt((u == 0 ? 1.0 : 2.0) / SIDE), angle = M_PI * u / (2.0 * SIDE);
        waves[u][0] = norm * psb_cos(angle);
        waves[u][1] = norm * psb_sin(angle);
    }
}

/*
 * Computes the orthonormal DCT-II of a line, frequency u at out[u * step]: the Fourier transform of
 * the even samples, then the odd ones backwards, turned by u / 512 of a full turn (Makhoul, A fast
 * cosine transform in one and two dimensions, 1980).
 */
static void transform_line(const psb_fourier *plan, double waves[FREQUENCIES][2],
                           const double *line, double *out, size_t step) {
    double ordered[SIDE], orders[SIDE / 2 + 1][2];
    for (int i = 0; i < SIDE / 2; i++) {
        ordered[i] = line[2 * i];
        ordered[SIDE - 1 - i] = line[2 * i + 1];
    }
    psb_fourier_transform(plan, ordered, orders[0]);
    for (size_t u = 0; u < FREQUENCIES; u++) {
        out[u * step] = waves[u][0] * orders[u][0] + waves[u][1] * orders[u][1];
    }
}

/* Converts coordinates to depths; `sign` is 1 for the view from the positive side, else -1. */
static void to_depths(double sign, double *seen) {
    for (size_t i = 0; i < PSB_DEPTH_PIXELS; i++) {
        double depth = 0.5 * (sign * seen[i] + 1.0); /* -INFINITY in the background */
        seen[i] = psb_min(psb_max(depth, 0.0), 1.0);
    }
}

/* Returns the slope of 64 D in one direction: central difference, one-sided at the border. */
static double difference(const double *depth, size_t at, size_t position, size_t step) {
    size_t before = position > 0 ? at - step : at, behind = position + 1 < SIDE ? at + step : at;
    return steps * (depth[behind] - depth[before]) / (double)((behind - before) / step);
}

static void fill_slope(const double *depth, double *slope) {
    for (size_t y = 0; y < SIDE; y++) {
        for (size_t x = 0; x < SIDE; x++) {
            size_t at = y * SIDE + x;
            double dx = difference(depth, at, x, 1), dy = difference(depth, at, y, SIDE);
            slope[at] = psb_min(sqrt(dx * dx + dy * dy), steepest);
        }
    }
}

/* Computes the transforms of one axis's even and odd part from the images in w->seen. */
static void store(const psb_fourier *plan, workspace *w, double *values) {
    for (int side = 0; side < 2; side++) {
        to_depths(side == 0 ? 1.0 : -1.0, w->seen[side]);
        fill_slope(w->seen[side], w->slope);
        for (size_t y = 0; y < SIDE; y++) {
            transform_line(plan, w->waves, w->slope + y * SIDE, w->half[0] + y, SIDE);
        }
        for (size_t u = 0; u < FREQUENCIES; u++) {
            transform_line(plan, w->waves, w->half[u], w->transformed[side][u], 1);
        }
    }
    for (int part = 0; part < 2; part++) {
        for (int u = 0; u < FREQUENCIES; u++) {
            for (int v = 0; v < FREQUENCIES - u; v++) {
                double positive = w->transformed[0][u][v], negative = w->transformed[1][u][v];
                *values++ = 0.5 * (part == 0 ? positive + negative : positive - negative);
            }
        }
    }
}

static psb_status compute(psb_shape *shape, const psb_params *p PSB_UNUSED, void *row,
                          psb_error *error) {
    const double *points;
    psb_status status = psb_shape_points(shape, PSB_POSE_ALIGNED, PSB_SCALE_MEAN, &points, error);
    if (status != PSB_OK) {
        return status;
    }
    workspace *w = (workspace *)(void *)psb_shape_scratch(shape)->samples;
    double values[PSB_DEPTH_LENGTH];
    fill_waves(w->waves);
    for (int axis = 0; axis < 3; axis++) {
        psb_depth_buffer_fill(psb_shape_mesh(shape), points, axis, w->seen[0], w->seen[1]);
        store(psb_shape_line(shape), w, values + axis * 2 * PSB_DEPTH_PART);
    }
    return psb_store_unit(values, PSB_DEPTH_LENGTH, row, error);
}

const psb_descriptor psb_dbuf = {
    .name = "DBUF",
    .title = "Depth buffers",
    .source = "ours, 2026",
    .bibtex = psb_this_program,
    .formula = "slopes of six depth images of 128 x 128 pixels, even and odd parts along each "
               "axis, cosine transforms u + v < 16",
    .pose = PSB_POSE_ALIGNED,
    .invariant = PSB_UNDER_ALL,
    .metric = &psb_pose48,
    .beyond = true,
    .revision = 4,
    PSB_PARAMS(params),
    .size = PSB_DEPTH_LENGTH,
    .compute = compute,
};
