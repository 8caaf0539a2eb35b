/* Computes the local features of SPIN, from which its vocabulary is also learned. */
#pragma once

#include "fields/shape.h"
#include "local/spin_features.h"

/* Computes PSB_SPIN_FEATURES features of the loaded model. The shape owns *features, which are
 * valid until its next model. */
psb_status psb_shape_spin_features(psb_shape *shape, uint64_t seed, const psb_feature **features,
                                   psb_error *error);
