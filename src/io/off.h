/* Object File Format as the web has it; psb_mesh_read of the public header is the way in. */
#ifndef PSB_IO_OFF_H
#define PSB_IO_OFF_H

#include "psbench.h"

/* A mesh whose memory is reused from model to model; capacities in vertices and triangles. */
typedef struct psb_mesh_buffer {
    psb_mesh mesh;
    size_t vertex_capacity;
    size_t triangle_capacity;
} psb_mesh_buffer;

/*
 * Parses an OFF file that is in memory; `path` is for messages. Starts from a zeroed buffer or any
 * earlier mesh. Polygons become fans around their first corner, those with fewer than three corners
 * nothing. Takes memory for what can be in `size` bytes, whatever the header says. On failure the
 * mesh is empty; its memory stays in the buffer.
 */
psb_status psb_off_parse(const char *path, const char *data, size_t size, psb_mesh_buffer *buffer,
                         psb_error *error);

/* The same for a file. */
psb_status psb_off_read(const char *path, psb_mesh_buffer *buffer, psb_error *error);
void psb_mesh_buffer_free(psb_mesh_buffer *buffer);

#endif
