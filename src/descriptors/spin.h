/* Computes the local features of SPIN, from which its vocabulary is also learned. */
#ifndef PSB_DESCRIPTORS_SPIN_H
#define PSB_DESCRIPTORS_SPIN_H

#include "fields/shape.h"
#include "local/spin_features.h"

/* *features: PSB_SPIN_FEATURES of the loaded shape, the shape's own until its next model. */
psb_status psb_shape_spin_features(psb_shape *shape, uint64_t seed, const psb_feature **features,
                                   psb_error *error);

#endif
