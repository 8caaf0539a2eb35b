/* Tries weights of a sum, one after the other. */
#include "studies/tune.h"

static psb_status judge(const psb_recipe *recipe, const psb_matrix *members, int threads,
                        psb_matrix *sum, psb_evaluation *e, double *dcg, psb_error *error) {
    psb_status status = psb_recipe_sum_matrices(recipe, members, threads, sum->owned, error);
    PSB_THEN(status, psb_evaluation_rank(e, 0, sum, threads, error));
    *dcg = status == PSB_OK ? psb_evaluation_mean(e, 0, 0, (psb_group){PSB_MICRO, 0}).value : 0;
    return status;
}

psb_status psb_tune_weights(psb_recipe *recipe, const psb_matrix *members,
                            const psb_classification *cla, int threads, double *dcg,
                            psb_error *error) {
    static const double ladder[] = {0, 0.5, 0.7, 1.4, 2};
    enum { ROUNDS = 4, STEPS = sizeof ladder / sizeof ladder[0] };
    psb_chosen_measure measure[PSB_MAX_CHOSEN];
    PSB_AT_END(psb_evaluation_close)
    psb_evaluation e = {.cla = cla, .measures = measure, .nmethods = 1};
    psb_matrix sum = {.n = members[0].n};
    psb_status status = psb_measures_parse("dcg", measure, &e.nmeasures, error);
    PSB_THEN(status, psb_evaluation_open(&e, error));
    sum.owned = psb_new(&status, sum.n, sum.n * sizeof(float), "a distance matrix", error);
    sum.data = sum.owned;
    PSB_THEN(status, judge(recipe, members, threads, &sum, &e, dcg, error));
    bool better = true;
    for (int round = 0; round < ROUNDS && better && status == PSB_OK; round++) {
        better = false;
        for (size_t at = 0; at < recipe->nterms * STEPS && status == PSB_OK; at++) {
            psb_recipe tried = *recipe;
            double value;
            tried.terms[at / STEPS].weight *= ladder[at % STEPS];
            status = judge(&tried, members, threads, &sum, &e, &value, error);
            if (status == PSB_OK && value > *dcg) {
                *recipe = tried;
                *dcg = value;
                better = true;
            }
        }
    }
    free(sum.owned);
    return status;
}
