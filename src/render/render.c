/* Takes vertices to samples, triangles row by row into the depth buffer, and samples to pixels. */
#include "render/render.h"

#include "core/elementary.h"
#include "core/vector.h"
#include "normalize/pose.h"
#include "render/span.h"

enum {
    SAMPLES = 3,     /* along each side of a pixel */
    DARKEST = 40,    /* gray of the model, out of 255 */
    BRIGHTEST = 215, /* below white, so that a model stands out from a white page too */
    SPANS = 256,
    DEPTH_LEVELS = 1 << 22,
    COUNT_SHIFT = 16,
};

/* Part of the picture's width and height that the model may take. */
PSB_SET_KERNELS_TO_AVX2(psb_span_kernels, psb_span_kernel, psb_span_of)

static const double fill = 0.94;

static const double radians = 3.14159265358979323846 / 180.0;

/* Directions of the light in the picture's frame: right, up, towards the viewer. */
static const double key_light[3] = {-0.424, 0.566, 0.707};

typedef struct canvas {
    size_t width, height; /* in samples */
    int32_t *sample;
    double level; /* levels of depth in the width of a sample */
    size_t nspans;
    psb_span span[SPANS]; /* spans that are still to be drawn */
    void (*draw)(const psb_span *span, size_t n);
} canvas;

psb_view psb_view_make(size_t width, size_t height) {
    return (psb_view){width, height, 35.0, 25.0, false};
}

/* Sets the rows of `axes`: right, up, towards the viewer. */
static void view_axes(const psb_view *view, double axes[3][3]) {
    double azimuth = view->azimuth * radians, elevation = view->elevation * radians;
    double right[3] = {-psb_sin(azimuth), psb_cos(azimuth), 0.0};
    double towards[3] = {psb_cos(elevation) * psb_cos(azimuth),
                         psb_cos(elevation) * psb_sin(azimuth), psb_sin(elevation)};
    double up[3];
    psb_cross(towards, right, up);
    const double *rows[3] = {right, up, towards};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            /* Models in their own axes stand on x and z: z is first, x second, y third. */
            axes[i][view->aligned ? k : (k + 2) % 3] = rows[i][k];
        }
    }
}

static psb_status pose_of(const psb_mesh *mesh, bool aligned, psb_pose *pose, psb_error *error) {
    psb_moments moments;
    psb_axes axes;
    psb_status status = psb_moments_without_distance(mesh, &moments, error);
    PSB_THEN_IF(status, aligned, psb_axes_compute(mesh, &moments, PSB_FRAME_SURFACE, &axes, error));
    if (status == PSB_OK) {
        *pose = psb_pose_make(aligned ? PSB_POSE_ALIGNED : PSB_POSE_SCALED, PSB_SCALE_RMS, &moments,
                              &axes);
    }
    return status;
}

/*
 * Turns vertices, which may be `points` themselves, into the picture's frame, then scales and moves
 * them to fill it. False if a number is out of range.
 */
static bool project(const psb_mesh *mesh, const double *vertices, const psb_view *view, canvas *c,
                    double *points) {
    double axes[3][3];
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    view_axes(view, axes);
    for (size_t v = 0; v < mesh->nvertices; v++) {
        double p[3] = {vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]};
        for (size_t i = 0; i < 3; i++) {
            points[3 * v + i] = psb_dot(axes[i], p);
        }
    }
    for (size_t i = 0; i < 3 * mesh->ntriangles; i++) { /* vertices without a face do not count */
        const double *p = points + 3 * (size_t)mesh->triangles[i];
        for (int k = 0; k < 3; k++) {
            low[k] = psb_min(low[k], p[k]);
            high[k] = psb_max(high[k], p[k]);
        }
    }
    double scale =
        fill * fmin((double)c->width / (high[0] - low[0]), (double)c->height / (high[1] - low[1]));
    if (!isfinite(scale)) {
        return false;
    }
    c->level = high[2] > low[2] ? DEPTH_LEVELS / (scale * (high[2] - low[2])) : 0.0;
    for (size_t v = 0; v < mesh->nvertices; v++) {
        double *p = points + 3 * v;
        p[0] = 0.5 * (double)c->width + scale * (p[0] - 0.5 * (low[0] + high[0]));
        p[1] = 0.5 * (double)c->height - scale * (p[1] - 0.5 * (low[1] + high[1]));
        p[2] = scale * (p[2] - low[2]);
    }
    return true;
}

