/* stat for the quick look, XXH64 for the thorough one. */
#include "pipeline/stamp.h"

#include "core/file.h"

#include <errno.h>
#include <xxhash.h>

psb_status psb_stamp_look(const psb_archive *archive, const char *path, psb_stamp *stamp,
                          psb_error *error) {
    *stamp = (psb_stamp){.hash = 0};
    errno = ENOENT; /* of an archive, which sets none */
    return psb_archive_look(archive, path, &stamp->size, &stamp->time)
               ? PSB_OK
               : psb_fail_errno(error, path, "look at the file");
}

/* A file is mapped: it may be larger than memory. */
static psb_status hash_file(const char *path, uint64_t *hash, psb_error *error) {
    psb_input input;
    psb_status status = psb_input_open(path, &input, error);
    *hash = XXH64(input.data, input.size, 0);
    psb_input_close(&input);
    return status;
}

static psb_status hash_entry(const psb_archive *archive, const char *path, uint64_t *hash,
                             psb_error *error) {
    psb_buffer bytes = {0};
    size_t size = 0;
    psb_status status = psb_archive_read(archive, path, SIZE_MAX, &bytes, &size, error);
    *hash = status == PSB_OK ? XXH64(bytes.data, size, 0) : 0;
    psb_buffer_free(&bytes);
    return status;
}

psb_status psb_stamp_read(const psb_archive *archive, const char *path, psb_stamp *stamp,
                          psb_error *error) {
    psb_status status = psb_stamp_look(archive, path, stamp, error);
    PSB_THEN(status, archive != NULL ? hash_entry(archive, path, &stamp->hash, error)
                                     : hash_file(path, &stamp->hash, error));
    return status;
}

bool psb_stamp_holds(const psb_archive *archive, const char *path, const psb_stamp *then,
                     bool verify) {
    psb_stamp now;
    if (psb_stamp_look(archive, path, &now, NULL) != PSB_OK || now.size != then->size) {
        return false;
    }
    if (now.time == then->time && !verify) {
        return true;
    }
    return psb_stamp_read(archive, path, &now, NULL) == PSB_OK && now.size == then->size &&
           now.hash == then->hash;
}
