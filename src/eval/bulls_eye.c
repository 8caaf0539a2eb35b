/*
 * Bull's eye percentage score: recall among the first 2C models, C being the size of the query's
 * class. psbTable's README calls the second tier similar, which looks at the first 2R = 2 (C - 1).
 * C = R + 1 if the query is a model of its class and left out of its list; else C = R.
 */
#include "eval/measure.h"

static size_t reach(const psb_ranks *ranks, size_t parameter) {
    return parameter * (ranks->relevant + !ranks->apart);
}

static double compute(const psb_ranks *ranks, const psb_measure *own) {
    size_t found = psb_ranks_found(ranks, reach(ranks, own->parameter));
    return (double)found / (double)ranks->relevant;
}

const psb_measure psb_bulls_eye = {
    .name = "bulls_eye",
    .title = "bull's eye",
    .help =
        "share of the R relevant models found among the first 2C, C being the size of the class "
        "with the query",
    .source = "psbTable's README; MPEG-7's shape retrieval",
    .compute = compute,
    .reach = reach,
    .parameter = 2,
    .as_percent = true,
};
