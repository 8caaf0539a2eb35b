/*
 * What is wrong with a surface, and the volume within. Files repeat vertices, so corners are the
 * same if their coordinates are: vertices are welded, faces that repeat a corner then are left out,
 * and the edges of the others are counted.
 */
#include "annotate/annotate.h"
#include "core/memory.h"
#include "core/vector.h"
#include "io/weld.h"

#include <math.h>
#include <xxhash.h>

/* Replaces each corner by the place where it is, and counts the faces without area. Those that
 * repeat a corner have no edges, and are dropped. */
static psb_status weld(const psb_mesh *mesh, psb_mesh_buffer *places, psb_closure *c,
                       psb_error *error) {
    psb_scan scan = {.path = "the mesh", .error = error};
    psb_weld table;
    psb_status status = psb_weld_start(&table, &scan, places, mesh->nvertices);
    PSB_FREED uint32_t *place = psb_new(&status, mesh->nvertices, sizeof *place, "vertices", error);
    PSB_THEN(status, psb_grow_triangles(&scan, places, mesh->ntriangles));
    for (size_t v = 0; v < mesh->nvertices && status == PSB_OK; v++) {
        const double *xyz = mesh->vertices + 3 * v;
        status = psb_weld_find(&table, &scan, xyz, psb_weld_hash(&table, xyz), &place[v]);
    }
    for (size_t t = 0; t < mesh->ntriangles && status == PSB_OK; t++) {
        const uint32_t *from = mesh->triangles + 3 * t;
        uint32_t *to = places->mesh.triangles + 3 * places->mesh.ntriangles;
        double normal[3];
        for (int k = 0; k < 3; k++) {
            to[k] = place[from[k]];
        }
        bool repeats = to[0] == to[1] || to[1] == to[2] || to[2] == to[0];
        psb_normal(mesh->vertices + 3 * (size_t)from[0], mesh->vertices + 3 * (size_t)from[1],
                   mesh->vertices + 3 * (size_t)from[2], normal);
        places->mesh.ntriangles += !repeats;
        c->degenerate_faces += repeats || (normal[0] == 0 && normal[1] == 0 && normal[2] == 0);
    }
    c->repeated_vertices = mesh->nvertices - places->mesh.nvertices;
    return status;
}

/* Sets the corners from the lowest to the highest. */
static void sort_corners(const uint32_t *face, uint32_t sorted[3]) {
    uint32_t low = face[0] < face[1] ? face[0] : face[1], high = face[0] ^ face[1] ^ low;
    sorted[0] = low < face[2] ? low : face[2];
    sorted[2] = high > face[2] ? high : face[2];
    sorted[1] = face[0] ^ face[1] ^ face[2] ^ sorted[0] ^ sorted[2];
}

/* Counts the faces that have the corners of one before, in a table of faces by their hash. */
static psb_status count_repeated(const psb_mesh *places, size_t *repeated, psb_error *error) {
    size_t slots = 16;
    while (slots < 2 * places->ntriangles) {
        slots *= 2;
    }
    psb_status status = PSB_OK;
    PSB_FREED uint32_t *table = psb_new_zero(&status, slots, sizeof *table, "faces", error);
    for (size_t t = 0; t < places->ntriangles && status == PSB_OK; t++) {
        uint32_t own[3], other[3] = {0};
        sort_corners(places->triangles + 3 * t, own);
        size_t at = XXH64(own, sizeof own, 0) & (slots - 1);
        bool same = false;
        for (; table[at] != 0 && !same; at = (at + 1) & (slots - 1)) {
            sort_corners(places->triangles + 3 * (size_t)(table[at] - 1), other);
            same = memcmp(own, other, sizeof own) == 0;
        }
        *repeated += same;
        table[at] = same ? table[at] : (uint32_t)t + 1;
    }
    return status;
}

static psb_status count_edges(const psb_mesh *places, psb_closure *c, psb_error *error) {
    PSB_AT_END(psb_edges_free) psb_edges edges = {0};
    psb_status status = psb_edges_make(places, &edges, error);
    PSB_FREED uint32_t *uses = psb_new_zero(&status, edges.count, sizeof *uses, "edges", error);
    for (size_t i = 0; i < 3 * places->ntriangles && status == PSB_OK; i++) {
        uses[edges.of_corner[i]]++;
    }
    for (size_t e = 0; e < edges.count && status == PSB_OK; e++) {
        bool both = edges.faces[e][0] != PSB_NO_FACE && edges.faces[e][1] != PSB_NO_FACE;
        c->boundary_edges += uses[e] == 1;
        c->nonmanifold_edges += uses[e] > 2;
        c->turned_edges += uses[e] == 2 && !both;
    }
    c->watertight =
        edges.count > 0 && c->boundary_edges + c->nonmanifold_edges == 0 && c->turned_edges == 0;
    return status;
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
    PSB_AT_END(psb_mesh_buffer_free) psb_mesh_buffer places = {0};
    *closure = (psb_closure){0};
    psb_status status = weld(mesh, &places, closure, error);
    PSB_THEN(status, count_repeated(&places.mesh, &closure->repeated_faces, error));
    PSB_THEN(status, count_edges(&places.mesh, closure, error));
    if (status == PSB_OK) {
        closure->open_edges =
            closure->boundary_edges + closure->nonmanifold_edges + closure->turned_edges;
        closure->signed_volume = closure->watertight ? sum_volume(mesh) : (double)NAN;
        closure->volume = fabs(closure->signed_volume);
    }
    return status;
}
