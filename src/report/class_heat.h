/* Draws which descriptor wins on which class: a colored cell for each class and method. */
#pragma once

#include "eval/evaluation.h"
#include "report/picture.h"

/*
 * Draws the means of the evaluation's first measure over classes; numbers are percent, and the best
 * of each class (all that tie) has a frame. `title` names the measure; an empty one leaves out the
 * small print, too.
 */
psb_status psb_class_heat_write(const psb_evaluation *evaluation, const char *title,
                                const psb_picture_style *style, const char *format,
                                const char *path, psb_error *error);
