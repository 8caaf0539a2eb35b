/* A part of the work that several processes share: number I of N. */
#ifndef PSB_CORE_PART_H
#define PSB_CORE_PART_H

#include "core/error.h"

#include <stdbool.h>

enum { PSB_PARTS_MOST = 100000 };

/* One of `count`, numbered from 0; a count of 0: no part but the whole. */
typedef struct psb_part {
    size_t index, count;
} psb_part;

/* "3/8". PSB_ERROR_USAGE for anything but 0 <= I < N. */
psb_status psb_part_parse(const char *text, psb_part *part, psb_error *error);

/* Whether a model falls to the part: by a hash of its name, so that a changed list moves none. */
bool psb_part_has(const psb_part *part, const char *name);

#endif
