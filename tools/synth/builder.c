/* Grows the arrays of vertices and polygons, and multiplies frames. */
#include "synth/builder.h"

#include "core/elementary.h"

#include <math.h>
#include <string.h>

void psb_builder_restart(psb_builder *builder, psb_error *error) {
    builder->status = PSB_OK;
    builder->error = error;
    builder->nvertices = builder->ncorners = builder->nfaces = 0;
    builder->frame = (psb_frame){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
}

void psb_builder_free(psb_builder *builder) {
    psb_buffer_free(&builder->vertices);
    psb_buffer_free(&builder->corners);
    psb_buffer_free(&builder->sizes);
}

void psb_move(psb_builder *builder, double x, double y, double z) {
    psb_frame *frame = &builder->frame;
    for (int i = 0; i < 3; i++) {
        const double *row = frame->rotation[i];
        frame->origin[i] += row[0] * x + row[1] * y + row[2] * z;
    }
}

void psb_turn(psb_builder *builder, int axis, double angle) {
    int u = (axis + 1) % 3;
    int v = (axis + 2) % 3;
    double c = psb_cos(angle);
    double s = psb_sin(angle);
    for (int i = 0; i < 3; i++) {
        double *row = builder->frame.rotation[i];
        double turned = row[u] * c + row[v] * s;
        row[v] = row[v] * c - row[u] * s;
        row[u] = turned;
    }
}

void psb_stretch(psb_builder *builder, double x, double y, double z) {
    for (int i = 0; i < 3; i++) {
        double *row = builder->frame.rotation[i];
        row[0] *= x;
        row[1] *= y;
        row[2] *= z;
    }
}

/* Makes room for `more` elements after `count`; returns false once anything failed. */
static bool reserve(psb_builder *builder, psb_buffer *buffer, size_t count, size_t more,
                    size_t size) {
    if (builder->status == PSB_OK) {
        builder->status =
            psb_buffer_grow(buffer, count + more, size, "a generated mesh", builder->error);
    }
    return builder->status == PSB_OK;
}

void psb_add_vertex(psb_builder *builder, double x, double y, double z) {
    size_t index = builder->nvertices;
    if (!reserve(builder, &builder->vertices, 3 * index, 3, sizeof(double))) {
        return;
    }
    double *vertex = psb_builder_vertices(builder) + 3 * index;
    for (int i = 0; i < 3; i++) {
        const double *row = builder->frame.rotation[i];
        vertex[i] = row[0] * x + row[1] * y + row[2] * z + builder->frame.origin[i];
    }
    builder->nvertices++;
}

void psb_add_face(psb_builder *builder, uint32_t size, const uint32_t *corners) {
    size_t index = builder->nfaces;
    if (!reserve(builder, &builder->corners, builder->ncorners, size, sizeof *corners) ||
        !reserve(builder, &builder->sizes, index, 1, sizeof size)) {
        return;
    }
    memcpy(psb_builder_corners(builder) + builder->ncorners, corners, size * sizeof *corners);
    psb_builder_sizes(builder)[index] = size;
    builder->ncorners += size;
    builder->nfaces++;
}
