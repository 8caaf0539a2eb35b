/*
 * A shape is one model with the fields that several descriptors share.
 *
 * Fields are computed when first asked for and kept until the next model is loaded. All buffers
 * belong to the shape and only grow, so the steady state allocates nothing. Pointers handed out
 * are valid until the next load, and those of a posed field until the same field is asked for with
 * another scale or in another frame.
 */
#pragma once

#include "core/fourier.h"
#include "core/memory.h"
#include "core/observer.h"
#include "core/random.h"
#include "fields/area_field.h"
#include "fields/distance_transform.h"
#include "fields/extent.h"
#include "fields/harmonics.h"
#include "fields/meter.h"
#include "fields/sphere_samples.h"
#include "lightfield/moments.h"
#include "local/depth_views.h"
#include "local/vocabulary.h"
#include "normalize/pose.h"

/*
 * Read-only tables that every thread shares: transform plans, quadrature weights, sample
 * positions, vocabularies. Tables that take long to make are made when a shape is first asked for
 * them, so that a run of a few models does not wait for the tables of other descriptors.
 */
typedef struct psb_tables psb_tables;
psb_status psb_tables_new(psb_tables **tables, psb_error *error);
void psb_tables_free(psb_tables *tables);

/* The tables must outlive the shape. */
psb_status psb_shape_new(psb_tables *tables, psb_shape **shape, psb_error *error);
/* Whom psb_describe asks whether to go on; NULL: nobody. */
void psb_shape_set_observer(psb_shape *shape, const psb_observer *observer);
const psb_observer *psb_shape_observer(const psb_shape *shape);

/*
 * Return the shape's tables, which belong to psb_tables. The time to make one counts for no
 * descriptor.
 */
const psb_harmonics *psb_shape_harmonics(const psb_shape *shape);
/* Transforms a line of a depth image to consecutive orders. */
const psb_fourier *psb_shape_line(const psb_shape *shape);
psb_status psb_shape_spheres(psb_shape *shape, const psb_sphere_grid **spheres, psb_error *error);
psb_status psb_shape_moment_basis(psb_shape *shape, psb_moment_kind kind,
                                  const psb_moment_basis **basis, psb_error *error);
psb_status psb_shape_vocabulary(psb_shape *shape, psb_vocabulary_kind kind,
                                const psb_vocabulary **vocabulary, psb_error *error);

/* Takes the model away, with fields that may not be complete. */
void psb_shape_unload(psb_shape *shape);

/* Begin and end a descriptor's work on the shape; its cost is that of all work in between. */
void psb_shape_begin(psb_shape *shape);
void psb_shape_end(psb_shape *shape);

/*
 * Returns the cost of the last psb_shape_describe with all fields that it needs, moments included,
 * whichever descriptor asked for them first. The clock is the CPU time of the calling thread
 * unless another one is set.
 */
psb_cost psb_shape_cost(const psb_shape *shape);
void psb_shape_set_clock(psb_shape *shape, double (*clock)(void));

/*
 * Sets the frame of the aligned pose; all fields in this pose are of the frame set last. Loading a
 * model does not change it.
 */
void psb_shape_set_frame(psb_shape *shape, psb_frame_kind frame);

/*
 * Starts the random numbers of one purpose for the loaded model: psb_content_random with the
 * shape's side, which is 0 unless psb_shape_set_side has set another.
 */
void psb_shape_set_side(psb_shape *shape, uint64_t side);
psb_random psb_shape_random(const psb_shape *shape, uint64_t seed, const char *purpose);

psb_status psb_shape_axes(psb_shape *shape, const psb_axes **axes, psb_error *error);

/* Computes the mesh's vertices in a pose, nvertices x 3. */
psb_status psb_shape_points(psb_shape *shape, psb_pose_kind pose, psb_scale scale,
                            const double **points, psb_error *error);

/* Computes the exact raster. */
psb_status psb_shape_raster(psb_shape *shape, psb_pose_kind pose, psb_scale scale,
                            const psb_raster **raster, psb_error *error);

