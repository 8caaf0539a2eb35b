/*
 * A picture of a row, for people: what a descriptor keeps of a model. It is drawn from the row's
 * numbers alone and the same on any processor. The darker, the larger.
 */
#ifndef PSB_DESCRIPTORS_GLIMPSE_H
#define PSB_DESCRIPTORS_GLIMPSE_H

#include "descriptors/descriptor.h"
#include "io/png.h"

/* Draws the row of the spec; a row of a kind that is not drawn has width 0. */
psb_status psb_glimpse_make(const psb_spec *spec, const void *row, psb_small_picture *picture,
                            psb_error *error);

#endif
