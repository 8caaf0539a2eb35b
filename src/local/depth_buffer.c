/* Rasterises triangles line by line, and limits depths to the range of the triangle's corners. */
#include "local/depth_buffer.h"

#include "core/vector.h"
#include "core/watch.h"

/* A corner in pixels (pixel centers are whole numbers), and its depth. */
typedef struct corner {
    double x, y, z;
} corner;

static corner corner_at(const double *p, int axis) {
    int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    const double half = PSB_DEPTH_SIDE / 2;
    return (corner){(p[first] + 1.0) * half - 0.5, (p[second] + 1.0) * half - 0.5, p[axis]};
}

static inline void put(size_t pixel, double z, double *largest, double *least) {
    largest[pixel] = psb_max(largest[pixel], z);
    least[pixel] = psb_min(least[pixel], z);
}

static void put_vertex(corner c, double *largest, double *least) {
    double x = floor(c.x + 0.5), y = floor(c.y + 0.5);
    if (x >= 0.0 && x < PSB_DEPTH_SIDE && y >= 0.0 && y < PSB_DEPTH_SIDE) {
        put((size_t)y * PSB_DEPTH_SIDE + (size_t)x, c.z, largest, least);
    }
}

/* Extends left ... right by the part of the edge pq that lies on line y. */
static void widen(corner p, corner q, double y, double *left, double *right) {
    if ((p.y <= y && q.y >= y) || (q.y <= y && p.y >= y)) {
        double ends[2] = {p.x, q.x};
        if (p.y != q.y) {
            ends[0] = ends[1] = p.x + (q.x - p.x) * ((y - p.y) / (q.y - p.y));
        }
        for (int e = 0; e < 2; e++) {
            *left = psb_min(*left, ends[e]);
            *right = psb_max(*right, ends[e]);
        }
    }
}

static void put_triangle(const corner c[3], double *largest, double *least) {
    double ux = c[1].x - c[0].x, uy = c[1].y - c[0].y, uz = c[1].z - c[0].z;
    double vx = c[2].x - c[0].x, vy = c[2].y - c[0].y, vz = c[2].z - c[0].z;
    double area = ux * vy - uy * vx;
    if (area == 0.0) { /* seen from the edge */
        return;
    }
    double along_x = (uz * vy - uy * vz) / area, along_y = (ux * vz - uz * vx) / area;
    double far = psb_min(c[0].z, psb_min(c[1].z, c[2].z));
    double near = psb_max(c[0].z, psb_max(c[1].z, c[2].z));
    double low = psb_max(ceil(psb_min(c[0].y, psb_min(c[1].y, c[2].y))), 0.0);
    double high = psb_min(psb_max(c[0].y, psb_max(c[1].y, c[2].y)), PSB_DEPTH_SIDE - 1);
    for (double y = low; y <= high; y++) {
        double left = INFINITY, right = -INFINITY;
        for (int k = 0; k < 3; k++) {
            widen(c[k], c[(k + 1) % 3], y, &left, &right);
        }
        double first = psb_max(ceil(left), 0.0), last = psb_min(right, PSB_DEPTH_SIDE - 1);
        for (double x = first; x <= last; x++) {
            double z = c[0].z + along_x * (x - c[0].x) + along_y * (y - c[0].y);
            put((size_t)y * PSB_DEPTH_SIDE + (size_t)x, psb_min(psb_max(z, far), near), largest,
                least);
        }
    }
}

void psb_depth_buffer_fill(const psb_mesh *mesh, const double *points, int axis,
                           double largest[PSB_DEPTH_PIXELS], double least[PSB_DEPTH_PIXELS]) {
    for (size_t i = 0; i < PSB_DEPTH_PIXELS; i++) {
        largest[i] = -INFINITY;
        least[i] = INFINITY;
    }
    for (size_t t = 0; t < mesh->ntriangles && psb_goes_on(t); t++) {
        corner c[3];
        for (int k = 0; k < 3; k++) {
            c[k] = corner_at(points + 3 * (size_t)mesh->triangles[3 * t + (size_t)k], axis);
            put_vertex(c[k], largest, least);
        }
        put_triangle(c, largest, least);
    }
}
