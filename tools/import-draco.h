/* Unpacks meshes that Draco packed, as glTF's KHR_draco_mesh_compression has them: a door to its
 * library, which is C++. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum import_draco_result {
    IMPORT_DRACO_DONE,
    IMPORT_DRACO_REFUSED, /* the bytes are at fault */
    IMPORT_DRACO_MEMORY,
} import_draco_result;

typedef struct import_draco_mesh {
    int type; /* of a coordinate: as the code of a component in glTF; 5120: one signed byte */
    size_t points, triangles;
    void *positions;   /* 3 coordinates a point; free() */
    uint32_t *corners; /* 3 points a triangle; free() */
} import_draco_mesh;

/* Unpacks `size` bytes; `attribute` is the unique id of the one that has the positions. */
import_draco_result import_draco(const char *data, size_t size, uint32_t attribute,
                                 import_draco_mesh *out);

#ifdef __cplusplus
}
#endif
