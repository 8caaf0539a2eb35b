/* Makes weights of what lightfield/moments.c collects on the grid, and folds it. */
#include "lightfield/moments.h"

#include <string.h>

/* Points of a column of the grid. */
enum { LANES = PSB_SET_BYTES / 8 };
typedef double points __attribute__((vector_size(PSB_SET_BYTES)));
typedef float rounded __attribute__((vector_size(PSB_SET_BYTES / 2)));
typedef int64_t places __attribute__((vector_size(PSB_SET_BYTES)));

#if PSB_SET_BYTES == 64
#define REVERSE 7, 6, 5, 4, 3, 2, 1, 0
#elif PSB_SET_BYTES == 32
#define REVERSE 3, 2, 1, 0
#else
#define REVERSE 1, 0
#endif

/* Makes weights of steps: each column has the shares of the one to the right and its own steps. */
PSB_INLINE void resolve(psb_moment_scratch *scratch) {
    const psb_pixel_box *r = &scratch->touched;
    double pending[PSB_MOMENT_PITCH] = {0.0};
    for (int j = r->right; j >= r->left; j--) {
        double whole = scratch->whole[j], *grid = scratch->grid[j + 1];
        for (int i = r->bottom / 8 * 8; i < r->top / 8 * 8 + 8; i++) { /* by whole eights */
            pending[i] += grid[i];
            grid[i] = pending[i] * whole;
        }
    }
    memset(scratch->grid[r->left], 0, sizeof scratch->grid[0]);
}

PSB_INLINE void read_up(const double *column, points *out) {
    memcpy(out, column, sizeof *out);
}

/* Weights below the middle, downwards. */
PSB_INLINE void read_down(const double *column, points *out) {
    points up;
    read_up(column - (LANES - 1), &up);
    *out = PSB_SHUFFLE(places, up, up, REVERSE);
}

/* Stores numbers, rounded, of image number `which` from point `at` on. */
PSB_INLINE void put(const points *in, psb_moment_scratch *scratch, int class, int which, int at) {
    const rounded numbers = __builtin_convertvector(*in, rounded);
    const int chunk = at / PSB_MOMENT_CHUNK, begin = at % PSB_MOMENT_CHUNK;
    float *to = scratch->rounded[class][chunk][which];
    if (begin + LANES <= PSB_MOMENT_CHUNK) {
        memcpy(to + begin, &numbers, sizeof numbers);
    } else {
        for (int k = 0; k < LANES; k++) {
            to = scratch->rounded[class][(at + k) / PSB_MOMENT_CHUNK][which];
            to[(at + k) % PSB_MOMENT_CHUNK] = numbers[k];
        }
    }
}

/* Folds points above and below the middle of two columns, from y = 0 or beyond on. */
PSB_INLINE void fold_points(const double *right, const double *left, int y,
                            points folded[PSB_CLASSES]) {
    points a, b, even[2], odd[2];
    read_up(right + y, &a);
    read_up(left + y, &b);
    even[0] = a + b;
    odd[0] = a - b;
    read_down(right - y, &a);
    read_down(left - y, &b);
    even[1] = a + b;
    odd[1] = a - b;
    folded[PSB_EVEN] = even[0] + even[1];
    folded[PSB_ODD_X] = odd[0] + odd[1];
    folded[PSB_ODD_Y] = even[0] - even[1];
    folded[PSB_ODD_BOTH] = odd[0] - odd[1];
}

/*
 * Folds the grid. Columns are taken by whole eights of rows: what is beyond them is overwritten by
 * the next column, and at last by zeros.
 */
static void fold(psb_moment_scratch *scratch, int which) {
    const int width = psb_moment_width(&scratch->touched),
              top = psb_moment_height(&scratch->touched);
    int at = 0, height = PSB_DISC;
    resolve(scratch);
    for (int x = 0; x < PSB_DISC && x <= width; x++, at += height) {
        const double *right = scratch->grid[1 + PSB_DISC + x] + PSB_DISC;
        const double *left = scratch->grid[1 + PSB_DISC - x] + PSB_DISC;
        while (x * x + (height - 1) * (height - 1) >= PSB_DISC * PSB_DISC) {
            height--; /* to height_at(x) */
        }
        for (int y = 0; y < (height + 7) / 8 * 8; y += LANES) {
            points folded[PSB_CLASSES] = {{0.0}};
            if (y / 8 * 8 <= top) {
                fold_points(right, left, y, folded);
            }
            for (int class = 0; class < PSB_CLASSES; class ++) {
                put(&folded[class], scratch, class, which, at + y);
            }
        }
    }
    float middle = (float)scratch->grid[1 + PSB_DISC][PSB_DISC];
    for (int class = 0; class < PSB_CLASSES; class ++) {
        /* At the middle the angle counts as 0, so that there no real part vanishes. */
        if (class == PSB_EVEN || class == PSB_ODD_X) {
            scratch->rounded[class][0][which][0] = middle;
        }
        for (int chunk = at / PSB_MOMENT_CHUNK; chunk < PSB_MOMENT_CHUNKS; chunk++) {
            int begin = at > chunk * PSB_MOMENT_CHUNK ? at - chunk * PSB_MOMENT_CHUNK : 0;
            memset(&scratch->rounded[class][chunk][which][begin], 0,
                   (size_t)(PSB_MOMENT_CHUNK - begin) * sizeof(float));
        }
    }
}

const psb_fold_kernel PSB_OF_SET(psb_fold) = {PSB_SET_VARIANT, fold};
