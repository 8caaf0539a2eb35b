/* Prints the five figures as lines of text, in the words and columns of psbTable. */
#pragma once

#include "core/text.h"
#include "eval/evaluation.h"

/*
 * Appends a line for each method and group of an evaluation of the five figures; per model also for
 * queries of classes that are too small for averages. The lines of several methods begin with their
 * `names`. "-" is a figure that lists are too short for. Returns false if there is no line.
 */
bool psb_figures_render(const psb_evaluation *e, char *const *names, psb_grouping grouping,
                        psb_text *out);
