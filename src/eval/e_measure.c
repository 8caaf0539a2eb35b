/*
 * E-measure of the PSB: precision and recall of the first page of results in one number, large
 * where retrieval is good (van Rijsbergen's E is 1 minus this).
 */
#include "eval/measure.h"

/*
 * With `found` of R relevant models among the first K, precision P = found / K and recall
 * Q = found / R, so that 2 / (1/P + 1/Q) = 2 found / (K + R), which is 0 where nothing is found. In
 * a set of fewer than K other models all of them are the page: psbTable's README says "the first 32
 * retrieved models", and nothing of smaller sets.
 */
static double compute(const psb_ranks *ranks, const psb_measure *own) {
    size_t page = own->parameter, length = page < ranks->listed ? page : ranks->listed;
    return 2 * (double)psb_ranks_found(ranks, length) / (double)(length + ranks->relevant);
}

const psb_measure psb_e_measure = {
    .name = "e_measure",
    .title = "E-measure",
    .help = "2 / (1/P + 1/Q) for precision P and recall Q of the first 32 models, or all others",
    .source = "Shilane et al. 2004, section 7; psbTable",
    .compute = compute,
    .parameter = 32,
};
