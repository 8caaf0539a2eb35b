/* Two chains of edges and the places where a border cuts them. */
#include "fields/cell_sweep.h"

#include <math.h>

static int after(const psb_sweep *s, int corner) {
    return corner + 1 < s->whole.corners ? corner + 1 : 0;
}

static int before(const psb_sweep *s, int corner) {
    return corner > 0 ? corner - 1 : s->whole.corners - 1;
}

void psb_sweep_begin(psb_sweep *s, psb_polygon whole, const int *key) {
    s->whole = whole;
    s->key = key;
    s->left = 0;
    for (int v = 1; v < whole.corners; v++) {
        s->left = key[v] < key[s->left] ? v : s->left;
    }
    s->right = s->left;
    s->turn = 0;
    s->first = PSB_SWEEP_MIDDLE;
    s->end = PSB_SWEEP_MIDDLE + 1;
    s->part[0][PSB_SWEEP_MIDDLE] = whole.corner[s->left];
}

/* Where f, linear in the coordinates k and k + 1, is 0 on an edge across its border. */
static void cut_edge(const psb_cell_vertex *a, const psb_cell_vertex *b, const double f[2], int k,
                     psb_cell_vertex *out) {
    double from = fabs(f[0] * a->at[k] + f[1] * a->at[k + 1]);
    double to = fabs(f[0] * b->at[k] + f[1] * b->at[k + 1]);
    double part = from + to > 0.0 ? from / (from + to) : 0.0;
    for (int i = 0; i < PSB_COORDINATES; i++) {
        out->at[i] = a->at[i] + part * (b->at[i] - a->at[i]);
    }
}

psb_polygon psb_sweep_next(psb_sweep *s, int level, const double f[2], int k,
                           psb_cell_vertex cut[2]) {
    const psb_cell_vertex *const *corner = s->whole.corner, **part = s->part[s->turn];
    int left = after(s, s->left), right = before(s, s->right);
    for (; s->key[left] <= level; left = after(s, left)) {
        part[s->end++] = corner[left];
        s->left = left;
    }
    for (; s->key[right] <= level; right = before(s, right)) {
        part[--s->first] = corner[right];
        s->right = right;
    }
    s->turn ^= 1;
    cut_edge(corner[s->left], corner[left], f, k, &cut[0]);
    cut_edge(corner[s->right], corner[right], f, k, &cut[1]);
    part[s->end++] = &cut[0];
    part[--s->first] = &cut[1];
    psb_polygon p = {part + s->first, s->end - s->first};
    s->first = PSB_SWEEP_MIDDLE - 1;
    s->end = PSB_SWEEP_MIDDLE + 1;
    s->part[s->turn][PSB_SWEEP_MIDDLE - 1] = &cut[1];
    s->part[s->turn][PSB_SWEEP_MIDDLE] = &cut[0];
    return p;
}

psb_polygon psb_sweep_rest(psb_sweep *s) {
    const psb_cell_vertex **part = s->part[s->turn];
    for (int v = after(s, s->left); v != s->right; v = after(s, v)) {
        part[s->end++] = s->whole.corner[v];
    }
    return (psb_polygon){part + s->first, s->end - s->first};
}
