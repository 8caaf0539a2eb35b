/*
 * ZIP archives: folders of models, 3MF packages and NumPy's .npz (PKWARE's APPNOTE.TXT, 4.3, and
 * ZIP64). Their central directory says more than the headers in front of the files: which files are
 * links, how long those are whose size stands behind their bytes, and which files were taken out.
 *
 * Names are bytes, decoded by what their header says, never by the locale: UTF-8 if flag 11 is set;
 * else Info-ZIP's Unicode path (extra field 0x7075) if it belongs to the name; else UTF-8 if they
 * are valid UTF-8 (macOS, Info-ZIP); else code page 437, which shares its letters with 850.
 */
#pragma once

#include "core/text.h"

/* One file of the directory. */
typedef struct psb_zip_entry {
    psb_text name;         /* UTF-8, '/' between folders; freed by psb_zip_close */
    uint64_t hash;         /* of the name's bytes as they are in the archive */
    int64_t position;      /* where its header begins */
    uint64_t size, packed; /* packed: bytes in the archive */
    unsigned method;       /* how it is packed */
    uint32_t crc;
    bool folder, special; /* special: a link, a device, or a pipe */
    bool encrypted;
} psb_zip_entry;

typedef struct psb_zip {
    const char *path; /* for messages */
    const char *data; /* the archive's bytes, if the handle is -1 */
    int handle;
    uint64_t size;
    psb_buffer directory;
    size_t at, end;
    int64_t shift; /* bytes in front of the archive */
    psb_zip_entry file;
} psb_zip;

/* Says whether the file begins as a ZIP archive does. */
bool psb_zip_is(int handle);

/*
 * Reads the directory of an archive of `size` bytes, which are in the open file or, if the handle
 * is -1, at `data`. PSB_ERROR_INPUT if it is not there, as when the archive was cut short, or is in
 * several parts. Close it also after a failure.
 */
psb_status psb_zip_open(psb_zip *zip, const char *path, int handle, const char *data, uint64_t size,
                        psb_error *error);
/* Moves to the next file, zip->file; *more is false at the end. */
psb_status psb_zip_next(psb_zip *zip, bool *more, psb_error *error);
void psb_zip_close(psb_zip *zip);

/* Unpacks a file of an archive in memory, if it is stored or deflated: size bytes, whose checksum
 * is the directory's. */
psb_status psb_zip_unpack(const psb_zip *zip, const psb_zip_entry *file, psb_buffer *bytes,
                          psb_error *error);

/* Returns the hash of the name in the header at `position`; 0 if there is none. */
uint64_t psb_zip_hash_at(int handle, int64_t position);
