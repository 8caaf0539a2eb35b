/*
 * Cumulated gain vectors, one element of them at a time: the sum of what the models at ranks
 * 1 ... K are worth, plain or discounted by rank, and its share of the sum of an ideal list, which
 * has the R relevant models in front.
 */
#include "eval/measure.h"

static double plain(const psb_ranks *ranks, size_t length) {
    return (double)psb_ranks_found(ranks, length);
}

static double plain_share(const psb_ranks *ranks, size_t length) {
    size_t ideal = length < ranks->relevant ? length : ranks->relevant;
    return plain(ranks, length) / (double)ideal;
}

/* Ranks are shifted: PSB's discount begins behind rank 2, trec_eval's, with shift 1, behind rank 1.
 */
static double gains(const psb_ranks *ranks, size_t length, size_t shift) {
    double sum = 0;
    for (size_t k = 0; k < ranks->relevant && ranks->rank[k] <= length; k++) {
        sum += psb_rank_gain(ranks->rank[k] + shift);
    }
    return sum;
}

static double share(const psb_ranks *ranks, size_t length, size_t shift) {
    double ideal = 0;
    for (size_t k = 0; k < ranks->relevant && k < length; k++) {
        ideal += psb_rank_gain(k + 1 + shift);
    }
    return gains(ranks, length, shift) / ideal;
}

static double discounted(const psb_ranks *ranks, size_t length) {
    return gains(ranks, length, 0);
}

static double discounted_share(const psb_ranks *ranks, size_t length) {
    return share(ranks, length, 0);
}

static double trec_share(const psb_ranks *ranks, size_t length) {
    return share(ranks, length, 1);
}

static const char source[] = "SHREC and NIST evaluation pages, after Jarvelin and Kekalainen 2000";

const psb_measure psb_cg_at = {
    .name = "cg",
    .title = "CG",
    .help = "cumulated gain: how many relevant models are among the first K",
    .source = source,
    .compute = plain,
    .reach = psb_reach_length,
    .at_length = true,
};

const psb_measure psb_ncg_at = {
    .name = "ncg",
    .title = "NCG",
    .help = "cumulated gain at K over that of an ideal list",
    .source = source,
    .compute = plain_share,
    .reach = psb_reach_length,
    .at_length = true,
    .as_percent = true,
};

const psb_measure psb_dcg_at = {
    .name = "dcg_sum",
    .title = "DCG sum",
    .help = "discounted cumulated gain: 1 for a relevant model at rank 1 and 1/log2(i) at rank i, "
            "summed over the first K",
    .source = source,
    .compute = discounted,
    .reach = psb_reach_length,
    .at_length = true,
};

const psb_measure psb_ndcg_at = {
    .name = "ndcg",
    .title = "NDCG",
    .help =
        "discounted cumulated gain at K, by 1/log2(i) as in dcg_sum, over that of an ideal list; "
        "not trec_eval's ndcg_cut, which is trec_ndcg_cut",
    .source = source,
    .compute = discounted_share,
    .reach = psb_reach_length,
    .at_length = true,
    .as_percent = true,
};

const psb_measure psb_trec_ndcg = {
    .name = "trec_ndcg",
    .title = "trec NDCG",
    .help =
        "trec_eval's ndcg: sum over the relevant models of 1/log2(i + 1) at rank i, over that of "
        "an ideal list; dcg discounts by log2(i)",
    .source = "trec_eval's ndcg, after Jarvelin and Kekalainen 2002",
    .compute = trec_share,
    .parameter = SIZE_MAX,
    .as_percent = true,
};

const psb_measure psb_trec_ndcg_at = {
    .name = "trec_ndcg_cut",
    .title = "trec NDCG",
    .help = "trec_eval's ndcg_cut: trec_ndcg of the first K; ndcg@K discounts by log2(i)",
    .source = "trec_eval's ndcg_cut, after Jarvelin and Kekalainen 2002",
    .compute = trec_share,
    .reach = psb_reach_length,
    .at_length = true,
    .as_percent = true,
};
