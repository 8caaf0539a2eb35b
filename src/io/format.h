/* Defines what a mesh format is, and what readers and writers of several formats share. */
#pragma once

#include "core/scan.h"
#include "io/mesh.h"

#include <stdio.h>

typedef enum psb_likeness {
    PSB_UNLIKE,
    PSB_POSSIBLE, /* the data could also be of another format */
    PSB_SURE,
} psb_likeness;

typedef struct psb_mesh_format {
    const char *name;
    const char *endings[3];
    bool points; /* its files have no faces */
    psb_likeness (*looks_like)(const char *data, size_t size);
    /* Parses the text of the scan; the buffer's counts start at 0. Sets the mesh's counts; after a
     * failure they may be anything. */
    psb_status (*parse)(psb_scan *scan, psb_mesh_buffer *buffer);
    /* NULL if the format is not written */
    void (*write)(FILE *stream, const psb_mesh *mesh, psb_encoding encoding, bool single);
    psb_encoding encodings[3]; /* encodings for writing; the first is the default */
    size_t nencodings;
} psb_mesh_format;

/* A mesh that Draco packed, unpacked; free both arrays. */
typedef struct psb_unpacked {
    int type; /* of a coordinate, as glTF numbers components */
    size_t points, triangles;
    void *positions;
    uint32_t *corners;
} psb_unpacked;

/* What psbench-import lends to a reader of ours: in its box no file can be opened, and libraries
 * may be called that are not trusted with a hostile file elsewhere. */
typedef struct psb_aid {
    /* Like psb_siblings_read, but the bytes stay valid. */
    psb_status (*read)(const char *name, const char **data, size_t *size, psb_error *error);
    /* Unpacks the positions of this attribute; NULL in a build without Draco. Leaves *out zeroed if
     * the bytes are no such mesh. */
    psb_status (*unpack)(const char *data, size_t size, uint32_t attribute, psb_unpacked *out,
                         psb_error *error);
} psb_aid;

extern const psb_mesh_format psb_format_off, psb_format_obj, psb_format_stl, psb_format_ply,
    psb_format_gltf, psb_format_3mf, psb_format_collada, psb_format_pcd, psb_format_points_npy,
    psb_format_points_text;

/* Like psb_mesh_parse, for a known format. */
psb_status psb_format_parse(const psb_mesh_format *format, const char *path, const char *data,
                            size_t size, psb_mesh_buffer *buffer, psb_error *error);

/* ---- room in the buffer; errors name the scan's place ---------------------------------------- */

/* Makes room for exactly `count` vertices and loses the old ones. */
psb_status psb_room_for_vertices(const psb_scan *scan, psb_mesh_buffer *buffer, size_t count);
/* Makes room for `count` in all. */
psb_status psb_grow_vertices(const psb_scan *scan, psb_mesh_buffer *buffer, size_t count);

/* psb_grow_triangles where there is no room, or more than the buffer allows. */
psb_status psb_enlarge_triangles(const psb_scan *scan, psb_mesh_buffer *buffer, size_t count);

/* The same for triangles; inline, because readers ask for every polygon. */
static inline psb_status psb_grow_triangles(const psb_scan *scan, psb_mesh_buffer *buffer,
                                            size_t count) {
    size_t most = buffer->max_faces > 0 ? buffer->max_faces : SIZE_MAX;
    return count <= buffer->triangle_capacity && count <= most
               ? PSB_OK
               : psb_enlarge_triangles(scan, buffer, count);
}

/* Makes room for `count` points with normals in all. */
psb_status psb_grow_points(const psb_scan *scan, psb_mesh_buffer *buffer, size_t count);

/* Adds a point to a cloud. It has normals if each of its points has, NULL else, of length 1. */
static inline void psb_point_add(psb_mesh_buffer *buffer, const double at[3],
                                 const double *normal) {
    size_t i = buffer->mesh.nvertices++;
    buffer->normals = normal != NULL && (i == 0 || buffer->normals);
    memcpy(buffer->mesh.vertices + 3 * i, at, 3 * sizeof *at);
    if (normal != NULL) {
        memcpy((double *)buffer->directions.data + 3 * i, normal, 3 * sizeof *normal);
    }
}

/* ---- polygons -------------------------------------------------------------------------------- */

/* Notes where the fan of a polygon of `corners` corners so far ends: at the last triangle. Call it
 * from the fourth corner on. */
psb_status psb_fan_note(const psb_scan *scan, psb_mesh_buffer *buffer, size_t corners);
/* Splits the noted polygons that are concave anew (io/polygon.c has the rule). Every vertex must be
 * there, and every index right. */
psb_status psb_split_concave(const psb_scan *scan, psb_mesh_buffer *buffer);

/* A polygon while it is turned into a fan of triangles; starts zeroed. */
typedef struct psb_fan {
    size_t corners;
    uint32_t first, previous;
} psb_fan;

static inline psb_status psb_fan_add(psb_fan *fan, uint32_t index, const psb_scan *scan,
                                     psb_mesh_buffer *buffer) {
    psb_mesh *mesh = &buffer->mesh;
    if (fan->corners == 0) {
        fan->first = index;
    } else if (fan->corners > 1) {
        psb_status status = psb_grow_triangles(scan, buffer, mesh->ntriangles + 1);
        if (status != PSB_OK) {
            return status;
        }
        uint32_t *triangle = mesh->triangles + 3 * mesh->ntriangles++;
        triangle[0] = fan->first;
        triangle[1] = fan->previous;
        triangle[2] = index;
    }
    fan->previous = index;
    fan->corners++;
    return fan->corners > 3 ? psb_fan_note(scan, buffer, fan->corners) : PSB_OK;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Reads three finite coordinates, which must be on this line if `on_line`. */
psb_status psb_read_coordinates(psb_scan *scan, bool on_line, double xyz[3]);

/* Writes the fewest digits from which the same double, or float, is read again. */
void psb_write_number(FILE *stream, double value, bool single);
/* Writes three of them, each behind a blank, and ends the line. */
void psb_write_coordinates(FILE *stream, const double xyz[3], bool single);

/* ---- binary --------------------------------------------------------------------------------- */

void psb_store_bits(FILE *stream, uint64_t bits, size_t bytes, bool big);
/* Writes a float or a double. */
void psb_store_real(FILE *stream, double value, bool single, bool big);
