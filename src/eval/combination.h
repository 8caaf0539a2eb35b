/*
 * Sums of distances: kinds of information beside each other, each divided by its scale. The
 * recipes of the table were chosen on the training set of the Princeton Shape Benchmark and are
 * frozen; docs/beyond.md says how.
 */
#ifndef PSB_EVAL_COMBINATION_H
#define PSB_EVAL_COMBINATION_H

#include "core/text.h"
#include "eval/evaluation.h"

enum { PSB_TERMS_MOST = 8, PSB_MEMBERS_MOST = 2 * PSB_TERMS_MOST };

/* The least of one or two members' distances, times weight / scale. */
typedef struct psb_term {
    const char *member[2]; /* specs of descriptors, or names of a run's rows; the second or NULL */
    double weight, scale;
} psb_term;

typedef struct psb_recipe {
    const char *name, *label; /* on the command line, and in tables */
    size_t nterms;
    psb_term terms[PSB_TERMS_MOST];
    /* The list of models that the scales are mean distances of (psb_dataset.list); 0: none. */
    uint64_t training_list;
} psb_recipe;

/* NULL behind the last, or where there is none of that name. */
const psb_recipe *psb_recipe_at(size_t index);
const psb_recipe *psb_recipe_find(const char *name);

/* The members, term after term, at most PSB_MEMBERS_MOST; returns how many. */
size_t psb_recipe_members(const psb_recipe *recipe, const char *members[PSB_MEMBERS_MOST]);
/* "LFD / 7881.44 + 2 min(A, B) / 1.2" */
void psb_recipe_formula(const psb_recipe *recipe, psb_text *out);

/* out[i]: the sum over the terms of members[m][i], in the order of psb_recipe_members. */
void psb_combine(const psb_recipe *recipe, const float *const *members, size_t n, float *out);

/* The same for whole matrices, `members` of one size, into out, n x n. */
psb_status psb_combine_matrices(const psb_recipe *recipe, const psb_matrix *members, int threads,
                                float *out, psb_error *error);

/*
 * Sets the weights, from what they are, to those with the best mean DCG: each in turn by the steps
 * of a short ladder, until none helps. For training sets only; whoever calls it sees to that.
 */
psb_status psb_tune_weights(psb_recipe *recipe, const psb_matrix *members,
                            const psb_classification *cla, int threads, double *dcg,
                            psb_error *error);

/* The mean distance of two different models; 0 where there are not two. */
double psb_mean_distance(const psb_matrix *matrix);

#endif
