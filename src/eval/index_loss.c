/* Compares lists with exact lists, query by query. */
#include "eval/index_loss.h"

#include <math.h>
#include <stdio.h>

static const size_t lengths[] = {1, 10, 100};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

/*
 * The share of the exact list's first K, or of all if it is shorter, that is among the other list's
 * first K.
 */
static double recall(const psb_voting *exact, const psb_voting *other, size_t query, size_t k) {
    const uint32_t *a = exact->nearest + query * exact->k, *b = other->nearest + query * other->k;
    size_t wanted = 0, found = 0;
    for (; wanted < k && a[wanted] != UINT32_MAX; wanted++) {
        for (size_t r = 0; r < k && b[r] != UINT32_MAX; r++) {
            found += a[wanted] == b[r];
        }
    }
    return wanted > 0 ? (double)found / (double)wanted : NAN;
}

/* True if all methods have a value of the measure for all queries in the means. */
static bool permitted(const psb_evaluation *e, size_t measure) {
    for (size_t k = 0; k < e->nmethods; k++) {
        const double *values = psb_evaluation_values(e, k) + measure;
        for (size_t q = 0; q < e->cla->nmodels; q++) {
            if (e->selected[q] && isnan(values[q * e->nmeasures])) {
                return false;
            }
        }
    }
    return true;
}

static void fill(const psb_evaluation *e, const psb_voting *lists, psb_evaluation *loss,
                 const size_t *source) {
    const double *exact = psb_evaluation_values(e, 0);
    for (size_t k = 0; k < loss->nmethods; k++) {
        const double *own = psb_evaluation_values(e, k + 1);
        double *to = psb_evaluation_values(loss, k);
        for (size_t q = 0; q < e->cla->nmodels; q++, to += loss->nmeasures) {
            for (size_t l = 0; l < LENGTHS; l++) {
                to[l] = recall(&lists[0], &lists[k + 1], q, lengths[l]);
            }
            for (size_t m = LENGTHS; m < loss->nmeasures; m += 2) {
                size_t at = q * e->nmeasures + source[m];
                to[m] = own[at];
                to[m + 1] = exact[at] - own[at];
            }
        }
    }
}

psb_status psb_index_loss_open(const psb_evaluation *e, const psb_voting *lists,
                               psb_index_loss *loss, psb_error *error) {
    size_t source[PSB_MAX_CHOSEN] = {0}, count = LENGTHS;
    *loss = (psb_index_loss){0};
    for (size_t l = 0; l < LENGTHS; l++) {
        psb_chosen_measure *c = &loss->measures[l];
        snprintf(c->name, sizeof c->name, "index_recall@%zu", lengths[l]);
        snprintf(c->title, sizeof c->title, "recall of exact %zu", lengths[l]);
    }
    for (size_t m = 0; m < e->nmeasures; m++) {
        if (!permitted(e, m)) {
            continue;
        }
        if (count + 2 > PSB_MAX_CHOSEN) {
            return psb_fail(error, PSB_ERROR_USAGE, "more than %d measures with their losses",
                            (PSB_MAX_CHOSEN - LENGTHS) / 2);
        }
        psb_chosen_measure *own = &loss->measures[count], *less = own + 1;
        source[count] = m;
        count += 2;
        *own = *less = e->measures[m];
        own->measure.over_set = less->measure.over_set = false;
        snprintf(less->name, sizeof less->name, "%.34s_loss", e->measures[m].name);
        snprintf(less->title, sizeof less->title, "loss");
    }
    loss->evaluation = (psb_evaluation){.cla = e->cla,
                                        .relevance = e->relevance,
                                        .measures = loss->measures,
                                        .nmeasures = count,
                                        .labels = e->labels != NULL ? e->labels + 1 : NULL,
                                        .nmethods = e->nmethods - 1,
                                        .listed = e->listed,
                                        .units = e->units};
    psb_status status = psb_evaluation_open(&loss->evaluation, error);
    if (status == PSB_OK) {
        memcpy(loss->evaluation.selected, e->selected, e->cla->nmodels * sizeof *e->selected);
        loss->evaluation.without = e->without;
        loss->evaluation.zeros = e->zeros;
        fill(e, lists, &loss->evaluation, source);
    }
    return status;
}

void psb_index_loss_close(psb_index_loss *loss) {
    psb_evaluation_close(&loss->evaluation);
}
