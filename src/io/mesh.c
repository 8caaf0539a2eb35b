/* Chooses the reader for a file, and does what all readers need: gzip, limits, memory. */
#include "io/mesh.h"

#include "core/file.h"
#include "core/vector.h"
#include "io/archive.h"
#include "io/foreign.h"
#include "io/format.h"
#include "io/gzip.h"

#include <fcntl.h>
#include <math.h>
#include <strings.h>
#include <unistd.h>
#include <xxhash.h>

/* A file may have so many bytes for each face that is allowed, and a few more for its head. */
enum { BYTES_PER_FACE = 256, BYTES_BESIDE = 1 << 20 };

static const psb_mesh_format *const formats[] = {
    &psb_format_off,        &psb_format_obj,        &psb_format_ply,     &psb_format_stl,
    &psb_format_gltf,       &psb_format_3mf,        &psb_format_collada, &psb_format_pcd,
    &psb_format_points_npy, &psb_format_points_text};
enum { FORMATS = sizeof formats / sizeof formats[0] };

/* ---- names ----------------------------------------------------------------------------- */

static const char gzip_ending[] = ".gz";

/* True if the path ends with a dot and this ending, in any case. */
static bool ends_with(const char *path, size_t length, const char *ending) {
    size_t tail = strlen(ending);
    return length > tail && path[length - tail - 1] == '.' &&
           strncasecmp(path + length - tail, ending, tail) == 0;
}

static size_t without_gzip(const char *path) {
    size_t length = strlen(path);
    return ends_with(path, length, gzip_ending + 1) ? length + 1 - sizeof gzip_ending : length;
}

static const psb_mesh_format *format_named(const char *path, size_t length) {
    for (size_t f = 0; f < FORMATS; f++) {
        const char *const *endings = formats[f]->endings;
        for (int e = 0; e < 3 && endings[e] != NULL; e++) {
            if (ends_with(path, length, endings[e])) {
                return formats[f];
            }
        }
    }
    return NULL;
}

static const char *foreign_named(const char *path, size_t length) {
    const char *ending;
    for (size_t i = 0; (ending = psb_foreign_ending_at(i)) != NULL; i++) {
        if (ends_with(path, length, ending)) {
            return ending;
        }
    }
    return NULL;
}

size_t psb_cloud_ending_of(const char *path, bool tables) {
    static const char *const endings[2][3] = {{"pcd", "xyz", "pts"}, {"npy", "txt", NULL}};
    size_t length = strlen(path);
    for (size_t i = 0; i < 3 && endings[tables][i] != NULL; i++) {
        if (ends_with(path, length, endings[tables][i])) {
            return i;
        }
    }
    return SIZE_MAX;
}

bool psb_mesh_may_refer(const char *path) {
    size_t length = without_gzip(path);
    return format_named(path, length) == &psb_format_gltf || foreign_named(path, length) != NULL;
}

const char *psb_mesh_ending_at(size_t index) {
    static const char *const own[] = {"off",    "obj",    "ply", "stl",  "off.gz", "obj.gz",
                                      "ply.gz", "stl.gz", "glb", "gltf", "dae",    "3mf"};
    const size_t count = sizeof own / sizeof own[0];
    return index < count ? own[index] : psb_foreign_ending_at(index - count);
}

size_t psb_mesh_ending_of(const char *path) {
    const char *ending;
    size_t length = strlen(path);
    for (size_t i = 0; (ending = psb_mesh_ending_at(i)) != NULL; i++) {
        if (ends_with(path, length, ending)) {
            return i;
        }
    }
    return SIZE_MAX;
}

size_t psb_mesh_stem(const char *path) {
    size_t length = without_gzip(path);
    for (size_t i = length; i > 1 && path[i - 1] != '/'; i--) {
        if (path[i - 1] == '.') {
            return path[i - 2] != '/' ? i - 1 : length;
        }
    }
    return length;
}

/* ---- reading --------------------------------------------------------------------------- */

/* The content decides if it is certainly of one format, else the name, else the likeliest content.
 * NULL if no reader of this program fits. */
