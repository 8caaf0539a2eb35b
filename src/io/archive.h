/*
 * Archives of models in the place of folders: tar, also packed with gzip, xz or zstd, and zip, as
 * libarchive reads them. Paths lead into an archive as into a folder:
 * models.tar/chair/chair_0001.off; and models.tar/chair is a folder.
 *
 * The names and positions of the meshes are kept, so that any number of threads can read any of
 * them in any order. Files in a packed tar have no positions, so it is first unpacked into a
 * nameless file in TMPDIR (else /tmp) that vanishes with this process.
 */
#pragma once

#include "core/text.h"

typedef struct psb_archive psb_archive;

/*
 * Opens the archive that `models` is, or leads into; *archive is NULL if `models` is an ordinary
 * folder. PSB_ERROR_IO if it is neither. `notes` gets a line for each reason to leave files out:
 * links and devices, names that lead out of the archive, encryption, a later file of the same name.
 * PSB_ERROR_INPUT if the file is no archive, is damaged, or unpacks to more than 64 MiB and 200
 * times its size; for any archive if this program was built without libarchive.
 */
psb_status psb_archive_open(const char *models, psb_archive **archive, psb_text *notes,
                            psb_error *error);
void psb_archive_close(psb_archive *archive);

/* Returns the version of libarchive, "3.6.2"; NULL in a build without it. */
const char *psb_archive_version(void);

/* ---- files in the archive or, if `archive` is NULL, in folders ------------------------------ */

/* Gets the size of a file and the time of its last change (the archive's own), as psb_stamp has
 * it. */
bool psb_archive_look(const psb_archive *archive, const char *path, uint64_t *size, int64_t *time);
/* Sets *there if the file exists; a disk that cannot be read is an error. */
psb_status psb_archive_find(const psb_archive *archive, const char *path, bool *there,
                            psb_error *error);

/* Like psb_input_read. The limit for a file in an archive is that of a packed file. */
psb_status psb_archive_read(const psb_archive *archive, const char *path, size_t most,
                            psb_buffer *buffer, size_t *size, psb_error *error);

/* ---- folders in the archive -------------------------------------------------------------------
 */

/* The meshes' names are sorted by bytes: returns the number of the first mesh below the folder. */
size_t psb_archive_first(const psb_archive *archive, const char *folder);
/* Returns the name of mesh `number` without the folder; NULL if it is not below the folder. */
const char *psb_archive_below(const psb_archive *archive, const char *folder, size_t number);
