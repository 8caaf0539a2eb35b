/*
 * The 35 moment magnitudes of a silhouette: projections onto functions f(rho) exp(i p theta).
 *
 * The functions are sampled on a grid of 101 x 101 points, the unit disc having the radius of 50
 * steps, and read bilinearly at the pixels. That reading is transposed here: the pixels' weights
 * are collected on the grid, then one matrix product per symmetry class multiplies the grids of
 * twenty images with all functions.
 */
#ifndef PSB_LIGHTFIELD_MOMENTS_H
#define PSB_LIGHTFIELD_MOMENTS_H

#include "lightfield/bitmap.h"
#include "lightfield/record.h"
#include "psbench.h"

enum {
    PSB_MOMENT_IMAGES = 2 * PSB_AXES,    /* that are multiplied at once */
    PSB_DISC = 50,                       /* radius of the disc in steps of the grid */
    PSB_QUADRANT = 2006,                 /* points of the grid with x, y >= 0 within the disc */
    PSB_MOMENT_PITCH = 2 * PSB_DISC + 4, /* the grid with what bilinear reading touches */
};

/*
 * PSB_ART: angular radial transform (MPEG-7), cos(pi r rho) exp(i p theta), p = 0 ... 11 and r = 0,
 * 1, 2, in this order. PSB_ZERNIKE: Zernike moments without the factor n + 1, n = 0 ... 10, by n,
 * then by p. Both without their first, the area.
 */
typedef enum psb_moment_kind { PSB_ART, PSB_ZERNIKE, PSB_MOMENT_KINDS } psb_moment_kind;

/* Samples of the functions. Shared and read-only. */
typedef struct psb_moment_basis psb_moment_basis;
psb_status psb_moment_basis_new(psb_moment_kind kind, psb_moment_basis **basis, psb_error *error);
void psb_moment_basis_free(psb_moment_basis *basis);

/* Working memory for the images of two dodecahedra. */
typedef struct psb_moment_scratch {
    double folded[4][PSB_MOMENT_IMAGES]
                 [PSB_QUADRANT]; /* by symmetry: even, odd in x, odd in y, odd in both */
    double sum[PSB_MOMENT_PITCH][PSB_MOMENT_PITCH];  /* [x][y]: weights on the grid */
    double step[PSB_MOMENT_PITCH][PSB_MOMENT_PITCH]; /* [x][y]: signed ends of runs */
} psb_moment_scratch;

/*
 * Collects the pixels of image number `which` on the grid: pixel (x, y) lies at ((x, y) - centre) *
 * PSB_DISC / radius from the grid's middle. No pixel may be farther than `radius` from the centre;
 * radius 0 puts all on the middle.
 */
void psb_moment_splat(const psb_bitmap *image, const psb_box *box, const double centre[2],
                      double radius, psb_moment_scratch *scratch, int which);

/*
 * After a splat of each image: moment[m][k] = |sum over the pixels of image m of function k|.
 */
void psb_moment_magnitudes(const psb_moment_basis *basis, const psb_moment_scratch *scratch,
                           double moment[PSB_MOMENT_IMAGES][PSB_MOMENTS]);

#endif
