/*
 * Reads the files that a model's file refers to, as a .gltf does to its .bin. The names come from
 * the model, which is not trusted: they lead to regular files in or below the model's folder, or in
 * its archive, and nowhere else.
 */
#pragma once

#include "io/archive.h"

/* Set the first three members, zero the others. */
typedef struct psb_siblings {
    const psb_archive *archive; /* the archive that holds the model; NULL: a folder does */
    const char *path;           /* the model's path */
    uint64_t hash;              /* hash of the model's bytes; later of all files read as well */
    size_t count;               /* names requested so far */
    size_t bytes;               /* bytes of all files found so far */
    psb_buffer memory;          /* the file found last */
} psb_siblings;

/* How many names a model may request, and how many MiB the files may have together. */
enum { PSB_SIBLINGS_MOST = 1000, PSB_SIBLINGS_MIB = 512 };

/*
 * Reads the file of this name, relative to the model's folder. *data is NULL if the file does not
 * exist, lies elsewhere, or is not regular; else it is valid until the next call. The name and the
 * bytes, or their absence, go into `hash`. PSB_ERROR_INPUT beyond the two limits; PSB_ERROR_IO and
 * PSB_ERROR_MEMORY for faults of disk and memory.
 */
psb_status psb_siblings_read(psb_siblings *siblings, const char *name, const char **data,
                             size_t *size, psb_error *error);
void psb_siblings_free(psb_siblings *siblings);
