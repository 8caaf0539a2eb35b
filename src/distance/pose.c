/* Computes distances over poses: prepared rows, plain reference, metrics. */
#include "distance/pose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

PSB_SET_KERNELS(psb_pose_kernels, psb_pose_kernel, psb_pose_of)

const unsigned char psb_orders[PSB_ORDERS][3] = {{0, 1, 2}, {1, 0, 2}, {1, 2, 0},
                                                 {0, 2, 1}, {2, 0, 1}, {2, 1, 0}};

static const psb_pose_form *form_of(size_t length) {
    static const psb_pose_form *const forms[] = {&psb_pose_harmonic, &psb_pose_depth};
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        for (size_t blocks = 1; blocks <= forms[f]->most; blocks *= 2) {
            if (length == blocks * forms[f]->block) {
                return forms[f];
            }
        }
    }
    return NULL;
}

static int accepts(size_t length) {
    return form_of(length) != NULL;
}

/* ---- the plain reference ---------------------------------------------------------------- */

/* Turns a row into one order of the axes and scales it to L1 norm 1 in integers. Returns the norm
 * before scaling. */
static double quantise_row(const psb_pose_form *form, const float *row, size_t length, int order,
                           int32_t *out) {
    static const double round = 0x1.8p52;
    double turned[PSB_POSE_LONGEST], norm = 0.0;
    for (size_t first = 0; first < length; first += form->block) {
        double block[PSB_DEPTH_LENGTH];
        for (size_t i = 0; i < form->block; i++) {
            block[i] = row[first + i];
        }
        form->turn(NULL, order, block, turned + first);
    }
    for (size_t i = 0; i < length; i++) {
        norm += fabs(turned[i]);
    }
    double scale = norm > 0.0 && isfinite(norm) ? PSB_POSE_ONE / norm : 0.0;
    for (size_t i = 0; i < length; i++) {
        out[i] = (int32_t)(scale > 0.0 ? turned[i] * scale + round - round : 0.0);
    }
    return norm;
}

/* Returns a row's mark: 0 if the row can be scaled, 1 if it is all zeros, else NaN. */
static double mark_of(double norm) {
    return norm == 0.0 ? 1.0 : norm - norm;
}

static double distance_of(uint32_t least, double mark_a, double mark_b) {
    return mark_a == 0.0 && mark_b == 0.0 ? fmin((double)least / PSB_POSE_ONE, 2.0)
                                          : 2.0 * fabs(mark_a - mark_b);
}

/* Returns the determinant of an order of the axes followed by a flip: 1 or -1. */
static int determinant_of(int order, int flip) {
    const unsigned char *p = psb_orders[order];
    bool odd = ((p[0] > p[1]) ^ (p[0] > p[2]) ^ (p[1] > p[2])) != 0;
    return odd == (__builtin_parity((unsigned)flip) != 0) ? 1 : -1;
}

/* Returns the least L1 distance over the flips that have the determinant, or over all if it is 0,
 * and sets *flip; b is already turned into `order`. */
static uint32_t compare(const int32_t *a, const int32_t *b, const unsigned char *parity,
                        size_t block, size_t length, int order, int determinant, int *flip) {
    uint32_t sum[2][PSB_FLIPS] = {{0}}, least = UINT32_MAX;
    for (size_t i = 0; i < length; i++) {
        int64_t x = a[i], y = b[i];
        sum[0][parity[i % block]] += (uint32_t)llabs(x - y);
        sum[1][parity[i % block]] += (uint32_t)llabs(x + y);
    }
    for (int g = 0; g < PSB_FLIPS; g++) {
        uint32_t cost = 0;
        for (int p = 0; p < PSB_FLIPS; p++) {
            cost += sum[__builtin_parity((unsigned)(p & g))][p];
        }
        if (cost < least && (determinant == 0 || determinant == determinant_of(order, g))) {
            least = cost;
            *flip = g;
        }
    }
    return least;
}

/* Sets the pose of b relative to a, given how b (`turned_b`) or else a was turned and flipped. */
static void place(int order, int flip, bool turned_b, psb_pose_match *match) {
    for (int i = 0; i < 3; i++) {
        int k = psb_orders[order][i];
        match->axis[turned_b ? k : i] = turned_b ? i : k;
        match->sign[turned_b ? k : i] = (flip >> k & 1) != 0 ? -1 : 1;
    }
}

