/* What a file was when something was made of it, to notice that it has changed. */
#ifndef PSB_PIPELINE_STAMP_H
#define PSB_PIPELINE_STAMP_H

#include "io/archive.h"

#include <stdbool.h>

typedef struct psb_stamp {
    uint64_t size;
    int64_t time;  /* of the last change, nanoseconds since 1970 */
    uint64_t hash; /* XXH64 of the bytes */
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

#endif
