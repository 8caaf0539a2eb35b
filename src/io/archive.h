/*
 * Archives of models in the place of folders: tar, also packed with gzip, xz or zstd, and zip, as
 * libarchive reads them. What lies in one goes by paths as if it were a folder:
 * models.tar/chair/chair_0001.off; and models.tar/chair is a folder.
 *
 * Names and places of meshes are kept, so that any number of threads read any of them in any order.
 * A packed tar has no places: it is unpacked first, into a file in TMPDIR (else /tmp) that no other
 * process sees and that goes with this one.
 */
#ifndef PSB_IO_ARCHIVE_H
#define PSB_IO_ARCHIVE_H

#include "core/text.h"

#include <stdint.h>

typedef struct psb_archive psb_archive;

/*
 * Opens the archive that the models' folder is, or lies in; *archive is NULL for one of files.
 * PSB_ERROR_IO for what is neither. What is left out is noted, a line for each reason: links and
 * devices, names that lead out of the archive, what is encrypted, all but the last of several files
 * of one name. PSB_ERROR_INPUT for what is no archive, or a damaged one, or grows beyond 64 MiB and
 * 200 times its size when it is unpacked; without libarchive, for any.
 */
psb_status psb_archive_open(const char *models, psb_archive **archive, psb_text *notes,
                            psb_error *error);
void psb_archive_close(psb_archive *archive);

/* The version of libarchive, "3.6.2"; NULL without it. */
const char *psb_archive_version(void);

/* ---- files, in the archive or, where that is NULL, anywhere -----------------------------------
 */

/* Bytes of a file, and when it last changed, as psb_stamp has it: the archive's own time. */
bool psb_archive_look(const psb_archive *archive, const char *path, uint64_t *size, int64_t *time);
/* Whether there is such a file; a disk that cannot be looked at is an error. */
psb_status psb_archive_find(const psb_archive *archive, const char *path, bool *there,
                            psb_error *error);

/* As psb_input_read; what is in an archive may grow to no more than a packed file. */
psb_status psb_archive_read(const psb_archive *archive, const char *path, size_t most,
                            psb_buffer *buffer, size_t *size, psb_error *error);

/* ---- folders in the archive -------------------------------------------------------------------
 */

/* Names of its meshes, in the order of their bytes, from the first below a folder on. */
size_t psb_archive_first(const psb_archive *archive, const char *folder);
/* The rest of a name, behind the folder; NULL where it is not below it. */
const char *psb_archive_below(const psb_archive *archive, const char *folder, size_t number);

#endif
