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

/* Smallest area in square samples that is worth its division. */
static const double least_area = 1e-9;

/* Directions of the light in the picture's frame: right, up, towards the viewer. */
static const double key_light[3] = {-0.424, 0.566, 0.707};

typedef struct canvas {
    size_t width, height; /* samples */
    float *depth;         /* larger is nearer; -infinity where nothing was drawn */
    uint8_t *shade;       /* DARKEST or more; 0 where nothing was drawn */
} canvas;

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
    psb_status status = psb_moments_compute(mesh, &moments, error);
    if (status == PSB_OK && aligned) {
        status = psb_axes_compute(mesh, &moments, PSB_FRAME_SURFACE, &axes, error);
    }
    if (status == PSB_OK) {
        *pose = psb_pose_make(aligned ? PSB_POSE_ALIGNED : PSB_POSE_SCALED, PSB_SCALE_MEAN,
                              &moments, &axes);
    }
    return status;
}

/* Turns posed points into the picture's frame, then scales and moves them to fill it. */
static void project(const psb_mesh *mesh, const psb_view *view, const canvas *c, double *points) {
    double axes[3][3];
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    view_axes(view, axes);
    for (size_t v = 0; v < mesh->nvertices; v++) {
        double p[3] = {points[3 * v], points[3 * v + 1], points[3 * v + 2]};
        for (size_t i = 0; i < 3; i++) {
            points[3 * v + i] = psb_dot(axes[i], p);
        }
    }
    for (size_t i = 0; i < 3 * mesh->ntriangles; i++) { /* vertices without a face do not count */
        const double *p = points + 3 * (size_t)mesh->triangles[i];
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], p[k]);
            high[k] = fmax(high[k], p[k]);
        }
    }
    double scale =
        fill * fmin((double)c->width / (high[0] - low[0]), (double)c->height / (high[1] - low[1]));
    for (size_t v = 0; v < mesh->nvertices; v++) {
        double *p = points + 3 * v;
        p[0] = 0.5 * (double)c->width + scale * (p[0] - 0.5 * (low[0] + high[0]));
        p[1] = 0.5 * (double)c->height - scale * (p[1] - 0.5 * (low[1] + high[1]));
        p[2] *= scale;
    }
}

/* The side that is seen is lit from the key light, and a little from where the viewer stands. */
static uint8_t shade_of(double normal[3]) {
    double length = psb_norm(normal);
    double sign = normal[2] < 0 ? -1.0 : 1.0;
    double key = fmax(0.0, sign * psb_dot(normal, key_light) / length);
    double front = sign * normal[2] / length;
    return (uint8_t)(DARKEST + (BRIGHTEST - DARKEST) * (0.12 + 0.66 * key + 0.22 * front) + 0.5);
}

/* Clips one row's interval at the edge from p to q, with the inside on its left. */
static void clip(const double *p, const double *q, double y, double *from, double *to) {
    double dx = q[0] - p[0], dy = q[1] - p[1];
    if (dy == 0.0) {
        return; /* the rows between the lowest and the highest corner are inside of it */
    }
    double x = p[0] + (y - p[1]) / dy * dx;
    if (dy > 0.0) {
        *to = psb_min(*to, x);
    } else {
        *from = psb_max(*from, x);
    }
}

/* First sample centre at or above, and last at or below, a coordinate; within 0 ... n. */
static size_t first_sample(double x, size_t n) {
    return (size_t)psb_min(psb_max(ceil(x - 0.5), 0.0), (double)n);
}

static size_t end_sample(double x, size_t n) {
    return (size_t)psb_min(psb_max(floor(x - 0.5) + 1.0, 0.0), (double)n);
}