psb_pose_match psb_pose_find(const float *a, const float *b, size_t length, int orders,
                             int determinant) {
    const psb_pose_form *form = form_of(length);
    unsigned char parity[PSB_DEPTH_LENGTH];
    int32_t own[PSB_POSE_LONGEST], turned[PSB_POSE_LONGEST];
    psb_pose_match match = {0};
    uint32_t best = UINT32_MAX;
    int sides = form->keeps_l1 ? 1 : 2;
    double mark[2] = {0};
    form->parity(parity);
    for (int side = 0; side < sides; side++) { /* 0: b is turned; 1: a */
        mark[side] = mark_of(quantise_row(form, side == 0 ? a : b, length, 0, own));
        for (int k = 0; k < orders; k++) {
            double norm = quantise_row(form, side == 0 ? b : a, length, k, turned);
            mark[1 - side] = k == 0 ? mark_of(norm) : mark[1 - side];
            int flip = 0;
            uint32_t least =
                compare(own, turned, parity, form->block, length, k, determinant, &flip);
            if (least < best) {
                best = least;
                place(k, flip, side == 0, &match);
            }
        }
    }
    match.distance = distance_of(best, mark[0], mark[1]);
    return match;
}

static double pair8(const void *a, const void *b, size_t length) {
    return psb_pose_find(a, b, length, 1, 0).distance;
}

static double pair48(const void *a, const void *b, size_t length) {
    return psb_pose_find(a, b, length, PSB_ORDERS, 0).distance;
}

/* ---- rows made ready -------------------------------------------------------------------- */

/*
 * A prepared block has panels, a panel has its rows in each order of the axes, an order has the
 * numbers by parity class, then the sums of the classes. Behind the panels stand the rows' marks
 * and room for a panel's rows, as they are and turned.
 */
typedef struct layout {
    const psb_pose_form *form;
    int orders;
    unsigned char parity[PSB_DEPTH_LENGTH];
    size_t start[PSB_FLIPS + 1];
    size_t order_size; /* numbers of a panel in one order, sums included */
} layout;

static layout layout_of(size_t length, int orders) {
    layout l = {.form = form_of(length), .orders = orders};
    size_t count[PSB_FLIPS] = {0};
    l.form->parity(l.parity);
    for (size_t i = 0; i < l.form->block; i++) {
        count[l.parity[i]] += length / l.form->block;
    }
    for (int p = 0; p < PSB_FLIPS; p++) {
        l.start[p + 1] = l.start[p] + count[p];
    }
    l.order_size = (l.start[PSB_FLIPS] + PSB_FLIPS) * PSB_POSE_PANEL;
    return l;
}

/* Returns an even number of panels, since kernels take two panels of b at a time. */
static size_t panels_of(size_t rows) {
    return (rows + 2 * PSB_POSE_PANEL - 1) / (2 * PSB_POSE_PANEL) * 2;
}

static size_t panel_size(const layout *l) {
    return (size_t)l->orders * l->order_size;
}

/* Returns the bytes of a prepared block; 0 if no form has this length, which nobody checked yet. */
static size_t bytes_of(size_t rows, size_t length, int orders) {
    if (!accepts(length)) {
        return 0;
    }
    layout l = layout_of(length, orders);
    size_t panels = panels_of(rows);
    return panels * (panel_size(&l) * sizeof(uint32_t) + PSB_POSE_PANEL * sizeof(double)) +
           2 * length * PSB_POSE_PANEL * sizeof(double);
}

static double *marks_of(const layout *l, size_t rows, const void *prepared) {
    return (double *)((uint32_t *)(uintptr_t)prepared + panels_of(rows) * panel_size(l));
}

/* Puts n rows, at most PSB_POSE_PANEL, side by side, and zeros for missing rows. */
static void place_panel(const float *rows, size_t n, size_t length, double *to) {
    memset(to, 0, length * PSB_POSE_PANEL * sizeof *to);
    for (size_t r = 0; r < n; r++) {
        for (size_t i = 0; i < length; i++) {
            to[i * PSB_POSE_PANEL + r] = rows[r * length + i];
        }
    }
}

/* Prepares all panels with rows; a panel without rows, if there is one, becomes zeros. */
static void prepare(const psb_pose_kernel *kernel, const psb_row_view *rows, void *prepared,
                    int orders) {
    layout l = layout_of(rows->length, orders);
    size_t length = rows->length, size = l.form->block * PSB_POSE_PANEL, panel = 0;
    double *mark = marks_of(&l, rows->n, prepared);
    double *own = mark + panels_of(rows->n) * PSB_POSE_PANEL;
    double *turned = own + length * PSB_POSE_PANEL;
    for (size_t i = 0; i < rows->n; i += PSB_POSE_PANEL, panel++) {
        size_t n = rows->n - i < PSB_POSE_PANEL ? rows->n - i : PSB_POSE_PANEL;
        uint32_t *to = (uint32_t *)prepared + panel * panel_size(&l);
        double norm[PSB_POSE_PANEL];
        place_panel((const float *)rows->data + i * length, n, length, own);
        for (int k = 0; k < orders; k++) {
            for (size_t at = 0; at < length * PSB_POSE_PANEL; at += size) {
                l.form->turn(kernel, k, own + at, turned + at);
            }
            kernel->quantise(turned, length, l.parity, l.form->block, l.start,
                             to + (size_t)k * l.order_size, norm);
            for (size_t r = 0; r < PSB_POSE_PANEL && k == 0; r++) {
                mark[i + r] = mark_of(norm[r]);
            }
        }
    }
    memset((uint32_t *)prepared + panel * panel_size(&l), 0,
           (panels_of(rows->n) - panel) * panel_size(&l) * sizeof(uint32_t));
}

