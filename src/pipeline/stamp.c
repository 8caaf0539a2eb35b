/* stat for the quick look, XXH64 for the thorough one. */
#include "pipeline/stamp.h"

#include "core/file.h"

#include <sys/stat.h>
#include <xxhash.h>

psb_status psb_stamp_look(const char *path, psb_stamp *stamp, psb_error *error) {
    struct stat info;
    if (stat(path, &info) != 0) {
        return psb_fail_errno(error, path, "look at the file");
    }
    *stamp = (psb_stamp){(uint64_t)info.st_size,
                         (int64_t)info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec, 0};
    return PSB_OK;
}

psb_status psb_stamp_read(const char *path, psb_stamp *stamp, psb_error *error) {
    psb_input input = {0};
    psb_status status = psb_stamp_look(path, stamp, error);
    PSB_THEN(status, psb_input_open(path, &input, error));
    stamp->hash = XXH64(input.data, input.size, 0);
    psb_input_close(&input);
    return status;
}

bool psb_stamp_holds(const char *path, const psb_stamp *then, bool verify) {
    psb_stamp now;
    if (psb_stamp_look(path, &now, NULL) != PSB_OK || now.size != then->size) {
        return false;
    }
    if (now.time == then->time && !verify) {
        return true;
    }
    return psb_stamp_read(path, &now, NULL) == PSB_OK && now.size == then->size &&
           now.hash == then->hash;
}
