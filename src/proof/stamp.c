/* Stamps files: by stat for the quick check, by XXH64 for the thorough one. */
#include "proof/stamp.h"

#include "core/file.h"

#include <errno.h>
#include <xxhash.h>

psb_status psb_stamp_look(const psb_archive *archive, const char *path, psb_stamp *stamp,
                          psb_error *error) {
    *stamp = (psb_stamp){.hash = 0};
    errno = ENOENT; /* for an archive, which sets no errno */
    return psb_archive_look(archive, path, &stamp->size, &stamp->time)
               ? PSB_OK
               : psb_fail_errno(error, path, "look at the file");
}

/* Hashes a mapped file, which may be larger than memory. */
static psb_status hash_file(const char *path, uint64_t *hash, psb_error *error) {
    PSB_AT_END(psb_input_close) psb_input input = PSB_NO_INPUT;
    psb_status status = psb_input_open(path, &input, error);
    *hash = XXH64(input.data, input.size, 0);
    return status;
}

static psb_status hash_entry(const psb_archive *archive, const char *path, uint64_t *hash,
                             psb_error *error) {
    PSB_AT_END(psb_buffer_free) psb_buffer bytes = {0};
    size_t size = 0;
    psb_status status = psb_archive_read(archive, path, SIZE_MAX, &bytes, &size, error);
    *hash = status == PSB_OK ? XXH64(bytes.data, size, 0) : 0;
    return status;
}

psb_status psb_stamp_read(const psb_archive *archive, const char *path, psb_stamp *stamp,
                          psb_error *error) {
    psb_status status = psb_stamp_look(archive, path, stamp, error);
    return PSB_THEN(status, archive != NULL ? hash_entry(archive, path, &stamp->hash, error)
                                            : hash_file(path, &stamp->hash, error));
}

void psb_stamp_note(psb_stamp *stamp, const psb_mesh_buffer *loaded) {
    stamp->size = loaded->size;
    stamp->hash = loaded->hash;
    stamp->time = loaded->refers && loaded->archive == NULL ? INT64_MIN : stamp->time;
}

psb_status psb_stamp_read_model(const psb_archive *archive, const char *path, psb_stamp *stamp,
                                psb_error *error) {
    if (!psb_mesh_may_refer(path)) {
        return psb_stamp_read(archive, path, stamp, error);
    }
    PSB_AT_END(psb_mesh_buffer_free) psb_mesh_buffer mesh = {.max_faces = 0};
    psb_status status = psb_stamp_look(archive, path, stamp, error);
    PSB_THEN(status, psb_mesh_load(archive, path, &mesh, error));
    psb_stamp_note(stamp, &mesh);
    return status;
}

typedef psb_status reader(const psb_archive *archive, const char *path, psb_stamp *stamp,
                          psb_error *error);

static bool holds(const psb_archive *archive, const char *path, const psb_stamp *then, bool verify,
                  reader *read) {
    psb_stamp now;
    if (psb_stamp_look(archive, path, &now, NULL) != PSB_OK || now.size != then->size) {
        return false;
    }
    if (now.time == then->time && !verify) {
        return true;
    }
    return read(archive, path, &now, NULL) == PSB_OK && now.size == then->size &&
           now.hash == then->hash;
}

bool psb_stamp_holds(const psb_archive *archive, const char *path, const psb_stamp *then,
                     bool verify) {
    return holds(archive, path, then, verify, psb_stamp_read);
}

bool psb_stamp_holds_model(const psb_archive *archive, const char *path, const psb_stamp *then,
                           bool verify) {
    return holds(archive, path, then, verify, psb_stamp_read_model);
}
