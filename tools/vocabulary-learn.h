/* Learns vocabularies of local features (local/vocabulary.h), without labels, from the models of a
 * training list. */
#pragma once

#include "fields/shape.h"
#include "io/dataset.h"

typedef struct psb_learning {
    psb_tables *tables;
    const psb_dataset *set; /* the training models, with their files */
    psb_vocabulary_kind kind;
    int threads;
    const psb_observer *observer;
} psb_learning;

/*
 * Draws 160 features of each model at random, seeded by the model's name. Computes from these the
 * mean, the principal directions, and the Gaussians, by 8 rounds of k-means and 12 of expectation
 * maximization over at most 120,000 features; variances are at least 2 % of the whole set's. For
 * views, also finds the codes of 5,000 views drawn at random, and their principal directions. The
 * numbers do not depend on the number of threads. Free *vocabulary with psb_vocabulary_free.
 *
 * PSB_ERROR_INPUT if a model cannot be used, or if there are fewer features than words, or fewer
 * views than directions.
 */
psb_status psb_vocabulary_learn(const psb_learning *learning, psb_vocabulary **vocabulary,
                                psb_error *error);