/* Decides who makes the raster to which distances are taken: psb_raster_sweep or
 * psb_raster_sample. */
typedef enum psb_raster_rule { PSB_RASTER_REFERENCE, PSB_RASTER_SAMPLED } psb_raster_rule;

/* Computes squared distances to the rule's raster, up to `most`: see psb_distance_transform. */
psb_status psb_shape_distance(psb_shape *shape, psb_pose_kind pose, psb_scale scale,
                              psb_raster_rule rule, int most, const psb_distance_grid **grid,
                              psb_error *error);

/* Computes area by direction and distance in the aligned pose. Overwrites the scratch memory. */
psb_status psb_shape_area_field(psb_shape *shape, psb_area_field **field, psb_error *error);

/*
 * Computes expected largest distances by direction in the aligned pose for `points` random surface
 * points; polar angles are measured from the axis `pole`. Overwrites the scratch memory.
 */
psb_status psb_shape_extent(psb_shape *shape, int points, int pole, psb_extent **extent,
                            psb_error *error);

/*
 * Summed local features of depth views: sums over the features of all views by the words of a
 * vocabulary and, for 18 views, the code of each view (psb_view_code; all 0 if a view has no
 * features). The pose is aligned, with mean distance 0.45 to the center.
 */
typedef struct psb_view_words {
    psb_word_sums model;
    int8_t code[PSB_CUBE_VIEWS][PSB_WORD_LENGTH];
    size_t count[PSB_CUBE_VIEWS]; /* numbers of the code that are not 0 */
} psb_view_words;

/* Computes the sums over `views` views: 18, 42 or 66. */
psb_status psb_shape_view_words(psb_shape *shape, int views, const psb_view_words **words,
                                psb_error *error);

/* Passes the features of each view to `take` in turn; stops if it does not return PSB_OK. */
psb_status psb_shape_view_features(psb_shape *shape, int views,
                                   psb_status (*take)(void *context, int view,
                                                      const psb_feature *features, size_t n,
                                                      psb_error *error),
                                   void *context, psb_error *error);

/* Scratch memory for one descriptor; its contents do not survive the next psb_shape_describe. */
typedef struct psb_scratch {
    float *volume;                  /* PSB_VOLUME, border 0 */
    double *samples;                /* PSB_SPHERE_SAMPLES */
    double *transform;              /* psb_harmonics_scratch(PSB_SHELLS) */
    psb_coefficients *coefficients; /* PSB_SHELLS */
    psb_tail *tails;                /* PSB_SHELLS */
    double *values;                 /* PSB_SHELLS * PSB_FULL, a row before it is stored */
} psb_scratch;
const psb_scratch *psb_shape_scratch(psb_shape *shape);

/* Returns one of the descriptors' private buffers, by number; it only grows. */
enum { PSB_SHAPE_BUFFERS = 8 };
psb_buffer *psb_shape_buffer(psb_shape *shape, int which);

/*
 * Does the last step of most descriptors: scales n values to L2 norm 1 and stores them as float32.
 * A zero vector stays zero. PSB_ERROR_INTERNAL if a value is not finite.
 */
psb_status psb_store_unit(const double *values, size_t n, float *row, psb_error *error);

/*
 * Does the same for a part of a vector that is scaled to norm 1 as a whole; `square` is the sum of
 * squares of the whole vector.
 */
psb_status psb_store_part(const double *values, size_t n, double square, float *row,
                          psb_error *error);

/* Does psb_store_unit's work for n functions on the sphere, up to PSB_SHELLS, each in this form. */
psb_status psb_store_functions(psb_shape *shape, psb_coefficients *functions, size_t n,
                               psb_form form, float *row, psb_error *error);

/*
 * Does the same, but scales to 1 the norm of all functions' magnitudes |a_lm| up to degree 31, 528
 * a function, 0 <= m <= l, each once, before degrees are cut and the form is chosen: the rule of
 * EXT and REXT.
 */
psb_status psb_store_functions_cut(psb_shape *shape, psb_coefficients *functions,
                                   const psb_tail *tails, size_t n, psb_form form, float *row,
                                   psb_error *error);
