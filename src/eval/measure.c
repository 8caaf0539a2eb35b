/* Holds the table of measures, and reads lists of their names. */
#include "eval/measure.h"

#include "core/elementary.h"
#include "core/number.h"
#include "core/text.h"
#include "eval/evaluation.h"

#include <math.h>
#include <stdio.h>
#include <strings.h>

/* The list of all measures, first those of psb_figure. A new one needs a line here and its file. */
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
    ENTRY(psb_success_at)                                                                          \
    ENTRY(psb_f_at)                                                                                \
    ENTRY(psb_f_max)                                                                               \
    ENTRY(psb_f_mean)                                                                              \
    ENTRY(psb_bulls_eye)                                                                           \
    ENTRY(psb_cg_at)                                                                               \
    ENTRY(psb_ncg_at)                                                                              \
    ENTRY(psb_dcg_at)                                                                              \
    ENTRY(psb_ndcg_at)                                                                             \
    ENTRY(psb_trec_ndcg)                                                                           \
    ENTRY(psb_trec_ndcg_at)                                                                        \
    ENTRY(psb_exp_ndcg)                                                                            \
    ENTRY(psb_exp_ndcg_at)                                                                         \
    ENTRY(psb_shrec17_precision)                                                                   \
    ENTRY(psb_shrec17_recall)                                                                      \
    ENTRY(psb_shrec17_f1)                                                                          \
    ENTRY(psb_shrec17_map)                                                                         \
    ENTRY(psb_shrec17_ndcg)                                                                        \
    ENTRY(psb_average_precision_at)                                                                \
    ENTRY(psb_map_at_r)

#define DECLARED(name) extern const psb_measure name;
#define POINTER(name)  &name,

MEASURES(DECLARED)

static const psb_measure *const table[] = {MEASURES(POINTER)};

enum { DEFAULT_LENGTH = 10, MAX_LENGTH = 1000000000, MAX_WEIGHT = 1000 };

size_t psb_measure_count(void) {
    return sizeof table / sizeof table[0];
}

const psb_measure *psb_measure_at(size_t index) {
    return table[index];
}

/* Whether `name` is one of the words of `list`, which may be NULL. */
static bool is_among(const char *list, const char *name) {
    size_t length = strlen(name);
    for (const char *at = list; at != NULL && *at != '\0'; at += strspn(at, " ")) {
        size_t word = strcspn(at, " ");
        if (word == length && strncasecmp(at, name, length) == 0) {
            return true;
        }
        at += word;
    }
    return false;
}

/* Finds a measure by name; of two, "map" and "map@10", the one that takes a length, or not. */
static const psb_measure *find(const char *name, bool at_length) {
    const psb_measure *found = NULL;
    for (size_t i = 0; i < psb_measure_count(); i++) {
        const psb_measure *m = table[i];
        bool named = strcasecmp(m->name, name) == 0 || is_among(m->also, name);
        found = named && (found == NULL || m->at_length == at_length) ? m : found;
    }
    return found;
}

const psb_measure *psb_measure_find(const char *name) {
    return find(name, false);
}

double psb_measure_compute(const psb_measure *measure, const psb_ranks *ranks) {
    return ranks->relevant > 0 ? measure->compute(ranks, measure) : 0;
}

void psb_measure_all(const psb_chosen_measure *measures, size_t count, const psb_ranks *ranks,
                     double *values) {
    for (size_t m = 0; m < count; m++) {
        values[m] = psb_measure_compute(&measures[m].measure, ranks);
    }
}

size_t psb_measure_reach(const psb_measure *measure, const psb_ranks *ranks) {
    size_t parameter = measure->parameter;
    return measure->reach != NULL ? measure->reach(ranks, parameter)
           : parameter > 0        ? parameter
                                  : SIZE_MAX;
}

size_t psb_measure_found(const psb_measure *measure, const psb_ranks *ranks) {
    return psb_ranks_found(ranks, psb_measure_reach(measure, ranks));
}

size_t psb_ranks_known(const psb_ranks *ranks) {
    return ranks->relevant - ranks->missing;
}

size_t psb_ranks_found(const psb_ranks *ranks, size_t length) {
    size_t found = 0, known = psb_ranks_known(ranks);
    while (found < known && ranks->rank[found] <= length) {
        found++;
    }
    return found;
}

double psb_ranks_grade(const psb_ranks *ranks, size_t k) {
    return ranks->grade != NULL ? ranks->grade[k] : 1;
}

double psb_ranks_ideal(const psb_ranks *ranks, size_t k) {
    return ranks->ideal != NULL ? ranks->ideal[k] : 1;
}

double psb_rank_gain(size_t rank) {
    return rank == 1 ? 1 : 1 / psb_log2((double)rank);
}

/* ---- lists of names --------------------------------------------------------------------- */

/* What the user asks for behind a measure's name. */
typedef struct choice {
    int64_t length; /* 0: none */
    double weight;  /* 0: none */
} choice;

