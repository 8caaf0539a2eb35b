/* Files packed with gzip, unpacked within a limit. */
#ifndef PSB_IO_GZIP_H
#define PSB_IO_GZIP_H

#include "core/memory.h"

#include <stdbool.h>

/* By its first bytes. */
bool psb_is_gzip(const char *data, size_t size);

/*
 * Unpacks what is in memory into `unpacked`, *length bytes, at most `most`. What would grow beyond
 * 64 MiB and 200 times its size is refused as well: no mesh does.
 */
psb_status psb_gzip_unpack(const char *path, const char *data, size_t size, size_t most,
                           psb_buffer *unpacked, size_t *length, psb_error *error);

#endif
