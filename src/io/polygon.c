/*
 * Polygons become fans around their first corner while they are read. A fan is right unless one of
 * its triangles is turned against the polygon's normal, as at a corner that points inwards: such a
 * polygon is split anew, by clipping ears (Meisters, "Polygons have ears", 1975) in its projection
 * along the largest coordinate of its normal. So convex polygons keep their fans, and a concave one
 * has the same area from any first corner. A polygon that is not plane is what its projection is;
 * one without area, or that crosses itself so that no ear is left, keeps its fan.
 */
#include "core/vector.h"
#include "io/format.h"

#include <math.h>

typedef struct fan {
    uint32_t first, count; /* triangles */
} fan;

psb_status psb_fan_note(const psb_scan *scan, psb_mesh_buffer *buffer, size_t corners) {
    const uint32_t count = (uint32_t)corners - 2, first = (uint32_t)buffer->mesh.ntriangles - count;
    const fan *last = buffer->nfans > 0 ? (fan *)buffer->fans.data + buffer->nfans - 1 : NULL;
    psb_status status = PSB_OK;
    if (last == NULL || last->first != first) {
        status =
            psb_buffer_grow(&buffer->fans, buffer->nfans + 1, sizeof(fan), "polygons", scan->error);
        buffer->nfans += status == PSB_OK;
    }
    if (status == PSB_OK) {
        ((fan *)buffer->fans.data)[buffer->nfans - 1] = (fan){first, count};
    }
    return status;
}

/* Twice the triangle's area along its normal. */
static void double_area(const psb_mesh *mesh, const uint32_t *triangle, double out[3]) {
    const double *v = mesh->vertices;
    psb_normal(v + 3 * (size_t)triangle[0], v + 3 * (size_t)triangle[1],
               v + 3 * (size_t)triangle[2], out);
}

/* Sets the polygon's normal, as long as twice its area; true if a triangle of the fan is turned
 * against it by more than rounding. */
static bool is_wrong(const psb_mesh *mesh, const fan *f, double normal[3]) {
    static const double rounding = 1e-12; /* part of the polygon's area */
    const uint32_t *triangles = mesh->triangles + 3 * (size_t)f->first;
    double part[3];
    normal[0] = normal[1] = normal[2] = 0;
    for (size_t t = 0; t < f->count; t++) {
        double_area(mesh, triangles + 3 * t, part);
        for (int k = 0; k < 3; k++) {
            normal[k] += part[k];
        }
    }
    const double least = -rounding * psb_dot(normal, normal);
    bool wrong = false;
    for (size_t t = 0; t < f->count && !wrong; t++) {
        double_area(mesh, triangles + 3 * t, part);
        wrong = psb_dot(part, normal) < least;
    }
    return wrong;
}

typedef struct corner {
    double x, y;
    uint32_t index, before, after; /* index: vertex; the others: corners */
} corner;

/* Twice the area of the triangle, above 0 if it turns left. */
static double turn(const corner *a, const corner *b, const corner *c) {
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

static bool is_same(const corner *a, const corner *b) {
    return a->x == b->x && a->y == b->y;
}

/*
 * True if the corner `at` can be cut off: it turns left, and no other corner lies in its triangle
 * or on its sides. `loosely`: it does not turn right, and none lies inside. Counts its tests.
 */
static bool is_ear(const corner *corners, uint32_t at, bool loosely, size_t *tests) {
    const corner *b = &corners[at], *a = &corners[b->before], *c = &corners[b->after];
    double own = turn(a, b, c);
    bool ear = loosely ? own >= 0 : own > 0;
    for (const corner *p = &corners[c->after]; ear && p != a; p = &corners[p->after]) {
        double sides[] = {turn(a, b, p), turn(b, c, p), turn(c, a, p)};
        double least = fmin(fmin(sides[0], sides[1]), sides[2]);
        ear =
            least < 0 || (loosely && least == 0) || is_same(p, a) || is_same(p, b) || is_same(p, c);
        ++*tests;
    }
    return ear;
}

/* Cuts ears off until a triangle is left; false if none can be cut, or after too many tests. */
static bool clip(corner *corners, uint32_t n, uint32_t *triangles, size_t *tests, size_t most) {
    uint32_t at = 0, failed = 0, left = n;
    bool loosely = false;
    while (left >= 3 && *tests <= most) {
        if (left == 3 || is_ear(corners, at, loosely, tests)) {
            const corner *b = &corners[at];
            *triangles++ = corners[b->before].index;
            *triangles++ = b->index;
            *triangles++ = corners[b->after].index;
            corners[b->before].after = b->after;
            corners[b->after].before = b->before;
            left = left == 3 ? 0 : left - 1;
            failed = 0;
            loosely = false;
        } else if (++failed == left) {
            if (loosely) {
                return false;
            }
            loosely = true;
            failed = 0;
        }
        at = corners[at].after;
    }
    return left == 0;
}

/* Fills in the corners of a fan, projected so that the polygon turns left. */
static void project(const psb_mesh *mesh, const fan *f, const double normal[3], corner *corners) {
    const uint32_t *triangles = mesh->triangles + 3 * (size_t)f->first, n = f->count + 2;
    int axis = fabs(normal[1]) > fabs(normal[0]) ? 1 : 0;
    axis = fabs(normal[2]) > fabs(normal[axis]) ? 2 : axis;
    const int x = normal[axis] > 0 ? (axis + 1) % 3 : (axis + 2) % 3, y = 3 - axis - x;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t index = i < 2 ? triangles[i] : triangles[3 * (i - 2) + 2];
        const double *xyz = mesh->vertices + 3 * (size_t)index;
        corners[i] = (corner){xyz[x], xyz[y], index, i > 0 ? i - 1 : n - 1, i + 1 < n ? i + 1 : 0};
    }
}

psb_status psb_split_concave(const psb_scan *scan, psb_mesh_buffer *buffer) {
    /* A hostile file could have a polygon whose ears take hours to find. */
    const size_t most_tests = (size_t)1 << 32;
    psb_mesh *mesh = &buffer->mesh;
    const fan *fans = buffer->fans.data;
    PSB_AT_END(psb_buffer_free) psb_buffer corners = {0}, triangles = {0};
    psb_status status = PSB_OK;
    size_t tests = 0;
    for (size_t i = 0; i < buffer->nfans && status == PSB_OK; i++) {
        double normal[3];
        if (!is_wrong(mesh, &fans[i], normal)) {
            continue;
        }
        const size_t n = (size_t)fans[i].count + 2, size = 3 * sizeof *mesh->triangles;
        status = psb_buffer_reserve(&corners, n, sizeof(corner), "a polygon", scan->error);
        PSB_THEN(status, psb_buffer_reserve(&triangles, n, size, "a polygon", scan->error));
        if (status == PSB_OK) {
            project(mesh, &fans[i], normal, corners.data);
            if (clip(corners.data, (uint32_t)n, triangles.data, &tests, most_tests)) {
                memcpy(mesh->triangles + 3 * (size_t)fans[i].first, triangles.data, (n - 2) * size);
            } else if (tests > most_tests) {
                status = PSB_SCAN_FAIL(scan,
                                       "a concave polygon of %zu corners, which would take "
                                       "too long to split into triangles",
                                       n);
            }
        }
    }
    return status;
}
