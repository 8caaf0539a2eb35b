/* Sorts the triangles along a Morton curve, and puts a complete binary tree of boxes above them. */
#include "normalize/surface_tree.h"

#include "core/memory.h"
#include "core/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF = 4 }; /* triangles below a leaf */

typedef struct box {
    double low[3], high[3];
} box;

typedef double triangle[3][3];

struct psb_surface_tree {
    size_t n;          /* triangles that have an area */
    triangle *corners; /* of these, along the curve */
    uint32_t *number;  /* their numbers in the mesh */
    size_t leaves;     /* a power of two */
    box *boxes;        /* node i lies above 2i and 2i + 1; the leaves are the last; 0 is not used */
    double tiny;
};

/* A triangle of the mesh, and its place on the curve. */
typedef struct place {
    uint64_t code;
    uint32_t number;
} place;

static void cover(box *b, const double low[3], const double high[3]) {
    for (int k = 0; k < 3; k++) {
        b->low[k] = psb_min(b->low[k], low[k]);
        b->high[k] = psb_max(b->high[k], high[k]);
    }
}

static const box nowhere = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

/* ---- making ---------------------------------------------------------------------------- */

/* Moves each of 21 bits two places beyond the one before. */
static uint64_t spread(uint64_t x) {
    x = (x | x << 32) & UINT64_C(0x1f00000000ffff);
    x = (x | x << 16) & UINT64_C(0x1f0000ff0000ff);
    x = (x | x << 8) & UINT64_C(0x100f00f00f00f00f);
    x = (x | x << 4) & UINT64_C(0x10c30c30c30c30c3);
    return (x | x << 2) & UINT64_C(0x1249249249249249);
}

static int by_code(const void *a, const void *b) {
    const place *x = a, *y = b;
    return x->code != y->code ? (x->code > y->code) - (x->code < y->code)
                              : (x->number > y->number) - (x->number < y->number);
}

static void take_corners(const psb_mesh *mesh, const double *points, size_t t, triangle out) {
    for (int c = 0; c < 3; c++) {
        memcpy(out[c], points + (size_t)3 * mesh->triangles[3 * t + (size_t)c], sizeof out[c]);
    }
}

