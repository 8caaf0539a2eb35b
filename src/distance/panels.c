/* Lays out panels of rows and compares them by a kernel. */
#include "distance/panels.h"

#include <string.h>

PSB_SET_KERNELS(psb_panel_kernels, psb_panel_kernel, psb_panel_of)

/* A kernel works on so many numbers of a row at a time: 16 rows of them fit the nearest cache. */
enum { DEPTH = 256 };

/* Returns the rows of an even number of panels, since kernels take two panels of b at a time. */
static size_t whole_panels(size_t rows) {
    return (rows + 2 * PSB_PANEL - 1) / (2 * PSB_PANEL) * (2 * PSB_PANEL);
}

size_t psb_panels_bytes(size_t rows, size_t length) {
    return sizeof(double) * whole_panels(rows) * length;
}

size_t psb_panels_scratch(size_t rows PSB_UNUSED, size_t length PSB_UNUSED) {
    return sizeof(double) * PSB_TILE * PSB_TILE;
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Fills a panel with n rows, at most PSB_PANEL; the missing ones become zeros. */
static void fill_panel(const float *rows, size_t n, size_t length, double *panel) {
    if (n < PSB_PANEL) {
        memset(panel, 0, PSB_PANEL * length * sizeof *panel);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < length; k++) {
            panel[k * PSB_PANEL + i] = rows[i * length + k];
        }
    }
}

void psb_panels_fill(const psb_row_view *rows, void *prepared) {
    const float *data = rows->data;
    double *panels = prepared;
    for (size_t first = 0; first < whole_panels(rows->n); first += PSB_PANEL) {
        size_t n = first < rows->n ? least(rows->n - first, PSB_PANEL) : 0;
        fill_panel(data + (n > 0 ? first : 0) * rows->length, n, rows->length,
                   panels + first * rows->length);
    }
}

void psb_panels_sum(psb_panel_sums *kernel, const psb_block *a, const psb_block *b, bool upper,
                    double *sum) {
    size_t length = a->rows.length;
    memset(sum, 0, psb_panels_scratch(PSB_TILE, length));
    for (size_t k = 0; k < length; k += DEPTH) {
        size_t depth = least(length - k, DEPTH);
        const double *panels_a = (const double *)a->prepared + k * PSB_PANEL;
        const double *panels_b = (const double *)b->prepared + k * PSB_PANEL;
        for (size_t j = 0; j < b->rows.n; j += 2 * PSB_PANEL) {
            const double *b0 = panels_b + j * length, *b1 = b0 + PSB_PANEL * length;
            size_t end = upper ? least(a->rows.n, j + 2 * PSB_PANEL) : a->rows.n;
            for (size_t i = 0; i < end; i += PSB_PANEL) {
                kernel(panels_a + i * length, b0, b1, depth, sum + i * PSB_TILE + j);
            }
        }
    }
}
