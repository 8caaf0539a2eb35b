/*
 * An album keeps portraits (render/portrait.h) of the models that a run reads for their rows. It is
 * in RUN/work/portraits until the pages are written, which then need not read the meshes again and
 * get the same bytes. Its records are those of proof/chunk.h, found by the hash of the model's
 * file; a damaged record, or one made in another way, counts as absent.
 */
#pragma once

#include "core/file.h"
#include "core/text.h"
#include "proof/chunk.h"
#include "render/portrait.h"

typedef struct psb_album {
    psb_portrait_kind kind;
    char *path;
    int fd;           /* open for appending; -1: not open */
    psb_buffer entry; /* when writing, one record; when reading, the index */
    psb_input file;
    size_t count;
} psb_album;

/* Opens or makes the album of a run for appending. Close it in every case. */
psb_status psb_album_begin(const char *run, psb_portrait_kind kind, psb_album *album,
                           psb_error *error);
/* Appends a portrait. Only one thread at a time may call it. */
psb_status psb_album_append(psb_album *album, const psb_stamp *stamp, const psb_text *packed,
                            psb_error *error);

/* Opens the album for reading; a missing file is an empty album. Close it in every case. */
psb_status psb_album_open(const char *run, psb_portrait_kind kind, psb_album *album,
                          psb_error *error);
/* Copies the portrait of the model whose file has this hash; false if there is none. */
bool psb_album_find(const psb_album *album, uint64_t hash, psb_text *packed);

/* Removes the album's file once the pages are written; then closes the album. */
void psb_album_remove(psb_album *album);
void psb_album_close(psb_album *album);
