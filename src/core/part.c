/* Parses I/N, and decides which models belong to a part. */
#include "core/part.h"

#include "core/number.h"

#include <xxhash.h>

psb_status psb_part_parse(const char *text, psb_part *part, psb_error *error) {
    int64_t index = -1, count = 0;
    const char *at = text, *end = text + strlen(text);
    bool fine = psb_scan_int64(&at, end, &index) && *at == '/';
    at += fine;
    fine = fine && psb_scan_int64(&at, end, &count) && at == end && index >= 0 && index < count &&
           count <= PSB_PARTS_MOST;
    *part = (psb_part){fine ? (size_t)index : 0, fine ? (size_t)count : 0};
    return fine ? PSB_OK
                : psb_fail(error, PSB_ERROR_USAGE,
                           "'%.40s' is no part: want I/N with 0 <= I < N <= %d", text,
                           PSB_PARTS_MOST);
}

bool psb_part_has(const psb_part *part, const char *name) {
    return part->count == 0 || XXH64(name, strlen(name), 0) % part->count == part->index;
}
