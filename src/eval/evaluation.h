/*
 * The one place where retrieval is judged: from ranks to a value for each query and measure, from
 * values to means over groups of queries, with their standard errors.
 *
 * Row i of a matrix is query i; the query itself is never in its list; of equal distances the model
 * with the lower index comes first. Who takes part in means is psbTable's rule: models of the
 * miscellaneous class are never queries, and classes of 2 or fewer models are left out. Where the
 * caller says what is relevant, as of queries and targets that differ, all take part that something
 * is relevant for. A query list narrows this further; the ranked lists always hold the whole set.
 *
 * Queries of a class are alike and far from independent, so that a standard error takes whole
 * classes for its units unless it is asked to take queries: with the residuals e of n queries in G
 * units, s.e.^2 = G / (G - 1) * sum over units of (sum of e within the unit)^2 / n^2, the
 * cluster-robust variance of a mean (Liang and Zeger 1986; Cameron and Miller 2015, section II).
 */
#ifndef PSB_EVAL_EVALUATION_H
#define PSB_EVAL_EVALUATION_H

#include "eval/measure.h"

/* The five figures of the paper's Table 4: the first of the table of measures. */
typedef enum psb_figure {
    PSB_NEAREST_NEIGHBOR,
    PSB_FIRST_TIER,
    PSB_SECOND_TIER,
    PSB_E_MEASURE,
    PSB_DCG,
    PSB_FIGURES,
} psb_figure;

/*
 * Methods (matrices, features, ranked lists) on the same queries. The caller fills in what stands
 * above the line, all of which must outlive the evaluation, before psb_evaluation_open.
 */
struct psb_evaluation {
    const psb_classification *cla;  /* of the queries, whose groups are averaged */
    const psb_relevance *relevance; /* NULL: `cla` are the targets as well, by their classes */
    const psb_chosen_measure *measures;
    size_t nmeasures;
    const char *const *labels; /* of the methods; may be NULL where nothing prints them */
    size_t nmethods;
    const bool *listed; /* a query list, or NULL */
    psb_units units;
    bool keep_ranks; /* for curves */
    /* ---- */
    psb_relevance *own; /* where the caller has none */
    bool *selected;     /* queries that take part in means */
    size_t without;     /* queries that would, but that some method has no list for */
    double *values;     /* methods x models x measures; see psb_evaluation_values */
    size_t *last_below; /* of each class: the last class of its subtree */
    size_t *first_rank; /* of each query, in `ranks` */
    uint32_t **ranks;   /* of each method */
};

/* Close it in either case. The values are 0 until a source fills them. */
psb_status psb_evaluation_open(psb_evaluation *e, psb_error *error);
void psb_evaluation_close(psb_evaluation *e);
/* Forgets the last methods. */
void psb_evaluation_shorten(psb_evaluation *e, size_t nmethods);

/* selected[i]: query i has something to find and, where `listed` is not NULL, listed[i]. */
size_t psb_select_judged(const psb_relevance *relevance, const bool *listed, bool *selected);
/* selected[i]: model i is of a class of so many or more that is not miscellaneous and, where
   `listed` is not NULL, listed[i]; returns how many are. The second for the rule of means. */
size_t psb_select_from(const psb_classification *cla, size_t smallest, const bool *listed,
                       bool *selected);
size_t psb_select_queries(const psb_classification *cla, const bool *listed, bool *selected);

/* Selects queries anew, by another list of them. */
void psb_evaluation_select(psb_evaluation *e, const bool *listed);
/* Leaves out of all means the queries i where covered[i] is false, and counts them in `without`. */
void psb_evaluation_narrow(psb_evaluation *e, const bool *covered);

/* A method's values, [query * nmeasures + measure], NaN where one is not known. */
double *psb_evaluation_values(const psb_evaluation *e, size_t method);
/* Ranks every query of a matrix. The sources of values: this, features, lists of neighbors. */
psb_status psb_evaluation_rank(psb_evaluation *e, size_t method, const psb_matrix *matrix,
                               int threads, psb_error *error);
/* What was kept of that. */
psb_ranks psb_evaluation_ranks(const psb_evaluation *e, size_t method, size_t query);

/*
 * values[i * count + m] is measure m of query i, 0 for what is no query; the bytes do not depend
 * on `threads`. PSB_ERROR_INPUT where sizes differ or a distance is NaN, infinite or negative.
 */
psb_status psb_measure_queries(const psb_classification *cla, const psb_matrix *matrix,
                               const psb_chosen_measure *measures, size_t count, int threads,
                               double *values, psb_error *error);

/* The five figures of one group, for tables of them. */
typedef struct psb_average {
    double figure[PSB_FIGURES];
    double nearest_neighbor_error; /* standard error of the nearest-neighbor rate */
    size_t queries;                /* that took part */
    size_t classes;
} psb_average;

/* Of an evaluation whose first measures are the five figures. */
psb_average psb_evaluation_average(const psb_evaluation *e, size_t method, psb_group group);

/* The DCG of a set of methods, which normalized DCG is taken over and says little without. */
typedef struct psb_dcg_set {
    double sum, members;
} psb_dcg_set;
void psb_dcg_set_add(psb_dcg_set *set, double dcg);
/* DCG / mean DCG of the set - 1 (paper, section 7); 0 where the mean is 0, NAN for NAN. */
double psb_normalized_dcg(double dcg, const psb_dcg_set *set);

#endif
