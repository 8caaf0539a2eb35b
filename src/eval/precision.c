/*
 * Shares of the relevant models among the first of a list: at a length K, at a number of tiers, and
 * the averages over the ranks of all relevant models.
 *
 * Where the list is shorter than K its missing end counts as irrelevant, as in trec_eval. Average
 * precision at K or R divides by R, however short the front is; other programs' MAP@K may divide by
 * the smaller of K and R, or by the number of relevant models found.
 */
#include "eval/measure.h"

static double precision(const psb_ranks *ranks, const psb_measure *own) {
    return (double)psb_measure_found(own, ranks) / (double)own->parameter;
}

static double recall(const psb_ranks *ranks, const psb_measure *own) {
    return (double)psb_measure_found(own, ranks) / (double)ranks->relevant;
}

static double success(const psb_ranks *ranks, const psb_measure *own) {
    return psb_measure_found(own, ranks) > 0;
}

/* The mean over the R relevant models of the precision at each one's rank; 0 behind the length. */
static double average_precision(const psb_ranks *ranks, const psb_measure *own) {
    double sum = 0;
    for (size_t k = 0, found = psb_measure_found(own, ranks); k < found; k++) {
        sum += (double)(k + 1) / ranks->rank[k];
    }
    return sum / (double)ranks->relevant;
}

static double reciprocal_rank(const psb_ranks *ranks, const psb_measure *own PSB_UNUSED) {
    return psb_ranks_known(ranks) > 0 ? 1.0 / ranks->rank[0] : 0;
}

static size_t tier_reach(const psb_ranks *ranks, size_t tiers) {
    return tiers * ranks->relevant;
}

/* A class has R + 1 models if the query is one of them and left out of its list, else R. */
static size_t class_reach(const psb_ranks *ranks, size_t classes) {
    return classes * (ranks->relevant + !ranks->apart);
}

const psb_measure psb_nearest_neighbor = {
    .name = "nearest_neighbor",
    .also = "nn",
    .title = "nearest neighbor",
    .help = "1 where the first model of the list is of the query's class, else 0",
    .source = "Shilane et al. 2004, section 7; psbTable",
    .compute = success,
    .parameter = 1,
};

const psb_measure psb_first_tier = {
    .name = "first_tier",
    .also = "ft",
    .title = "first tier",
    .help = "share of the R other models of the query's class found among the first R",
    .source = "Shilane et al. 2004, section 7; psbTable",
    .compute = recall,
    .reach = tier_reach,
    .parameter = 1,
};

const psb_measure psb_second_tier = {
    .name = "second_tier",
    .also = "st",
    .title = "second tier",
    .help = "share of the R other models of the query's class found among the first 2R",
    .source = "Shilane et al. 2004, section 7; psbTable",
    .compute = recall,
    .reach = tier_reach,
    .parameter = 2,
};

/* psbTable's README calls the second tier similar, which looks at the first 2R = 2 (C - 1). */
const psb_measure psb_bulls_eye = {
    .name = "bulls_eye",
    .title = "bull's eye",
    .help = "share of the R relevant models found among the first 2C, C being the size of the "
            "class with the query",
    .source = "psbTable's README; MPEG-7's shape retrieval",
    .compute = recall,
    .reach = class_reach,
    .parameter = 2,
};

const psb_measure psb_precision_at = {
    .name = "precision",
    .also = "P",
    .title = "precision",
    .help = "share of relevant models among the first K",
    .source = "SHREC and NIST evaluation pages; trec_eval's P_K",
    .compute = precision,
    .at_length = true,
};

const psb_measure psb_recall_at = {
    .name = "recall",
    .also = "R",
    .title = "recall",
    .help = "share of the R relevant models that is among the first K",
    .source = "SHREC and NIST evaluation pages; trec_eval's recall_K",
    .compute = recall,
    .at_length = true,
};

const psb_measure psb_success_at = {
    .name = "success",
    .also = "hit_rate",
    .title = "success",
    .help = "1 where a relevant model is among the first K, else 0; where one alone is relevant, "
            "recall@K",
    .source = "trec_eval's success_K; ranx's hit_rate@K",
    .compute = success,
    .at_length = true,
};

const psb_measure psb_r_precision = {
    .name = "r_precision",
    .also = "Rprec r-precision",
    .title = "R-precision",
    .help = "precision of the first R models; with every model listed it equals the first tier",
    .source = "NIST evaluation page; trec_eval's Rprec",
    .compute = recall,
    .parameter = 1,
    .reach = tier_reach,
};

const psb_measure psb_average_precision = {
    .name = "average_precision",
    .also = "map AP",
    .title = "average precision",
    .help = "mean of the precisions at the ranks of the R relevant models; averaged over queries "
            "it is MAP",
    .source = "NIST evaluation page; trec_eval's map",
    .compute = average_precision,
};

const psb_measure psb_reciprocal_rank = {
    .name = "reciprocal_rank",
    .also = "recip_rank mrr RR",
    .title = "reciprocal rank",
    .help = "1 over the rank of the first relevant model; averaged over queries it is MRR",
    .source = "trec_eval's recip_rank",
    .compute = reciprocal_rank,
};

const psb_measure psb_average_precision_at = {
    .name = "map_cut",
    .also = "map AP average_precision",
    .title = "average precision",
    .help = "mean over the R relevant models of the precisions at their ranks, 0 behind rank K",
    .source = "trec_eval's map_cut_K",
    .compute = average_precision,
    .at_length = true,
};

const psb_measure psb_map_at_r = {
    .name = "map_at_r",
    .also = "map@r mean_average_precision_at_r",
    .title = "MAP@R",
    .help = "mean over the R relevant models of the precisions at their ranks, 0 behind rank R",
    .source = "Musgrave et al. 2020, \"A metric learning reality check\", section 3.2; "
              "pytorch-metric-learning",
    .compute = average_precision,
    .reach = tier_reach,
    .parameter = 1,
};
