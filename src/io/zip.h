/* Reads members of a ZIP archive in memory, such as the parts of a 3MF package, with libarchive. */
#ifndef PSB_IO_ZIP_H
#define PSB_IO_ZIP_H

#include "core/scan.h"
#include "core/text.h"

typedef struct psb_zip_member {
    char *name;
    psb_buffer bytes;
    size_t size, number; /* number: its place among those that were read */
} psb_zip_member;

typedef struct psb_zip {
    PSB_ARRAY(psb_zip_member) members; /* sorted by name */
    size_t size;                       /* bytes of all of them */
    bool damaged;                      /* libarchive refused to read on */
} psb_zip;

/*
 * Adds the members of the scan's archive whose names `wanted` accepts, while all together have at
 * most `most` bytes; others are not unpacked. Of members of one name the first is kept. Call
 * psb_zip_free in any case. PSB_ERROR_INPUT if the archive is damaged or unpacks to more, and for
 * any archive if this program was built without libarchive.
 */
psb_status psb_zip_read(psb_zip *zip, const psb_scan *archive, size_t most,
                        bool (*wanted)(const void *context, const char *name), const void *context);
void psb_zip_free(psb_zip *zip);

/* Finds a member by its name, in upper or lower case, as names of package parts are; NULL if there
 * is none. A '/' in front of the name does not count. */
const psb_zip_member *psb_zip_find(const psb_zip *zip, const char *name);

#endif
