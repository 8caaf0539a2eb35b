/* Reads meshes of any known format, recognized by content, also packed with gzip. psb_mesh_read of
 * the public header calls this. */
#pragma once

#include "core/memory.h"

/* A mesh whose memory is reused from model to model; capacities count vertices and triangles. */
typedef struct psb_mesh_buffer {
    psb_mesh mesh;
    size_t vertex_capacity;
    size_t triangle_capacity;
    size_t max_faces;      /* limit of psb_mesh_faces; 0: only that of 32-bit indices */
    size_t max_bytes;      /* limit of a file, packed and unpacked; 0: what max_faces allows */
    double max_seconds;    /* limit for formats that another program reads; 0: a minute */
    bool clouds;           /* a file of points without faces is read, as a mesh without triangles */
    psb_buffer file;       /* the file that psb_mesh_load has read */
    psb_buffer unpacked;   /* its bytes after gzip */
    psb_buffer slots;      /* hash table of vertices */
    psb_buffer directions; /* normals of the points, three doubles each */
    psb_buffer fans; /* where the polygons of more than three corners are among the triangles */
    size_t nfans;
    /* The model that was parsed last: */
    const struct psb_archive *archive; /* the archive that holds it; NULL: a folder does */
    size_t size;                       /* bytes of its file, packed */
    uint64_t hash;                     /* XXH64 of its file and of all files that it refers to */
    bool normals;                      /* it is a cloud of points that have normals */
    bool refers;                       /* it refers to other files, present or not */
    const struct psb_aid *aid;         /* in psbench-import: what readers use there (io/format.h) */
    bool foreign; /* our reader refuses it, but psbench-import may know how to read it */
} psb_mesh_buffer;

/* A file may have so many vertices for each face that is allowed. */
enum { PSB_MESH_VERTICES_PER_FACE = 3 };

/* The size of a mesh that max_faces limits: its polygons, its triangles, or a third of its
 * vertices, whichever is most. */
size_t psb_mesh_faces(const psb_mesh *mesh);
/* Returns how many bytes a file of so many faces may have, packed or unpacked; 0 faces: no
 * limit. */
size_t psb_mesh_most_bytes(size_t max_faces);

/* Returns how many bytes the buffer's limits allow a file, packed and unpacked. */
size_t psb_mesh_limit(const psb_mesh_buffer *buffer);

/*
 * Parses a mesh file in memory. Its bytes decide the format; if they leave a choice, and for the
 * formats that another program reads, the ending of `path` does. Files that the mesh refers to are
 * found beside `path`, in buffer->archive or in the folder. The buffer is zeroed or holds an
 * earlier mesh. Polygons become fans around their first corner; those with fewer than three corners
 * become nothing. Allocates only what `size` bytes can hold within the buffer's limits, whatever
 * the file states. On failure the mesh is empty; its memory stays in the buffer.
 */
psb_status psb_mesh_parse(const char *path, const char *data, size_t size, psb_mesh_buffer *buffer,
                          psb_error *error);

/*
 * Like psb_mesh_parse, for a file in the archive or, if that is NULL, in a folder; the buffer's
 * limits bound its bytes. In an archive only a file named ".gz" is unpacked again. PSB_ERROR_IO if
 * the file cannot be read.
 */
psb_status psb_mesh_load(const struct psb_archive *archive, const char *path,
                         psb_mesh_buffer *buffer, psb_error *error);
/*
 * Returns an upper bound of the bytes that the file unpacks to: psb_mesh_load allocates them beside
 * the packed bytes, and refuses files that exceed them. `size` is that of the file. Returns 0 if it
 * is not packed, cannot be read, or is refused.
 */
size_t psb_mesh_unpacked_most(const struct psb_archive *archive, const char *path, size_t size,
                              size_t most);
void psb_mesh_buffer_free(psb_mesh_buffer *buffer);

/* Endings of mesh files ("off", "obj.gz"), the most likely first; NULL after the last. The search
 * for a model's file tries each of them. */
const char *psb_mesh_ending_at(size_t index);
/* Returns the index of a path's ending in that list; SIZE_MAX if it has none of them. */
size_t psb_mesh_ending_of(const char *path);
/* The same for files of points alone, which are looked for where clouds are asked for; `tables`:
 * for those whose endings files of other things have as well. */
size_t psb_cloud_ending_of(const char *path, bool tables);
/* True if, by its ending, the file is of a format whose files may refer to other files. */
bool psb_mesh_may_refer(const char *path);
/* Returns the length of a path without its ending. */
size_t psb_mesh_stem(const char *path);
