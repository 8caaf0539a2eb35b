/*
 * NumPy's .npz: a ZIP archive of .npy files, stored (np.savez) or deflated (np.savez_compressed).
 * The archive's path alone names its single array; a longer path names one of several:
 * "rows.npz/features" is the member features.npy of rows.npz.
 */
#pragma once

#include "psbench.h"

/* True if the path ends in .npz, or leads into a file with that ending. */
bool psb_npz_is(const char *path);

/*
 * Reads a member's bytes; free(*bytes). PSB_ERROR_INPUT if the file is no such archive, if the
 * member is damaged or missing, and if an archive of several arrays is named alone: the message
 * lists them.
 */
psb_status psb_npz_read(const char *path, void **bytes, size_t *size, psb_error *error);
/* Like psb_npz_read, for an archive in memory; `member` may be NULL. */
psb_status psb_npz_parse(const char *path, const unsigned char *data, size_t length,
                         const char *member, void **bytes, size_t *size, psb_error *error);
