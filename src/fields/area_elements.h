/*
 * A surface cut into small triangles, for integrals over it that have no closed form.
 *
 * Triangles are halved across their longest edge until they are small where they lie. So elements
 * follow the resolution of what is integrated and not the tessellation of the file, and slivers
 * cost as many elements as they are long. No random numbers.
 */
#ifndef PSB_FIELDS_AREA_ELEMENTS_H
#define PSB_FIELDS_AREA_ELEMENTS_H

#include "psbench.h"

#include <stdbool.h>

enum { PSB_ELEMENTS = 64 };

/*
 * Elements, as arrays for vector instructions: coordinate k of corner v of element i is
 * corner[v][k][i]. Positions are kept to 1e-7 of their distance, areas in full. What lies farther
 * than 2 from the origin is moved there along its direction, so that squares are finite. Entries
 * from n on hold earlier elements or 0.
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
 * Visits every element of the mesh with posed vertices `points`; triangles without area are none.
 * Within the unit ball the root of r spends fewer elements than a constant angle would on the
 * little area near the centre, and ends there by itself; outside, a triangle that reaches far costs
 * only the logarithm of its length. The least area bounds the work for countless needles.
 */
void psb_area_elements(const psb_mesh *mesh, const double *points, const psb_element_limits *limits,
                       psb_elements_visit *visit, void *context);

#endif
