/* Unpacks what zlib packs, within a limit: files of gzip, and deflated bytes. */
#pragma once

#include "core/memory.h"

/* True if the first bytes are those of a gzip file. */
bool psb_is_gzip(const char *data, size_t size);

/* Returns how many bytes an archive of this size, or a part of it, may unpack to: 64 MiB or 200
 * times the size, if that is more, but not above `most`. No set of meshes needs more. */
size_t psb_unpack_most(size_t size, size_t most);

/*
 * Returns how many bytes a gzip file of this size may unpack to. Its last four bytes state how
 * many. The statement is accepted up to 64 MiB or 50 times the size, if that is more, but not above
 * `most`; a file that states more is refused (0). If several gzip files are joined, only the last
 * one's number is known, so eight times the size is allowed whatever it states, within these
 * limits.
 */
size_t psb_gzip_most(const char last[4], size_t size, size_t most);

/* Unpacks bytes in memory into `unpacked`: *length bytes, at most psb_gzip_most. */
psb_status psb_gzip_unpack(const char *path, const char *data, size_t size, size_t most,
                           psb_buffer *unpacked, size_t *length, psb_error *error);

/* Unpacks deflated bytes without a header, as they are in a ZIP archive, to at most `limit`. */
psb_status psb_inflate(const char *path, const char *data, size_t size, size_t limit,
                       psb_buffer *unpacked, size_t *length, psb_error *error);
