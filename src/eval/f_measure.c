/*
 * F, the weighted harmonic mean of precision P and recall Q: (1 + w) P Q / (w P + Q) with the
 * weight w of the SHREC and NIST pages, which is van Rijsbergen's beta^2. With `found` of R
 * relevant models among the first K, P = found / K and Q = found / R, so that F = (1 + w) found /
 * (w R + K), which is 0 where nothing is found.
 *
 * The pages "go over all points on the precision-recall curve": the k-th relevant model, at rank r,
 * is the point (k/R, k/r). A relevant model that is not in the list has F = 0.
 */
#include "eval/measure.h"

static double f(const psb_ranks *ranks, double found, double length, double weight) {
    return (1 + weight) * found / (weight * (double)ranks->relevant + length);
}

static double at_length(const psb_ranks *ranks, const psb_measure *own) {
    double found = (double)psb_measure_found(own, ranks);
    return f(ranks, found, (double)own->parameter, own->weight);
}

static double largest(const psb_ranks *ranks, const psb_measure *own) {
    double best = 0;
    for (size_t k = 0; k < psb_ranks_known(ranks); k++) {
        double point = f(ranks, (double)(k + 1), ranks->rank[k], own->weight);
        best = point > best ? point : best;
    }
    return best;
}

static double mean(const psb_ranks *ranks, const psb_measure *own) {
    double sum = 0;
    for (size_t k = 0; k < psb_ranks_known(ranks); k++) {
        sum += f(ranks, (double)(k + 1), ranks->rank[k], own->weight);
    }
    return sum / (double)ranks->relevant;
}

static const char source[] = "SHREC and NIST evaluation pages, with their weight";

const psb_measure psb_f_at = {
    .name = "f",
    .also = "f1",
    .title = "F",
    .help = "(1 + w) P Q / (w P + Q) for precision P and recall Q of the first K models; w = 1, or "
            "f@K:weight=W",
    .source = source,
    .compute = at_length,
    .weight = 1,
    .at_length = true,
};

const psb_measure psb_f_max = {
    .name = "f_max",
    .title = "largest F",
    .help = "the largest F over the points of the precision-recall curve; f_max:weight=W",
    .source = source,
    .compute = largest,
    .weight = 1,
};

const psb_measure psb_f_mean = {
    .name = "f_mean",
    .title = "mean F",
    .help = "the mean F of the R points of the precision-recall curve, below 1 also for an ideal "
            "list; f_mean:weight=W",
    .source = source,
    .compute = mean,
    .weight = 1,
};
