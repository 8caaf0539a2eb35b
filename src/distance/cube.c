/*
 * The metric "cube": codes of views, compared over the 24 rotations of a cube that principal axes
 * leave open (the signs of the axes, and their order if variances are close).
 *
 *     d(a, b) = 1 - largest over the rotations R of the mean over the views v of <a_v, b_R(v)>,
 *
 * where rotation R turns view v into view R(v). All sums are of integers and exact, so their order
 * does not matter; rows with the same bytes are at distance 0.
 */
#include "distance/cube.h"

#include "core/cpu.h"

#include <string.h>

enum { VIEWS = PSB_CUBE_VIEWS, CODE = PSB_CUBE_CODE };

const int8_t psb_cube_axes[VIEWS / 2][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},
                                            {1, -1, 0}, {1, 1, 0},  {0, 1, -1},
                                            {0, 1, 1},  {-1, 0, 1}, {1, 0, 1}};

/* ---- rotations --------------------------------------------------------------------------- */

static void direction_of(int view, int out[3]) {
    for (int k = 0; k < 3; k++) {
        out[k] = view % 2 == 0 ? psb_cube_axes[view / 2][k] : -psb_cube_axes[view / 2][k];
    }
}

static uint8_t view_along(const int direction[3]) {
    uint8_t view = 0;
    int own[3];
    direction_of(view, own);
    while (own[0] != direction[0] || own[1] != direction[1] || own[2] != direction[2]) {
        direction_of(++view, own);
    }
    return view;
}

/* Returns whether moving coordinate axis[k] to place k with sign[k] is a reflection. */
static bool is_reflection(const int axis[3], const int sign[3]) {
    bool even = (axis[0] + 1) % 3 == axis[1];
    return sign[0] * sign[1] * sign[2] * (even ? 1 : -1) < 0;
}

void psb_cube_turns_fill(psb_cube_turns view) {
    int count = 0;
    for (int order = 0; order < 6; order++) {
        for (int signs = 0; signs < 8; signs++) {
            int first = order / 2, step = order % 2 == 0 ? 1 : 2;
            int axis[3] = {first, (first + step) % 3, (first + 2 * step) % 3}, sign[3];
            for (int k = 0; k < 3; k++) {
                sign[k] = signs >> k & 1 ? -1 : 1;
            }
            if (is_reflection(axis, sign)) {
                continue;
            }
            for (int v = 0; v < VIEWS; v++) {
                int from[3], to[3];
                direction_of(v, from);
                for (int k = 0; k < 3; k++) {
                    to[k] = sign[k] * from[axis[k]];
                }
                view[count][v] = view_along(to);
            }
            count++;
        }
    }
}

/* ---- distances --------------------------------------------------------------------------- */

/* Returns the largest sum over the rotations; product[v][u] is of a's view v and b's view u. */
PSB_INLINE int32_t best_of(const int32_t product[VIEWS][VIEWS], const psb_cube_turns view) {
    int32_t best = INT32_MIN;
    for (int r = 0; r < PSB_CUBE_ROTATIONS; r++) {
        int32_t sum = 0;
        for (int v = 0; v < VIEWS; v++) {
            sum += product[v][view[r][v]];
        }
        best = sum > best ? sum : best;
    }
    return best;
}

static double from_best(int32_t best) {
    double d = 1.0 - (double)best / (VIEWS * PSB_CUBE_UNIT * PSB_CUBE_UNIT);
    return d > 0 ? d : 0;
}

static double pair(const void *a, const void *b, size_t length) {
    const int8_t *x = a, *y = b;
    int32_t product[VIEWS][VIEWS];
    psb_cube_turns view;
    if (memcmp(a, b, length) == 0) {
        return 0;
    }
    psb_cube_turns_fill(view);
    for (int v = 0; v < VIEWS; v++) {
        for (int u = 0; u < VIEWS; u++) {
            product[v][u] = 0;
            for (int k = 0; k < CODE; k++) {
                product[v][u] += x[v * CODE + k] * y[u * CODE + k];
            }
        }
    }
    return from_best(best_of((const int32_t(*)[VIEWS])product, view));
}

/* ---- tiles ------------------------------------------------------------------------------- */

/* Prepared rows are 16-bit integers, which processors multiply and add in pairs. */
static size_t prepared_bytes(size_t rows, size_t length) {
    return rows * length * sizeof(int16_t);
}

static void prepare(const psb_row_view *rows, void *prepared) {
    const int8_t *from = rows->data;
    int16_t *to = prepared;
    for (size_t i = 0; i < rows->n * rows->length; i++) {
        to[i] = from[i];
    }
}

PSB_INLINE int32_t dot(const int16_t *a, const int16_t *b) {
    int32_t sum = 0;
    for (int k = 0; k < CODE; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}

PSB_INLINE void compare(const int16_t *a, const int16_t *b, const psb_cube_turns view,
                        int32_t *best) {
    int32_t product[VIEWS][VIEWS];
    for (int v = 0; v < VIEWS; v++) {
        for (int u = 0; u < VIEWS; u++) {
            product[v][u] = dot(a + v * CODE, b + u * CODE);
        }
    }
    *best = best_of((const int32_t(*)[VIEWS])product, view);
}

PSB_KERNEL(psb_cube, (const int16_t *a, const int16_t *b, const psb_cube_turns view, int32_t *best))

PSB_VARIANTS_TO_AVX2(psb_cube, compare,
                     (const int16_t *a, const int16_t *b, const psb_cube_turns view, int32_t *best),
                     (a, b, view, best))

static void tile(const psb_block *a, const psb_block *b, bool upper, void *scratch PSB_UNUSED,
                 float *out, size_t stride) {
    const psb_cube_kernel *kernel = psb_cpu_choose(psb_cube_kernels);
    const int8_t *bytes_a = a->rows.data, *bytes_b = b->rows.data;
    const int16_t *rows_a = a->prepared, *rows_b = b->prepared;
    size_t length = a->rows.length;
    psb_cube_turns view;
    psb_cube_turns_fill(view);
    for (size_t i = 0; i < a->rows.n; i++) {
        for (size_t j = upper ? i + 1 : 0; j < b->rows.n; j++) {
            bool same = memcmp(bytes_a + i * length, bytes_b + j * length, length) == 0;
            int32_t best = 0;
            kernel->run(rows_a + i * length, rows_b + j * length, (const uint8_t(*)[VIEWS])view,
                        &best);
            out[i * stride + j] = same ? 0.0F : (float)from_best(best);
        }
    }
}

static int accepts(size_t length) {
    return length == PSB_CUBE_LENGTH;
}

const psb_metric psb_cube = {
    .name = "cube",
    .help = "1 - cosine of the codes of 18 views, best of the 24 rotations of a cube",
    .revision = 1,
    .element = PSB_UINT8,
    .most_rows = PSB_TILE,
    .pair = pair,
    .prepare = prepare,
    .prepared_bytes = prepared_bytes,
    .tile = tile,
    .accepts = accepts,
};
