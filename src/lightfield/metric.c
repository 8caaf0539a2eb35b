/* Defines the metric "lfd": its reference, how rows are prepared, the choice of a kernel. */
#include "lightfield/metric_kernel.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t *record_of(const uint8_t *row, int dodecahedron, int image) {
    return row + (dodecahedron * PSB_AXES + image) * PSB_LFD_RECORD;
}

/* Moments end, and what counts twice begins, within runs of bytes that processors take at once. */
static uint32_t image_cost(const uint8_t *a, const uint8_t *b) {
    enum { RUN = 32, REST = 16, AGAIN = PSB_LFD_RECORD - REST, MORE = 8 };
    uint32_t sum = psb_lfd_differences(a, b, RUN);
    sum += psb_lfd_differences(a + AGAIN, b + AGAIN, REST); /* the last of the run once more */
    sum -= (uint32_t)abs(a[AGAIN] - b[AGAIN]);
    sum += psb_lfd_differences(a + PSB_MOMENTS, b + PSB_MOMENTS, MORE);
    for (int k = PSB_MOMENTS + MORE; k <= PSB_CIRCULARITY; k++) {
        sum += (uint32_t)abs(a[k] - b[k]);
    }
    return sum;
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

PSB_SET_KERNELS_TO_AVX2(psb_lfd_kernels, psb_lfd_kernel, psb_lfd_of)

/* What a tile needs besides its rows. What few pairs need is made when the first of them does. */
typedef struct workspace {
    psb_lfd_costs costs;
    psb_lfd_right right;
    psb_lfd_right_sketch right_sketch;
    psb_lfd_left left[PSB_TILE];
    psb_lfd_sketch sketches[2][PSB_TILE]; /* where the blocks have none */
    psb_lfd_rotations rotation;
    bool has_left[PSB_TILE], has_right, has_right_sketch;
    unsigned asked, spared; /* pairs whose alignments were looked for, and that needed no more */
} workspace;

/* The chunks of a record: 36 bytes of weight 1, then 11 of weight 2. */
static void arrange(const uint8_t *record, uint64_t chunk[PSB_LFD_CHUNKS]) {
    uint8_t *bytes = (uint8_t *)chunk;
    memset(bytes, 0, PSB_LFD_CHUNKS * sizeof *chunk);
    memcpy(bytes, record, PSB_MOMENTS);
    bytes[PSB_MOMENTS] = record[PSB_ECCENTRICITY];
    memcpy(bytes + (PSB_LFD_CHUNKS - 2) * sizeof *chunk, record + PSB_MOMENTS,
           PSB_CIRCULARITY + 1 - PSB_MOMENTS);
}

static void prepare_left(const uint8_t *row, psb_lfd_left *left) {
    for (int m = 0; m < PSB_AXES; m++) {
        for (int d = 0; d < PSB_DODECAHEDRA; d++) {
            arrange(record_of(row, d, m), left->chunk[m][d]);
        }
    }
}

static void prepare_right(const uint8_t *row, psb_lfd_right *right) {
    memset(right, 0, sizeof *right);
    for (int d = 0; d < PSB_DODECAHEDRA; d++) {
        for (int m = 0; m < PSB_AXES; m++) {
            uint64_t chunk[PSB_LFD_CHUNKS];
            arrange(record_of(row, d, m), chunk);
            for (int c = 0; c < PSB_LFD_CHUNKS; c++) {
                right->chunk[d / 2][c][2 * m + d % 2] = chunk[c];
            }
        }
    }
}

static void prepare(const psb_row_view *rows, void *prepared) {
    psb_lfd_sketch *sketches = prepared;
    for (size_t i = 0; i < rows->n; i++) {
        psb_lfd_sketch_make((const uint8_t *)rows->data + i * PSB_LFD_LENGTH, &sketches[i]);
    }
}

static size_t prepared_bytes(size_t rows, size_t length PSB_UNUSED) {
    return rows * sizeof(psb_lfd_sketch);
}

/* The block's sketches, made now where it has none. */
static const psb_lfd_sketch *sketches_of(const psb_block *block, psb_lfd_sketch *memory) {
    if (block->metric->prepare != NULL) {
        return block->prepared;
    }
    prepare(&block->rows, memory);
    return memory;
}

/* The pair at work: row i of one block, which has the sketch, and the current row of the other. */
typedef struct couple {
    size_t i;
    const uint8_t *row, *other;
    const psb_lfd_sketch *sketch, *other_sketch;
} couple;

static uint32_t least_of_all(const psb_lfd_kernel *kernel, workspace *work, const couple *c) {
    if (!work->has_left[c->i]) {
        prepare_left(c->row, &work->left[c->i]);
        work->has_left[c->i] = true;
    }
    if (!work->has_right) {
        prepare_right(c->other, &work->right);
        work->has_right = true;
    }
    uint32_t least = kernel->least(&work->left[c->i], &work->right, work->rotation, &work->costs);
    return least < UINT16_MAX ? least /* else more than 16 bits hold */
                              : psb_lfd_distance(c->row, c->other, work->rotation);
}

/* One sum of the 6,000. */
static uint32_t sum_of(const couple *c, psb_lfd_alignment at, const psb_lfd_rotations rotation) {
    uint32_t sum = 0;
    for (int m = 0; m < PSB_AXES; m++) {
        sum += image_cost(record_of(c->row, at.left, m),
                          record_of(c->other, at.right, rotation[at.rotation][m]));
    }
    return sum;
}

enum { TRIED = 32 };

/* The distance, or any number above the limit if it is above it. */
static uint32_t within(const psb_lfd_kernel *kernel, workspace *work, const couple *c,
                       uint32_t limit) {
    psb_lfd_alignment found[PSB_LFD_FEW];
    psb_lfd_list list;
    /* To look at alignments is worth its time where it spares half of the pairs; some are tried. */
    bool worth = 2 * work->spared + TRIED >= work->asked && limit < UINT16_MAX;
    if (kernel->meet(c->sketch, c->other_sketch, limit, worth ? &list : NULL) == 0) {
        return limit + 1;
    }
    if (!worth) {
        return least_of_all(kernel, work, c);
    }
    if (!work->has_right_sketch) {
        psb_lfd_sketch_arrange(c->other_sketch, &work->right_sketch);
        work->has_right_sketch = true;
    }
    size_t count = kernel->near(c->sketch, &list, &work->right_sketch, work->rotation, limit,
                                &work->costs, found);
    work->asked++;
    if (count > PSB_LFD_FEW) {
        return least_of_all(kernel, work, c);
    }
    work->spared++;
    uint32_t least = limit + 1;
    for (size_t f = 0; f < count; f++) {
        uint32_t sum = sum_of(c, found[f], work->rotation);
        least = sum < least ? sum : least;
    }
    return least;
}

void psb_lfd_tile(const psb_lfd_kernel *kernel, const psb_block *a, const psb_block *b, bool upper,
                  void *scratch, float *out, size_t stride) {
    workspace *work = scratch;
    bool limited = a->limit != NULL || b->limit != NULL;
    const psb_lfd_sketch *left = limited ? sketches_of(a, work->sketches[0]) : NULL;
    const psb_lfd_sketch *right = limited ? sketches_of(b, work->sketches[1]) : NULL;
    psb_dodecahedron_rotations(work->rotation);
    memset(&work->costs, 0xff, sizeof work->costs);
    memset(work->has_left, 0, sizeof work->has_left);
    work->asked = work->spared = 0;
    for (size_t j = 0; j < b->rows.n; j++) {
        couple c = {.other = (const uint8_t *)b->rows.data + j * PSB_LFD_LENGTH};
        work->has_right = work->has_right_sketch = false;
        for (c.i = 0; c.i < (upper ? j : a->rows.n); c.i++) {
            c.row = (const uint8_t *)a->rows.data + c.i * PSB_LFD_LENGTH;
            float most = psb_block_limit(a, c.i, b, j);
            uint32_t least;
            if (limited && most < 1e6F) {
                c.sketch = &left[c.i];
                c.other_sketch = &right[j];
                least = within(kernel, work, &c, (uint32_t)most);
            } else {
                least = least_of_all(kernel, work, &c);
            }
            out[c.i * stride + j] = (float)least;
        }
    }
}

static void tile(const psb_block *a, const psb_block *b, bool upper, void *scratch, float *out,
                 size_t stride) {
    psb_lfd_tile(psb_cpu_choose(psb_lfd_kernels), a, b, upper, scratch, out, stride);
}

static size_t tile_scratch(size_t rows PSB_UNUSED, size_t length PSB_UNUSED) {
    return sizeof(workspace);
}

static double pair(const void *a, const void *b, size_t length PSB_UNUSED) {
    psb_lfd_rotations rotation;
    psb_dodecahedron_rotations(rotation);
    return psb_lfd_distance(a, b, rotation);
}

/* Sums over all images, by weight. */
static void mean_image(const void *row, size_t length PSB_UNUSED, float *out) {
    const uint8_t *bytes = row;
    for (int k = 0; k < PSB_LFD_RECORD; k++) {
        int sum = 0;
        for (int view = 0; view < PSB_VIEWS; view++) {
            sum += bytes[view * PSB_LFD_RECORD + k];
        }
        out[k] = (float)(psb_lfd_counts_twice(k) ? 2 * sum : sum);
    }
}

static int accepts(size_t length) {
    return length == PSB_LFD_LENGTH;
}

#define FORM                                                                                       \
    .name = "lfd",                                                                                 \
    .help = "light field: least sum of image costs over all alignments of two dodecahedra",        \
    .revision = 1, .element = PSB_UINT8, .most_rows = PSB_TILE, .pair = pair, .tile = tile,        \
    .tile_scratch = tile_scratch, .accepts = accepts, .outline = mean_image,                       \
    .outline_length = PSB_LFD_RECORD

static const psb_metric limited_form = {FORM, .prepare = prepare, .prepared_bytes = prepared_bytes};

const psb_metric psb_lfd_metric = {FORM, .limited = &limited_form};
