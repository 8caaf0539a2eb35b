/*
 * Meshes of any format that is known, by content, also packed with gzip; psb_mesh_read of the
 * public header is the way in.
 */
#ifndef PSB_IO_MESH_H
#define PSB_IO_MESH_H

#include "core/memory.h"

#include <stdbool.h>

/* A mesh whose memory is reused from model to model; capacities in vertices and triangles. */
typedef struct psb_mesh_buffer {
    psb_mesh mesh;
    size_t vertex_capacity;
    size_t triangle_capacity;
    size_t max_faces;    /* limit of psb_mesh_faces; 0: none but that of indices */
    size_t max_bytes;    /* of a file, also unpacked; 0: what max_faces allows */
    double max_seconds;  /* for formats that another program reads; 0: a minute */
    psb_buffer file;     /* what psb_mesh_load has read */
    psb_buffer unpacked; /* what gzip had packed */
    psb_buffer slots;    /* of a table of vertices */
    /* Of the model that was parsed last. */
    const struct psb_archive *archive; /* that it lies in; NULL: in a folder */
    size_t size;                       /* bytes of its file, before they were unpacked */
    uint64_t hash;                     /* XXH64 of these and of all files that it refers to */
    bool refers;                       /* to other files, whether they are there or not */
    bool foreign; /* the format's reader refuses what psbench-import may know to read */
} psb_mesh_buffer;

/* Vertices that a file may have for each face that it may have. */
enum { PSB_MESH_VERTICES_PER_FACE = 3 };

/*
 * The size of a mesh as max_faces limits it: polygons, triangles, or a third of the vertices,
 * whichever are most.
 */
size_t psb_mesh_faces(const psb_mesh *mesh);
/* Bytes that a file with so many faces may have, packed or unpacked; 0 faces: no limit. */
size_t psb_mesh_most_bytes(size_t max_faces);

/*
 * Parses a mesh file that is in memory. Its bytes say what it is; where these leave a choice, and
 * for the formats that another program reads, the ending of `path` does. Files that it refers to
 * are looked for beside `path`, in buffer->archive or in the folder. Starts from a zeroed buffer or
 * any earlier mesh. Polygons become fans around their first corner, those with fewer than three
 * corners nothing. Takes memory for what can be in `size` bytes and is within the buffer's limit,
 * whatever the file says. On failure the mesh is empty; its memory stays in the buffer.
 */
psb_status psb_mesh_parse(const char *path, const char *data, size_t size, psb_mesh_buffer *buffer,
                          psb_error *error);

/*
 * The same for a file, in the archive or, where that is NULL, anywhere; it may have as many bytes
 * as the buffer's limits allow. In an archive only what is named so (".gz") is unpacked once more.
 * What cannot be read is PSB_ERROR_IO.
 */
psb_status psb_mesh_load(const struct psb_archive *archive, const char *path,
                         psb_mesh_buffer *buffer, psb_error *error);
/*
 * Bytes that the file there takes when it is unpacked, at most: what psb_mesh_load takes memory for
 * beside the packed bytes, and what it refuses more than. `size` is that of the file; 0 where it is
 * not packed, cannot be looked at, or is refused.
 */
size_t psb_mesh_unpacked_most(const struct psb_archive *archive, const char *path, size_t size,
                              size_t most);
void psb_mesh_buffer_free(psb_mesh_buffer *buffer);

/*
 * Endings of mesh files ("off", "obj.gz"), the most likely first; NULL behind the last. A file that
 * goes by a model's name is looked for with each.
 */
const char *psb_mesh_ending_at(size_t index);
/* The number there of a path's ending; SIZE_MAX where it is none of them. */
size_t psb_mesh_ending_of(const char *path);
/* Whether its format, by the ending, is one whose files may refer to other files. */
bool psb_mesh_may_refer(const char *path);
/* Length of a path without the ending that says what it holds. */
size_t psb_mesh_stem(const char *path);

#endif
