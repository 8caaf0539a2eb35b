/* Writes albums in one process, and maps them in the same or a later one. */
#include "run/album.h"

#include "core/beneath.h"

#include <fcntl.h>
#include <unistd.h>

/* A portrait's place in the file. */
typedef struct place {
    uint64_t hash;
    size_t offset;
} place;

static psb_status name(psb_album *album, const char *run, psb_portrait_kind kind,
                       psb_error *error) {
    psb_status status = PSB_OK;
    *album = (psb_album){.kind = kind, .fd = -1};
    album->path = psb_new_format(&status, error, "%s/work/portraits", run);
    return status;
}

/* Makes the first record, which says how the portraits were made, as in chunk files of rows. */
static psb_chunk head_of(const psb_album *album, char made_by[64]) {
    int length = snprintf(made_by, 64, "portraits revision %d triangles=%zu found=%d",
                          PSB_PORTRAIT_REVISION, album->kind.triangles, album->kind.found);
    return (psb_chunk){.name = "", .payload = made_by, .payload_length = (size_t)length};
}

/* Maps the file and skips its first record; false if the file or that record is not as expected. */
static bool map(psb_album *album, size_t *offset) {
    char made_by[64];
    psb_chunk head = head_of(album, made_by), there;
    return psb_is_file(album->path) && psb_input_open(album->path, &album->file, NULL) == PSB_OK &&
           psb_chunk_read(album->file.data, album->file.size, offset, &there) &&
           there.payload_length == head.payload_length &&
           memcmp(there.payload, made_by, head.payload_length) == 0;
}

static psb_status append(psb_album *album, const psb_chunk *chunk, psb_error *error) {
    size_t size = 0;
    psb_status status = psb_chunk_build(chunk, &album->entry, &size, error);
    return status == PSB_OK ? psb_write_bytes(album->fd, album->path, "write", album->entry.data,
                                              size, PSB_WHERE_IT_IS, error)
                            : status;
}

psb_status psb_album_begin(const char *run, psb_portrait_kind kind, psb_album *album,
                           psb_error *error) {
    char made_by[64];
    size_t offset = 0;
    psb_status status = name(album, run, kind, error);
    bool fresh = status == PSB_OK && !map(album, &offset);
    psb_input_close(&album->file);
    if (fresh) {
        status = psb_remove(album->path, 0, error); /* a reader keeps the old bytes */
    }
    if (status == PSB_OK) {
        album->fd = psb_open_path(album->path, O_WRONLY | O_APPEND | O_CREAT, 0666);
        status = album->fd >= 0 ? PSB_OK : psb_fail_path(error, album->path, "open");
    }
    psb_chunk head = head_of(album, made_by);
    return status == PSB_OK && fresh ? append(album, &head, error) : status;
}

psb_status psb_album_append(psb_album *album, const psb_stamp *stamp, const psb_text *packed,
                            psb_error *error) {
    return append(album,
                  &(psb_chunk){.stamp = *stamp,
                               .name = "m", /* only a first record has no name */
                               .name_length = 1,
                               .payload = packed->data,
                               .payload_length = packed->length},
                  error);
}

static int by_hash(const void *a, const void *b) {
    const place *p = a, *q = b;
    return (p->hash > q->hash) - (p->hash < q->hash);
}

psb_status psb_album_open(const char *run, psb_portrait_kind kind, psb_album *album,
                          psb_error *error) {
    size_t offset = 0, start, damage;
    psb_chunk chunk;
    psb_status status = name(album, run, kind, error);
    bool there = status == PSB_OK && map(album, &offset);
    while (there && status == PSB_OK &&
           psb_chunk_next(album->file.data, album->file.size, &offset, &start, &damage, &chunk)) {
        status = psb_buffer_grow(&album->entry, album->count + 1, sizeof(place), "an album", error);
        if (status == PSB_OK) {
            ((place *)album->entry.data)[album->count++] = (place){chunk.stamp.hash, start};
            psb_input_release(chunk.payload, chunk.payload_length);
        }
    }
    psb_sort(album->entry.data, album->count, sizeof(place), by_hash);
    return status;
}

bool psb_album_find(const psb_album *album, uint64_t hash, psb_text *packed) {
    place wanted = {.hash = hash};
    const place *found =
        album->count > 0 ? bsearch(&wanted, album->entry.data, album->count, sizeof(place), by_hash)
                         : NULL;
    size_t offset = found != NULL ? found->offset : 0;
    psb_chunk chunk;
    packed->length = 0;
    if (found == NULL || !psb_chunk_read(album->file.data, album->file.size, &offset, &chunk)) {
        return false;
    }
    psb_text_add_bytes(packed, chunk.payload, chunk.payload_length);
    psb_input_release(chunk.payload, chunk.payload_length);
    return true;
}

void psb_album_remove(psb_album *album) {
    if (album->path != NULL) {
        psb_remove(album->path, 0, NULL);
    }
    psb_album_close(album);
}

void psb_album_close(psb_album *album) {
    psb_input_close(&album->file);
    psb_close(album->fd);
    psb_buffer_free(&album->entry);
    free(album->path);
    *album = (psb_album){.fd = -1};
}
