/*
 * The files that a model's own file refers to, as a .gltf does to its .bin. Names of them come from
 * a model, which may be anybody's: they lead to regular files in the model's folder and below it,
 * in the archive where the model lies in one, and nowhere else.
 */
#ifndef PSB_IO_SIBLINGS_H
#define PSB_IO_SIBLINGS_H

#include "io/archive.h"

/* Starts with the three first members set and zeros behind them. */
typedef struct psb_siblings {
    const psb_archive *archive; /* that the model lies in; NULL: a folder */
    const char *path;           /* of the model */
    uint64_t hash;              /* of the model's bytes; and of all that was read beside it */
    size_t count;               /* names that were asked for */
    size_t bytes;               /* of all files that were found */
    psb_buffer memory;          /* of the file that was found last */
} psb_siblings;

/* How many names a model may ask for, and how many bytes there may be behind all of them. */
enum { PSB_SIBLINGS_MOST = 1000, PSB_SIBLINGS_MIB = 512 };

/*
 * The bytes of the file that goes by this name from the model's folder on; *data is NULL where
 * there is none, or it lies elsewhere, or is no regular file. They stay until the next call. Their
 * XXH64, with the name, goes into `hash`, also where there is none. PSB_ERROR_INPUT beyond the two
 * limits; what is wrong with the disk or with memory is PSB_ERROR_IO and PSB_ERROR_MEMORY.
 */
psb_status psb_siblings_read(psb_siblings *siblings, const char *name, const char **data,
                             size_t *size, psb_error *error);
void psb_siblings_free(psb_siblings *siblings);

#endif
