/*
 * Compares a set of generated shapes with a set of references, as generative modelling does: how
 * near, how varied and how hard to tell from the reference are the generated shapes?
 *
 *   minimum matching distance  mean over the references of the distance to the nearest generated
 *                              shape
 *   coverage                   share of the references that are the nearest reference of some
 *                              generated shape; among equally near ones the first counts
 *   1-NNA                      share of the shapes of both sets whose nearest other shape, of both
 *                              sets, is of their own set; one half if both sets have one equally
 *                              near. 50 % is best: the sets are indistinguishable
 *
 * Achlioptas, Diamanti, Mitliagkas, Guibas 2018 (the first two); Lopez-Paz and Oquab 2017, Yang et
 * al. 2019 (the third).
 *
 * Intervals are 95 % percentiles of a bootstrap. Each figure is a mean over shapes; the bootstrap
 * draws with replacement as many shapes from each set as it has, and a drawn shape keeps its value.
 * All three figures also depend on the sizes of the sets, which no interval shows: compare sets of
 * equal sizes.
 */
#pragma once

#include "core/parallel.h"

typedef enum psb_set { PSB_GENERATED, PSB_REFERENCE, PSB_SETS } psb_set;

typedef enum psb_set_figure {
    PSB_MATCHING_DISTANCE,
    PSB_COVERAGE,
    PSB_ONE_NEAREST_NEIGHBOR,
    PSB_SET_FIGURES,
} psb_set_figure;

/* How far each shape of a set is from others. */
typedef struct psb_set_distances {
    size_t count[PSB_SETS]; /* number of shapes, at least 1 */
    float *own[PSB_SETS];   /* distance to the nearest other shape of its set, or INFINITY */
    float *other[PSB_SETS]; /* distance to the nearest shape of the other set */
    bool *covered;          /* covered[i]: reference i is the nearest of some generated shape */
    /* For pages that show shapes; the figures do not use these. */
    uint32_t *nearest[PSB_SETS]; /* nearest of the other set; of equally near ones the first */
    uint32_t *chosen;            /* for how many generated shapes each reference is the nearest */
} psb_set_distances;

typedef struct psb_set_value {
    double value, low, high;
} psb_set_value;

typedef struct psb_resampling {
    size_t rounds; /* 0: intervals are NAN */
    uint64_t seed;
    int threads;
    psb_progress *progress; /* counts rounds; may be NULL */
    void *context;
} psb_resampling;

/* The results depend only on distances, seed and label, to the byte. */
psb_status psb_two_sets_measure(const psb_set_distances *distances, const char *label,
                                const psb_resampling *resampling,
                                psb_set_value figures[PSB_SET_FIGURES], psb_error *error);
