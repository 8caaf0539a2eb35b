/* Places the meshes of a scene: what readers share whose files say where each mesh lies. Equal
 * corners become one vertex, and what a short file may place is limited. */
#pragma once

#include "io/placement.h"
#include "io/weld.h"

/* Which vertex a position has become, for the mesh that was placed as number `use`. */
typedef struct psb_placed {
    uint32_t use, vertex;
} psb_placed;

/* Start with psb_scene_start, end with psb_scene_free. */
typedef struct psb_scene {
    psb_mesh_buffer *out;
    psb_weld weld;
    size_t bytes; /* of the file, unpacked, and of files beside it: limits what is placed */
    psb_buffer placed;
    uint32_t uses;
    size_t nodes;
    char what[64]; /* the mesh that is being placed, for messages: "mesh 3" */
    psb_placement where;
    bool mirrored;
} psb_scene;

psb_status psb_scene_start(psb_scene *scene, const psb_scan *scan, psb_mesh_buffer *out,
                           size_t bytes);
void psb_scene_free(psb_scene *scene);

/* Returns how many triangles the file may make. */
size_t psb_scene_most(const psb_scene *scene);

/* Fails where so many more triangles would be too many. */
psb_status psb_scene_check(const psb_scene *scene, const psb_scan *scan, size_t more);

/* Counts a node, or an object's use, `depth` levels below the scene. An error if there are too
 * many, or if it lies too deep, as where objects contain themselves. */
psb_status psb_scene_enter(psb_scene *scene, const psb_scan *scan, size_t depth);

/* Begins to place a mesh of so many positions, and makes room for as many triangles, which are
 * known at least. Set `what` before. */
psb_status psb_scene_place(psb_scene *scene, const psb_scan *scan, const psb_placement *where,
                           size_t positions, size_t triangles);

/* True if the position has its vertex already. */
static inline bool psb_scene_has(const psb_scene *scene, size_t position, uint32_t *vertex) {
    const psb_placed *known = (const psb_placed *)scene->placed.data + position;
    *vertex = known->vertex;
    return known->use == scene->uses;
}

/* Places a position that has none. */
psb_status psb_scene_add(psb_scene *scene, const psb_scan *scan, size_t position,
                         const double from[3], uint32_t *vertex);

/* Appends a triangle, turned where the placement mirrors, or its outside would be inside. */
psb_status psb_scene_triangle(psb_scene *scene, const psb_scan *scan, const uint32_t vertices[3]);
