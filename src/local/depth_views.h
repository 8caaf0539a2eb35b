/*
 * Depth images of a posed mesh from many directions, from which VIEWS takes its local features.
 *
 * A view sees the window [-1, 1]^2 of the plane through the origin that is perpendicular to its
 * direction, by an orthographic projection of 128 x 128 pixels with hidden surfaces removed. Views
 * 2 i and 2 i + 1 see the mesh from opposite sides, so that one rasterisation serves both: the
 * second image is mirrored left to right, as that side looks from outside.
 */
#pragma once

#include "core/memory.h"
#include "distance/cube.h"
#include "local/depth_buffer.h"

/* Numbers of views beside PSB_CUBE_VIEWS, the only one that the metric "cube" knows; for pooled
 * codes. */
enum { PSB_ICOSAHEDRON_VIEWS = 42, PSB_FINE_VIEWS = 66 };

/*
 * Sets directions[i] to the unit vector from which view 2 i looks; view 2 i + 1 looks from the
 * opposite. `views` is 18, 42 or 66; `directions` has room for half as many vectors. The directions
 * of 18 views are psb_cube_axes; of 42 views the vertices and edge midpoints of an icosahedron; of
 * 66 views those of 18 and the midpoints of neighbors.
 */
void psb_view_directions(int views, double directions[PSB_FINE_VIEWS / 2][3]);

/* Buffers for the images of one mesh; start zeroed, and only grow. */
typedef struct psb_depth_images {
    psb_buffer turned; /* vertices in the view's own axes */
    double largest[PSB_DEPTH_PIXELS], least[PSB_DEPTH_PIXELS];
} psb_depth_images;

/*
 * Makes the two images along one direction. image[side][y * 128 + x] is the depth (z + 1) / 2 of
 * the point nearest to the viewer, clamped to 0.02 ... 1, or 0 for the background. `points` are the
 * posed vertices, nvertices x 3.
 */
psb_status psb_depth_images_fill(psb_depth_images *images, const psb_mesh *mesh,
                                 const double *points, const double direction[3],
                                 float image[2][PSB_DEPTH_PIXELS], psb_error *error);
