/*
 * Average precision of the front of a list: at a length K, and at R, the number of relevant models.
 * Both divide by R, however short the front is; other programs' MAP@K may divide by the smaller of
 * K and R, or by the number of relevant models found.
 */
#include "eval/measure.h"

/* The mean over the R relevant models of the precision at each one's rank; 0 behind `length`. */
static double average_precision(const psb_ranks *ranks, size_t length) {
    double sum = 0;
    for (size_t k = 0; k < psb_ranks_found(ranks, length); k++) {
        sum += (double)(k + 1) / ranks->rank[k];
    }
    return sum / (double)ranks->relevant;
}

static double at_length(const psb_ranks *ranks, const psb_measure *own) {
    return average_precision(ranks, own->parameter);
}

static double at_r(const psb_ranks *ranks, const psb_measure *own) {
    (void)own;
    return average_precision(ranks, ranks->relevant);
}

const psb_measure psb_average_precision_at = {
    .name = "map_cut",
    .also = "map AP average_precision",
    .title = "average precision",
    .help = "mean over the R relevant models of the precisions at their ranks, 0 behind rank K",
    .source = "trec_eval's map_cut_K",
    .compute = at_length,
    .reach = psb_reach_length,
    .at_length = true,
    .as_percent = true,
};

const psb_measure psb_map_at_r = {
    .name = "map_at_r",
    .also = "map@r mean_average_precision_at_r",
    .title = "MAP@R",
    .help = "mean over the R relevant models of the precisions at their ranks, 0 behind rank R",
    .source = "Musgrave et al. 2020, \"A metric learning reality check\", section 3.2; "
              "pytorch-metric-learning",
    .compute = at_r,
    .parameter = 1,
    .reach = psb_reach_tiers,
    .as_percent = true,
};
