/*
 * Divides a surface into small triangles, for integrals over it that have no closed form.
 *
 * Triangles are halved across their longest edge until they are small enough for their place. So
 * elements follow the resolution of the integrand, not the tessellation of the file, and a sliver
 * costs elements by its length. No random numbers.
 */
#pragma once

#include "psbench.h"

#include <stdbool.h>

enum { PSB_ELEMENTS = 64 };

/*
 * Elements as arrays for vector instructions: coordinate k of corner v of element i is
 * corner[v][k][i]. Positions have a precision of 1e-7 of their distance, areas are exact. Corners
 * farther than 2 from the origin are moved to distance 2, so that squares are finite. Entries from
 * n on hold earlier elements or 0.
 */
typedef struct psb_element_batch {
    size_t n;
    bool tiny; /* edges no more than `tiny` of their limit */
    float corner[3][3][PSB_ELEMENTS];
    double area[PSB_ELEMENTS];
} psb_element_batch;

typedef struct psb_element_limits {
    double edge; /* times sqrt(r) within the unit ball, times r outside, r that of the centroid */
    double area; /* elements of no more than this are not cut, whatever their edges */
    double tiny; /* part of the edge's limit up to which elements come in batches of their own */
} psb_element_limits;

typedef void psb_elements_visit(void *context, const psb_element_batch *batch);

/*
 * Visits every element of the mesh with posed vertices `points`, except triangles without area.
 * Within the unit ball the square root of r spends fewer elements than a constant angle on the
 * little area near the center. Outside, a far triangle costs only the logarithm of its length. The
 * least area bounds the work for countless needles.
 */
void psb_area_elements(const psb_mesh *mesh, const double *points, const psb_element_limits *limits,
                       psb_elements_visit *visit, void *context);
