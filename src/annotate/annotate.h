/*
 * The geometric annotations that the benchmark publishes beside each model (paper, section 6; the
 * _info.txt files). The paper names them but for center, scale and axes does not define them: the
 * definitions here are those that reproduce the published files best, see docs/annotations.md.
 */
#pragma once

#include "annotate/edges.h"
#include "normalize/axes.h"

/* Sets all annotations; PSB_ERROR_INPUT for a mesh without area, or with an extent out of range. */
psb_status psb_annotate(const psb_mesh *mesh, psb_annotations *annotations, psb_error *error);

/*
 * Counts the parts of the surface that hang together across edges, by flooding the faces in the
 * file's order; vertices are the same if their indices are. Where more than two faces share an
 * edge, or their orientations disagree, the count follows the rule of annotate/edges.h.
 */
psb_status psb_count_components(const psb_edges *edges, size_t *count, psb_error *error);

/*
 * Mean angle, in radians from 0 (flat) to pi (folded back), between the normals of the two faces
 * at an edge, every edge the same weight. Left out are edges without a face on either side, edges
 * of faces without area, and those that are flat: angle up to PSB_FLAT_ANGLE. NaN if none remains.
 */
psb_status psb_average_dihedral_angle(const psb_mesh *mesh, const psb_edges *edges, double *angle,
                                      psb_error *error);

/*
 * The published angles need a limit near 0.00102, which is where the rounded square of a float32
 * cosine falls below 0.999999.
 */
#define PSB_FLAT_ANGLE 0.00102

/*
 * Depth complexity: faces that look at the viewer (corners counterclockwise), one behind the
 * other, per pixel that shows at least one. Pixels of six parallel projections count together, each
 * of PSB_COMPLEXITY_PIXELS squared and framed by the bounding box's circumscribed sphere, from the
 * vertices (0, +-1, g), (g, 0, +-1), (1, +-g, 0) of an icosahedron, g the golden ratio. A closed
 * convex surface with outward faces has depth 1. NaN if no pixel shows a face. PSB_ERROR_INPUT
 * where the extent is not finite.
 */
psb_status psb_average_depth(const psb_mesh *mesh, double *depth, psb_error *error);

enum { PSB_COMPLEXITY_PIXELS = 512 };

/*
 * A surface is closed, or watertight, where it has edges and each is that of exactly two faces,
 * which run along it in opposite directions. Corners with the same coordinates are the same, and
 * faces that repeat a corner have no edges. Only a closed surface has a volume, in units^3.
 */
typedef struct psb_closure {
    size_t boundary_edges;    /* of one face */
    size_t nonmanifold_edges; /* of more than two faces */
    size_t turned_edges;      /* of two faces that run along it in the same direction */
    size_t open_edges;        /* all of these */
    size_t degenerate_faces;  /* without area */
    size_t repeated_faces;    /* with the corners of a face before, in any order */
    size_t repeated_vertices; /* where a vertex before is */
    bool watertight;
    double volume;        /* inside the surface; NAN unless watertight */
    double signed_volume; /* below 0 where faces look inward */
} psb_closure;

psb_status psb_closure_measure(const psb_mesh *mesh, psb_closure *closure, psb_error *error);
/* Like psb_annotate, and measures the closure. */
psb_status psb_annotate_more(const psb_mesh *mesh, psb_annotations *annotations,
                             psb_closure *closure, psb_error *error);

/* Sets the box of the vertices that faces use; all 0 for a mesh without faces. */
void psb_bounding_box(const psb_mesh *mesh, double lowest[3], double highest[3]);
