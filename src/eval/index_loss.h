/*
 * What an approximate index loses against exact lists: recall of the exact lists' first K, and the
 * loss of each measure, both per query, as an evaluation.
 */
#pragma once

#include "eval/voting.h"

enum { PSB_INDEX_LONGEST = 100 }; /* the longest K */

typedef struct psb_index_loss {
    psb_chosen_measure measures[PSB_MAX_CHOSEN];
    psb_evaluation evaluation; /* of all methods except the first, which is exact */
} psb_index_loss;

/*
 * Method 0 of `e` has the values of the exact lists, the others those of approximate lists;
 * lists[k] has the first PSB_INDEX_LONGEST targets of method k. The measures of the loss are recall
 * of the exact lists at 1, 10 and 100, then each measure of `e` that all lists permit, followed by
 * its loss, NAME_loss: the exact lists' value less the method's own. PSB_ERROR_USAGE if these are
 * too many. Close the loss also on failure; `e` must outlive it.
 */
psb_status psb_index_loss_open(const psb_evaluation *e, const psb_voting *lists,
                               psb_index_loss *loss, psb_error *error);
void psb_index_loss_close(psb_index_loss *loss);
