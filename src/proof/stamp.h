/*
 * The stamp of a file: size, time and hash of the bytes from which a result was made, to notice
 * later changes.
 */
#pragma once

#include "io/archive.h"
#include "io/mesh.h"

typedef struct psb_stamp {
    uint64_t size;
    int64_t time;  /* time of the last change, nanoseconds since 1970; INT64_MIN: do not use it */
    uint64_t hash; /* XXH64 of the bytes; for a model also of the files that it refers to */
} psb_stamp;

/*
 * Sets size and time, and the hash to 0. `path` is in the archive or, if `archive` is NULL, in the
 * file system.
 */
psb_status psb_stamp_look(const psb_archive *archive, const char *path, psb_stamp *stamp,
                          psb_error *error);
/* Sets size, time and hash; reads the file. */
psb_status psb_stamp_read(const psb_archive *archive, const char *path, psb_stamp *stamp,
                          psb_error *error);

/*
 * Returns whether the file is still the file of `then`. Equal size and time are enough; another
 * size means other bytes; with another time (a copy, a touch), or `verify`, the bytes are read and
 * their hash compared. A file that cannot be read has changed.
 */
bool psb_stamp_holds(const psb_archive *archive, const char *path, const psb_stamp *then,
                     bool verify);

/*
 * Do the work of psb_stamp_read and psb_stamp_holds for a model. A model in a folder may refer to
 * other files, as a .gltf does to its .bin; if these change, its own time does not. Such a stamp
 * has time INT64_MIN, and the model is compared by the hash, for which it is imported.
 */
psb_status psb_stamp_read_model(const psb_archive *archive, const char *path, psb_stamp *stamp,
                                psb_error *error);
bool psb_stamp_holds_model(const psb_archive *archive, const char *path, const psb_stamp *then,
                           bool verify);
/*
 * Completes the stamp of psb_stamp_look, taken before the model was loaded, from the loaded bytes.
 */
void psb_stamp_note(psb_stamp *stamp, const psb_mesh_buffer *loaded);
