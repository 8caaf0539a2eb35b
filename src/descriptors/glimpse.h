/*
 * Draws a row as a picture, which shows people what a descriptor keeps of a model. The picture
 * depends on the row alone and is the same on any processor. Larger numbers are darker.
 */
#pragma once

#include "descriptors/descriptor.h"
#include "io/png.h"

/* Draws a row of `spec`; sets the width of the picture to 0 if no such row is drawn. */
psb_status psb_glimpse_make(const psb_spec *spec, const void *row, psb_small_picture *picture,
                            psb_error *error);
