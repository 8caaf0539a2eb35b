/*
 * Average depth: the layers of visible surface behind the pixels of six views.
 *
 * A face adds 1 to a run of pixels in each row that it covers. Only the run's two ends are written,
 * as a step up and a step down, and rows are summed at the end, so a large face costs no more than
 * its height, and a hostile file cannot make faces expensive. A pixel belongs to a face that holds
 * its center; edges are cut at the same places from both sides, so neighbors neither overlap nor
 * leave gaps.
 */
#include "annotate/annotate.h"
#include "core/memory.h"
#include "core/vector.h"

#include <math.h>

enum { N = PSB_COMPLEXITY_PIXELS, STRIDE = N + 1 };

#define GOLDEN 1.6180339887498949

static const double viewpoints[6][3] = {{0, -1, GOLDEN}, {0, 1, GOLDEN},  {GOLDEN, 0, -1},
                                        {GOLDEN, 0, 1},  {1, -GOLDEN, 0}, {1, GOLDEN, 0}};

typedef struct canvas {
    double *points;     /* nvertices x 2: pixel coordinates, x to the right and y up */
    int64_t *steps;     /* N rows of STRIDE */
    int low[2], end[2]; /* pixels and rows that the view may reach; steps may be at `end` */
    uint64_t layers;    /* sum over the pixels of all views */
    uint64_t covered;   /* pixels with at least one layer */
} canvas;

/* Sets right-handed axes: x to the right and y up for a viewer at `towards`. */
static void view_axes(const double towards[3], double x[3], double y[3]) {
    double z[3] = {towards[0], towards[1], towards[2]};
    const double up[3] = {0.0, 1.0, 0.0};
    psb_normalize(z);
    psb_cross(up, z, x);
    psb_normalize(x);
    psb_cross(z, x, y);
}

/* The first pixel whose center is at or behind x, within 0 ... N. */
static int first_pixel(double x) {
    double pixel = ceil(x - 0.5);
    return pixel < 0.0 ? 0 : pixel > N ? N : (int)pixel;
}

static void project(const psb_mesh *mesh, const double centre[3], double radius,
                    const double towards[3], canvas *c) {
    double x[3], y[3], low[2] = {N, N}, high[2] = {0, 0};
    view_axes(towards, x, y);
    for (size_t v = 0; v < mesh->nvertices; v++) {
        double p[3];
        psb_subtract(mesh->vertices + 3 * v, centre, p);
        psb_divide(p, radius);
        for (int k = 0; k < 2; k++) {
            double at = (psb_dot(p, k == 0 ? x : y) + 1.0) * (0.5 * N);
            c->points[2 * v + (size_t)k] = at;
            low[k] = at < low[k] ? at : low[k];
            high[k] = at > high[k] ? at : high[k];
        }
    }
    for (int k = 0; k < 2; k++) {
        c->low[k] = first_pixel(low[k] - 1);
        c->end[k] = first_pixel(high[k] + 1);
    }
}

static double edge_at_row(const double *low, const double *high, double y) {
    return low[0] + (y - low[1]) * ((high[0] - low[0]) / (high[1] - low[1]));
}

static void swap(const double **a, const double **b) {
    const double *kept = *a;
    *a = *b;
    *b = kept;
}

static void draw(canvas *c, const uint32_t *face) {
    const double *p[3];
    for (int i = 0; i < 3; i++) {
        p[i] = c->points + 2 * (size_t)face[i];
    }
    double area =
        (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]);
    if (!(area > 0.0)) {
        return;
    }
    /* Sorts corners by height, so that both faces at an edge see it from the same end. */
    for (int i = 0; i < 3; i++) {
        int k = i == 1 ? 1 : 0;
        if (p[k + 1][1] < p[k][1]) {
            swap(&p[k], &p[k + 1]);
        }
    }
    int end = first_pixel(p[2][1]);
    for (int row = first_pixel(p[0][1]); row < end; row++) {
        double y = row + 0.5;
        const double *const *part = y < p[1][1] ? p : p + 1;
        int a = first_pixel(edge_at_row(p[0], p[2], y));
        int b = first_pixel(edge_at_row(part[0], part[1], y));
        int64_t *steps = c->steps + (size_t)row * STRIDE;
        steps[a < b ? a : b]++;
        steps[a < b ? b : a]--;
    }
}

/* Also clears the canvas for the next view. */
static void count_pixels(canvas *c) {
    for (int row = c->low[1]; row < c->end[1]; row++) {
        int64_t depth = 0, *steps = c->steps + (size_t)row * STRIDE;
        for (int i = c->low[0]; i <= c->end[0]; i++) {
            depth += steps[i];
            steps[i] = 0;
            c->layers += (uint64_t)depth;
            c->covered += depth > 0;
        }
    }
}

psb_status psb_average_depth(const psb_mesh *mesh, double *depth, psb_error *error) {
    double lowest[3], highest[3], centre[3], half[3];
    psb_bounding_box(mesh, lowest, highest);
    for (int k = 0; k < 3; k++) {
        centre[k] = 0.5 * lowest[k] + 0.5 * highest[k];
        half[k] = 0.5 * highest[k] - 0.5 * lowest[k];
    }
    double radius = hypot(hypot(half[0], half[1]), half[2]);
    if (!isfinite(radius)) {
        return psb_fail(error, PSB_ERROR_INPUT, "the model's extent is not finite");
    }
    canvas c = {0};
    psb_status status = PSB_OK;
    c.points = psb_new(&status, mesh->nvertices, 2 * sizeof *c.points, "projected vertices", error);
    c.steps = psb_new_zero(&status, N, STRIDE * sizeof *c.steps, "depth canvas", error);
    for (int view = 0; view < 6 && status == PSB_OK && radius > 0.0; view++) {
        project(mesh, centre, radius, viewpoints[view], &c);
        for (size_t t = 0; t < mesh->ntriangles; t++) {
            draw(&c, mesh->triangles + 3 * t);
        }
        count_pixels(&c);
    }
    *depth = c.covered > 0 ? (double)c.layers / (double)c.covered : NAN;
    free(c.points);
    free(c.steps);
    return status;
}
