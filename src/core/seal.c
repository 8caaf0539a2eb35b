/* Writes and checks the frame of the program's own binary files. */
#include "core/seal.h"

#include <string.h>
#include <xxhash.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "binary files are read and written as they lie in memory: little-endian"
#endif

void psb_seal(void *data, size_t size, const char *kind) {
    memcpy(data, kind, PSB_SEAL_KIND);
    uint64_t checksum = XXH64(data, size, 0);
    memcpy((char *)data + size, &checksum, sizeof checksum);
}

bool psb_seal_is_of(const void *data, size_t size, size_t least, const char *kind) {
    return size >= least + PSB_SEAL_BYTES && memcmp(data, kind, PSB_SEAL_KIND) == 0;
}

bool psb_seal_holds(const void *data, size_t size, uint64_t *checksum) {
    uint64_t written;
    memcpy(&written, (const char *)data + size - sizeof written, sizeof written);
    if (checksum != NULL) {
        *checksum = written;
    }
    return XXH64(data, size - sizeof written, 0) == written;
}
