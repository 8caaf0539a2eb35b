/*
 * The measures of SHREC'16 and '17, "Large-scale 3D shape retrieval from ShapeNet Core55" (Savva et
 * al. 2016, 2017), as the track's evaluator computes them after its fix of 2017-02-23. All use at
 * most the first 1,000 models of the submitted list: N is its length. R is the number of relevant
 * models of the split, at most 1,000. Recall and mean average precision are divided by R, not by
 * the number of relevant models in the list (fixes of 2016-03-07 and 2017-02-23). NDCG takes grades
 * for gains, discounts by 1/log2(i) behind rank 2, and divides by the sum of an ideal list. Means
 * are micro (over queries) and macro (over the means of classes).
 *
 * In the track a query is a target, counts as relevant and stands in its own list: --with-query.
 */
#include "eval/measure.h"

enum { CUTOFF = 1000 };

static size_t at_most(size_t count) {
    return count < CUTOFF ? count : CUTOFF;
}

/* N, the length of the list; 0 for an empty list. */
static size_t length_of(const psb_ranks *ranks) {
    return at_most(ranks->listed - ranks->cut);
}

static double found(const psb_ranks *ranks) {
    return (double)psb_ranks_found(ranks, length_of(ranks));
}

static double precision(const psb_ranks *ranks, const psb_measure *own PSB_UNUSED) {
    size_t n = length_of(ranks);
    return n > 0 ? found(ranks) / (double)n : 0;
}

static double recall(const psb_ranks *ranks, const psb_measure *own PSB_UNUSED) {
    return found(ranks) / (double)at_most(ranks->relevant);
}

/* 2 P Q / (P + Q), 0 where both are. */
static double f1(const psb_ranks *ranks, const psb_measure *own PSB_UNUSED) {
    return 2 * found(ranks) / (double)(length_of(ranks) + at_most(ranks->relevant));
}

static double average_precision(const psb_ranks *ranks, const psb_measure *own PSB_UNUSED) {
    double sum = 0, hits = found(ranks);
    for (size_t k = 0; (double)k < hits; k++) {
        sum += (double)(k + 1) / ranks->rank[k];
    }
    return sum / (double)at_most(ranks->relevant);
}

static double ndcg(const psb_ranks *ranks, const psb_measure *own PSB_UNUSED) {
    double sum = 0, ideal = 0, hits = found(ranks);
    for (size_t k = 0; (double)k < hits; k++) {
        sum += psb_ranks_grade(ranks, k) * psb_rank_gain(ranks->rank[k]);
    }
    for (size_t k = 0; k < at_most(ranks->relevant); k++) {
        ideal += psb_ranks_ideal(ranks, k) * psb_rank_gain(k + 1);
    }
    return sum / ideal;
}

/* Returns 0: a list of any length permits these measures. */
static size_t reach(const psb_ranks *ranks PSB_UNUSED, size_t parameter) {
    return parameter;
}

static const char source[] = "Savva et al. 2016 and 2017; the SHREC'17 track's evaluator";

const psb_measure psb_shrec17_precision = {
    .name = "shrec17_precision",
    .title = "P@N",
    .help = "share of relevant models in the list, of its first 1000",
    .source = source,
    .compute = precision,
    .reach = reach,
};

const psb_measure psb_shrec17_recall = {
    .name = "shrec17_recall",
    .title = "R@N",
    .help = "relevant models among the first 1000 of the list, over R or 1000",
    .source = source,
    .compute = recall,
    .reach = reach,
};

const psb_measure psb_shrec17_f1 = {
    .name = "shrec17_f1",
    .title = "F1@N",
    .help = "harmonic mean of shrec17_precision and shrec17_recall",
    .source = source,
    .compute = f1,
    .reach = reach,
};

const psb_measure psb_shrec17_map = {
    .name = "shrec17_map",
    .title = "mAP",
    .help = "sum of the precisions at the relevant models of the first 1000 of the list, over R or "
            "1000",
    .source = source,
    .compute = average_precision,
    .reach = reach,
};

const psb_measure psb_shrec17_ndcg = {
    .name = "shrec17_ndcg",
    .title = "NDCG of SHREC'17",
    .help = "sum over the relevant models of the first 1000 of their grades by 1/log2(i) at rank "
            "i, over that of an ideal list",
    .source = source,
    .compute = ndcg,
    .reach = reach,
};
