/*
 * Retrieval measures: one struct for each in a table. A measure turns the ranks of one query's
 * relevant models into a number from 0 (worst) to 1 (best); only the gains "cg" and "dcg_sum" have
 * other ranges. A relevant model that is not in the list was never found. Averages:
 * eval/evaluation.h.
 */
#pragma once

#include "eval/ranks.h"

typedef struct psb_measure {
    const char *name;  /* in columns and options: "first_tier" */
    const char *also;  /* what others call the same, with blanks between: "map AP"; or NULL */
    const char *title; /* in headings: "first tier" */
    const char *help;  /* its definition in a sentence or two */
    const char *source;

    /*
     * The value for a query with at least one relevant model. Several measures may share a formula,
     * which reads what distinguishes them from `own`.
     */
    double (*compute)(const psb_ranks *ranks, const struct psb_measure *own);
    size_t parameter;
    double weight; /* weight of recall against precision; 0: not used */
    /* How far down the list the measure looks. NULL: as the parameter says; if that is 0, to the
     * end. */
    size_t (*reach)(const psb_ranks *ranks, size_t parameter);

    bool at_length; /* "name@K": the parameter is the user's K, the length of list looked at */
    bool over_set;  /* an average is divided by that of all methods, less 1 */
    bool as_sum;    /* tables for people show the number itself, and else percent */
} psb_measure;

size_t psb_measure_count(void);
/* The first PSB_FIGURES of the table are the figures of Table 4, in its order. */
const psb_measure *psb_measure_at(size_t index);
/* Finds a measure by its name or one that others use, in upper or lower case; or NULL. */
const psb_measure *psb_measure_find(const char *name);

/* The value for one query; 0 if it has no relevant model. */
double psb_measure_compute(const psb_measure *measure, const psb_ranks *ranks);

/* How far down the list a measure looks, SIZE_MAX: to the end; and how many are relevant there. */
size_t psb_measure_reach(const psb_measure *measure, const psb_ranks *ranks);
size_t psb_measure_found(const psb_measure *measure, const psb_ranks *ranks);

/*
 * A measure as a user names it: "dcg", "precision@10", "f_max:weight=2". A copy has its own names.
 */
typedef struct psb_chosen_measure {
    psb_measure measure; /* its parameter is the user's K, its weight the user's */
    char name[80];       /* "precision@10" */
    char title[80];      /* "precision at 10" */
} psb_chosen_measure;

enum { PSB_MAX_CHOSEN = 64 };

/* The values of several measures for one query. */
void psb_measure_all(const psb_chosen_measure *measures, size_t count, const psb_ranks *ranks,
                     double *values);

/*
 * Reads a list like "dcg,precision@10"; "table4" stands for the figures of Table 4, "all" for every
 * measure, with K = 10. "P_10" and "ndcg_cut.10" are trec_eval's way to write a length. A measure
 * gets its name in the table, whatever it was called. PSB_ERROR_USAGE for an unknown measure, a
 * name with two meanings, or too many.
 */
psb_status psb_measures_parse(const char *text, psb_chosen_measure chosen[PSB_MAX_CHOSEN],
                              size_t *count, psb_error *error);

/* The number of relevant models in the list, and among its first `length`. */
size_t psb_ranks_known(const psb_ranks *ranks);
size_t psb_ranks_found(const psb_ranks *ranks, size_t length);

/* The grade of the k-th relevant model of the list, k = 0, 1 ..., and of an ideal list. */
double psb_ranks_grade(const psb_ranks *ranks, size_t k);
double psb_ranks_ideal(const psb_ranks *ranks, size_t k);

/* The discount at this rank: 1 at rank 1, 1 / log2(rank) behind. */
double psb_rank_gain(size_t rank);