static psb_status choose(const psb_measure *measure, choice asked, psb_chosen_measure *chosen,
                         size_t *count, psb_error *error) {
    if (*count == PSB_MAX_CHOSEN) {
        return psb_fail(error, PSB_ERROR_USAGE, "more than %d measures", PSB_MAX_CHOSEN);
    }
    psb_chosen_measure *c = &chosen[(*count)++];
    c->measure = *measure;
    char at[24] = "", of[24] = "", weight[24] = "";
    if (measure->at_length) {
        c->measure.parameter = (size_t)asked.length;
        snprintf(at, sizeof at, "@%zu", (size_t)asked.length);
        snprintf(of, sizeof of, " at %zu", (size_t)asked.length);
    }
    if (asked.weight > 0) {
        c->measure.weight = asked.weight;
        snprintf(weight, sizeof weight, ":weight=%g", asked.weight);
    }
    snprintf(c->name, sizeof c->name, "%s%s%s", measure->name, at, weight);
    snprintf(c->title, sizeof c->title, "%s%s%s", measure->title, of, weight);
    return PSB_OK;
}

static psb_status parse_length(const char *word, const char *text, int64_t *length,
                               psb_error *error) {
    return psb_parse_int64(text, length) && *length >= 1 && *length <= MAX_LENGTH
               ? PSB_OK
               : psb_fail(error, PSB_ERROR_USAGE, "%s@%s: a length is a number of 1 ... %d", word,
                          text, MAX_LENGTH);
}

static psb_status parse_weight(const char *word, const char *text, double *weight,
                               psb_error *error) {
    static const char key[] = "weight=";
    return strncmp(text, key, sizeof key - 1) == 0 &&
                   psb_parse_double(text + sizeof key - 1, weight) && *weight > 0 &&
                   *weight <= MAX_WEIGHT
               ? PSB_OK
               : psb_fail(error, PSB_ERROR_USAGE,
                          "%s:%s: want weight=W, a number above 0 and not above %d", word, text,
                          MAX_WEIGHT);
}

static psb_status fail_unknown(const char *name, psb_error *error) {
    psb_text known = {.data = NULL};
    for (size_t i = 0; i < psb_measure_count(); i++) {
        psb_text_list(&known, table[i]->name);
        psb_text_add(&known, table[i]->at_length ? "@K" : "");
    }
    return psb_fail_unknown(error, "measure", name, &known);
}

/* Where the length of "precision@10", or of trec_eval's "P_10" and "P.10", begins; or NULL. */
static char *find_length(char *word) {
    char *at = strchr(word, '@');
    if (at == NULL) {
        at = word + strlen(word);
        while (at > word && at[-1] >= '0' && at[-1] <= '9') {
            at--;
        }
        at = at > word && *at != '\0' && strchr("_.", at[-1]) != NULL ? at - 1 : NULL;
    }
    return at;
}

/* Refuses "ndcg@K": to ranx and others it is trec_eval's ndcg_cut, until 0.2.0 it was psb_ndcg. */
static psb_status check_meaning(const char *word, const char *length, psb_error *error) {
    return strcasecmp(word, "ndcg") != 0
               ? PSB_OK
               : psb_fail(error, PSB_ERROR_USAGE,
                          "%s@%s has two meanings: psb_ndcg@%s discounts by log2(i), as dcg, "
                          "trec_ndcg_cut@%s by log2(i + 1), as trec_eval and ranx",
                          word, length, length, length);
}

/* Reads the name, length and weight of a word like "precision@10" or "f@10:weight=2". */
static psb_status choose_word(char *word, psb_chosen_measure *chosen, size_t *count,
                              psb_error *error) {
    choice asked = {0, 0};
    psb_status status = PSB_OK;
    char *colon = strchr(word, ':'), *at = NULL;
    if (colon != NULL) {
        *colon = '\0';
    }
    at = psb_measure_find(word) == NULL ? find_length(word) : NULL; /* "map@r" is a whole name */
    if (at != NULL) {
        *at = '\0';
        status = parse_length(word, at + 1, &asked.length, error);
        PSB_THEN(status, check_meaning(word, at + 1, error));
    }
    PSB_THEN_IF(status, colon != NULL, parse_weight(word, colon + 1, &asked.weight, error));
    const psb_measure *measure = find(word, at != NULL);
    if (status != PSB_OK) {
        return status;
    }
    if (measure == NULL) {
        return fail_unknown(word, error);
    }
    if (measure->at_length != (at != NULL)) {
        return psb_fail(error, PSB_ERROR_USAGE,
                        at != NULL ? "measure %s takes no length"
                                   : "measure %s needs a length: %s@10",
                        word, word);
    }
    if (asked.weight > 0 && measure->weight == 0) {
        return psb_fail(error, PSB_ERROR_USAGE, "measure %s takes no weight", word);
    }
    return choose(measure, asked, chosen, count, error);
}

static psb_status choose_first(size_t n, psb_chosen_measure *chosen, size_t *count,
                               psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        status = choose(table[i], (choice){DEFAULT_LENGTH, 0}, chosen, count, error);
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
            return fail_unknown(at, error);
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
