/*
 * The 35 moment magnitudes of a silhouette: projections onto functions f(rho) exp(i p theta).
 *
 * The functions are sampled on a grid of 101 x 101 points, where the unit disc has a radius of 50
 * steps, and read bilinearly at the pixels. The code transposes this reading: it collects the
 * pixels' weights on the grid, then one matrix product per symmetry class multiplies the grids of
 * twenty images with all functions. The product is in float32 with an error bound; a moment whose
 * byte the bound leaves open is computed again in double.
 */
#pragma once

#include "core/cpu.h"
#include "lightfield/bitmap.h"
#include "lightfield/record.h"
#include "psbench.h"

enum {
    PSB_MOMENT_IMAGES = 2 * PSB_AXES,    /* multiplied at once */
    PSB_DISC = 50,                       /* radius of the disc in steps of the grid */
    PSB_QUADRANT = 2006,                 /* points of the grid with x, y >= 0 within the disc */
    PSB_MOMENT_PITCH = 2 * PSB_DISC + 4, /* the grid with what bilinear reading touches */
    PSB_MOMENT_CHUNK = 256,              /* points whose products are added up in float32 */
    PSB_MOMENT_CHUNKS = (PSB_QUADRANT + PSB_MOMENT_CHUNK - 1) / PSB_MOMENT_CHUNK,
};

/*
 * PSB_ART: angular radial transform (MPEG-7), cos(pi r rho) exp(i p theta), p = 0 ... 11 and r = 0,
 * 1, 2, in this order. PSB_ZERNIKE: Zernike moments without the factor n + 1, n = 0 ... 10, by n,
 * then by p. Both without their first function, the area.
 */
typedef enum psb_moment_kind { PSB_ART, PSB_ZERNIKE, PSB_MOMENT_KINDS } psb_moment_kind;

/* Samples of the functions. Shared and read-only. */
typedef struct psb_moment_basis psb_moment_basis;
psb_status psb_moment_basis_new(psb_moment_kind kind, psb_moment_basis **basis, psb_error *error);
void psb_moment_basis_free(psb_moment_basis *basis);

/* Symmetry classes: bit 0 for odd in x, bit 1 for odd in y. */
enum { PSB_EVEN = 0, PSB_ODD_X = 1, PSB_ODD_Y = 2, PSB_ODD_BOTH = 3, PSB_CLASSES = 4 };

/* Working memory for the images of two dodecahedra. */
typedef struct psb_moment_scratch {
    float rounded[PSB_CLASSES][PSB_MOMENT_CHUNKS][PSB_MOMENT_IMAGES][PSB_MOMENT_CHUNK];
    /* [1 + x][y]: how weights differ from those at x + 1, as shares of the column's; then weights
     */
    double grid[PSB_MOMENT_PITCH][PSB_MOMENT_PITCH];
    double whole[PSB_MOMENT_PITCH]; /* columns' weights, where they are touched */
    psb_pixel_box touched;          /* columns and rows of the grid */
} psb_moment_scratch;

/* The largest distance from the grid's middle of the columns, and of the rows, that are touched. */
static inline int psb_moment_reach(int low, int high) {
    return PSB_DISC - low > high - PSB_DISC ? PSB_DISC - low : high - PSB_DISC;
}

static inline int psb_moment_width(const psb_pixel_box *touched) {
    return psb_moment_reach(touched->left, touched->right);
}

static inline int psb_moment_height(const psb_pixel_box *touched) {
    return psb_moment_reach(touched->bottom, touched->top);
}

/* Processes a collected grid, for different processors; see core/cpu.h. */
typedef struct psb_fold_kernel {
    psb_variant variant;
    void (*fold)(psb_moment_scratch *scratch, int which);
} psb_fold_kernel;
extern const psb_variant *const psb_fold_kernels[];

/*
 * Collects the pixels of image number `which` on the grid: pixel (x, y) lies at ((x, y) - center) *
 * PSB_DISC / radius from the grid's middle. No pixel may be farther than `radius` from the center;
 * radius 0 puts all pixels on the middle.
 */
void psb_moment_splat(const psb_bitmap *image, const psb_pixel_box *box, const double centre[2],
                      double radius, psb_moment_scratch *scratch, int which);

/*
 * After a splat of each image: moment[m][k] = |sum over the pixels of image m of function k|, with
 * an error of at most psb_moment_slack times the number of pixels.
 */
void psb_moment_magnitudes(const psb_moment_basis *basis, const psb_moment_scratch *scratch,
                           double moment[PSB_MOMENT_IMAGES][PSB_MOMENTS]);
extern const double psb_moment_slack;

/* Moment k of the image that was splat last, in double. */
double psb_moment_exact(const psb_moment_basis *basis, const psb_moment_scratch *scratch, int k);