/* Lights the side that is seen, from the key light and a little from where the viewer stands. */
static uint8_t shade_of(double normal[3]) {
    double length = psb_norm(normal);
    double sign = normal[2] < 0 ? -1.0 : 1.0;
    double key = psb_max(0.0, sign * psb_dot(normal, key_light) / length);
    double front = sign * normal[2] / length;
    return (uint8_t)(DARKEST + (BRIGHTEST - DARKEST) * (0.12 + 0.66 * key + 0.22 * front) + 0.5);
}

/* The first sample whose center is at or behind a coordinate; all of the model is within. */
static int sample_of(double x) {
    return (int)(x + 0.5);
}

/* A triangle that covers samples, with the plane of its depth. */
typedef struct facet {
    const double *low, *middle, *high; /* corners from the top row downward */
    int left, right;                   /* columns of its box: left ... right - 1 */
    double plane[3];                   /* depth = plane[0] x + plane[1] y + plane[2] */
    float nearest, farthest;           /* depth of its corners */
    int32_t shade;
} facet;

static void draw_spans(canvas *c) {
    c->draw(c->span, c->nspans);
    c->nspans = 0;
}

static void add_span(canvas *c, const facet *f, int row, int from, int to) {
    double start = f->plane[0] * 0.5 + f->plane[1] * (row + 0.5) + f->plane[2];
    c->span[c->nspans++] = (psb_span){.sample = c->sample + (size_t)row * c->width,
                                      .from = from,
                                      .to = to,
                                      .start = (float)start,
                                      .step = (float)f->plane[0],
                                      .nearest = f->nearest,
                                      .farthest = f->farthest,
                                      .shade = f->shade};
    if (c->nspans == SPANS) {
        draw_spans(c);
    }
}

/* Draws the rows from ... to - 1 between two edges a[k] to b[k] that go downward. */
static void draw_rows(canvas *c, const facet *f, int from, int to, const double *const a[2],
                      const double *const b[2]) {
    double slope[2];
    for (int k = 0; k < 2 && from < to; k++) {
        slope[k] = (b[k][0] - a[k][0]) / (b[k][1] - a[k][1]);
    }
    for (int row = from; row < to; row++) {
        int end[2];
        for (int k = 0; k < 2; k++) {
            int x = sample_of(a[k][0] + (row + 0.5 - a[k][1]) * slope[k]);
            end[k] = x < f->left ? f->left : x > f->right ? f->right : x;
        }
        bool turned = end[1] < end[0];
        if (end[0] != end[1]) {
            add_span(c, f, row, end[turned], end[!turned]);
        }
    }
}

/* Sets the facet's depth and shade, in the frame where rows run downward. */
static void light(facet *f, const double normal[3], double level) {
    const double *p = f->low;
    double upward[3] = {normal[0], -normal[1], normal[2]};
    f->plane[0] = level * (-normal[0] / normal[2]);
    f->plane[1] = level * (-normal[1] / normal[2]);
    f->plane[2] = level * p[2] - f->plane[0] * p[0] - f->plane[1] * p[1];
    f->nearest = (float)(level * psb_max(p[2], psb_max(f->middle[2], f->high[2])));
    f->farthest = (float)(level * psb_min(p[2], psb_min(f->middle[2], f->high[2])));
    f->shade = shade_of(upward);
}

/* Draws a triangle. Most of a dense mesh lie between samples, so that is asked first. */
static void draw_triangle(canvas *c, const double *p, const double *q, const double *r) {
    const double *low = p[1] < q[1] ? p : q, *high = p[1] < q[1] ? q : p;
    const double *middle = r[1] < low[1] ? low : r[1] < high[1] ? r : high;
    low = r[1] < low[1] ? r : low;
    high = r[1] < high[1] ? high : r;
    facet f = {.low = low, .middle = middle, .high = high};
    int top = sample_of(low[1]), turn = sample_of(middle[1]), bottom = sample_of(high[1]);
    f.left = sample_of(psb_min(p[0], psb_min(q[0], r[0])));
    f.right = sample_of(psb_max(p[0], psb_max(q[0], r[0])));
    double normal[3];
    if (top == bottom || f.left == f.right) {
        return;
    }
    psb_normal(p, q, r, normal);
    if (normal[2] == 0.0) {
        return; /* seen edge on */
    }
    light(&f, normal, c->level);
    draw_rows(c, &f, top, turn, (const double *const[2]){low, low},
              (const double *const[2]){high, middle});
    draw_rows(c, &f, turn, bottom, (const double *const[2]){low, middle},
              (const double *const[2]){high, high});
}

