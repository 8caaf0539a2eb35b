/*
 * A mesh under construction: vertices, polygons, and the frame in which the next part is placed.
 * The first failure (only memory can fail) sticks in `status` and turns later calls into no-ops,
 * so the code of an object need not look at it.
 */
#pragma once

#include "core/memory.h"

#include <stdbool.h>

/* Maps the part's coordinates to the model's: x -> rotation x + origin. */
typedef struct psb_frame {
    double rotation[3][3];
    double origin[3];
} psb_frame;

typedef struct psb_builder {
    psb_status status;
    psb_error *error; /* filled at the first failure; may be NULL */

    size_t nvertices, ncorners, nfaces;
    psb_buffer vertices; /* nvertices x 3 double */
    psb_buffer corners;  /* ncorners uint32_t: the faces' vertices, face after face */
    psb_buffer sizes;    /* nfaces uint32_t: corners of each face */

    psb_frame frame;

    /* Tessellation of the solids. */
    int around; /* sides of a full circle, at least 3 */
    int grid;   /* cells along each edge of a flat side, at least 1 */
    int smooth; /* steps between two control points of a curve, at least 1 */
} psb_builder;

/* Empties the mesh, keeps its memory, and sets the frame to the identity. */
void psb_builder_restart(psb_builder *builder, psb_error *error);
void psb_builder_free(psb_builder *builder);

/*
 * Moves, turns or stretches the parts that are added from now on, in the coordinates of the current
 * frame. To undo it, save builder->frame before and assign it back.
 */
void psb_move(psb_builder *builder, double x, double y, double z);
/* Turns about axis 0, 1 or 2 by radians, counterclockwise as seen from the axis's tip. */
void psb_turn(psb_builder *builder, int axis, double angle);
void psb_stretch(psb_builder *builder, double x, double y, double z);

/* Adds a vertex, whose index is nvertices before the call. */
void psb_add_vertex(psb_builder *builder, double x, double y, double z);
void psb_add_face(psb_builder *builder, uint32_t size, const uint32_t *corners);

static inline double *psb_builder_vertices(const psb_builder *builder) {
    return builder->vertices.data;
}

static inline uint32_t *psb_builder_corners(const psb_builder *builder) {
    return builder->corners.data;
}

static inline uint32_t *psb_builder_sizes(const psb_builder *builder) {
    return builder->sizes.data;
}
