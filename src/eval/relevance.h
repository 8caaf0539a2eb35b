/*
 * Which targets are relevant for a query. Queries and targets are one set of models or two; a query
 * that is also a target is left out of its own list. Relevant are the targets of the query's class,
 * all with grade 1, or those that a file of judgments names, with grades.
 */
#pragma once

#include "io/cla.h"

/* The relevant targets of a query, ascending. */
typedef struct psb_relevant {
    const uint32_t *target;
    const uint8_t *grade; /* 1 or more; NULL: all 1 */
    size_t count;
} psb_relevant;

typedef struct psb_relevance {
    const psb_classification *queries, *targets; /* the same pointer: one set */
    bool with_query; /* a query that is a target stays in its list and counts as relevant */
    size_t *set_of;  /* for each query the set of its relevant targets; PSB_NO_CLASS: none */
    size_t nsets;
    size_t *first;    /* set s is entries first[s] ... first[s + 1] - 1 of target and grade */
    uint32_t *target; /* targets of all sets, one set after the other */
    uint8_t *grade;
    size_t *self; /* for each query: the target that is the query itself and is left out of its
                     list, or PSB_NO_CLASS */
} psb_relevance;

/*
 * Makes relevance by equal full names of classes. Both classifications must outlive it. The class
 * "-1" has no queries. Free the relevance also on failure, here and below.
 */
psb_status psb_relevance_by_class(const psb_classification *queries,
                                  const psb_classification *targets, bool with_query,
                                  psb_relevance *r, psb_error *error);
/*
 * Makes relevance by a file of judgments (io/qrels.h); a query without judgments has nothing
 * relevant.
 */
psb_status psb_relevance_by_qrels(const char *path, const psb_classification *queries,
                                  const psb_classification *targets, bool with_query,
                                  psb_relevance *r, psb_error *error);
void psb_relevance_free(psb_relevance *r);

/* The relevant targets of a query; they may include the query itself. */
psb_relevant psb_relevance_set(const psb_relevance *r, size_t query);
/* The position of the target in the set, or the set's count if it is not there. */
size_t psb_relevant_find(const psb_relevant *set, size_t target);
/* Sets `ideal` to the grades of a graded set without `self`, largest first. */
void psb_relevant_ideal(const psb_relevant *set, size_t self, uint8_t *ideal);
/*
 * The number of targets that can be found for a query, without itself; and the largest set's size.
 */
size_t psb_relevance_count(const psb_relevance *r, size_t query);
size_t psb_relevance_largest(const psb_relevance *r);
/* The number of targets in a query's whole list. */
size_t psb_relevance_listed(const psb_relevance *r, size_t query);
