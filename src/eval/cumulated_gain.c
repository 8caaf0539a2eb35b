/*
 * Cumulated gain at K: the sum of the gains of the models at ranks 1 ... K, plain or discounted by
 * rank, and its share of an ideal list's sum, which has the R relevant models in front, the best
 * first. The gain of a relevant model is its grade, 1 without grades; 1 for PSB's dcg; for exp_ndcg
 * it is 2^grade - 1 (Burges et al. 2005, "Learning to rank using gradient descent").
 */
#include "core/elementary.h"
#include "eval/measure.h"

#include <math.h>

/*
 * Discounts by rank, beside PSB's psb_rank_gain, which begins behind rank 2: `flat` is none, and
 * trec_eval's begins behind rank 1.
 */
static double flat(size_t rank PSB_UNUSED) {
    return 1;
}

static double trec(size_t rank) {
    return psb_rank_gain(rank + 1);
}

static double binary(double grade PSB_UNUSED) {
    return 1;
}

static double linear(double grade) {
    return grade;
}

static double exponential(double grade) {
    return psb_exp2(grade) - 1;
}

typedef double discount(size_t rank);
typedef double worth(double grade);

static double gains(const psb_ranks *ranks, const psb_measure *own, discount *at, worth *of) {
    double sum = 0;
    for (size_t k = 0, found = psb_measure_found(own, ranks); k < found; k++) {
        sum += of(psb_ranks_grade(ranks, k)) * at(ranks->rank[k]);
    }
    return sum;
}

static double share(const psb_ranks *ranks, const psb_measure *own, discount *at, worth *of) {
    double ideal = 0;
    for (size_t k = 0, length = psb_measure_reach(own, ranks); k < ranks->relevant && k < length;
         k++) {
        ideal += of(psb_ranks_ideal(ranks, k)) * at(k + 1);
    }
    return gains(ranks, own, at, of) / ideal;
}

static double plain(const psb_ranks *ranks, const psb_measure *own) {
    return gains(ranks, own, flat, linear);
}

static double plain_share(const psb_ranks *ranks, const psb_measure *own) {
    return share(ranks, own, flat, linear);
}

static double discounted(const psb_ranks *ranks, const psb_measure *own) {
    return gains(ranks, own, psb_rank_gain, linear);
}

static double discounted_share(const psb_ranks *ranks, const psb_measure *own) {
    return share(ranks, own, psb_rank_gain, linear);
}

/*
 * The ideal list has its R = C - 1 relevant models in front, as psbTable's README says; the
 * paper's formula has C, the size of the class with the query.
 */
static double dcg(const psb_ranks *ranks, const psb_measure *own) {
    return share(ranks, own, psb_rank_gain, binary);
}

static double trec_share(const psb_ranks *ranks, const psb_measure *own) {
    return share(ranks, own, trec, linear);
}

static double exponential_share(const psb_ranks *ranks, const psb_measure *own) {
    return share(ranks, own, trec, exponential);
}

const psb_measure psb_dcg = {
    .name = "dcg",
    .title = "DCG",
    .help = "sum over the relevant models of 1 at rank 1, 1/log2(i) at rank i, divided by the same "
            "sum of an ideal list",
    .source = "Shilane et al. 2004, section 7, after Jarvelin and Kekalainen 2000; psbTable",
    .compute = dcg,
};

const psb_measure psb_normalized_dcg_measure = {
    .name = "normalized_dcg",
    .title = "normalized DCG",
    .help = "DCG over the mean DCG of all matrices given, less 1: depends on which those are",
    .source = "Shilane et al. 2004, section 7",
    .compute = dcg,
    .over_set = true,
};

static const char source[] = "SHREC and NIST evaluation pages, after Jarvelin and Kekalainen 2000";

const psb_measure psb_cg_at = {
    .name = "cg",
    .title = "CG",
    .help = "cumulated gain: how many relevant models are among the first K, or the sum of their "
            "grades",
    .source = source,
    .compute = plain,
    .at_length = true,
    .as_sum = true,
};

const psb_measure psb_ncg_at = {
    .name = "ncg",
    .title = "NCG",
    .help = "cumulated gain at K over that of an ideal list",
    .source = source,
    .compute = plain_share,
    .at_length = true,
};

const psb_measure psb_dcg_at = {
    .name = "dcg_sum",
    .title = "DCG sum",
    .help = "discounted cumulated gain: 1 for a relevant model at rank 1 and 1/log2(i) at rank i, "
            "summed over the first K",
    .source = source,
    .compute = discounted,
    .at_length = true,
    .as_sum = true,
};

const psb_measure psb_ndcg_at = {
    .name = "psb_ndcg",
    .title = "PSB NDCG",
    .help = "discounted cumulated gain at K, by 1/log2(i) as in dcg_sum, over that of an ideal "
            "list; not trec_eval's ndcg_cut, which is trec_ndcg_cut",
    .source = source,
    .compute = discounted_share,
    .at_length = true,
};

const psb_measure psb_trec_ndcg = {
    .name = "trec_ndcg",
    .title = "trec NDCG",
    .help = "trec_eval's ndcg: sum over the relevant models of their grades (1 without grades) by "
            "1/log2(i + 1) at rank i, over that of an ideal list; dcg discounts by log2(i)",
    .also = "ndcg",
    .source = "trec_eval's ndcg, after Jarvelin and Kekalainen 2002",
    .compute = trec_share,
};

const psb_measure psb_trec_ndcg_at = {
    .name = "trec_ndcg_cut",
    .title = "trec NDCG",
    .help = "trec_eval's ndcg_cut: trec_ndcg of the first K; psb_ndcg@K discounts by log2(i)",
    .also = "ndcg_cut",
    .source = "trec_eval's ndcg_cut, after Jarvelin and Kekalainen 2002",
    .compute = trec_share,
    .at_length = true,
};

static const char burges[] = "Burges et al. 2005, with trec_eval's discount";

const psb_measure psb_exp_ndcg = {
    .name = "exp_ndcg",
    .title = "NDCG 2^g-1",
    .help = "trec_ndcg with 2^grade - 1 for the gain instead of the grade; the same without grades",
    .source = burges,
    .compute = exponential_share,
};

const psb_measure psb_exp_ndcg_at = {
    .name = "exp_ndcg_cut",
    .title = "NDCG 2^g-1",
    .help = "exp_ndcg of the first K",
    .source = burges,
    .compute = exponential_share,
    .at_length = true,
};
