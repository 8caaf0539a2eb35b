/* One part of the work that several processes share: number I of N. */
#pragma once

#include "core/error.h"

enum { PSB_PARTS_MOST = 100000 };

/* Part `index` of `count`, numbered from 0; count 0 means the whole. */
typedef struct psb_part {
    size_t index, count;
} psb_part;

/* Parses "3/8"; PSB_ERROR_USAGE for anything but 0 <= I < N. */
psb_status psb_part_parse(const char *text, psb_part *part, psb_error *error);

/* True if the model belongs to the part. A hash of its name decides, so other models in the list do
 * not matter. */
bool psb_part_has(const psb_part *part, const char *name);
