/*
 * A map of a set: a place in the plane for each model, so that models near to each other by some
 * distances are near to each other on it. It shows at a glance which models a method takes for
 * alike.
 *
 * t-SNE (van der Maaten and Hinton, 2008): model i has probability p(j|i), proportional to
 * exp(-b_i d_ij^2), of its PSB_MAP_NEIGHBORS nearest models j, where b_i gives the distribution a
 * perplexity of 30, or a third of the neighbors where these are fewer; P is the mean of both
 * directions, divided by the number of models. Places move so that Q, proportional to
 * 1 / (1 + squared distance) in the plane, comes near to P: PSB_MAP_STEPS steps against the
 * gradient of their divergence, of which the first quarter exaggerate P three times. The repulsion
 * of Q is exact up to PSB_MAP_EXACT models; with more, the models of a square act from their center
 * of mass (van der Maaten, 2014) if it is farther away than twice the side of the square.
 *
 * The same neighbors and ids give the same bytes, for any number of threads and any processor: the
 * first places are drawn at random by id, and sums have a fixed order.
 */
#pragma once

#include "core/parallel.h"
#include "io/matrix.h"

enum {
    PSB_MAP_REVISION = 3, /* raised when places change */
    PSB_MAP_NEIGHBORS = 90,
    PSB_MAP_EXACT = 2500,
    PSB_MAP_MOST = 50000, /* most models of a map */
    PSB_MAP_STEPS = 156,
};

typedef struct psb_map_input {
    size_t n;                 /* number of models */
    size_t k;                 /* neighbors of each model: psb_map_neighbors(n) */
    const uint32_t *neighbor; /* n x k: the models nearest to each, without itself */
    const float *distance;    /* n x k: how far these are */
    const char *const *ids;   /* n ids */
} psb_map_input;

/* The number of neighbors of each model that a map of n models is made from. */
size_t psb_map_neighbors(size_t n);

/* Sets xy to n x 2 numbers from -1 to 1 around 0. `progress` counts steps. */
psb_status psb_map_make(const psb_map_input *input, int threads, psb_progress *progress,
                        void *context, float *xy, psb_error *error);

/* Makes the map from a square matrix of distances between the models. */
psb_status psb_map_of_matrix(const psb_matrix *matrix, const char *const *ids, int threads,
                             psb_progress *progress, void *context, float *xy, psb_error *error);

/* Sets `gradient`, n x 2, to that at the places xy, with P times `exaggeration`. */
psb_status psb_map_gradient(const psb_map_input *input, const float *xy, double exaggeration,
                            int threads, double *gradient, psb_error *error);
