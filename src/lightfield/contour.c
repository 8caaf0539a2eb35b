/* The walk keeps the background on its left hand: up at first, then clockwise around. */
#include "lightfield/contour.h"

#include <string.h>

enum { UP, RIGHT, DOWN, LEFT };

/* For each direction the three neighbours that are tried, and the direction each leads to. */
typedef struct step {
    int8_t dx, dy, direction;
} step;

static const step steps[4][3] = {
    [UP] = {{-1, 1, LEFT}, {0, 1, UP}, {1, 1, UP}},
    [RIGHT] = {{1, 1, UP}, {1, 0, RIGHT}, {1, -1, RIGHT}},
    [DOWN] = {{1, -1, RIGHT}, {0, -1, DOWN}, {-1, -1, DOWN}},
    [LEFT] = {{-1, -1, DOWN}, {-1, 0, LEFT}, {-1, 1, LEFT}},
};

/* The first neighbour to the left, or after turns to the right; NULL at an isolated pixel. */
static const step *next_step(const psb_bitmap *image, int x, int y, int direction) {
    for (int turn = 0; turn < 4; turn++) {
        const step *tried = steps[(direction + turn) % 4];
        for (int k = 0; k < 3; k++) {
            if (psb_bitmap_get(image, x + tried[k].dx, y + tried[k].dy)) {
                return &tried[k];
            }
        }
    }
    return NULL;
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
    const uint16_t start = (uint16_t)(PSB_SIDE * y + x);
    contour->pixel[0] = start;
    int direction = UP;
    for (size_t length = 1; length < PSB_CONTOUR_MAX;) {
        const step *next = next_step(image, x, y, direction);
        if (next == NULL) {
            return false;
        }
        x += next->dx;
        y += next->dy;
        direction = next->direction;
        uint16_t pixel = (uint16_t)(PSB_SIDE * y + x);
        contour->pixel[length++] = pixel;
        if (pixel == start && !(between && direction == RIGHT)) {
            contour->length = length;
            return true;
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
