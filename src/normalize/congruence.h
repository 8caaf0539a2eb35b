/*
 * Congruence: two meshes have the same triangles in another place, pose, scale or order. Each
 * triangle counts once, however often a file repeats it and in whichever order its corners are
 * listed, since copies of a model often differ by back faces.
 */
#pragma once

#include "psbench.h"

#include <stdbool.h>

/*
 * Tolerances, since files round their numbers: the distance of corresponding corners relative to
 * the model's size (the root mean square distance of its triangles' centers from their mean, by
 * area), and the share of the area that needs no counterpart, since slivers do not survive
 * rounding.
 */
#define PSB_CONGRUENCE_DISTANCE 1e-3
#define PSB_CONGRUENCE_AREA     1e-4

/* Numbers that all copies of a mesh share within the distance above. */
enum { PSB_CONGRUENCE_PRINTS = 5 };
typedef struct psb_congruence_print {
    double value[PSB_CONGRUENCE_PRINTS];
} psb_congruence_print;

/* Numbers that all triangulations of a surface share: its area divided by its mean square distance
 * from its center, and the shares of two principal axes in that distance. */
enum { PSB_SURFACE_PRINTS = 3 };

/* A prepared mesh: its triangles, in a place and size that do not depend on the file's. */
typedef struct psb_facets {
    size_t count, npoints;
    struct psb_facet *facets;
    double (*points)[3]; /* the distinct corners */
    double size, area;   /* in units and units^2 of the file */
    psb_congruence_print print;
    double surface[PSB_SURFACE_PRINTS];
} psb_facets;

/*
 * Prepares a mesh; `facets` starts zeroed. PSB_ERROR_INPUT if the mesh has no area. Free it also on
 * failure.
 */
psb_status psb_facets_make(const psb_mesh *mesh, psb_facets *facets, psb_error *error);
void psb_facets_free(psb_facets *facets);

bool psb_congruence_prints_agree(const psb_congruence_print *a, const psb_congruence_print *b);

/* True if two surface prints are near enough for one surface, even if it has few triangles. */
bool psb_surface_prints_agree(const double *a, const double *b);

typedef struct psb_congruence {
    double scale;     /* b's size divided by a's */
    double deviation; /* largest deviation of corresponding triangles, in centers and sides,
                         relative as above */
    bool mirrored;    /* b is the mirror image of a, and no turned copy */
} psb_congruence;

/*
 * Searches a motion from a's triangles to b's. The corner of a farthest from the center, and the
 * corner that spans the largest triangle with it, must meet corners of b; for each such motion all
 * triangles are compared, both ways.
 */
bool psb_congruent(const psb_facets *a, const psb_facets *b, psb_congruence *congruence);
