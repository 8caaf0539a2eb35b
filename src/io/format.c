/* What mesh formats share: room for vertices and triangles, reading coordinates, writing digits. */
#include "io/format.h"

#include "core/vector.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Makes all normals as long as 1, or forgets them if some are far from that. */
static void settle_normals(psb_mesh_buffer *buffer) {
    double *normal = buffer->directions.data;
    for (size_t i = 0; i < buffer->mesh.nvertices && buffer->normals; i++) {
        double length = psb_norm(normal + 3 * i);
        buffer->normals = fabs(length - 1) < 0.02;
        psb_divide(normal + 3 * i, length);
    }
}

psb_status psb_format_parse(const psb_mesh_format *format, const char *path, const char *data,
                            size_t size, psb_mesh_buffer *buffer, psb_error *error) {
    psb_mesh *mesh = &buffer->mesh;
    mesh->nvertices = mesh->ntriangles = mesh->npolygons = buffer->nfans = 0;
    buffer->normals = false;
    data = size > 0 ? data : "";
    psb_scan scan = {.path = path, .begin = data, .at = data, .end = data + size, .error = error};
    static const char pointer[] = "version https://git-lfs";
    psb_status status =
        size >= sizeof pointer && memcmp(data, pointer, sizeof pointer - 1) == 0
            ? PSB_SCAN_FAIL(&scan, "a pointer of Git LFS; 'git lfs pull' gets the file")
            : format->parse(&scan, buffer);
    if (status == PSB_OK && buffer->clouds && mesh->npolygons == 0 && mesh->nvertices > 0) {
        settle_normals(buffer);
    } else if (status == PSB_OK && format->points) {
        status = PSB_SCAN_FAIL(&scan, "%zu points and no faces: a point cloud, not a surface",
                               mesh->nvertices);
    } else if (status == PSB_OK && mesh->ntriangles == 0) {
        status =
            mesh->npolygons == 0
                ? PSB_SCAN_FAIL(&scan, "an empty mesh: the file has no faces")
                : PSB_SCAN_FAIL(&scan, "an empty mesh: none of its %zu faces has three corners",
                                mesh->npolygons);
    }
    PSB_THEN_IF(status, buffer->max_faces > 0 && psb_mesh_faces(mesh) > buffer->max_faces,
                PSB_SCAN_FAIL(&scan, "%zu faces, but at most %zu are allowed", psb_mesh_faces(mesh),
                              buffer->max_faces));
    PSB_THEN(status, psb_split_concave(&scan, buffer));
    if (status != PSB_OK) {
        mesh->nvertices = mesh->ntriangles = mesh->npolygons = 0;
    }
    return status;
}

/* Resizes the buffer's vertices, wrapped as a psb_buffer for the call. */
static psb_status resize_vertices(const psb_scan *scan, psb_mesh_buffer *buffer, size_t count,
                                  psb_status (*resize)(psb_buffer *, size_t, size_t, const char *,
                                                       psb_error *)) {
    const size_t size = 3 * sizeof(double);
    size_t most = PSB_MESH_VERTICES_PER_FACE * buffer->max_faces;
    if (count > UINT32_MAX || (most > 0 && count > most)) {
        return PSB_SCAN_FAIL(scan, "%zu vertices, but at most %zu are allowed", count,
                             most > 0 && most < UINT32_MAX ? most : (size_t)UINT32_MAX);
    }
    psb_buffer vertices = {buffer->mesh.vertices, buffer->vertex_capacity * size};
    psb_status status = resize(&vertices, count, size, "vertices", scan->error);
    buffer->mesh.vertices = vertices.data;
    buffer->vertex_capacity = vertices.bytes / size;
    return status;
}

psb_status psb_room_for_vertices(const psb_scan *scan, psb_mesh_buffer *buffer, size_t count) {
    return resize_vertices(scan, buffer, count, psb_buffer_reserve);
}

psb_status psb_grow_vertices(const psb_scan *scan, psb_mesh_buffer *buffer, size_t count) {
    size_t most = PSB_MESH_VERTICES_PER_FACE * buffer->max_faces;
    return count <= buffer->vertex_capacity && (most == 0 || count <= most)
               ? PSB_OK
               : resize_vertices(scan, buffer, count, psb_buffer_grow);
}

psb_status psb_grow_points(const psb_scan *scan, psb_mesh_buffer *buffer, size_t count) {
    psb_status status = psb_grow_vertices(scan, buffer, count);
    return PSB_THEN(status, psb_buffer_grow(&buffer->directions, count, 3 * sizeof(double),
                                            "normals", scan->error));
}

psb_status psb_enlarge_triangles(const psb_scan *scan, psb_mesh_buffer *buffer, size_t count) {
    if (buffer->max_faces > 0 && count > buffer->max_faces) {
        return PSB_SCAN_FAIL(scan, "the polygons make more than the %zu triangles that are allowed",
                             buffer->max_faces);
    }
    if (count > UINT32_MAX) {
        return PSB_SCAN_FAIL(scan, "more than %" PRIu32 " triangles", UINT32_MAX);
    }
    const size_t size = 3 * sizeof(uint32_t);
    psb_buffer triangles = {buffer->mesh.triangles, buffer->triangle_capacity * size};
    psb_status status = psb_buffer_grow(&triangles, count, size, "triangles", scan->error);
    buffer->mesh.triangles = triangles.data;
    buffer->triangle_capacity = triangles.bytes / size;
    return status;
}

psb_status psb_read_coordinates(psb_scan *scan, bool on_line, double xyz[3]) {
    int k = psb_scan_usual_numbers(scan, 3, xyz);
    for (; k < 3; k++) {
        if (!(on_line ? psb_scan_next_on_line(scan) : psb_scan_next(scan))) {
            return PSB_SCAN_FAIL(scan, "%d of a vertex's 3 coordinates", k);
        }
        const char *start = scan->at;
        if (!psb_scan_number(scan, &xyz[k]) || !isfinite(xyz[k])) {
            scan->at = start;
            return psb_scan_fail_token(scan, "a finite coordinate");
        }
    }
    return PSB_OK;
}

void psb_write_number(FILE *stream, double value, bool single) {
    enum { FLOAT_LEAST = 6, FLOAT_MOST = 9, DOUBLE_LEAST = 15, DOUBLE_MOST = 17 };
    char text[40];
    double read = 0;
    int most = single ? FLOAT_MOST : DOUBLE_MOST;
    for (int digits = single ? FLOAT_LEAST : DOUBLE_LEAST; digits <= most; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (psb_parse_double(text, &read) &&
            (single ? (float)read == (float)value : read == value)) {
            break;
        }
    }
    fputs(text, stream);
}

void psb_write_coordinates(FILE *stream, const double xyz[3], bool single) {
    for (int k = 0; k < 3; k++) {
        fputc(' ', stream);
        psb_write_number(stream, xyz[k], single);
    }
    fputc('\n', stream);
}

void psb_store_bits(FILE *stream, uint64_t bits, size_t bytes, bool big) {
    unsigned char out[sizeof bits];
    for (size_t i = 0; i < bytes; i++) {
        out[big ? bytes - 1 - i : i] = (unsigned char)(bits >> 8 * i);
    }
    fwrite(out, 1, bytes, stream);
}

void psb_store_real(FILE *stream, double value, bool single, bool big) {
    float rounded = (float)value;
    uint32_t four;
    uint64_t eight;
    memcpy(&four, &rounded, sizeof four);
    memcpy(&eight, &value, sizeof eight);
    psb_store_bits(stream, single ? four : eight, single ? 4 : 8, big);
}