void psb_pose48_prepare(const psb_pose_kernel *kernel, const psb_row_view *rows, void *prepared) {
    prepare(kernel, rows, prepared, PSB_ORDERS);
}

/* ---- tiles ------------------------------------------------------------------------------ */

static void pass_panels(const psb_pose_kernel *kernel, const layout *l, const uint32_t *a,
                        size_t rows, const uint32_t *b0, uint32_t *least) {
    const uint32_t *b1 = b0 + panel_size(l);
    for (int k = 0; k < l->orders; k++) {
        size_t at = (size_t)k * l->order_size;
        kernel->pass(a, rows, b0 + at, b1 + at, l->start, least);
        if (k > 0 && !l->form->keeps_l1) {
            kernel->pass(a + at, rows, b0, b1, l->start, least);
        }
    }
}

static void fill_tile(const psb_pose_kernel *kernel, int orders, const psb_block *a,
                      const psb_block *b, bool upper, uint32_t *least, float *out, size_t stride) {
    layout l = layout_of(a->rows.length, orders);
    const uint32_t *panels_a = a->prepared, *panels_b = b->prepared;
    const double *mark_a = marks_of(&l, a->rows.n, a->prepared);
    const double *mark_b = marks_of(&l, b->rows.n, b->prepared);
    for (size_t i = 0; i < PSB_TILE * PSB_TILE; i++) {
        least[i] = UINT32_MAX;
    }
    for (size_t j = 0; j < b->rows.n; j += 2 * PSB_POSE_PANEL) {
        size_t all = a->rows.n, near = j + 2 * PSB_POSE_PANEL;
        for (size_t i = 0; i < (upper && near < all ? near : all); i += PSB_POSE_PANEL) {
            size_t rows = all - i < PSB_POSE_PANEL ? all - i : PSB_POSE_PANEL;
            pass_panels(kernel, &l, panels_a + i / PSB_POSE_PANEL * panel_size(&l), rows,
                        panels_b + j / PSB_POSE_PANEL * panel_size(&l), least + i * PSB_TILE + j);
        }
    }
    for (size_t i = 0; i < a->rows.n; i++) {
        for (size_t j = 0; j < b->rows.n; j++) {
            out[i * stride + j] = (float)distance_of(least[i * PSB_TILE + j], mark_a[i], mark_b[j]);
        }
    }
}

void psb_pose48_tile(const psb_pose_kernel *kernel, const psb_block *a, const psb_block *b,
                     bool upper, void *scratch, float *out, size_t stride) {
    fill_tile(kernel, PSB_ORDERS, a, b, upper, scratch, out, stride);
}

static size_t tile_scratch(size_t rows PSB_UNUSED, size_t length PSB_UNUSED) {
    return sizeof(uint32_t) * PSB_TILE * PSB_TILE;
}

/* ---- the metrics ------------------------------------------------------------------------ */

static size_t bytes8(size_t rows, size_t length) {
    return bytes_of(rows, length, 1);
}

static size_t bytes48(size_t rows, size_t length) {
    return bytes_of(rows, length, PSB_ORDERS);
}

static void prepare8(const psb_row_view *rows, void *prepared) {
    prepare(psb_cpu_choose(psb_pose_kernels), rows, prepared, 1);
}

static void prepare48(const psb_row_view *rows, void *prepared) {
    psb_pose48_prepare(psb_cpu_choose(psb_pose_kernels), rows, prepared);
}

static void tile8(const psb_block *a, const psb_block *b, bool upper, void *scratch, float *out,
                  size_t stride) {
    fill_tile(psb_cpu_choose(psb_pose_kernels), 1, a, b, upper, scratch, out, stride);
}

static void tile48(const psb_block *a, const psb_block *b, bool upper, void *scratch, float *out,
                   size_t stride) {
    psb_pose48_tile(psb_cpu_choose(psb_pose_kernels), a, b, upper, scratch, out, stride);
}

const psb_metric psb_pose8 = {
    .name = "pose8",
    .help = "least L1 of rows of L1 norm 1 over the signs of the axes",
    .revision = 1,
    .element = PSB_FLOAT32,
    .most_rows = PSB_TILE,
    .pair = pair8,
    .prepare = prepare8,
    .prepared_bytes = bytes8,
    .tile = tile8,
    .tile_scratch = tile_scratch,
    .accepts = accepts,
};

const psb_metric psb_pose48 = {
    .name = "pose48",
    .help = "least L1 of rows of L1 norm 1 over the signs and orders of the axes",
    .revision = 2,
    .element = PSB_FLOAT32,
    .most_rows = PSB_TILE,
    .pair = pair48,
    .prepare = prepare48,
    .prepared_bytes = bytes48,
    .tile = tile48,
    .tile_scratch = tile_scratch,
    .accepts = accepts,
};