static const psb_mesh_format *choose(const char *path, size_t length, const char *data,
                                     size_t size) {
    const psb_mesh_format *named = format_named(path, length), *best = NULL;
    bool foreign = foreign_named(path, length) != NULL;
    int best_score = 0;
    for (size_t f = 0; f < FORMATS; f++) {
        psb_likeness likeness = size > 0 ? formats[f]->looks_like(data, size) : PSB_UNLIKE;
        int score = 2 * (int)likeness + (formats[f] == named ? 1 : 0);
        /* Any text that begins with a number could be points: only its name says that it is. */
        bool other = foreign || (formats[f]->points && formats[f] != named);
        if (score > best_score && !(other && likeness != PSB_SURE)) {
            best = formats[f];
            best_score = score;
        }
    }
    return best;
}

/* True for text in UTF-16 or UTF-32 with its mark, but XML, whose reader knows encodings. */
static bool is_wide_text(const char *data, size_t size) {
    bool little = size >= 4 && memcmp(data, "\xff\xfe", 2) == 0;
    bool big =
        size >= 4 && (memcmp(data, "\xfe\xff", 2) == 0 || memcmp(data, "\0\0\xfe\xff", 4) == 0);
    return (little && data[3] == '\0' && data[2] != '<') ||
           (big && (data[2] == '\0' || data[0] == '\0') && data[3] != '<');
}

static psb_status fail_unknown(const char *path, const char *data, size_t size, psb_error *error) {
    psb_scan scan = {.path = path, .begin = data, .at = data, .end = data + size, .error = error};
    bool legacy = size >= 14 && memcmp(data, "# vtk DataFile", 14) == 0;
    if (legacy || memmem(data, size < 512 ? size : 512, "<VTKFile", 8) != NULL) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "a file of VTK, which is not read: save its surface as PLY or STL, as "
                           "ParaView, 'meshio convert' and PyVista do");
    }
    return size > 0 && psb_scan_next(&scan)
               ? PSB_SCAN_FAIL(&scan,
                               "not a mesh of a known format: it starts with '%s'; want OFF, OBJ, "
                               "PLY, STL, glTF, 3MF, COLLADA or another of docs/formats.md",
                               psb_scan_quote(&scan).text)
               : psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "not a mesh: the file is empty");
}

size_t psb_mesh_limit(const psb_mesh_buffer *buffer) {
    size_t most = psb_mesh_most_bytes(buffer->max_faces);
    return buffer->max_bytes > 0 && buffer->max_bytes < most ? buffer->max_bytes : most;
}

psb_status psb_mesh_parse(const char *path, const char *data, size_t size, psb_mesh_buffer *buffer,
                          psb_error *error) {
    psb_mesh *mesh = &buffer->mesh;
    mesh->nvertices = mesh->ntriangles = mesh->npolygons = 0;
    buffer->size = size;
    buffer->hash = XXH64(data, size, 0);
    buffer->refers = buffer->foreign = false;
    bool named = without_gzip(path) < strlen(path);
    bool packed = psb_is_gzip(data, size) && (named || buffer->archive == NULL);
    if (packed) {
        psb_status status = psb_gzip_unpack(path, data, size, psb_mesh_limit(buffer),
                                            &buffer->unpacked, &size, error);
        if (status != PSB_OK) {
            return status;
        }
        data = buffer->unpacked.data;
    }
    size_t length = packed ? without_gzip(path) : strlen(path);
    if (is_wide_text(data, size)) {
        return psb_fail_at(
            error, PSB_ERROR_INPUT, path, 0,
            "a text in UTF-16 or UTF-32: save it as UTF-8 (iconv -f UTF-16 -t UTF-8)");
    }
    const psb_mesh_format *format = choose(path, length, data, size);
    if (format == NULL) {
        return foreign_named(path, length) != NULL && size > 0
                   ? psb_foreign_read(path, length, data, size, buffer, error)
                   : fail_unknown(path, data, size, error);
    }
    psb_status status = psb_format_parse(format, path, data, size, buffer, error);
    if (buffer->foreign) {
        psb_error own = error != NULL ? *error : (psb_error){.status = status};
        psb_status other = psb_foreign_read(path, length, data, size, buffer, error);
        status = buffer->foreign ? other : status;
        if (!buffer->foreign && error != NULL) {
            *error = own;
        }
    }
    return status;
}

