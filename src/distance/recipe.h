/*
 * Recipes: weighted sums of the distances of several methods, each divided by its scale. The
 * recipes of the table, and their scales, mean distances, were chosen on the training set of the
 * Princeton Shape Benchmark and are frozen (docs/beyond.md).
 */
#pragma once

#include "core/text.h"
#include "distance/metric.h"
#include "io/matrix.h"

enum { PSB_TERMS_MOST = 8, PSB_MEMBERS_MOST = 2 * PSB_TERMS_MOST };

/* One term: weight / scale times the distance of one member, or the smaller distance of two. */
typedef struct psb_term {
    const char *member[2]; /* specs, or labels of methods of a run; the second may be NULL */
    double weight, scale;
    /* In recipes of the table: the metric for either member's rows, and the numbers in a row. */
    const psb_metric *metric;
    size_t length;
} psb_term;

typedef struct psb_recipe {
    const char *name, *label; /* on the command line, and in tables */
    size_t nterms;
    psb_term terms[PSB_TERMS_MOST];
    /* psb_dataset.list of the models whose mean distances are the scales; 0: none. */
    uint64_t training_list;
    bool learned; /* a member is a signature that was learned from the labels of training_list */
} psb_recipe;

/* Return NULL beyond the last recipe or for an unknown name, whose case does not matter. */
const psb_recipe *psb_recipe_at(size_t index);
const psb_recipe *psb_recipe_find(const char *name);

/* Lists the members, term after term, at most PSB_MEMBERS_MOST; returns their number. */
size_t psb_recipe_members(const psb_recipe *recipe, const char *members[PSB_MEMBERS_MOST]);
/* Appends a text such as "LFD / 7881.44 + 2 min(A, B) / 1.2". */
void psb_recipe_formula(const psb_recipe *recipe, psb_text *out);

/*
 * Returns the recipe of the table whose members' rows, concatenated in the order of
 * psb_recipe_members, have this many bytes; NULL if there is none. The metric "sum" takes such
 * rows.
 */
const psb_recipe *psb_recipe_of_rows(size_t bytes);
size_t psb_recipe_row_bytes(const psb_recipe *recipe);

/* Sets out[i] to the sum over the terms of members[m][i], in the order of psb_recipe_members. */
void psb_recipe_sum(const psb_recipe *recipe, const float *const *members, size_t n, float *out);

/* Does the same for whole matrices of one size; out is n x n. */
psb_status psb_recipe_sum_matrices(const psb_recipe *recipe, const psb_matrix *members, int threads,
                                   float *out, psb_error *error);
