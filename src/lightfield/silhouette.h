/*
 * Silhouettes of a mesh in parallel projection.
 *
 * A pixel is set if any triangle covers its centre: no culling, no depth, no anti-aliasing.
 * Vertices are snapped to 1/256 pixel; from there on the result is that of exact arithmetic. Left
 * edges and the horizontal edge at the bottom of a triangle are inclusive, right and top edges
 * exclusive, so triangles that share an edge leave no gap. Triangles without area draw nothing.
 */
#ifndef PSB_LIGHTFIELD_SILHOUETTE_H
#define PSB_LIGHTFIELD_SILHOUETTE_H

#include "lightfield/bitmap.h"
#include "lightfield/cameras.h"

/*
 * A vertex in the image: y in the upper half, x in the lower, in 1/256 pixel from the lower left
 * corner, each plus 127. The offset makes "first pixel centre at or after" a shift by 8, and y on
 * top lets one comparison order vertices by height.
 */
typedef uint32_t psb_snapped;

enum { PSB_SUBPIXELS = 256, PSB_SNAP_OFFSET = 127 };

/* Rounds to the nearest 1/256 pixel; x and y are within 0 ... 255 pixels. */
static inline psb_snapped psb_snap(double x, double y) {
    uint32_t column = (uint32_t)(int32_t)(x * PSB_SUBPIXELS + (PSB_SNAP_OFFSET + 0.5));
    uint32_t row = (uint32_t)(int32_t)(y * PSB_SUBPIXELS + (PSB_SNAP_OFFSET + 0.5));
    return row << 16 | column;
}

/* Points in three arrays of `n`, in pixels, the image's middle being the origin. */
typedef struct psb_points {
    size_t n;
    const double *x, *y, *z;
} psb_points;

/*
 * A vertex in two views, the second in the upper half: fetching vertices from all over memory is a
 * good part of the work, so both views share a fetch.
 */
typedef uint64_t psb_snapped_pair;
enum { PSB_PAIR = 2 };

static inline psb_snapped psb_snapped_in(psb_snapped_pair both, int view) {
    return (psb_snapped)(both >> 32 * view);
}

/* Projects for two cameras. Every point must be at most 127 pixels from the origin. */
void psb_silhouette_project(const psb_points *points, const psb_camera view[PSB_PAIR],
                            psb_snapped_pair *snapped);

/* Draws n triangles of three indices into `snapped` each; overwrites the images. */
void psb_silhouette_draw(const psb_snapped_pair *snapped, const uint32_t *triangles, size_t n,
                         psb_bitmap image[PSB_PAIR]);

#endif
