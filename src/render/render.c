/*
 * The renderer: vertices to samples, triangles row by row into the depth buffer, samples to pixels.
 */
#include "render/render.h"

#include "core/vector.h"
#include "normalize/pose.h"

#include <string.h>

enum {
    SAMPLES = 3,     /* along each side of a pixel */
    DARKEST = 40,    /* of what is drawn, out of 255 */
    BRIGHTEST = 215, /* below white, so that a model stands out from a white page too */
};

/* Part of the picture's width and height that the model may take. */
static const double fill = 0.94;

static const double radians = 3.14159265358979323846 / 180.0;

/* Directions of the light in the picture's frame: right, up, towards the viewer. */
static const double key_light[3] = {-0.424, 0.566, 0.707};

/*
 * A sample is one number, of which the largest is what is seen: the depth, larger is nearer, above
 * the shade, which is DARKEST or more; 0 where nothing was drawn. Of equal depths the brighter one
 * is seen, so that the order of the faces does not matter.
 */
typedef struct canvas {
    size_t width, height; /* samples */
    int32_t *sample;
    double level; /* of depth, in the width of a sample */
} canvas;

enum { SHADE_BITS = 8, DEPTH_LEVELS = 1 << 22 };

psb_view psb_view_make(size_t width, size_t height) {
    return (psb_view){width, height, 35.0, 25.0, false};
}

/* Rows: right, up, towards the viewer. */
static void view_axes(const psb_view *view, double axes[3][3]) {
    double azimuth = view->azimuth * radians, elevation = view->elevation * radians;
    double right[3] = {-sin(azimuth), cos(azimuth), 0.0};
    double towards[3] = {cos(elevation) * cos(azimuth), cos(elevation) * sin(azimuth),
                         sin(elevation)};
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
    if (status == PSB_OK && aligned) {
        status = psb_axes_compute(mesh, &moments, PSB_FRAME_SURFACE, &axes, error);
    }
    if (status == PSB_OK) {
        *pose = psb_pose_make(aligned ? PSB_POSE_ALIGNED : PSB_POSE_SCALED, PSB_SCALE_RMS, &moments,
                              &axes);
    }
    return status;
}

/* Turns posed points into the picture's frame, then scales and moves them to fill it. */
static void project(const psb_mesh *mesh, const psb_view *view, canvas *c, double *points) {
    double axes[3][3];
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    view_axes(view, axes);
    for (size_t v = 0; v < mesh->nvertices; v++) {
        double p[3] = {points[3 * v], points[3 * v + 1], points[3 * v + 2]};
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
    c->level = high[2] > low[2] ? DEPTH_LEVELS / (scale * (high[2] - low[2])) : 0.0;
    for (size_t v = 0; v < mesh->nvertices; v++) {
        double *p = points + 3 * v;
        p[0] = 0.5 * (double)c->width + scale * (p[0] - 0.5 * (low[0] + high[0]));
        p[1] = 0.5 * (double)c->height - scale * (p[1] - 0.5 * (low[1] + high[1]));
        p[2] = scale * (p[2] - low[2]);
    }
}

/* The side that is seen is lit from the key light, and a little from where the viewer stands. */
static uint8_t shade_of(double normal[3]) {
    double length = psb_norm(normal);
    double sign = normal[2] < 0 ? -1.0 : 1.0;
    double key = psb_max(0.0, sign * psb_dot(normal, key_light) / length);
    double front = sign * normal[2] / length;
    return (uint8_t)(DARKEST + (BRIGHTEST - DARKEST) * (0.12 + 0.66 * key + 0.22 * front) + 0.5);
}

/* The first sample whose centre is at or behind a coordinate; all of the model is within. */
static int sample_of(double x) {
    return (int)(x + 0.5);
}

/* A triangle that covers samples: the planes of its depth and of its edges. */
typedef struct facet {
    const double *low, *middle, *high; /* corners from the top row downward */
    int left, right;                   /* columns of its box: left ... right - 1 */
    double plane[3];                   /* depth = plane[0] x + plane[1] y + plane[2] */
    float nearest, farthest;           /* depth of its corners */
    int32_t shade;
} facet;

/* Without branches on data, so that it becomes vector code. */
static void draw_row(const canvas *c, const facet *f, int row, int from, int to) {
    int32_t *restrict sample = c->sample + (size_t)row * c->width;
    float start = (float)(f->plane[0] * 0.5 + f->plane[1] * (row + 0.5) + f->plane[2]);
    float step = (float)f->plane[0];
    for (int i = from; i < to; i++) {
        float depth = start + step * (float)i;
        depth = depth < f->nearest ? depth : f->nearest; /* takes NaN as well */
        depth = depth > f->farthest ? depth : f->farthest;
        int32_t key = (int32_t)depth << SHADE_BITS | f->shade;
        sample[i] = sample[i] > key ? sample[i] : key;
    }
}

/* The rows from..to - 1 between two edges that go downward. */
static void draw_rows(const canvas *c, const facet *f, int from, int to, const double *const a[2],
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
        draw_row(c, f, row, end[turned], end[!turned]);
    }
}

/* Depth and light, in the frame where rows run downward. */
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

/* Most triangles of a dense mesh lie between samples, so that is asked first. */
static void draw_triangle(const canvas *c, const double *p, const double *q, const double *r) {
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

/* One pixel from its block of samples. */
static void resolve_pixel(const int32_t *block, size_t stride, uint8_t pixel[2]) {
    unsigned sum = 0, count = 0;
    for (size_t j = 0; j < SAMPLES; j++) {
        for (size_t i = 0; i < SAMPLES; i++) {
            sum += (uint8_t)block[j * stride + i];
            count += block[j * stride + i] != 0;
        }
    }
    pixel[0] = (uint8_t)(count > 0 ? (sum + count / 2) / count : 0);
    pixel[1] = (uint8_t)(count * 255 / (SAMPLES * SAMPLES));
}

static void resolve(const canvas *c, const psb_view *view, uint8_t *pixels) {
    for (size_t y = 0; y < view->height; y++) {
        for (size_t x = 0; x < view->width; x++) {
            const int32_t *block = c->sample + y * SAMPLES * c->width + x * SAMPLES;
            resolve_pixel(block, c->width, pixels + 2 * (y * view->width + x));
        }
    }
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
    canvas c = {SAMPLES * view->width, SAMPLES * view->height, NULL, 0.0};
    psb_pose pose;
    psb_status status = check(view, error);
    PSB_THEN(status, pose_of(mesh, view->aligned, &pose, error));
    PSB_THEN(status, psb_buffer_reserve(&renderer->points, mesh->nvertices, 3 * sizeof(double),
                                        "projected vertices", error));
    PSB_THEN(status, psb_buffer_reserve(&renderer->samples, c.width * c.height, sizeof *c.sample,
                                        "a picture", error));
    if (status != PSB_OK) {
        return status;
    }
    double *points = renderer->points.data;
    c.sample = renderer->samples.data;
    memset(c.sample, 0, c.width * c.height * sizeof *c.sample);
    psb_pose_apply(&pose, mesh->vertices, mesh->nvertices, points);
    project(mesh, view, &c, points);
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        const uint32_t *v = mesh->triangles + 3 * t;
        draw_triangle(&c, points + 3 * (size_t)v[0], points + 3 * (size_t)v[1],
                      points + 3 * (size_t)v[2]);
    }
    resolve(&c, view, pixels);
    return PSB_OK;
}

void psb_renderer_free(psb_renderer *renderer) {
    psb_buffer_free(&renderer->points);
    psb_buffer_free(&renderer->samples);
}
