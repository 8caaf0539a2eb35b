/*
 * The evaluation: from ranks to a value for each query and measure, and from values to means over
 * groups of queries with their standard errors. No other code judges retrieval.
 *
 * Row i of a matrix is query i. The query itself is never in its list; equal distances are ordered
 * by index. Means follow psbTable's rule: models of the miscellaneous class are never queries, and
 * classes of 2 or fewer models are left out. If the caller says what is relevant, as for two sets,
 * every query with something relevant takes part. A query list narrows this further; the ranked
 * lists always hold the whole set.
 *
 * Queries of a class are alike and far from independent. So a standard error is clustered by class,
 * unless single queries are asked for: with the residuals e of n queries in G units, s.e.^2 = G /
 * (G - 1) * sum over units of (sum of e within the unit)^2 / n^2, the cluster-robust variance of a
 * mean (Liang and Zeger 1986; Cameron and Miller 2015, section II).
 */
#pragma once

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
 * The values of methods (matrices, features, ranked lists) for the same queries. The caller sets
 * the fields above the line before psb_evaluation_open; what they point to must outlive it.
 */
struct psb_evaluation {
    const psb_classification *cla;  /* the queries; means are taken over its classes */
    const psb_relevance *relevance; /* NULL: targets are the models of `cla`, relevant by class */
    const psb_chosen_measure *measures;
    size_t nmeasures;
    const char *const *labels; /* one for each method; may be NULL if nothing prints them */
    size_t nmethods;
    const bool *listed; /* whether each query is in the query list; NULL: no such list */
    psb_units units;
    bool keep_ranks; /* keeps `ranks`, for curves */
    psb_absence absent;
    /* ---- */
    psb_relevance *own; /* relevance made here if the caller gave none */
    bool *selected;     /* queries that take part in means */
    size_t without;     /* queries left out because some method has no list for them */
    size_t zeros;       /* queries without a list that count 0, over all methods */
    double *values;     /* methods x models x measures; see psb_evaluation_values */
    size_t *last_below; /* last class of each class's subtree */
    size_t *first_rank; /* where each query's ranks begin in `ranks` */
    uint32_t **ranks;   /* for each method, those of its queries */
};

/* Close it also on failure. Values are 0 until psb_evaluation_rank or another source sets them. */
psb_status psb_evaluation_open(psb_evaluation *e, psb_error *error);
void psb_evaluation_close(psb_evaluation *e);
/* Removes the methods behind the first `nmethods`. */
void psb_evaluation_shorten(psb_evaluation *e, size_t nmethods);

/*
 * Sets selected[i] to whether query i has a relevant target and, if `listed` is not NULL,
 * listed[i]. Returns how many are selected.
 */
size_t psb_select_judged(const psb_relevance *relevance, const bool *listed, bool *selected);
/*
 * Sets selected[i] to whether model i is of a class of `smallest` or more models that is not
 * miscellaneous and, if `listed` is not NULL, listed[i]. Returns how many are selected.
 * psb_select_queries takes PSB_LEAST_CLASS, by the rule of means.
 */
enum { PSB_LEAST_CLASS = 3 };
size_t psb_select_from(const psb_classification *cla, size_t smallest, const bool *listed,
                       bool *selected);
size_t psb_select_queries(const psb_classification *cla, const bool *listed, bool *selected);

/* Selects queries again, by another query list. */
void psb_evaluation_select(psb_evaluation *e, const bool *listed);
/* Leaves queries i with covered[i] false out of all means and counts them in `without`. */
void psb_evaluation_narrow(psb_evaluation *e, const bool *covered);
/* Sets the method's values of queries i with covered[i] false to 0, and counts them in `zeros`. */
void psb_evaluation_zero(psb_evaluation *e, size_t method, const bool *covered);

/* A method's values, at query * nmeasures + measure; NaN if unknown. */
double *psb_evaluation_values(const psb_evaluation *e, size_t method);
/*
 * Ranks every query of a matrix and sets its values: 0 for models that are no queries. The bytes do
 * not depend on `threads`. PSB_ERROR_INPUT if sizes differ or a distance is not a number >= 0.
 * Other sources of values are features and lists of neighbors.
 */
psb_status psb_evaluation_rank(psb_evaluation *e, size_t method, const psb_matrix *matrix,
                               int threads, psb_error *error);
/* The ranks of one query, if they were kept. */
psb_ranks psb_evaluation_ranks(const psb_evaluation *e, size_t method, size_t query);

/* The means of the five figures over one group of queries. */
typedef struct psb_average {
    double figure[PSB_FIGURES];
    double nearest_neighbor_error; /* standard error of the nearest-neighbor rate */
    size_t queries;                /* number of queries in the means */
    size_t classes;
} psb_average;

/* The evaluation's first measures must be the five figures. */
psb_average psb_evaluation_average(const psb_evaluation *e, size_t method, psb_group group);

/* Sum and number of the DCGs of several methods; normalized DCG is taken over their mean. */
typedef struct psb_dcg_set {
    double sum, members;
} psb_dcg_set;
void psb_dcg_set_add(psb_dcg_set *set, double dcg);
/* DCG / mean DCG of the set - 1 (paper, section 7); 0 where the mean is 0, NAN for NAN. */
double psb_normalized_dcg(double dcg, const psb_dcg_set *set);
