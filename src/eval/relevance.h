/*
 * Which targets are relevant for a query. Queries and targets are one set of models or two; a query
 * that is a target as well is left out of its own list. Relevant are the targets of the query's
 * class, all alike, or those that somebody judged, in grades.
 */
#ifndef PSB_EVAL_RELEVANCE_H
#define PSB_EVAL_RELEVANCE_H

#include "io/cla.h"

/* Some targets, ascending. */
typedef struct psb_relevant {
    const uint32_t *target;
    const uint8_t *grade; /* 1 or more; NULL: all 1 */
    size_t count;
} psb_relevant;

typedef struct psb_relevance {
    const psb_classification *queries, *targets; /* the same pointer: one set */
    bool with_query; /* a query that is a target stays in its list, and counts there */
    size_t *set_of;  /* of each query, or PSB_NO_CLASS: what no target is relevant for */
    size_t nsets;
    size_t *first;    /* set s is first[s] ... first[s + 1] - 1 of what follows */
    uint32_t *target; /* may be NULL where there are none, as the next */
    uint8_t *grade;
    size_t *self; /* of each query: the target that it is and that its list leaves out, or
                     PSB_NO_CLASS */
} psb_relevance;

/*
 * By equal names of classes. Both classifications must outlive it. The class "-1" has no queries.
 * Free it in either case, as below.
 */
psb_status psb_relevance_by_class(const psb_classification *queries,
                                  const psb_classification *targets, bool with_query,
                                  psb_relevance *r, psb_error *error);
/* By what somebody judged, see io/qrels.h; a query that is not judged has nothing to find. */
psb_status psb_relevance_by_qrels(const char *path, const psb_classification *queries,
                                  const psb_classification *targets, bool with_query,
                                  psb_relevance *r, psb_error *error);
void psb_relevance_free(psb_relevance *r);

/* The set of a query; it may hold the query itself. */
psb_relevant psb_relevance_set(const psb_relevance *r, size_t query);
/* Where the target stands in it, or its count. */
size_t psb_relevant_find(const psb_relevant *set, size_t target);
/* The grades of all of a graded set but `self`, the largest first. */
void psb_relevant_ideal(const psb_relevant *set, size_t self, uint8_t *ideal);
/* How many can be found, the query itself not counted; of all queries the largest set. */
size_t psb_relevance_count(const psb_relevance *r, size_t query);
size_t psb_relevance_largest(const psb_relevance *r);
/* Targets of a whole list. */
size_t psb_relevance_listed(const psb_relevance *r, size_t query);

#endif
