/* Which descriptor wins on which class: a coloured cell for each class and method. */
#ifndef PSB_REPORT_CLASS_HEAT_H
#define PSB_REPORT_CLASS_HEAT_H

#include "eval/evaluation.h"

/*
 * Draws the means of the evaluation's first measure over classes; numbers are percent, and the best
 * of each class (all that tie) has a frame. `title` names the measure.
 */
psb_status psb_class_heat_write(const psb_evaluation *evaluation, const char *title,
                                const char *format, const char *path, psb_error *error);

#endif
