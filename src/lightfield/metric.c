/* Defines the metric "lfd": its reference, how rows are prepared, the choice of a kernel. */
#include "lightfield/metric_kernel.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t *record_of(const uint8_t *row, int dodecahedron, int image) {
    return row + (dodecahedron * PSB_AXES + image) * PSB_LFD_RECORD;
}

static uint32_t image_cost(const uint8_t *a, const uint8_t *b) {
    uint32_t once = 0, twice = 0;
    for (int k = 0; k < PSB_MOMENTS; k++) {
        once += (uint32_t)abs(a[k] - b[k]);
    }
    for (int k = PSB_MOMENTS; k <= PSB_CIRCULARITY; k++) {
        twice += (uint32_t)abs(a[k] - b[k]);
    }
    once += (uint32_t)abs(a[PSB_ECCENTRICITY] - b[PSB_ECCENTRICITY]);
    return once + 2 * twice;
}

/* The least sum over the rotations for one pair of dodecahedra. */
static uint32_t least_of_pair(const uint8_t *a, const uint8_t *b,
                              const psb_lfd_rotations rotation) {
    uint32_t cost[PSB_AXES][PSB_AXES];
    for (int i = 0; i < PSB_AXES; i++) {
        for (int m = 0; m < PSB_AXES; m++) {
            cost[i][m] = image_cost(record_of(a, 0, i), record_of(b, 0, m));
        }
    }
    uint32_t least = UINT32_MAX;
    for (int r = 0; r < PSB_ROTATIONS; r++) {
        uint32_t sum = 0;
        for (int i = 0; i < PSB_AXES; i++) {
            sum += cost[i][rotation[r][i]];
        }
        least = sum < least ? sum : least;
    }
    return least;
}

uint32_t psb_lfd_distance(const uint8_t *a, const uint8_t *b, const psb_lfd_rotations rotation) {
    uint32_t least = UINT32_MAX;
    for (int i = 0; i < PSB_DODECAHEDRA; i++) {
        for (int j = 0; j < PSB_DODECAHEDRA; j++) {
            uint32_t sum = least_of_pair(record_of(a, i, 0), record_of(b, j, 0), rotation);
            least = sum < least ? sum : least;
        }
    }
    return least;
}

const psb_variant *const psb_lfd_kernels[] = {
#if defined(__x86_64__) && !defined(PSB_PORTABLE)
    &psb_lfd_avx512.variant,
    &psb_lfd_avx2.variant,
#endif
    &psb_lfd_plain.variant,
    NULL,
};

/* What a tile needs besides its rows. */
typedef struct workspace {
    psb_lfd_costs costs;
    psb_lfd_right right;
    psb_lfd_left left[PSB_TILE];
    psb_lfd_outline left_outline[PSB_TILE], right_outline;
    psb_lfd_rotations rotation;
} workspace;

/* The chunks of a record. */
static void arrange(const uint8_t *record, uint64_t chunk[PSB_LFD_CHUNKS]) {
    uint8_t bytes[PSB_LFD_CHUNKS * sizeof *chunk];
    uint8_t *next = bytes;
    memcpy(next, record, PSB_MOMENTS);
    next += PSB_MOMENTS;
    *next++ = record[PSB_ECCENTRICITY];
    memcpy(next, record + PSB_MOMENTS, 2);
    next += 2;
    memcpy(next, record + PSB_MOMENTS, PSB_CIRCULARITY - PSB_MOMENTS); /* the first two once more */
    memcpy(chunk, bytes, sizeof bytes);
}

static void prepare_left(const uint8_t *row, psb_lfd_left *left) {
    for (int m = 0; m < PSB_AXES; m++) {
        for (int d = 0; d < PSB_DODECAHEDRA; d++) {
            arrange(record_of(row, d, m), left->chunk[m][d]);
        }
        for (int d = 0; d < 4 * PSB_LFD_QUADS; d++) {
            int stand_in = d < PSB_DODECAHEDRA ? d : d - 2;
            uint8_t circularity = record_of(row, stand_in, m)[PSB_CIRCULARITY];
            uint16_t *both = left->circularity[m][d / 4][d % 4];
            both[0] = both[1] = (uint16_t)(2 * circularity);
        }
    }
}

static void prepare_right(const uint8_t *row, psb_lfd_right *right) {
    memset(right, 0, sizeof *right);
    for (int d = 0; d < PSB_DODECAHEDRA; d++) {
        for (int m = 0; m < PSB_AXES; m++) {
            int group = d < 8 ? m : PSB_AXES + m / 4;
            int lane = d < 8 ? d : m % 4 * 2 + d - 8;
            const uint8_t *record = record_of(row, d, m);
            uint64_t chunk[PSB_LFD_CHUNKS];
            arrange(record, chunk);
            for (int c = 0; c < PSB_LFD_CHUNKS; c++) {
                right->chunk[group][c][lane] = chunk[c];
            }
            for (int k = 0; k < 4; k++) {
                right->circularity[group][lane / 2][k][lane % 2] =
                    (uint16_t)(2 * record[PSB_CIRCULARITY]);
            }
        }
    }
}

static bool counts_twice(int number) {
    return number >= PSB_MOMENTS && number <= PSB_CIRCULARITY;
}