/* Without branches on data, so that it becomes vector code: most of the time goes here. */
static void draw_row(const canvas *c, size_t j, size_t from, size_t to, const double plane[3],
                     uint8_t shade) {
    float *restrict depth = c->depth + j * c->width + from;
    uint8_t *restrict shades = c->shade + j * c->width + from;
    float start =
        (float)(plane[0] * ((double)from + 0.5) + plane[1] * ((double)j + 0.5) + plane[2]);
    float step = (float)plane[0];
    int count = to > from ? (int)(to - from) : 0;
    for (int i = 0; i < count; i++) {
        float z = start + step * (float)i;
        bool nearer = z > depth[i];
        depth[i] = nearer ? z : depth[i];
        shades[i] = nearer ? shade : shades[i];
    }
}

static void draw_triangle(canvas *c, const double *p, const double *q, const double *r) {
    double normal[3];
    psb_normal(p, q, r, normal);
    double area = normal[2];
    if (fabs(area) < least_area) {
        return; /* seen edge on */
    }
    if (area > 0.0) { /* rows run downward, so this turns the other way */
        const double *swap = q;
        q = r;
        r = swap;
    }
    /* z = plane[0] x + plane[1] y + plane[2] */
    double plane[3] = {-normal[0] / area, -normal[1] / area, 0.0};
    plane[2] = p[2] - plane[0] * p[0] - plane[1] * p[1];
    double facing[3] = {normal[0], -normal[1], normal[2]}; /* y upward again */
    uint8_t shade = shade_of(facing);
    double top = psb_min(p[1], psb_min(q[1], r[1])), bottom = psb_max(p[1], psb_max(q[1], r[1]));
    size_t end = end_sample(bottom, c->height);
    for (size_t j = first_sample(top, c->height); j < end; j++) {
        double y = (double)j + 0.5, from = 0.0, to = (double)c->width;
        clip(p, r, y, &from, &to);
        clip(r, q, y, &from, &to);
        clip(q, p, y, &from, &to);
        draw_row(c, j, first_sample(from, c->width), end_sample(to, c->width), plane, shade);
    }
}

/* One pixel from its block of samples. */
static void resolve_pixel(const uint8_t *block, size_t stride, uint8_t pixel[2]) {
    unsigned sum = 0, count = 0;
    for (size_t j = 0; j < SAMPLES; j++) {
        for (size_t i = 0; i < SAMPLES; i++) {
            sum += block[j * stride + i];
            count += block[j * stride + i] != 0;
        }
    }
    pixel[0] = (uint8_t)(count > 0 ? (sum + count / 2) / count : 0);
    pixel[1] = (uint8_t)(count * 255 / (SAMPLES * SAMPLES));
}

static void resolve(const canvas *c, const psb_view *view, uint8_t *pixels) {
    for (size_t y = 0; y < view->height; y++) {
        for (size_t x = 0; x < view->width; x++) {
            const uint8_t *block = c->shade + y * SAMPLES * c->width + x * SAMPLES;
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
    canvas c = {SAMPLES * view->width, SAMPLES * view->height, NULL, NULL};
    psb_pose pose;
    psb_status status = check(view, error);
    PSB_THEN(status, pose_of(mesh, view->aligned, &pose, error));
    PSB_THEN(status, psb_buffer_reserve(&renderer->points, mesh->nvertices, 3 * sizeof(double),
                                        "projected vertices", error));
    PSB_THEN(status, psb_buffer_reserve(&renderer->depth, c.width * c.height, sizeof(float),
                                        "a depth buffer", error));
    PSB_THEN(status,
             psb_buffer_reserve(&renderer->shade, c.width * c.height, 1, "a picture", error));
    if (status != PSB_OK) {
        return status;
    }
    double *points = renderer->points.data;
    c.depth = renderer->depth.data;
    c.shade = renderer->shade.data;
    for (size_t i = 0; i < c.width * c.height; i++) {
        c.depth[i] = -INFINITY;
    }
    memset(c.shade, 0, c.width * c.height);
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
    psb_buffer_free(&renderer->depth);
    psb_buffer_free(&renderer->shade);
}