psb_status psb_mesh_load(const psb_archive *archive, const char *path, psb_mesh_buffer *buffer,
                         psb_error *error) {
    size_t size = 0;
    psb_mesh *mesh = &buffer->mesh;
    mesh->nvertices = mesh->ntriangles = mesh->npolygons = 0;
    buffer->archive = archive;
    psb_status status =
        psb_archive_read(archive, path, psb_mesh_limit(buffer), &buffer->file, &size, error);
    if (status == PSB_OK) {
        status = psb_mesh_parse(path, buffer->file.data, size, buffer, error);
        status = status == PSB_ERROR_MEMORY ? psb_within(path, status, error) : status;
    }
    return status;
}

psb_status psb_mesh_read(const char *path, psb_mesh *mesh, psb_error *error) {
    PSB_AT_END(psb_mesh_buffer_free) psb_mesh_buffer buffer = {0};
    psb_status status = psb_mesh_load(NULL, path, &buffer, error);
    if (status == PSB_OK) {
        *mesh = buffer.mesh;
        buffer.mesh = (psb_mesh){0};
    } else {
        *mesh = (psb_mesh){0};
    }
    return status;
}

size_t psb_mesh_faces(const psb_mesh *mesh) {
    const size_t per_face = PSB_MESH_VERTICES_PER_FACE;
    size_t most = (mesh->nvertices + per_face - 1) / per_face;
    most = mesh->npolygons > most ? mesh->npolygons : most;
    return mesh->ntriangles > most ? mesh->ntriangles : most;
}

size_t psb_mesh_most_bytes(size_t max_faces) {
    size_t most = (SIZE_MAX - BYTES_BESIDE) / BYTES_PER_FACE;
    return max_faces == 0 || max_faces > most ? SIZE_MAX
                                              : max_faces * BYTES_PER_FACE + BYTES_BESIDE;
}

size_t psb_mesh_unpacked_most(const psb_archive *archive, const char *path, size_t size,
                              size_t most) {
    enum { HEAD = 2, TAIL = 4 };
    char head[HEAD], tail[TAIL];
    if (format_named(path, without_gzip(path)) == &psb_format_3mf) {
        return psb_unpack_most(size, most);
    }
    if (archive != NULL) {
        /* The last bytes are known only after unpacking, so only the archive's limit holds. */
        return without_gzip(path) < strlen(path) ? psb_unpack_most(size, most) : 0;
    }
    int fd = size >= HEAD + TAIL ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    bool packed = fd >= 0 && pread(fd, head, HEAD, 0) == HEAD && psb_is_gzip(head, HEAD) &&
                  pread(fd, tail, TAIL, (off_t)(size - TAIL)) == TAIL;
    if (fd >= 0) {
        close(fd);
    }
    return packed ? psb_gzip_most(tail, size, most) : 0;
}

void psb_mesh_buffer_free(psb_mesh_buffer *buffer) {
    if (buffer != NULL) {
        psb_mesh_free(&buffer->mesh);
        psb_buffer_free(&buffer->file);
        psb_buffer_free(&buffer->unpacked);
        psb_buffer_free(&buffer->slots);
        psb_buffer_free(&buffer->fans);
        psb_buffer_free(&buffer->directions);
        *buffer = (psb_mesh_buffer){0};
    }
}

void psb_mesh_free(psb_mesh *mesh) {
    if (mesh != NULL) {
        free(mesh->vertices);
        free(mesh->triangles);
        *mesh = (psb_mesh){0};
    }
}