/* Puts the ten values of each number in ascending order, all numbers at once. */
static void ascend(uint8_t images[PSB_AXES][PSB_LFD_SUMS]) {
    for (int round = 0; round < PSB_AXES; round++) {
        for (int i = round % 2; i + 1 < PSB_AXES; i += 2) {
            uint8_t *restrict lower = images[i], *restrict upper = images[i + 1];
            for (int k = 0; k < PSB_LFD_SUMS; k++) {
                uint8_t a = lower[k], b = upper[k];
                lower[k] = a < b ? a : b;
                upper[k] = a < b ? b : a;
            }
        }
    }
}

static void outline(const uint8_t *row, psb_lfd_outline *out) {
    memset(out, 0, sizeof *out);
    for (int d = 0; d < PSB_DODECAHEDRA; d++) {
        uint8_t images[PSB_AXES][PSB_LFD_SUMS] = {{0}};
        uint8_t *once = out->values[d], *twice = once + PSB_LFD_ONCE;
        for (int m = 0; m < PSB_AXES; m++) {
            memcpy(images[m], record_of(row, d, m), PSB_LFD_RECORD);
            for (int k = 0; k < PSB_LFD_RECORD; k++) {
                int value = counts_twice(k) ? 2 * images[m][k] : images[m][k];
                out->sums[d][k] = (int16_t)(out->sums[d][k] + value);
            }
        }
        ascend(images);
        for (int m = 0; m < PSB_AXES; m++) {
            memcpy(once, images[m], PSB_MOMENTS);
            once += PSB_MOMENTS;
            *once++ = images[m][PSB_ECCENTRICITY];
            memcpy(twice, images[m] + PSB_MOMENTS, PSB_CIRCULARITY + 1 - PSB_MOMENTS);
            twice += PSB_CIRCULARITY + 1 - PSB_MOMENTS;
        }
    }
}

void psb_lfd_tile(const psb_lfd_kernel *kernel, const psb_block *a, const psb_block *b, bool upper,
                  void *scratch, float *out, size_t stride) {
    workspace *work = scratch;
    const uint8_t *rows_a = a->rows.data, *rows_b = b->rows.data;
    bool limited = a->limit != NULL || b->limit != NULL;
    psb_dodecahedron_rotations(work->rotation);
    memset(&work->costs, 0xff, sizeof work->costs);
    for (size_t i = 0; i < a->rows.n; i++) {
        prepare_left(rows_a + i * PSB_LFD_LENGTH, &work->left[i]);
        if (limited) {
            outline(rows_a + i * PSB_LFD_LENGTH, &work->left_outline[i]);
        }
    }
    for (size_t j = 0; j < b->rows.n; j++) {
        prepare_right(rows_b + j * PSB_LFD_LENGTH, &work->right);
        if (limited) {
            outline(rows_b + j * PSB_LFD_LENGTH, &work->right_outline);
        }
        for (size_t i = 0; i < (upper ? j : a->rows.n); i++) {
            float most = psb_block_limit(a, i, b, j);
            uint32_t limit = most < 1e6F ? (uint32_t)most : UINT32_MAX, least = limit;
            if (limit < UINT32_MAX) {
                least = kernel->bound(&work->left_outline[i], &work->right_outline, limit);
            }
            if (least <= limit) {
                least = kernel->least(&work->left[i], &work->right, work->rotation, &work->costs);
            }
            if (least == UINT16_MAX) { /* more than 16 bits hold */
                least = psb_lfd_distance(rows_a + i * PSB_LFD_LENGTH, rows_b + j * PSB_LFD_LENGTH,
                                         work->rotation);
            }
            out[i * stride + j] = (float)least;
        }
    }
}

static void tile(const psb_block *a, const psb_block *b, bool upper, void *scratch, float *out,
                 size_t stride) {
    psb_lfd_tile(psb_cpu_choose(psb_lfd_kernels), a, b, upper, scratch, out, stride);
}

static size_t tile_scratch(size_t rows, size_t length) {
    (void)rows;
    (void)length;
    return sizeof(workspace);
}

static double pair(const void *a, const void *b, size_t length) {
    (void)length;
    psb_lfd_rotations rotation;
    psb_dodecahedron_rotations(rotation);
    return psb_lfd_distance(a, b, rotation);
}

/* Sums over all images, by weight. */
static void mean_image(const void *row, size_t length, float *out) {
    (void)length;
    const uint8_t *bytes = row;
    for (int k = 0; k < PSB_LFD_RECORD; k++) {
        int sum = 0;
        for (int view = 0; view < PSB_VIEWS; view++) {
            sum += bytes[view * PSB_LFD_RECORD + k];
        }
        out[k] = (float)(counts_twice(k) ? 2 * sum : sum);
    }
}

static int accepts(size_t length) {
    return length == PSB_LFD_LENGTH;
}

const psb_metric psb_lfd_metric = {
    .name = "lfd",
    .help = "light field: least sum of image costs over all alignments of two dodecahedra",
    .revision = 1,
    .element = PSB_UINT8,
    .most_rows = PSB_TILE,
    .pair = pair,
    .tile = tile,
    .tile_scratch = tile_scratch,
    .accepts = accepts,
    .outline = mean_image,
    .outline_length = PSB_LFD_RECORD,
};
