/*
 * A surface cut into small triangles, for integrals over it that have no closed form.
 *
 * Triangles are halved across their longest edge until they are small where they lie. So elements
 * follow the resolution of what is integrated and not the tessellation of the file, and slivers
 * cost as many elements as they are long. No random numbers.
 */
#ifndef PSB_DESCRIPTORS_AREA_ELEMENTS_H
#define PSB_DESCRIPTORS_AREA_ELEMENTS_H

#include "psbench.h"

typedef struct psb_area_element {
    double corner[3][3];
    double centroid[3];
    double area;
    double size; /* longest edge over the limit where it lies */
} psb_area_element;

typedef struct psb_element_limits {
    double edge; /* times sqrt(r) within the unit ball, times r outside, r that of the centroid */
    double area; /* elements of no more than this are not cut, whatever their edges */
} psb_element_limits;

typedef void psb_element_visit(void *context, const psb_area_element *element);

/*
 * Visits every element of the mesh with posed vertices `points`; triangles without area are none.
 * Within the unit ball the root of r spends fewer elements than a constant angle would on the
 * little area near the centre, and ends there by itself; outside, a triangle that reaches far costs
 * only the logarithm of its length. The least area bounds the work for countless needles.
 */
void psb_area_elements(const psb_mesh *mesh, const double *points, const psb_element_limits *limits,
                       psb_element_visit *visit, void *context);

#endif
