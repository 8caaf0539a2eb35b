/*
 * Whether two meshes are the same triangles in another place, pose, scale or order. Each triangle
 * counts once however often a file repeats it, and whichever way its corners go round: copies of a
 * model often differ by back faces.
 */
#ifndef PSB_NORMALIZE_CONGRUENCE_H
#define PSB_NORMALIZE_CONGRUENCE_H

#include "psbench.h"

#include <stdbool.h>

/*
 * How far corners, relative to the model's size (the root mean square of the distances of its
 * triangles' centres from their mean, by area), may lie apart in copies, and the share of the area
 * that needs no like: files round their numbers, and slivers with them.
 */
#define PSB_CONGRUENCE_DISTANCE 1e-3
#define PSB_CONGRUENCE_AREA     1e-4

/* Numbers of a mesh that its copies share within the distance above. */
enum { PSB_CONGRUENCE_PRINTS = 5 };
typedef struct psb_congruence_print {
    double value[PSB_CONGRUENCE_PRINTS];
} psb_congruence_print;

/* A mesh made ready: its triangles in a place and size that do not depend on the file's. */
typedef struct psb_facets {
    size_t count, npoints;
    struct psb_facet *facets;
    double (*points)[3]; /* the corners, each once */
    double size;         /* in units of the file */
    psb_congruence_print print;
} psb_facets;

/* PSB_ERROR_INPUT where the mesh has no area. Free it in either case; starts zeroed. */
psb_status psb_facets_make(const psb_mesh *mesh, psb_facets *facets, psb_error *error);
void psb_facets_free(psb_facets *facets);

bool psb_congruence_prints_agree(const psb_congruence_print *a, const psb_congruence_print *b);

typedef struct psb_congruence {
    double scale; /* of b relative to a */
    double
        deviation; /* of two like triangles at most: their centres and sides, relative as above */
    bool mirrored; /* b is a's mirror image, and not a turned as well */
} psb_congruence;

/*
 * Looks for the motion that brings a's triangles to b's: the corner of a farthest from the centre
 * and the one that spans the largest triangle with it have to meet corners of b, and then all
 * triangles are compared, both ways.
 */
bool psb_congruent(const psb_facets *a, const psb_facets *b, psb_congruence *congruence);

#endif
