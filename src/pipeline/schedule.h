/* The order in which the threads of a run take their models. */
#ifndef PSB_PIPELINE_SCHEDULE_H
#define PSB_PIPELINE_SCHEDULE_H

#include "psbench.h"

/*
 * The numbers 0 ... n - 1, the largest file first; files of the same size in the order of `paths`,
 * those that cannot be looked at last. A model's cost grows with its file, so the work that is
 * left when one thread runs out of models is that of a small one. Free *order with free().
 */
psb_status psb_largest_first(char *const *paths, size_t n, size_t **order, psb_error *error);

#endif
