/* Object File Format as the web has it; psb_mesh_read of the public header is the way in. */
#ifndef PSB_IO_OFF_H
#define PSB_IO_OFF_H

#include "psbench.h"

/* A mesh whose memory is reused from model to model; capacities in vertices and triangles. */
typedef struct psb_mesh_buffer {
    psb_mesh mesh;
    size_t vertex_capacity;
    size_t triangle_capacity;
    size_t max_faces; /* limit of psb_off_faces; 0: none but that of indices */
} psb_mesh_buffer;

/* Vertices that a file may have for each face that it may have. */
enum { PSB_OFF_VERTICES_PER_FACE = 3 };

/*
 * The size of a mesh as max_faces limits it: polygons, triangles, or a third of the vertices,
 * whichever are most.
 */
size_t psb_off_faces(const psb_mesh *mesh);

/*
 * Parses an OFF file that is in memory; `path` is for messages. Starts from a zeroed buffer or any
 * earlier mesh. Polygons become fans around their first corner, those with fewer than three corners
 * nothing. Takes memory for what can be in `size` bytes and is within the buffer's limit, whatever
 * the header says. On failure the mesh is empty; its memory stays in the buffer.
 */
psb_status psb_off_parse(const char *path, const char *data, size_t size, psb_mesh_buffer *buffer,
                         psb_error *error);

/* The same for a file. */
psb_status psb_off_read(const char *path, psb_mesh_buffer *buffer, psb_error *error);
void psb_mesh_buffer_free(psb_mesh_buffer *buffer);

#endif
