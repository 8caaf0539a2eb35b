/*
 * Nearest-neighbor classification: a query gets the class of most of its k nearest targets; among
 * classes with equal votes, that of the nearest target. (Cover and Hart 1967, "Nearest neighbor
 * pattern classification", IEEE Transactions on Information Theory 13.) A query is left out of its
 * own list, and a list may be shorter than k.
 */
#pragma once

#include "eval/evaluation.h"
#include "io/lists.h"

typedef struct psb_voting {
    const psb_relevance *relevance; /* the queries and targets, and which queries are targets */
    size_t k;
    /* ---- */
    uint32_t *nearest; /* k targets for each query; UINT32_MAX behind the end of its list */
} psb_voting;

/* The caller sets the fields above the line. Free it also on failure. */
psb_status psb_voting_matrix(psb_voting *v, const psb_matrix *matrix, int threads,
                             psb_error *error);
psb_status psb_voting_lists(psb_voting *v, const char *path, psb_list_form form, psb_error *error);
void psb_voting_free(psb_voting *v);

/* The classes of both sets at a level of the hierarchy; level 1 is the top. */
typedef struct psb_labels {
    size_t count;
    const char **names;     /* full names, which belong to the classifications */
    size_t *of_query_class; /* the label of each class of the queries */
    size_t *of_target_class;
} psb_labels;

/*
 * psb_levels is the depth of a hierarchy. psb_labels_make gives each class the label of its
 * ancestor at `level`, or its own if it is above. Free the labels also on failure.
 */
size_t psb_levels(const psb_classification *cla);
psb_status psb_labels_make(const psb_classification *queries, const psb_classification *targets,
                           size_t level, psb_labels *labels, psb_error *error);
void psb_labels_free(psb_labels *labels);

/*
 * The label that most of a query's nearest targets have; PSB_NO_CLASS if its list is empty. `votes`
 * has room for a number for each label.
 */
size_t psb_vote(const psb_voting *v, const psb_labels *labels, size_t query, size_t *votes);

/* Sets the values of one measure of a method: 1 if the query gets its own label. */
psb_status psb_voting_accuracy(const psb_voting *v, const psb_labels *labels, psb_evaluation *e,
                               size_t method, size_t measure, psb_error *error);
/* The measure of this accuracy: "accuracy_1" at level 1. */
psb_chosen_measure psb_accuracy(size_t level);