/* Lists the triangles that have an area, along the curve; returns how many. */
static size_t list(const psb_mesh *mesh, const double *points, place *places, double *tiny) {
    box all = nowhere;
    triangle at;
    size_t n = 0;
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        double normal[3];
        take_corners(mesh, points, t, at);
        psb_normal(at[0], at[1], at[2], normal);
        if (psb_dot(normal, normal) > 0) {
            places[n++].number = (uint32_t)t;
            for (int c = 0; c < 3; c++) {
                cover(&all, at[c], at[c]);
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        *tiny = fmax(*tiny, 0x1p-40 * fmax(fabs(all.low[k]), fabs(all.high[k])));
    }
    for (size_t i = 0; i < n; i++) {
        places[i].code = 0;
        take_corners(mesh, points, places[i].number, at);
        for (int k = 0; k < 3; k++) {
            double side = all.high[k] - all.low[k];
            double sum = at[0][k] + at[1][k] + at[2][k] - 3 * all.low[k];
            double share = side > 0 ? psb_max(psb_min(sum / (3 * side), 1), 0) : 0;
            places[i].code |= spread((uint64_t)(share * 0x1.fffffp20)) << k;
        }
    }
    qsort(places, n, sizeof *places, by_code);
    return n;
}

static void enclose(psb_surface_tree *tree) {
    for (size_t l = 0; l < tree->leaves; l++) {
        box *b = &tree->boxes[tree->leaves + l];
        *b = nowhere;
        for (size_t i = LEAF * l; i < LEAF * (l + 1) && i < tree->n; i++) {
            for (int k = 0; k < 3; k++) {
                cover(b, tree->corners[i][k], tree->corners[i][k]);
            }
        }
    }
    for (size_t node = tree->leaves - 1; node > 0; node--) {
        const box *below = &tree->boxes[2 * node];
        tree->boxes[node] = below[0];
        cover(&tree->boxes[node], below[1].low, below[1].high);
    }
}

psb_status psb_surface_tree_new(const psb_mesh *mesh, const double *points, psb_surface_tree **out,
                                psb_error *error) {
    psb_status status = PSB_OK;
    psb_surface_tree *tree = *out = psb_new_zero(&status, 1, sizeof **out, "a tree", error);
    PSB_FREED place *places =
        psb_new(&status, mesh->ntriangles, sizeof *places, "triangles", error);
    if (status == PSB_OK) {
        tree->n = list(mesh, points, places, &tree->tiny);
        tree->leaves = 1;
        while (tree->leaves * LEAF < tree->n) {
            tree->leaves *= 2;
        }
        tree->corners = psb_new(&status, tree->n, sizeof *tree->corners, "triangles", error);
        tree->number = psb_new(&status, tree->n, sizeof *tree->number, "triangles", error);
        tree->boxes = psb_new(&status, 2 * tree->leaves, sizeof *tree->boxes, "boxes", error);
    }
    if (status == PSB_OK) {
        for (size_t i = 0; i < tree->n; i++) {
            tree->number[i] = places[i].number;
            take_corners(mesh, points, places[i].number, tree->corners[i]);
        }
        enclose(tree);
    } else {
        psb_surface_tree_free(tree);
        *out = NULL;
    }
    return status;
}

void psb_surface_tree_free(psb_surface_tree *tree) {
    if (tree != NULL) {
        free(tree->corners);
        free(tree->number);
        free(tree->boxes);
        free(tree);
    }
}

/* ---- looking --------------------------------------------------------------------------- */

/* Sets `from` to p less the nearest point of the side; returns its squared length. */
static inline double from_side(const double p[3], const double a[3], const double b[3],
                               double from[3]) {
    double along[3];
    psb_subtract(b, a, along);
    psb_subtract(p, a, from);
    double square = psb_dot(along, along);
    double share = square > 0 ? psb_dot(from, along) / square : 0;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    for (int k = 0; k < 3; k++) {
        from[k] -= share * along[k];
    }
    return psb_dot(from, from);
}

/* Returns the squared distance to the plane if the point is above the triangle, else to the nearest
 * side. `way`, unless NULL, becomes p less the nearest point. */
static inline double from_triangle(const double p[3], triangle at, double *way) {
    double least = INFINITY, normal[3], side[3], from[3], across[3];
    bool above = true;
    psb_normal(at[0], at[1], at[2], normal);
    for (int k = 0; k < 3 && above; k++) {
        psb_subtract(at[(k + 1) % 3], at[k], side);
        psb_subtract(p, at[k], from);
        psb_cross(side, from, across);
        above = psb_dot(across, normal) >= 0;
    }
    if (above) {
        double height = psb_dot(from, normal), square = psb_dot(normal, normal);
        for (int k = 0; k < 3 && way != NULL; k++) {
            way[k] = height / square * normal[k];
        }
        return height * height / square;
    }
    for (int k = 0; k < 3; k++) {
        double square = from_side(p, at[k], at[(k + 1) % 3], from);
        if (square < least && way != NULL) {
            memcpy(way, from, sizeof from);
        }
        least = psb_min(least, square);
    }
    return least;
}

static double square_to_box(const double p[3], const box *b) {
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double beyond = psb_max(psb_max(b->low[k] - p[k], p[k] - b->high[k]), 0);
        square += beyond * beyond;
    }
    return square;
}

typedef struct waiting {
    size_t node;
    double square;
} waiting;

double psb_surface_tree_distance(const psb_surface_tree *tree, const double p[3], size_t *guess,
                                 size_t *number) {
    waiting stack[64] = {{1, 0}};
    size_t nearest = *guess < tree->n ? *guess : 0;
    double least = tree->n > 0 ? from_triangle(p, tree->corners[nearest], NULL) : INFINITY;
    for (int depth = 1; depth > 0;) {
        waiting at = stack[--depth];
        if (at.square > least) {
            continue;
        }
        if (at.node < tree->leaves) {
            double square[2];
            for (size_t k = 0; k < 2; k++) {
                square[k] = square_to_box(p, &tree->boxes[2 * at.node + k]);
            }
            size_t near = square[1] < square[0];
            stack[depth++] = (waiting){2 * at.node + 1 - near, square[1 - near]};
            stack[depth++] = (waiting){2 * at.node + near, square[near]};
            continue;
        }
        size_t first = LEAF * (at.node - tree->leaves);
        for (size_t i = first; i < first + LEAF && i < tree->n; i++) {
            double square = from_triangle(p, tree->corners[i], NULL);
            if (square < least || (square == least && tree->number[i] < tree->number[nearest])) {
                least = square;
                nearest = i;
            }
        }
    }
    *guess = nearest;
    *number = tree->number[nearest];
    double distance = sqrt(least);
    return distance < tree->tiny ? 0 : distance;
}

void psb_surface_tree_nearest(const psb_surface_tree *tree, const double p[3], size_t *guess,
                              double at[3]) {
    size_t number;
    double way[3];
    psb_surface_tree_distance(tree, p, guess, &number);
    from_triangle(p, tree->corners[*guess], way);
    psb_subtract(p, way, at);
}
