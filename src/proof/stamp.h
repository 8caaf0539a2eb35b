/* What a file was when something was made of it, to notice that it has changed. */
#ifndef PSB_PROOF_STAMP_H
#define PSB_PROOF_STAMP_H

#include "io/archive.h"
#include "io/mesh.h"

#include <stdbool.h>

typedef struct psb_stamp {
    uint64_t size;
    int64_t time;  /* of the last change, nanoseconds since 1970; INT64_MIN: says nothing */
    uint64_t hash; /* XXH64 of the bytes; of a model, also of those of files that it refers to */
} psb_stamp;

/* Size and time; the hash becomes 0. Of a file in the archive, or, where that is NULL, anywhere. */
psb_status psb_stamp_look(const psb_archive *archive, const char *path, psb_stamp *stamp,
                          psb_error *error);
/* All three: reads the file. */
psb_status psb_stamp_read(const psb_archive *archive, const char *path, psb_stamp *stamp,
                          psb_error *error);

/*
 * Whether the file still has the bytes of `then`. Size and time decide where both are as they were;
 * another size means other bytes; another time (a copy, a touch), or `verify`, has the bytes read
 * and compared by their hash. A file that cannot be read has changed.
 */
bool psb_stamp_holds(const psb_archive *archive, const char *path, const psb_stamp *then,
                     bool verify);

/*
 * The same two for a model. One that refers to other files, as a .gltf does to its .bin, has its
 * time say nothing where these lie in folders, for they may change without it: it is compared by
 * the hash, which takes an import.
 */
psb_status psb_stamp_read_model(const psb_archive *archive, const char *path, psb_stamp *stamp,
                                psb_error *error);
bool psb_stamp_holds_model(const psb_archive *archive, const char *path, const psb_stamp *then,
                           bool verify);
/* Completes the stamp of a look, taken before the model was loaded, by what was loaded then. */
void psb_stamp_note(psb_stamp *stamp, const psb_mesh_buffer *loaded);

#endif
