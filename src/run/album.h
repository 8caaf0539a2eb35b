/*
 * Portraits (render/portrait.h) of the models that a run reads for their rows, kept in
 * RUN/work/portraits until the pages are there, which then need no mesh again: the same bytes as if
 * they had read it. Records of proof/chunk.h, found by the hash of the model's file; what is
 * damaged or was made otherwise counts as not there.
 */
#ifndef PSB_RUN_ALBUM_H
#define PSB_RUN_ALBUM_H

#include "core/file.h"
#include "core/text.h"
#include "proof/chunk.h"
#include "render/portrait.h"

typedef struct psb_album {
    psb_portrait_kind kind;
    char *path;
    int fd;           /* for appending, -1 where it is not open */
    psb_buffer entry; /* for one record; of a reader the index */
    psb_input file;
    size_t count;
} psb_album;

/* Opens or makes the album of a run for appending. Close it in every case. */
psb_status psb_album_begin(const char *run, psb_portrait_kind kind, psb_album *album,
                           psb_error *error);
/* One thread at a time. */
psb_status psb_album_append(psb_album *album, const psb_stamp *stamp, const psb_text *packed,
                            psb_error *error);

/* Opens the album for reading; one that is not there is empty. Close it in every case. */
psb_status psb_album_open(const char *run, psb_portrait_kind kind, psb_album *album,
                          psb_error *error);
/* Copies the portrait of the model whose file has this hash; false where there is none. */
bool psb_album_find(const psb_album *album, uint64_t hash, psb_text *packed);

/* Removes the file of an album, the pages being there; then closes it. */
void psb_album_remove(psb_album *album);
void psb_album_close(psb_album *album);

#endif