/*
 * Makes a row of pixels: adds its rows of samples to one, whose numbers have the count of drawn
 * samples above the sum of shades, then each three of these. Returns how many samples were drawn.
 */
static size_t resolve_row(int32_t *restrict row, size_t width, uint8_t *pixels) {
    size_t drawn = 0;
    for (size_t i = 0; i < width; i++) {
        int32_t sum = 0;
        for (size_t j = 0; j < SAMPLES; j++) {
            int32_t key = row[j * width + i];
            sum += (key & ((1 << PSB_SHADE_BITS) - 1)) + ((key != 0) << COUNT_SHIFT);
        }
        row[i] = sum;
    }
    for (size_t x = 0; x < width / SAMPLES; x++, pixels += 2) {
        uint32_t all = 0;
        for (size_t i = 0; i < SAMPLES; i++) {
            all += (uint32_t)row[x * SAMPLES + i];
        }
        uint32_t count = all >> COUNT_SHIFT, sum = all & ((1 << COUNT_SHIFT) - 1);
        pixels[0] = (uint8_t)(count > 0 ? (sum + count / 2) / count : 0);
        pixels[1] = (uint8_t)(count * 255 / (SAMPLES * SAMPLES));
        drawn += count;
    }
    return drawn;
}

/*
 * Projects the mesh. A view that is not of principal axes needs moments only to say what is wrong
 * with a mesh, or for numbers near the end of their range.
 */
static psb_status place(const psb_mesh *mesh, const psb_view *view, canvas *c, double *points,
                        psb_error *error) {
    if (!view->aligned && project(mesh, mesh->vertices, view, c, points)) {
        return PSB_OK;
    }
    psb_pose pose;
    psb_status status = pose_of(mesh, view->aligned, &pose, error);
    if (status == PSB_OK) {
        psb_pose_apply(&pose, mesh->vertices, mesh->nvertices, points);
        project(mesh, points, view, c, points);
    }
    return status;
}

static psb_status check(const psb_view *view, psb_error *error) {
    bool fits = view->width > 0 && view->height > 0 && view->width <= PSB_RENDER_LONGEST_SIDE &&
                view->height <= PSB_RENDER_LONGEST_SIDE;
    if (!fits) {
        return psb_fail(error, PSB_ERROR_USAGE,
                        "a picture of %zu x %zu pixels; 1 to %d a side can be drawn", view->width,
                        view->height, PSB_RENDER_LONGEST_SIDE);
    }
    return PSB_OK;
}

psb_status psb_render(psb_renderer *renderer, const psb_mesh *mesh, const psb_view *view,
                      uint8_t *pixels, psb_error *error) {
    canvas c;
    c.width = SAMPLES * view->width;
    c.height = SAMPLES * view->height;
    c.nspans = 0;
    c.draw = ((const psb_span_kernel *)psb_cpu_choose(psb_span_kernels))->draw;
    psb_status status = check(view, error);
    PSB_THEN(status, psb_buffer_reserve(&renderer->points, mesh->nvertices, 3 * sizeof(double),
                                        "projected vertices", error));
    PSB_THEN(status, psb_buffer_reserve(&renderer->samples, c.width * c.height + PSB_SPAN_SLACK,
                                        sizeof *c.sample, "a picture", error));
    double *points = renderer->points.data;
    PSB_THEN(status, place(mesh, view, &c, points, error));
    if (status != PSB_OK) {
        return status;
    }
    c.sample = renderer->samples.data;
    memset(c.sample, 0, c.width * c.height * sizeof *c.sample);
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        const uint32_t *v = mesh->triangles + 3 * t;
        draw_triangle(&c, points + 3 * (size_t)v[0], points + 3 * (size_t)v[1],
                      points + 3 * (size_t)v[2]);
    }
    draw_spans(&c);
    size_t drawn = 0;
    for (size_t y = 0; y < view->height; y++) {
        drawn +=
            resolve_row(c.sample + y * SAMPLES * c.width, c.width, pixels + y * 2 * view->width);
    }
    psb_moments moments; /* they refuse a mesh that has no area to be seen */
    return drawn > 0 ? PSB_OK : psb_moments_without_distance(mesh, &moments, error);
}

void psb_renderer_free(psb_renderer *renderer) {
    psb_buffer_free(&renderer->points);
    psb_buffer_free(&renderer->samples);
}
