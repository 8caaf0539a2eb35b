/* Notes the vertex of each position, and counts what was placed. */
#include "io/scene.h"

#include <math.h>

enum {
    DEPTH_MOST = 256,
    NODES_LEAST = 1 << 20,     /* nodes that any file may have, with those of what it repeats */
    TRIANGLES_LEAST = 1 << 22, /* triangles that any file may make */
};

psb_status psb_scene_start(psb_scene *scene, const psb_scan *scan, psb_mesh_buffer *out,
                           size_t bytes) {
    *scene = (psb_scene){.out = out, .bytes = bytes};
    return psb_weld_start(&scene->weld, scan, out, 0);
}

void psb_scene_free(psb_scene *scene) {
    psb_buffer_free(&scene->placed);
}

size_t psb_scene_most(const psb_scene *scene) {
    return scene->bytes > TRIANGLES_LEAST ? scene->bytes : TRIANGLES_LEAST;
}

psb_status psb_scene_enter(psb_scene *scene, const psb_scan *scan, size_t depth) {
    size_t most = scene->bytes > NODES_LEAST ? scene->bytes : NODES_LEAST;
    if (depth > DEPTH_MOST) {
        return PSB_SCAN_FAIL(scan, "objects or nodes lie more than %d deep: one may contain itself",
                             DEPTH_MOST);
    }
    return ++scene->nodes <= most
               ? PSB_OK
               : PSB_SCAN_FAIL(scan, "places more than the %zu objects or nodes that are allowed",
                               most);
}

/* Makes room to note what each position has become; what is new holds no use. */
static psb_status make_room(psb_scene *scene, const psb_scan *scan, size_t positions) {
    size_t room = scene->placed.bytes / sizeof(psb_placed);
    if (positions <= room) {
        return PSB_OK;
    }
    psb_status status =
        psb_buffer_grow(&scene->placed, positions, sizeof(psb_placed), "positions", scan->error);
    if (status == PSB_OK) {
        psb_placed *all = scene->placed.data;
        memset(all + room, 0,
               (scene->placed.bytes / sizeof(psb_placed) - room) * sizeof(psb_placed));
    }
    return status;
}

psb_status psb_scene_check(const psb_scene *scene, const psb_scan *scan, size_t more) {
    size_t most = psb_scene_most(scene);
    return more <= most - scene->out->mesh.ntriangles
               ? PSB_OK
               : PSB_SCAN_FAIL(scan, "%s makes more than %zu triangles of a file of %zu bytes",
                               scene->what, most, scene->bytes);
}

psb_status psb_scene_place(psb_scene *scene, const psb_scan *scan, const psb_placement *where,
                           size_t positions, size_t triangles) {
    psb_status status = psb_scene_check(scene, scan, triangles);
    PSB_THEN(status, psb_grow_triangles(scan, scene->out, scene->out->mesh.ntriangles + triangles));
    PSB_THEN(status, make_room(scene, scan, positions));
    scene->where = *where;
    scene->mirrored = psb_placement_mirrors(where);
    scene->uses++;
    return status;
}

psb_status psb_scene_add(psb_scene *scene, const psb_scan *scan, size_t position,
                         const double from[3], uint32_t *vertex) {
    double xyz[3];
    psb_placement_apply(&scene->where, from, xyz);
    for (int k = 0; k < 3; k++) {
        if (!isfinite(from[k])) {
            return PSB_SCAN_FAIL(scan, "%s has a coordinate %g at position %zu", scene->what,
                                 from[k], position);
        }
    }
    for (int k = 0; k < 3; k++) {
        if (!isfinite(xyz[k])) {
            return PSB_SCAN_FAIL(scan, "%s has position %zu, which its node places too far away",
                                 scene->what, position);
        }
    }
    psb_status status =
        psb_weld_find(&scene->weld, scan, xyz, psb_weld_hash(&scene->weld, xyz), vertex);
    ((psb_placed *)scene->placed.data)[position] = (psb_placed){scene->uses, *vertex};
    return status;
}

psb_status psb_scene_triangle(psb_scene *scene, const psb_scan *scan, const uint32_t vertices[3]) {
    psb_mesh *mesh = &scene->out->mesh;
    psb_status status = psb_scene_check(scene, scan, 1);
    PSB_THEN(status, psb_grow_triangles(scan, scene->out, mesh->ntriangles + 1));
    if (status == PSB_OK) {
        uint32_t *triangle = mesh->triangles + 3 * mesh->ntriangles++;
        triangle[0] = vertices[0];
        triangle[1] = vertices[scene->mirrored ? 2 : 1];
        triangle[2] = vertices[scene->mirrored ? 1 : 2];
    }
    return status;
}
