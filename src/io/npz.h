/*
 * NumPy's .npz: a ZIP archive of .npy files, stored (np.savez) or deflated (np.savez_compressed).
 * An array is named by the archive's path alone, where it holds a single one, or by a path that
 * goes on: "rows.npz/features" is the member features.npy of rows.npz.
 */
#ifndef PSB_IO_NPZ_H
#define PSB_IO_NPZ_H

#include "psbench.h"

/* Whether a path is one of these: it ends in .npz, or has a file of that ending in front. */
bool psb_npz_is(const char *path);

/*
 * The member's bytes, for free(). PSB_ERROR_INPUT for what is no such archive, a member that is
 * damaged or not there, and for an archive of several where none is named: the message has their
 * names.
 */
psb_status psb_npz_read(const char *path, void **bytes, size_t *size, psb_error *error);
/* The same of an archive in memory; `member` may be NULL. */
psb_status psb_npz_parse(const char *path, const unsigned char *data, size_t length,
                         const char *member, void **bytes, size_t *size, psb_error *error);

#endif
