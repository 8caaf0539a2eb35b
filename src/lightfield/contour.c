/* The walk keeps the background on its left hand: up at first, then clockwise around. */
#include "lightfield/contour.h"

#include <endian.h>
#include <string.h>

enum { UP, RIGHT, DOWN, LEFT };

/* Where a pixel's three columns begin in the rows with background around them, in bits. */
enum { PITCH = 8 * sizeof(((psb_contour *)0)->around[0]), MARGIN = 64 };

/* The eight neighbors clockwise, from the upper left one on. */
static const int ring[8][2] = {{-1, 1}, {0, 1},  {1, 1},   {1, 0},
                               {1, -1}, {0, -1}, {-1, -1}, {-1, 0}};

static bool is_set(unsigned neighbours, const int at[2]) {
    return (neighbours >> (3 * (1 - at[1]) + at[0] + 1) & 1) != 0;
}

/*
 * A walk in a direction takes the first neighbor from the one to its upper left on, seen in that
 * direction, clockwise around; a turn to a side begins with the neighbor before that side.
 */
static psb_contour_step step_at(unsigned neighbours, int direction) {
    for (int k = 0; k < 8; k++) {
        const int *at = ring[(2 * direction + k) % 8];
        if (is_set(neighbours, at)) {
            int turn = k == 0 ? LEFT : (k - 1) / 2;
            return (psb_contour_step){(int16_t)(PITCH * at[1] + at[0]),
                                      (uint16_t)((direction + turn) % 4)};
        }
    }
    return (psb_contour_step){0, UP};
}

void psb_contour_begin(psb_contour *contour) {
    for (int direction = UP; direction <= LEFT; direction++) {
        for (unsigned neighbours = 0; neighbours < 512; neighbours++) {
            contour->step[direction][neighbours] = step_at(neighbours, direction);
        }
    }
    memset(contour->around, 0, sizeof contour->around);
}

/* Three pixels of a row, from a bit on. */
static unsigned three(const uint8_t *bytes, size_t bit) {
    uint16_t two;
    memcpy(&two, bytes + bit / 8, sizeof two);
    return (unsigned)le16toh(two) >> bit % 8 & 7;
}

/*
 * Whether two parts meet at the start, one to its upper left and one to its right, so that coming
 * back from the first the walk has to go on.
 */
static bool starts_between(const psb_bitmap *image, int x, int y) {
    return psb_bitmap_get(image, x - 1, y + 1) && !psb_bitmap_get(image, x, y + 1) &&
           (psb_bitmap_get(image, x + 1, y + 1) || psb_bitmap_get(image, x + 1, y));
}

static bool first_pixel(const psb_bitmap *image, int *x, int *y) {
    for (*y = 0; *y < PSB_SIDE; ++*y) {
        for (int word = 0; word < PSB_WORDS; word++) {
            if (image->row[*y][word] != 0) {
                *x = 64 * word + __builtin_ctzll(image->row[*y][word]);
                return true;
            }
        }
    }
    return false;
}

bool psb_contour_walk(const psb_bitmap *image, psb_contour *contour) {
    int x, y;
    contour->length = 0;
    if (!first_pixel(image, &x, &y)) {
        return false;
    }
    const bool between = starts_between(image, x, y);
    const uint8_t *bytes = (const uint8_t *)contour->around;
    for (int row = 0; row < PSB_SIDE; row++) {
        for (int word = 0; word < PSB_WORDS; word++) {
            contour->around[row + 1][MARGIN / 64 + word] = htole64(image->row[row][word]);
        }
    }
    /* Places are those of the pixel to the left. */
    const size_t start = PITCH * (size_t)(y + 1) + MARGIN + (size_t)x - 1;
    size_t at = start;
    unsigned direction = UP;
    contour->pixel[0] = (uint16_t)(PSB_SIDE * y + x);
    for (size_t length = 1; length < PSB_CONTOUR_MAX;) {
        unsigned neighbours =
            three(bytes, at + PITCH) | three(bytes, at) << 3 | three(bytes, at - PITCH) << 6;
        psb_contour_step step = contour->step[direction][neighbours];
        at += (size_t)step.move;
        direction = step.direction;
        contour->pixel[length++] =
            (uint16_t)(PSB_SIDE * (at / PITCH - 1) + at % PITCH + 1 - MARGIN);
        if (at == start && !(between && direction == RIGHT)) {
            contour->length = step.move != 0 ? length : 0; /* 0: an isolated pixel */
            return step.move != 0;
        }
    }
    return false;
}

/* Whether one contour of `walked` encloses more than 95 % of the image's `all` pixels. */
static bool encloses(const psb_bitmap *walked, const psb_bitmap *image, size_t all,
                     psb_contour *contour) {
    if (!psb_contour_walk(walked, contour)) {
        return false;
    }
    memset(&contour->edge, 0, sizeof contour->edge);
    for (size_t i = 0; i < contour->length; i++) {
        psb_bitmap_set(&contour->edge, contour->pixel[i] % PSB_SIDE, contour->pixel[i] / PSB_SIDE);
    }
    psb_bitmap_outside(&contour->edge, &contour->outside);
    size_t lost = psb_bitmap_count_both(image, &contour->outside);
    return 100 * (all - lost) > 95 * all;
}

static void fill_box(const psb_pixel_box *box, psb_bitmap *bitmap) {
    memset(bitmap, 0, sizeof *bitmap);
    for (int y = box->bottom; y <= box->top; y++) {
        for (int x = box->left; x <= box->right; x++) {
            psb_bitmap_set(bitmap, x, y);
        }
    }
}

bool psb_contour_trace(const psb_bitmap *image, const psb_pixel_box *box, size_t all,
                       psb_contour *contour) {
    if (encloses(image, image, all, contour)) {
        return true;
    }
    psb_bitmap *joined = &contour->joined;
    psb_bitmap_dilate(image, joined);
    if (!encloses(joined, image, all, contour)) {
        psb_bitmap_dilate_wide(joined, &contour->dilated);
        joined = &contour->dilated;
        if (!encloses(joined, image, all, contour)) {
            fill_box(box, joined);
        }
    }
    psb_bitmap_thin(joined, image);
    return psb_contour_walk(joined, contour);
}
