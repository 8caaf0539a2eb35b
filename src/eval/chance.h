/*
 * A check against chance. In a random order the nearest of a query's N candidates is one of its R
 * relevant models with probability R / N. If a method's nearest-neighbor hits are within three
 * standard deviations of that, its rows most likely are in another order than the models, belong to
 * other models, or are similarities instead of distances.
 */
#pragma once

#include "eval/relevance.h"
#include "io/matrix.h"

typedef struct psb_chance {
    size_t queries;
    double hits;               /* queries whose nearest target is relevant */
    double expected, variance; /* mean and variance of the hits of a random order */
} psb_chance;

typedef enum psb_luck { PSB_LUCK_NONE, PSB_LUCK_SAME, PSB_LUCK_WORSE } psb_luck;

/* Adds a query with its hit (0 or 1). */
void psb_chance_add(psb_chance *chance, const psb_relevance *relevance, size_t query, double hit);
/* Adds every query i of the matrix with selected[i]. */
void psb_chance_add_matrix(psb_chance *chance, const psb_relevance *relevance,
                           const psb_matrix *matrix, const bool *selected);
/*
 * SAME if the hits are within the range of a random order, WORSE if below it. NONE if above it, for
 * 50 queries or fewer, and where a random order may hit half of the queries.
 */
psb_luck psb_chance_judge(const psb_chance *chance);
