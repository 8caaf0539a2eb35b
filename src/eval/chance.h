/*
 * Would a random order have done as well? In a random order the nearest of a query's N candidates
 * is one of its R relevant models with probability R / N. A method whose nearest-neighbor hits are
 * within three standard deviations of that most likely has its rows in another order than the
 * models, or other models' rows, or similarities where distances belong.
 */
#ifndef PSB_EVAL_CHANCE_H
#define PSB_EVAL_CHANCE_H

#include "eval/relevance.h"
#include "io/matrix.h"

typedef struct psb_chance {
    size_t queries;
    double hits;               /* queries whose nearest is relevant */
    double expected, variance; /* of the hits of a random order */
} psb_chance;

typedef enum psb_luck { PSB_LUCK_NONE, PSB_LUCK_SAME, PSB_LUCK_WORSE } psb_luck;

/* One more query, with its hit (0 or 1). */
void psb_chance_add(psb_chance *chance, const psb_relevance *relevance, size_t query, double hit);
/* The same for every query i of a matrix where selected[i]. */
void psb_chance_add_matrix(psb_chance *chance, const psb_relevance *relevance,
                           const psb_matrix *matrix, const bool *selected);
/* Within the range of a random order, or below it; NONE also for 50 queries or fewer. */
psb_luck psb_chance_judge(const psb_chance *chance);

#endif
