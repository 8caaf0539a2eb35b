/* Rasterises silhouettes in plain C, and chooses a rasteriser. */
#include "lightfield/silhouette_kernel.h"

#include <string.h>

/* The first pixel right of the edge in row y is floor(at + y slope). */
typedef struct edge {
    double at, slope;
} edge;

static edge edge_between(psb_snapped low, psb_snapped high) {
    int32_t x = (int32_t)(low & 0xffff), y = (int32_t)(low >> 16);
    int32_t width = (int32_t)(high & 0xffff) - x;
    int32_t height = (int32_t)(high >> 16) - y;
    double per_height = 1.0 / (height > 0 ? height : 1); /* a level edge crosses no row */
    /* The offsets of x and y, and of pixel centers, add up to 1 and 255. */
    double rise = PSB_SUBPIXELS - 1 - y;
    double at = (x + 1) + (rise * width - 0.5) * per_height;
    return (edge){at / PSB_SUBPIXELS, width * per_height};
}

static uint32_t position(edge e, uint32_t row) {
    return (uint32_t)(e.at + row * e.slope);
}

/* Sets the pixels begin ... end - 1 of a row. */
static void set_span(psb_canvas *canvas, uint32_t row, uint32_t begin, uint32_t end) {
    uint32_t first = begin / 64, last = end / 64;
    uint64_t from = UINT64_C(1) << begin % 64, to = UINT64_C(1) << end % 64;
    if (first == last) {
        canvas->column[first % PSB_WORDS][row] |= to - from; /* none at the end of a row */
        return;
    }
    canvas->column[first][row] |= -from;
    for (uint32_t word = first + 1; word < last; word++) {
        canvas->column[word][row] = ~UINT64_C(0);
    }
    if (last < PSB_WORDS) {
        canvas->column[last][row] |= to - 1;
    }
}

/*
 * Fills each row between the edge from the lowest to the highest corner and the edges through the
 * middle corner, whichever side is left.
 */
static void fill(psb_canvas *canvas, const psb_batch *batch, size_t t) {
    psb_snapped low = batch->low[t], middle = batch->middle[t], high = batch->high[t];
    edge whole = edge_between(low, high);
    edge lower = edge_between(low, middle), upper = edge_between(middle, high);
    for (uint32_t row = psb_row_of(low); row < psb_row_of(high); row++) {
        uint32_t a = position(whole, row);
        uint32_t b = position(row < psb_row_of(middle) ? lower : upper, row);
        set_span(canvas, row, psb_least(a, b), psb_most(a, b));
    }
}

/* Lists which of the batch's n triangles have a pixel center in their box, by size. */
static void list_triangles(psb_batch *batch, size_t n) {
    size_t nsmall = 0, ntall = 0;
    for (size_t t = 0; t < n; t++) {
        batch->small[nsmall] = (uint16_t)t;
        nsmall += batch->rows[t] - 1 < PSB_SMALL_ROWS;
        batch->tall[ntall] = (uint16_t)t;
        ntall += batch->rows[t] > PSB_SMALL_ROWS;
    }
    batch->nsmall = nsmall;
    batch->ntall = ntall;
}

/* Keeps the triangles of a list whose box is not all set; returns how many. */
static size_t keep_open(const psb_canvas *canvas, const psb_batch *batch, uint16_t *list,
                        size_t n) {
    size_t count = 0;
    for (size_t k = 0; k < n; k++) {
        uint16_t t = list[k];
        bool wide;
        uint64_t mask = psb_box_mask(batch->left[t], batch->right[t], &wide);
        const uint64_t *word = &canvas->column[batch->left[t] / 64][psb_row_of(batch->low[t])];
        uint64_t set = mask;
        for (uint32_t row = 0; row < batch->rows[t]; row++) {
            set &= word[row];
        }
        list[count] = t;
        count += (set != mask) | wide;
    }
    return count;
}

static void draw_list(psb_canvas *canvas, const psb_batch *batch, uint16_t *list, size_t n) {
    n = keep_open(canvas, batch, list, n);
    for (size_t k = 0; k < n; k++) {
        fill(canvas, batch, list[k]);
    }
}

static void draw_batch(psb_canvas *canvas, psb_batch *batch) {
    psb_batch_sort(batch);
    list_triangles(batch, batch->n);
    draw_list(canvas, batch, batch->tall, batch->ntall);
    draw_list(canvas, batch, batch->small, batch->nsmall);
    batch->n = 0;
}

static void draw(const psb_drawing *drawing, const psb_camera view[PSB_PAIR],
                 psb_canvas canvas[PSB_PAIR]) {
    psb_draw_batches(drawing, view, canvas, draw_batch);
}

const psb_silhouette_kernel psb_silhouette_plain = {{"plain", PSB_CPU_PLAIN}, draw};

const psb_variant *const psb_silhouette_kernels[] = {
#if defined(__x86_64__) && !defined(PSB_PORTABLE)
    &psb_silhouette_avx512.variant,
    &psb_silhouette_avx2.variant,
#endif
    &psb_silhouette_plain.variant,
    NULL,
};

void psb_silhouette_draw_with(const psb_silhouette_kernel *kernel, const psb_drawing *drawing,
                              const psb_camera view[PSB_PAIR], psb_bitmap image[PSB_PAIR]) {
    psb_canvas canvas[PSB_PAIR];
    memset(canvas, 0, sizeof canvas);
    kernel->draw(drawing, view, canvas);
    for (int y = 0; y < PSB_PAIR * PSB_SIDE; y++) {
        for (int word = 0; word < PSB_WORDS; word++) {
            image[y / PSB_SIDE].row[y % PSB_SIDE][word] =
                canvas[y / PSB_SIDE].column[word][y % PSB_SIDE];
        }
    }
}

void psb_silhouette_draw(const psb_drawing *drawing, const psb_camera view[PSB_PAIR],
                         psb_bitmap image[PSB_PAIR]) {
    psb_silhouette_draw_with(psb_cpu_choose(psb_silhouette_kernels), drawing, view, image);
}

/* Finds the box of the triangles of a group along each axis; that of none is less than empty. */
static void bound_group(const psb_drawing *drawing, psb_draw_block *block, size_t group, size_t n) {
    const double *const axis[3] = {drawing->points.x, drawing->points.y, drawing->points.z};
    for (int i = 0; i < 3; i++) {
        double low = n > 0 ? INFINITY : 1.0, high = -low;
        for (size_t k = 0; k < 3; k++) {
            for (size_t t = 0; t < n; t++) {
                double at = axis[i][block->corner[group][k][t]];
                low = at < low ? at : low;
                high = at > high ? at : high;
            }
        }
        block->middle[i][group] = (float)((low + high) / 2.0);
        block->half[i][group] = (float)((high - low) / 2.0);
    }
}

void psb_drawing_close(psb_drawing *drawing, size_t n) {
    static const uint32_t nothing[3] = {0, 0, 0};
    drawing->nblocks = psb_draw_blocks(n);
    for (size_t t = n; t < PSB_DRAW_BLOCK * drawing->nblocks; t++) {
        psb_drawing_put(drawing, t, nothing);
    }
    for (size_t k = 0; k < PSB_DRAW_GROUP * drawing->nblocks; k++) {
        size_t rest = n > PSB_DRAW_GROUP * k ? n - PSB_DRAW_GROUP * k : 0;
        bound_group(drawing, &drawing->block[k / PSB_DRAW_GROUP], k % PSB_DRAW_GROUP,
                    rest < PSB_DRAW_GROUP ? rest : PSB_DRAW_GROUP);
    }
}
