/* Nearest neighbor: how often a classifier is right that takes the class of the closest match. */
#include "eval/measure.h"

static double compute(const psb_ranks *ranks, const psb_measure *own) {
    (void)own;
    return psb_ranks_known(ranks) > 0 && ranks->rank[0] == 1;
}

const psb_measure psb_nearest_neighbor = {
    .name = "nearest_neighbor",
    .also = "nn",
    .title = "nearest neighbor",
    .help = "1 where the first model of the list is of the query's class, else 0",
    .source = "Shilane et al. 2004, section 7; psbTable",
    .compute = compute,
    .parameter = 1,
    .reach = psb_reach_length,
    .as_percent = true,
};
