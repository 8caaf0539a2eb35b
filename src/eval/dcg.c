/* Discounted cumulative gain: relevant models count less the further down the list they are. */
#include "eval/measure.h"

/*
 * The ideal list has its R = C - 1 relevant models in front, as psbTable's README says; the
 * paper's formula has C, the size of the class with the query.
 */
static double compute(const psb_ranks *ranks, const psb_measure *own) {
    (void)own;
    double sum = 0;
    double ideal = 0;
    for (size_t k = 0; k < psb_ranks_known(ranks); k++) {
        sum += psb_rank_gain(ranks->rank[k]);
    }
    for (size_t k = 0; k < ranks->relevant; k++) {
        ideal += psb_rank_gain(k + 1);
    }
    return sum / ideal;
}

const psb_measure psb_dcg = {
    .name = "dcg",
    .title = "DCG",
    .help = "sum over the relevant models of 1 at rank 1, 1/log2(i) at rank i, divided by the "
            "same sum of an ideal list",
    .source = "Shilane et al. 2004, section 7, after Jarvelin and Kekalainen 2000; psbTable",
    .compute = compute,
    .as_percent = true,
};

const psb_measure psb_normalized_dcg_measure = {
    .name = "normalized_dcg",
    .title = "normalized DCG",
    .help = "DCG over the mean DCG of all matrices given, less 1: depends on which those are",
    .source = "Shilane et al. 2004, section 7",
    .compute = compute,
    .over_set = true,
    .as_percent = true,
};
