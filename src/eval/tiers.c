/*
 * First and second tier: recall among the first R models, the shortest list that could hold the
 * whole class, and among the first 2R.
 */
#include "eval/measure.h"

static double compute(const psb_ranks *ranks, const psb_measure *own) {
    return (double)psb_ranks_found(ranks, own->parameter * ranks->relevant) /
           (double)ranks->relevant;
}

const psb_measure psb_first_tier = {
    .name = "first_tier",
    .also = "ft",
    .title = "first tier",
    .help = "share of the R other models of the query's class found among the first R",
    .source = "Shilane et al. 2004, section 7; psbTable",
    .compute = compute,
    .reach = psb_reach_tiers,
    .as_percent = true,
    .parameter = 1,
};

const psb_measure psb_second_tier = {
    .name = "second_tier",
    .also = "st",
    .title = "second tier",
    .help = "share of the R other models of the query's class found among the first 2R",
    .source = "Shilane et al. 2004, section 7; psbTable",
    .compute = compute,
    .reach = psb_reach_tiers,
    .as_percent = true,
    .parameter = 2,
};
