/* Counts nearest-neighbor hits, and the hits that a random order would have. */
#include "eval/chance.h"

#include <math.h>

enum { FEWEST_QUERIES = 50, DEVIATIONS = 3 };

void psb_chance_add(psb_chance *chance, const psb_relevance *relevance, size_t query, double hit) {
    size_t listed = psb_relevance_listed(relevance, query);
    double p = (double)psb_relevance_count(relevance, query) / (double)(listed > 0 ? listed : 1);
    /*
     * Two models of one set may be each other's nearest, and are then both hits or both misses: the
     * variance is up to twice that of independent queries.
     */
    bool one_set = relevance->queries == relevance->targets;
    chance->queries++;
    chance->hits += hit;
    chance->expected += p;
    chance->variance += (one_set ? 2 : 1) * p * (1 - p);
}

void psb_chance_add_matrix(psb_chance *chance, const psb_relevance *relevance,
                           const psb_matrix *matrix, const bool *selected) {
    size_t columns = psb_matrix_columns(matrix);
    for (size_t i = 0; i < matrix->n; i++) {
        const float *row = matrix->data + i * columns;
        size_t nearest = SIZE_MAX;
        for (size_t j = 0; j < columns && selected[i]; j++) {
            if (j != relevance->self[i] && (nearest == SIZE_MAX || row[j] < row[nearest])) {
                nearest = j;
            }
        }
        if (nearest != SIZE_MAX) {
            psb_relevant set = psb_relevance_set(relevance, i);
            psb_chance_add(chance, relevance, i, psb_relevant_find(&set, nearest) < set.count);
        }
    }
}

psb_luck psb_chance_judge(const psb_chance *chance) {
    double range = DEVIATIONS * sqrt(chance->variance), more = chance->hits - chance->expected;
    /* Where most targets are relevant, a random order is hardly worse than the best. */
    bool tells = chance->queries > FEWEST_QUERIES &&
                 chance->expected + range < 0.5 * (double)chance->queries;
    return !tells || more > range ? PSB_LUCK_NONE : more < -range ? PSB_LUCK_WORSE : PSB_LUCK_SAME;
}
