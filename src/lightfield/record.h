/*
 * The layout of a light field's row, shared by descriptor and metric: a record of bytes for each
 * image, by dodecahedron, then axis.
 */
#pragma once

#include "lightfield/dodecahedron.h"

enum {
    PSB_DODECAHEDRA = 10,
    PSB_VIEWS = PSB_DODECAHEDRA * PSB_AXES,

    PSB_MOMENTS = 35, /* of the region, first in a record */
    PSB_FOURIER = 10, /* coefficients of the contour */
    PSB_CIRCULARITY = PSB_MOMENTS + PSB_FOURIER,
    PSB_ECCENTRICITY,
    PSB_LFD_RECORD,
    PSB_LFD_LENGTH = PSB_VIEWS * PSB_LFD_RECORD,
};