psb_status psb_mesh_check(const psb_mesh *mesh, psb_error *error) {
    if ((mesh->nvertices > 0 && mesh->vertices == NULL) ||
        (mesh->ntriangles > 0 && mesh->triangles == NULL)) {
        return psb_fail(error, PSB_ERROR_USAGE, "the mesh has no array of its %zu %s",
                        mesh->vertices == NULL ? mesh->nvertices : mesh->ntriangles,
                        mesh->vertices == NULL ? "vertices" : "triangles");
    }
    for (size_t i = 0; i < 3 * mesh->nvertices; i++) {
        if (!isfinite(mesh->vertices[i])) {
            return psb_fail(error, PSB_ERROR_INPUT, "coordinate %zu of vertex %zu is not finite",
                            i % 3, i / 3);
        }
    }
    for (size_t i = 0; i < 3 * mesh->ntriangles; i++) {
        if (mesh->triangles[i] >= mesh->nvertices) {
            return psb_fail(error, PSB_ERROR_INPUT,
                            "triangle %zu names vertex %lu, but there are %zu", i / 3,
                            (unsigned long)mesh->triangles[i], mesh->nvertices);
        }
    }
    return PSB_OK;
}

/* ---- writing --------------------------------------------------------------------------- */

static double rounded(double value) {
    return (double)(float)value;
}

/* Returns the surface's area; `single` rounds the coordinates to floats first. */
static double area_of(const psb_mesh *mesh, bool single) {
    double sum = 0;
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        double xyz[3][3], normal[3];
        for (size_t i = 0; i < 9; i++) {
            double value = mesh->vertices[3 * (size_t)mesh->triangles[3 * t + i / 3] + i % 3];
            xyz[i / 3][i % 3] = single ? rounded(value) : value;
        }
        psb_normal(xyz[0], xyz[1], xyz[2], normal);
        sum += psb_norm(normal) / 2;
    }
    return sum;
}

/* Refuses a mesh that floats cannot hold: far from the origin they lie farther apart than its
 * vertices. */
static psb_status check_single(const char *path, const psb_mesh *mesh, psb_error *error) {
    static const double most = 1e-3; /* relative error of the area */
    for (size_t i = 0; i < 3 * mesh->nvertices; i++) {
        if (!isfinite((float)mesh->vertices[i])) {
            return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                               "the coordinate %g is too large for a float", mesh->vertices[i]);
        }
    }
    double exact = area_of(mesh, false), single = area_of(mesh, true);
    return exact > 0 && fabs(single - exact) > most * exact
               ? psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                             "floats are too coarse for this mesh: its area would be %.6g in the "
                             "place of %.6g",
                             single, exact)
               : PSB_OK;
}

psb_status psb_mesh_write(const char *path, const psb_mesh *mesh, psb_encoding encoding,
                          bool single, psb_error *error) {
    static const char *const names[] = {[PSB_BINARY_LITTLE] = "little-endian binary",
                                        [PSB_BINARY_BIG] = "big-endian binary",
                                        [PSB_TEXT] = "text"};
    const psb_mesh_format *format = format_named(path, strlen(path));
    bool written = encoding == PSB_PRESET;
    for (size_t e = 0; format != NULL && e < format->nencodings; e++) {
        written = written || format->encodings[e] == encoding;
    }
    if (format == NULL || format->write == NULL) {
        return psb_fail_at(error, PSB_ERROR_USAGE, path, 0,
                           "no mesh is written under this ending: want off, obj, ply or stl");
    }
    if (!written) {
        return psb_fail_at(error, PSB_ERROR_USAGE, path, 0, "%s is not written as %s", format->name,
                           names[encoding]);
    }
    encoding = encoding == PSB_PRESET ? format->encodings[0] : encoding;
    bool rounds = single || (format == &psb_format_stl && encoding != PSB_TEXT);
    psb_status status = rounds ? check_single(path, mesh, error) : PSB_OK;
    psb_output output;
    PSB_THEN(status, psb_output_open(path, &output, error));
    if (status == PSB_OK) {
        format->write(output.stream, mesh, encoding, single);
        status = psb_output_commit(&output, error);
    }
    return status;
}
