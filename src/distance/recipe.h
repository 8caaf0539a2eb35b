/*
 * Sums of distances: kinds of information beside each other, each divided by its scale. The
 * recipes of the table were chosen on the training set of the Princeton Shape Benchmark and are
 * frozen; docs/beyond.md says how.
 */
#ifndef PSB_DISTANCE_RECIPE_H
#define PSB_DISTANCE_RECIPE_H

#include "core/text.h"
#include "distance/metric.h"
#include "io/matrix.h"

enum { PSB_TERMS_MOST = 8, PSB_MEMBERS_MOST = 2 * PSB_TERMS_MOST };

/* The least of one or two members' distances, times weight / scale. */
typedef struct psb_term {
    const char *member[2]; /* specs of descriptors, or names of a run's rows; the second or NULL */
    double weight, scale;
    /* Of the table's: what the rows of either member are compared by, and the numbers in one. */
    const psb_metric *metric;
    size_t length;
} psb_term;

typedef struct psb_recipe {
    const char *name, *label; /* on the command line, and in tables */
    size_t nterms;
    psb_term terms[PSB_TERMS_MOST];
    /* The list of models that the scales are mean distances of (psb_dataset.list); 0: none. */
    uint64_t training_list;
} psb_recipe;

/* NULL behind the last, or where there is none of that name, in any case of letters. */
const psb_recipe *psb_recipe_at(size_t index);
const psb_recipe *psb_recipe_find(const char *name);

/* The members, term after term, at most PSB_MEMBERS_MOST; returns how many. */
size_t psb_recipe_members(const psb_recipe *recipe, const char *members[PSB_MEMBERS_MOST]);
/* "LFD / 7881.44 + 2 min(A, B) / 1.2" */
void psb_recipe_formula(const psb_recipe *recipe, psb_text *out);

/*
 * The recipe of the table whose members' rows, one behind the other in this order, are so many
 * bytes; NULL where there is none. These are the rows that the metric "sum" takes.
 */
const psb_recipe *psb_recipe_of_rows(size_t bytes);
size_t psb_recipe_row_bytes(const psb_recipe *recipe);

/* out[i]: the sum over the terms of members[m][i], in the order of psb_recipe_members. */
void psb_combine(const psb_recipe *recipe, const float *const *members, size_t n, float *out);

/* The same for whole matrices, `members` of one size, into out, n x n. */
psb_status psb_combine_matrices(const psb_recipe *recipe, const psb_matrix *members, int threads,
                                float *out, psb_error *error);

#endif
