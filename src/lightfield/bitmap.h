/*
 * Binary images of 256 x 256 pixels, 64 pixels to a word: silhouettes, and sets of their pixels.
 * Row 0 is the bottom row. Pixels outside of the image are background.
 */
#pragma once

#include "core/cpu.h"

#include <stddef.h>
#include <stdint.h>

enum { PSB_SIDE = 256, PSB_WORDS = PSB_SIDE / 64 };

/* Pixel (x, y) is bit x % 64 of row[y][x / 64]. */
typedef struct psb_bitmap {
    uint64_t row[PSB_SIDE][PSB_WORDS];
} psb_bitmap;

/* The pixels of an image within these bounds, all inclusive; left > right where there are none. */
typedef struct psb_pixel_box {
    int left, right, bottom, top;
} psb_pixel_box;

static inline bool psb_bitmap_get(const psb_bitmap *bitmap, int x, int y) {
    return (unsigned)x < PSB_SIDE && (unsigned)y < PSB_SIDE &&
           (bitmap->row[y][x / 64] >> (x % 64) & 1) != 0;
}

static inline void psb_bitmap_set(psb_bitmap *bitmap, int x, int y) {
    bitmap->row[y][x / 64] |= UINT64_C(1) << (x % 64);
}

/* The pixels to the left (x - 1) or right (x + 1) of a word's pixels, shifted into its place. */
static inline uint64_t psb_row_left(const uint64_t row[PSB_WORDS], int word) {
    return row[word] << 1 | (word > 0 ? row[word - 1] >> 63 : 0);
}

static inline uint64_t psb_row_right(const uint64_t row[PSB_WORDS], int word) {
    return row[word] >> 1 | (word + 1 < PSB_WORDS ? row[word + 1] << 63 : 0);
}

/*
 * The ends of a row's runs, in increasing order: pixels ends[2k] ... ends[2k + 1] - 1 are set.
 * Returns the number of ends, which is even.
 */
int psb_row_runs(const uint64_t row[PSB_WORDS], uint16_t ends[PSB_SIDE]);

psb_pixel_box psb_bitmap_box(const psb_bitmap *bitmap);
/* Pixels that are set in both. */
size_t psb_bitmap_count_both(const psb_bitmap *a, const psb_bitmap *b);
/* Set pixels that have an unset one within the image among their eight neighbors, in an image
 * that has no pixels outside of the box. */
size_t psb_bitmap_count_rim(const psb_bitmap *bitmap, const psb_pixel_box *box);

/* Every pixel within the 3 x 3 square around a set one. `out` must not be `in`. */
void psb_bitmap_dilate(const psb_bitmap *in, psb_bitmap *out);
/* The same with the 5 x 5 square without its corners. */
void psb_bitmap_dilate_wide(const psb_bitmap *in, psb_bitmap *out);

/* The pixels not in `wall` that a 4-connected path outside `wall` joins to the image's border. */
void psb_bitmap_outside(const psb_bitmap *wall, psb_bitmap *outside);

/*
 * Thins `bitmap` towards `core`: deletes pixels outside of `core` from the bottom, top, left and
 * right side in turn until no pixel can be deleted. A pixel can be deleted if it has background on
 * that side, if the set pixels among its eight neighbors form at most one 4-connected run that
 * touches one of its sides, and if they are not exactly one.
 */
void psb_bitmap_thin(psb_bitmap *bitmap, const psb_bitmap *core);

/* The three above, for different processors; see core/cpu.h. */
PSB_KERNEL(psb_rim, (const psb_bitmap *bitmap, const psb_pixel_box *box, size_t *count))
PSB_KERNEL(psb_outside, (const psb_bitmap *wall, psb_bitmap *outside))
PSB_KERNEL(psb_thin, (psb_bitmap * bitmap, const psb_bitmap *core))
