/*
 * Rows of the metric "cube": for each of the 18 views along a cube's symmetry axes a code of 128
 * integers from -127 to 127 (descriptors/views.c).
 */
#pragma once

#include "distance/metric.h"

enum {
    PSB_CUBE_VIEWS = 18,
    PSB_CUBE_CODE = 128,
    PSB_CUBE_LENGTH = PSB_CUBE_VIEWS * PSB_CUBE_CODE,
    PSB_CUBE_ROTATIONS = 24,
};

/* The integer that represents 1. Codes have unit length before rounding. */
#define PSB_CUBE_UNIT 317.5

/*
 * The directions of the views, not normalized: view 2 i looks from axis i, view 2 i + 1 from its
 * opposite.
 */
extern const int8_t psb_cube_axes[PSB_CUBE_VIEWS / 2][3];

/* view[r][v]: the view that view v becomes when rotation r of the cube turns the model. */
typedef uint8_t psb_cube_turns[PSB_CUBE_ROTATIONS][PSB_CUBE_VIEWS];
void psb_cube_turns_fill(psb_cube_turns view);
