/*
 * Reorders a matrix of one classification for another: the paper's Table 6 evaluates the same
 * distances under four classifications.
 */
#pragma once

#include "io/cla.h"
#include "io/matrix.h"

/* How models of the class "-1" take part. */
typedef enum psb_miscellaneous {
    PSB_MISC_LISTED,   /* are never queries, but stand in every list, as in psbTable */
    PSB_MISC_LEFT_OUT, /* not in the lists either */
    PSB_MISC_CLASS,    /* a class like any other */
    PSB_MISC_SWAPPED,  /* a class like any other, while the class in front of it (in the file) is
                          treated as psbTable treats the miscellaneous one */
} psb_miscellaneous;

/*
 * Makes `aligned`, which holds the models of `target` that `source` also has, with the classes and
 * the order of `target`. from[i] (fresh memory, free() it) is the index in `source` of aligned
 * model i. PSB_ERROR_INPUT if no model remains.
 */
psb_status psb_cla_align(const psb_classification *target, const psb_classification *source,
                         psb_miscellaneous miscellaneous, psb_classification *aligned,
                         size_t **from, psb_error *error);

/* Makes the n x n matrix of the models from[0] ... from[n - 1], in that order. */
psb_status psb_matrix_align(const psb_matrix *source, const size_t *from, size_t n,
                            psb_matrix *aligned, psb_error *error);
