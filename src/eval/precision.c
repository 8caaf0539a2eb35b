/*
 * Precision and recall at a length, and the figures that summarize it over the list.
 * Where the list is shorter than K its missing end counts as irrelevant, as in trec_eval.
 */
#include "eval/measure.h"

static double precision(const psb_ranks *ranks, const psb_measure *own) {
    return (double)psb_ranks_found(ranks, own->parameter) / (double)own->parameter;
}

static double recall(const psb_ranks *ranks, const psb_measure *own) {
    return (double)psb_ranks_found(ranks, own->parameter) / (double)ranks->relevant;
}

static double success(const psb_ranks *ranks, const psb_measure *own) {
    return psb_ranks_found(ranks, own->parameter) > 0;
}

static double r_precision(const psb_ranks *ranks, const psb_measure *own) {
    (void)own;
    return (double)psb_ranks_found(ranks, ranks->relevant) / (double)ranks->relevant;
}

static double average_precision(const psb_ranks *ranks, const psb_measure *own) {
    (void)own;
    double sum = 0;
    for (size_t k = 0; k < psb_ranks_known(ranks); k++) {
        sum += (double)(k + 1) / ranks->rank[k];
    }
    return sum / (double)ranks->relevant;
}

static double reciprocal_rank(const psb_ranks *ranks, const psb_measure *own) {
    (void)own;
    return psb_ranks_known(ranks) > 0 ? 1.0 / ranks->rank[0] : 0;
}

const psb_measure psb_precision_at = {
    .name = "precision",
    .also = "P",
    .title = "precision",
    .help = "share of relevant models among the first K",
    .source = "SHREC and NIST evaluation pages; trec_eval's P_K",
    .compute = precision,
    .reach = psb_reach_length,
    .at_length = true,
    .as_percent = true,
};

const psb_measure psb_recall_at = {
    .name = "recall",
    .also = "R",
    .title = "recall",
    .help = "share of the R relevant models that is among the first K",
    .source = "SHREC and NIST evaluation pages; trec_eval's recall_K",
    .compute = recall,
    .reach = psb_reach_length,
    .at_length = true,
    .as_percent = true,
};

const psb_measure psb_success_at = {
    .name = "success",
    .also = "hit_rate",
    .title = "success",
    .help = "1 where a relevant model is among the first K, else 0; where one alone is relevant, "
            "recall@K",
    .source = "trec_eval's success_K; ranx's hit_rate@K",
    .compute = success,
    .reach = psb_reach_length,
    .at_length = true,
    .as_percent = true,
};

const psb_measure psb_r_precision = {
    .name = "r_precision",
    .also = "Rprec r-precision",
    .title = "R-precision",
    .help = "precision of the first R models; with every model listed it equals the first tier",
    .source = "NIST evaluation page; trec_eval's Rprec",
    .compute = r_precision,
    .parameter = 1,
    .reach = psb_reach_tiers,
    .as_percent = true,
};

const psb_measure psb_average_precision = {
    .name = "average_precision",
    .also = "map AP",
    .title = "average precision",
    .help = "mean of the precisions at the ranks of the R relevant models; averaged over queries "
            "it is MAP",
    .source = "NIST evaluation page; trec_eval's map",
    .compute = average_precision,
    .as_percent = true,
};

const psb_measure psb_reciprocal_rank = {
    .name = "reciprocal_rank",
    .also = "recip_rank mrr RR",
    .title = "reciprocal rank",
    .help = "1 over the rank of the first relevant model; averaged over queries it is MRR",
    .source = "trec_eval's recip_rank",
    .compute = reciprocal_rank,
    .as_percent = true,
};
