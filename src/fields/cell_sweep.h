/*
 * Divides a convex polygon at ascending borders, which are planes through the axis z or the origin.
 * Integers, the keys, say on which side of a border each corner lies. If rounding makes the keys
 * contradict the coordinates, the part that is cut off wrongly is as small as the error.
 */
#pragma once

#include "core/cpu.h"

#include <math.h>

/*
 * Coordinates of a point in the pose, turned so that the pole is z. U is the distance from the axis
 * along the middle of the point's column; on the meridian between two columns it is the same.
 */
enum { PSB_X, PSB_Y, PSB_Z, PSB_U, PSB_COORDINATES };

typedef struct psb_cell_vertex {
    double at[PSB_COORDINATES];
    int azimuth; /* 2i on the meridian that begins column i, 2i + 1 within the column, -1: on z */
    int row;
} psb_cell_vertex;

enum {
    /* Corners of a polygon that is swept; each of its parts may have four more. */
    PSB_SWEEP_CORNERS = 5,
    PSB_PART_CORNERS = PSB_SWEEP_CORNERS + 4,
};

typedef struct psb_polygon {
    const psb_cell_vertex *const *corner;
    int corners;
} psb_polygon;

enum { PSB_SWEEP_MIDDLE = PSB_SWEEP_CORNERS + 2 };

/*
 * Two ways lead along the edges from the corner with the least key to the corner with the greatest;
 * each border cuts one edge on either way.
 */
typedef struct psb_sweep {
    psb_polygon whole;
    const int *key;
    int left, right; /* the last corners before the border, on either way */
    int turn;        /* which of each two below is for the next part */
    int first, end;  /* of that part, so far */
    const psb_cell_vertex *part[2][2 * PSB_SWEEP_MIDDLE];
} psb_sweep;

PSB_INLINE int psb_sweep_after(const psb_sweep *s, int corner) {
    return corner + 1 < s->whole.corners ? corner + 1 : 0;
}

PSB_INLINE int psb_sweep_before(const psb_sweep *s, int corner) {
    return corner > 0 ? corner - 1 : s->whole.corners - 1;
}

/* `whole` and `key`, one for each corner, must last as long as the sweep. */
PSB_INLINE void psb_sweep_begin(psb_sweep *s, psb_polygon whole, const int *key) {
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
PSB_INLINE void psb_sweep_cut(const psb_cell_vertex *a, const psb_cell_vertex *b, const double f[2],
                              int k, psb_cell_vertex *out) {
    double from = fabs(f[0] * a->at[k] + f[1] * a->at[k + 1]);
    double to = fabs(f[0] * b->at[k] + f[1] * b->at[k + 1]);
    double part = from + to > 0.0 ? from / (from + to) : 0.0;
    for (int i = 0; i < PSB_COORDINATES; i++) {
        out->at[i] = a->at[i] + part * (b->at[i] - a->at[i]);
    }
}

/*
 * Cuts off the next part, up to the border where f, linear in the coordinates k and k + 1, is 0.
 * Corners with a key of at most `level` lie before the border, at least one beyond. `cut` gets the
 * coordinates of the two new corners, which belong to this part and the next. The part is valid
 * until the next but one is taken.
 */
PSB_INLINE psb_polygon psb_sweep_next(psb_sweep *s, int level, const double f[2], int k,
                                      psb_cell_vertex cut[2]) {
    const psb_cell_vertex *const *corner = s->whole.corner, **part = s->part[s->turn];
    int left = psb_sweep_after(s, s->left), right = psb_sweep_before(s, s->right);
    for (; s->key[left] <= level; left = psb_sweep_after(s, left)) {
        part[s->end++] = corner[left];
        s->left = left;
    }
    for (; s->key[right] <= level; right = psb_sweep_before(s, right)) {
        part[--s->first] = corner[right];
        s->right = right;
    }
    s->turn ^= 1;
    psb_sweep_cut(corner[s->left], corner[left], f, k, &cut[0]);
    psb_sweep_cut(corner[s->right], corner[right], f, k, &cut[1]);
    part[s->end++] = &cut[0];
    part[--s->first] = &cut[1];
    psb_polygon p = {part + s->first, s->end - s->first};
    s->first = PSB_SWEEP_MIDDLE - 1;
    s->end = PSB_SWEEP_MIDDLE + 1;
    s->part[s->turn][PSB_SWEEP_MIDDLE - 1] = &cut[1];
    s->part[s->turn][PSB_SWEEP_MIDDLE] = &cut[0];
    return p;
}

/* The last part, behind all borders. */
PSB_INLINE psb_polygon psb_sweep_rest(psb_sweep *s) {
    const psb_cell_vertex **part = s->part[s->turn];
    for (int v = psb_sweep_after(s, s->left); v != s->right; v = psb_sweep_after(s, v)) {
        part[s->end++] = s->whole.corner[v];
    }
    return (psb_polygon){part + s->first, s->end - s->first};
}
