/* The table of measures, and reading lists of their names. */
#include "eval/measure.h"

#include "core/error.h"
#include "core/number.h"
#include "eval/evaluation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The line that a new measure needs beside its file. The first are those of psb_figure. */
#define MEASURES(ENTRY)                                                                            \
    ENTRY(psb_nearest_neighbor)                                                                    \
    ENTRY(psb_first_tier)                                                                          \
    ENTRY(psb_second_tier)                                                                         \
    ENTRY(psb_e_measure)                                                                           \
    ENTRY(psb_dcg)                                                                                 \
    ENTRY(psb_normalized_dcg_measure)                                                              \
    ENTRY(psb_r_precision)                                                                         \
    ENTRY(psb_average_precision)                                                                   \
    ENTRY(psb_reciprocal_rank)                                                                     \
    ENTRY(psb_precision_at)                                                                        \
    ENTRY(psb_recall_at)                                                                           \
    ENTRY(psb_f_at)                                                                                \
    ENTRY(psb_cg_at)                                                                               \
    ENTRY(psb_ncg_at)                                                                              \
    ENTRY(psb_dcg_at)                                                                              \
    ENTRY(psb_ndcg_at)                                                                             \
    ENTRY(psb_trec_ndcg)                                                                           \
    ENTRY(psb_trec_ndcg_at)

#define DECLARED(name) extern const psb_measure name;
#define POINTER(name)  &name,

MEASURES(DECLARED)

static const psb_measure *const table[] = {MEASURES(POINTER)};

enum { PRESET_LENGTH = 10, MAX_LENGTH = 1000000000 };

size_t psb_measure_count(void) {
    return sizeof table / sizeof table[0];
}

const psb_measure *psb_measure_at(size_t index) {
    return table[index];
}

const psb_measure *psb_measure_find(const char *name) {
    for (size_t i = 0; i < psb_measure_count(); i++) {
        if (strcmp(table[i]->name, name) == 0) {
            return table[i];
        }
    }
    return NULL;
}

double psb_measure_compute(const psb_measure *measure, const psb_ranks *ranks) {
    return ranks->relevant > 0 ? measure->compute(ranks, measure->parameter) : 0;
}

void psb_measure_all(const psb_chosen_measure *measures, size_t count, const psb_ranks *ranks,
                     double *values) {
    for (size_t m = 0; m < count; m++) {
        values[m] = psb_measure_compute(&measures[m].measure, ranks);
    }
}

size_t psb_measure_reach(const psb_measure *measure, size_t relevant) {
    return measure->reach != NULL ? measure->reach(relevant, measure->parameter) : SIZE_MAX;
}

size_t psb_reach_length(size_t relevant, size_t length) {
    (void)relevant;
    return length;
}

size_t psb_reach_tiers(size_t relevant, size_t tiers) {
    return tiers * relevant;
}

size_t psb_ranks_found(const psb_ranks *ranks, size_t length) {
    size_t found = 0;
    while (found < ranks->relevant && ranks->rank[found] <= length) {
        found++;
    }
    return found;
}

double psb_rank_gain(size_t rank) {
    return rank == 1 ? 1 : 1 / log2((double)rank);
}

/* ---- lists of names --------------------------------------------------------------------- */

static psb_status choose(const psb_measure *measure, size_t length, psb_chosen_measure *chosen,
                         size_t *count, psb_error *error) {
    if (*count == PSB_MAX_CHOSEN) {
        return psb_fail(error, PSB_ERROR_USAGE, "more than %d measures", PSB_MAX_CHOSEN);
    }
    psb_chosen_measure *c = &chosen[(*count)++];
    c->measure = *measure;
    if (measure->at_length) {
        c->measure.parameter = length;
        snprintf(c->name, sizeof c->name, "%s@%zu", measure->name, length);
        snprintf(c->title, sizeof c->title, "%s at %zu", measure->title, length);
    } else {
        snprintf(c->name, sizeof c->name, "%s", measure->name);
        snprintf(c->title, sizeof c->title, "%s", measure->title);
    }
    return PSB_OK;
}

/* "precision@10": name and length. */
static psb_status choose_word(char *word, psb_chosen_measure *chosen, size_t *count,
                              psb_error *error) {
    char *at = strchr(word, '@');
    int64_t length = 0;
    if (at != NULL) {
        *at = '\0';
        if (!psb_parse_int64(at + 1, &length) || length < 1 || length > MAX_LENGTH) {
            return psb_fail(error, PSB_ERROR_USAGE, "%s@%s: a length is a number of 1 ... %d", word,
                            at + 1, MAX_LENGTH);
        }
    }
    const psb_measure *measure = psb_measure_find(word);
    if (measure == NULL) {
        return psb_fail(error, PSB_ERROR_USAGE, "there is no measure '%s'", word);
    }
    if (measure->at_length != (at != NULL)) {
        return psb_fail(error, PSB_ERROR_USAGE,
                        at != NULL ? "measure %s takes no length"
                                   : "measure %s needs a length: %s@10",
                        word, word);
    }
    return choose(measure, (size_t)length, chosen, count, error);
}

static psb_status choose_first(size_t n, psb_chosen_measure *chosen, size_t *count,
                               psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        status = choose(table[i], PRESET_LENGTH, chosen, count, error);
    }
    return status;
}

psb_status psb_measures_parse(const char *text, psb_chosen_measure chosen[PSB_MAX_CHOSEN],
                              size_t *count, psb_error *error) {
    *count = 0;
    psb_status status = PSB_OK;
    for (const char *at = text; status == PSB_OK;) {
        char word[40];
        size_t length = strcspn(at, ",");
        if (length >= sizeof word) {
            return psb_fail(error, PSB_ERROR_USAGE, "there is no measure '%.*s'", (int)sizeof word,
                            at);
        }
        memcpy(word, at, length);
        word[length] = '\0';
        if (strcmp(word, "all") == 0) {
            status = choose_first(psb_measure_count(), chosen, count, error);
        } else if (strcmp(word, "table4") == 0) {
            status = choose_first(PSB_FIGURES, chosen, count, error);
        } else {
            status = choose_word(word, chosen, count, error);
        }
        if (at[length] == '\0') {
            break;
        }
        at += length + 1;
    }
    return status;
}
