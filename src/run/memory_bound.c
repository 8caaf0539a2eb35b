/* Bounds from the largest file: what a byte of text can become in memory. The shortest texts are
 * six bytes for a vertex, two for a further corner, which makes a triangle. */
#include "run/memory_bound.h"

#include "io/foreign.h"
#include "io/siblings.h"
#include "proof/store.h"

#include <unistd.h>

enum {
    VERTEX_TEXT = 6,
    TRIANGLE_TEXT = 2,
    /* Coordinates as read, in three poses, and two copies for the light field. */
    VERTEX_BYTES = 24 + 3 * 24 + 24 + 24,
    /* Indices, in a buffer that grows by half, and an area. */
    TRIANGLE_BYTES = 18 + 8,
    /* Rasters, fields on spheres, silhouettes: equal for every model. */
    FIXED_BYTES = 32 << 20,
};

static size_t at_most(size_t value, size_t limit) {
    return limit > 0 && value > limit ? limit : value;
}

/* Bounds the memory of a mesh whose text has `text` bytes, without the text itself. */
static size_t mesh_bytes(size_t text, size_t max_faces) {
    size_t vertices = at_most(text / VERTEX_TEXT, PSB_MESH_VERTICES_PER_FACE * max_faces);
    size_t triangles = at_most((text - VERTEX_TEXT * vertices) / TRIANGLE_TEXT, max_faces);
    return vertices * VERTEX_BYTES + triangles * TRIANGLE_BYTES;
}

/* Checks the size of each model's file; returns what the largest needs in one thread. */
static size_t find_largest(const psb_dataset *dataset, size_t max_faces, size_t max_bytes,
                           psb_memory_bound *bound) {
    size_t most = at_most(psb_mesh_most_bytes(max_faces), max_bytes), largest = 0;
    bool foreign = false;
    for (size_t i = 0; i < dataset->cla.nmodels; i++) {
        const char *path = dataset->paths[i];
        psb_stamp stamp;
        if (psb_stamp_look(dataset->archive, path, &stamp, NULL) != PSB_OK) {
            continue;
        }
        size_t size = (size_t)stamp.size, kept = at_most(size, most);
        size_t unpacked = psb_mesh_unpacked_most(dataset->archive, path, size, most);
        /* The buffer of unpacked bytes grows by half and is then copied. */
        size_t bytes = kept + 2 * unpacked + unpacked / 2 +
                       mesh_bytes(unpacked > 0 ? unpacked : kept, max_faces);
        foreign = foreign || psb_mesh_may_refer(path);
        largest = bytes > largest ? bytes : largest;
        bound->largest_file =
            size + unpacked > bound->largest_file ? size + unpacked : bound->largest_file;
    }
    size_t other = (size_t)(PSB_FOREIGN_MIB + PSB_SIBLINGS_MIB) << 20;
    return FIXED_BYTES + largest + (foreign ? other : 0);
}

psb_memory_bound psb_memory_bound_of(const psb_dataset *dataset, psb_spec *const *specs,
                                     size_t nspecs, size_t max_faces, size_t max_bytes,
                                     bool matrices) {
    size_t n = dataset->cla.nmodels, longest = 0;
    psb_memory_bound bound = {.largest_file = 0};
    size_t tile = 0;
    for (size_t s = 0; s < nspecs; s++) {
        size_t bytes = psb_spec_row_bytes(specs[s]);
        size_t scratch =
            psb_tile_scratch(psb_spec_metric(specs[s]), PSB_TILE, psb_spec_length(specs[s]));
        longest = bytes > longest ? bytes : longest;
        tile = scratch > tile ? scratch : tile;
    }
    /* Rows are copied from their file, which stays mapped meanwhile. */
    size_t known = nspecs * sizeof(psb_stored) + sizeof(psb_stored_model) + sizeof(psb_error);
    bound.per_thread = find_largest(dataset, max_faces, max_bytes, &bound);
    bound.per_thread = tile > bound.per_thread ? tile : bound.per_thread;
    bound.shared = n * (2 * longest + (matrices ? sizeof(float) * n : 0) + known);
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    bound.physical = pages > 0 && page > 0 ? (size_t)pages * (size_t)page : 0;
    return bound;
}
