/*
 * Finds whether a surface is closed, and the volume within. Files repeat vertices, so corners are
 * the same if their coordinates are; a face with two equal corners is passed over.
 */
#include "annotate/annotate.h"
#include "core/memory.h"
#include "core/vector.h"

typedef struct corner {
    double at[3];
    size_t vertex;
} corner;

/* An edge as a face runs along it: from the lower to the higher corner (1), or back (-1). */
typedef struct side {
    uint32_t low, high;
    int along;
} side;

static int compare_corners(const void *a, const void *b) {
    const double *p = ((const corner *)a)->at, *q = ((const corner *)b)->at;
    int k = 0;
    while (k < 2 && p[k] == q[k]) {
        k++;
    }
    return (p[k] > q[k]) - (p[k] < q[k]);
}

static int compare_sides(const void *a, const void *b) {
    const side *s = a, *t = b;
    return s->low != t->low ? (s->low > t->low) - (s->low < t->low)
                            : (s->high > t->high) - (s->high < t->high);
}

/* Sets number[v], the same for all vertices in one place. */
static void number_places(const psb_mesh *mesh, corner *corners, uint32_t *number) {
    for (size_t v = 0; v < mesh->nvertices; v++) {
        const double *p = mesh->vertices + 3 * v;
        corners[v] = (corner){{p[0], p[1], p[2]}, v};
    }
    qsort(corners, mesh->nvertices, sizeof *corners, compare_corners);
    uint32_t place = 0;
    for (size_t v = 0; v < mesh->nvertices; v++) {
        place += v > 0 && compare_corners(&corners[v - 1], &corners[v]) != 0;
        number[corners[v].vertex] = place;
    }
}

static size_t list_sides(const psb_mesh *mesh, const uint32_t *number, side *sides) {
    size_t count = 0;
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        uint32_t v[3];
        for (int k = 0; k < 3; k++) {
            v[k] = number[mesh->triangles[3 * t + (size_t)k]];
        }
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            uint32_t from = v[k], to = v[(k + 1) % 3];
            sides[count++] = from < to ? (side){from, to, 1} : (side){to, from, -1};
        }
    }
    return count;
}

static size_t count_open(const side *sides, size_t count) {
    size_t open = 0;
    for (size_t i = 0, next; i < count; i = next) {
        int sum = 0;
        for (next = i; next < count && compare_sides(&sides[i], &sides[next]) == 0; next++) {
            sum += sides[next].along;
        }
        open += next - i != 2 || sum != 0;
    }
    return open;
}

/* The sum of the volumes of tetrahedra from one vertex to all faces. */
static double sum_volume(const psb_mesh *mesh) {
    double sum = 0;
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        double from[3][3], across[3];
        for (int k = 0; k < 3; k++) {
            psb_subtract(mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + (size_t)k],
                         mesh->vertices + 3 * (size_t)mesh->triangles[0], from[k]);
        }
        psb_cross(from[1], from[2], across);
        sum += psb_dot(from[0], across) / 6;
    }
    return sum;
}

psb_status psb_closure_measure(const psb_mesh *mesh, psb_closure *closure, psb_error *error) {
    psb_status status = PSB_OK;
    corner *corners = psb_new(&status, mesh->nvertices, sizeof *corners, "vertices", error);
    uint32_t *number = psb_new(&status, mesh->nvertices, sizeof *number, "vertices", error);
    side *sides = psb_new(&status, mesh->ntriangles, 3 * sizeof *sides, "edges", error);
    if (status == PSB_OK) {
        number_places(mesh, corners, number);
        size_t count = list_sides(mesh, number, sides);
        qsort(sides, count, sizeof *sides, compare_sides);
        closure->open_edges = count_open(sides, count);
        closure->volume = sum_volume(mesh);
    }
    free(sides);
    free(number);
    free(corners);
    return status;
}
