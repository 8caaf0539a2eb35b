/* Unpacks files that gzip packed, within a limit. */
#ifndef PSB_IO_GZIP_H
#define PSB_IO_GZIP_H

#include "core/memory.h"

#include <stdbool.h>

/* By its first bytes. */
bool psb_is_gzip(const char *data, size_t size);

/* Bytes that may come out of an archive of so many, or of a part of it: `most`, or 64 MiB, or 200
 * times as many, for no set of meshes takes more. */
size_t psb_unpack_most(size_t size, size_t most);

/*
 * Bytes that a file packed with gzip may unpack to, of its size and its last four bytes: these say
 * how many it has. That counts up to `most`, 64 MiB or 50 times the size, whichever of the last two
 * is more; a file that says more is refused: 0. Several packed files that are joined have more than
 * the last of them says: what is no more than eight times the size is allowed in any case.
 */
size_t psb_gzip_most(const char last[4], size_t size, size_t most);

/* Unpacks what is in memory into `unpacked`, *length bytes, at most psb_gzip_most. */
psb_status psb_gzip_unpack(const char *path, const char *data, size_t size, size_t most,
                           psb_buffer *unpacked, size_t *length, psb_error *error);

#endif
