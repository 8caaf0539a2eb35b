/* Files packed with gzip, unpacked within a limit. */
#ifndef PSB_IO_GZIP_H
#define PSB_IO_GZIP_H

#include "core/memory.h"

#include <stdbool.h>

/* By its first bytes. */
bool psb_is_gzip(const char *data, size_t size);

/* Bytes that may come out of so many, however they are packed: `most`, or 64 MiB, or 200 times as
 * many, for no mesh takes more. */
size_t psb_unpack_most(size_t size, size_t most);

/*
 * Unpacks what is in memory into `unpacked`, *length bytes, at most psb_unpack_most.
 */
psb_status psb_gzip_unpack(const char *path, const char *data, size_t size, size_t most,
                           psb_buffer *unpacked, size_t *length, psb_error *error);

#endif
