/*
 * Counts ranks against thresholds: a query's relevant distances, sorted. The rank of a relevant
 * model follows from the number of irrelevant distances below its threshold. The models of a class
 * are consecutive in the order, so an irrelevant model at an equal distance comes before all
 * relevant ones or behind all, and thresholds need no index.
 *
 * A few thresholds are compared with every distance. For many, the range is divided into cells of
 * equal width, several times as many as thresholds. A distance's cell gives the first threshold
 * that may be above it; a search continues from there, in as many steps as the fullest cell needs,
 * without a branch that depends on the data. Rounding does not matter: the cell is a monotone
 * function of the distance, for thresholds as well.
 */
#include "eval/rank_count.h"

#include "core/number.h"
#include "eval/count_below.h"

#include <math.h>

enum {
    FEW = 128, /* up to so many thresholds are compared with every distance */
    MOST_CELLS = 1 << 16,
    CELLS_PER_THRESHOLD = 2,
    PIECE = 512, /* distances whose cells are found together */
};

typedef struct query_state {
    uint32_t relevant; /* R */
    float *threshold;  /* the R relevant distances; if they are many, infinity behind them */
    /*
     * Few thresholds: the number of irrelevant models before each. Many: the number between each
     * and the one before it, and one more number for those behind all.
     */
    uint32_t *before;
    /* Only for many thresholds: */
    uint32_t cells;
    uint32_t stride;  /* first step of the search: 2^k if no cell has 2^(k+1) thresholds */
    float low, scale; /* cell of d: (d - low) * scale, within 0 ... cells - 1 */
    uint32_t *start;  /* the first threshold of each cell; cells + 1 numbers */
} query_state;

struct psb_rank_count {
    const psb_classification *cla;
    size_t first, end;
    query_state *queries;
    void *memory;
};

static size_t cells_for(size_t relevant) {
    size_t cells = CELLS_PER_THRESHOLD * FEW;
    while (cells < MOST_CELLS && cells < CELLS_PER_THRESHOLD * relevant) {
        cells *= 2;
    }
    return relevant > FEW ? cells : 0;
}

/* The size of a query's arrays, in numbers of 4 bytes. */
static size_t numbers_for(size_t relevant) {
    return 2 * relevant + (relevant > FEW ? 2 + cells_for(relevant) + 1 : 0);
}

size_t psb_rank_count_bytes(const psb_classification *cla, size_t query) {
    return sizeof(query_state) + sizeof(uint32_t) * numbers_for(psb_cla_relevant(cla, query));
}

psb_status psb_rank_count_new(const psb_classification *cla, size_t first, size_t end,
                              psb_rank_count **out, psb_error *error) {
    psb_status status = PSB_OK;
    size_t numbers = 0;
    for (size_t q = first; q < end; q++) {
        numbers += numbers_for(psb_cla_relevant(cla, q));
    }
    psb_rank_count *count = *out = psb_new(&status, 1, sizeof *count, "ranks", error);
    if (status != PSB_OK) {
        return status;
    }
    *count = (psb_rank_count){.cla = cla, .first = first, .end = end};
    count->queries = psb_new_zero(&status, end - first, sizeof *count->queries, "ranks", error);
    count->memory = psb_new_zero(&status, numbers, sizeof(uint32_t), "ranks", error);
    if (status != PSB_OK) {
        psb_rank_count_free(count);
        *out = NULL;
        return status;
    }
    uint32_t *next = count->memory;
    for (size_t q = first; q < end; q++) {
        size_t relevant = psb_cla_relevant(cla, q);
        query_state *state = &count->queries[q - first];
        state->relevant = (uint32_t)relevant;
        state->cells = (uint32_t)cells_for(relevant);
        size_t more = relevant > FEW;
        state->threshold = (float *)(void *)next;
        state->before = next + relevant + more;
        state->start = state->before + relevant + more;
        next += numbers_for(relevant);
    }
    *out = count;
    return PSB_OK;
}

void psb_rank_count_free(psb_rank_count *count) {
    if (count != NULL) {
        free(count->queries);
        free(count->memory);
        free(count);
    }
}

bool psb_rank_count_related(const psb_rank_count *count, size_t first_query, size_t nqueries,
                            size_t first_model, size_t nmodels) {
    const psb_classification *cla = count->cla;
    for (size_t q = first_query; q < first_query + nqueries;) {
        const psb_class *own = &cla->classes[cla->class_of[q]];
        size_t end = own->first + own->count;
        if (!own->miscellaneous && own->first < first_model + nmodels && first_model < end) {
            return true;
        }
        q = end;
    }
    return false;
}

static query_state *state_of(const psb_rank_count *count, size_t query) {
    bool asked = query >= count->first && query < count->end;
    query_state *state = asked ? &count->queries[query - count->first] : NULL;
    return asked && state->relevant > 0 ? state : NULL;
}

void psb_rank_count_keep(psb_rank_count *count, size_t query, size_t first, size_t n,
                         const float *distances) {
    query_state *state = state_of(count, query);
    if (state == NULL) {
        return;
    }
    const psb_class *own = &count->cla->classes[count->cla->class_of[query]];
    size_t begin = own->first > first ? own->first : first;
    size_t end = own->first + own->count < first + n ? own->first + own->count : first + n;
    for (size_t i = begin; i < end; i++) {
        if (i != query) {
            state->threshold[i - own->first - (i > query)] = distances[i - first] + 0.0F;
        }
    }
}

float psb_rank_count_limit(const psb_rank_count *ranks, size_t query) {
    const query_state *state = state_of(ranks, query);
    return state != NULL ? state->threshold[state->relevant - 1] : 0.0F;
}

/* Finds the cells of n <= PIECE distances. */
static void find_cells(const query_state *state, const float *restrict distances, size_t n,
                       int32_t *restrict cells) {
    float low = state->low, scale = state->scale, last = (float)(state->cells - 1);
    for (size_t i = 0; i < n; i++) {
        float x = (distances[i] - low) * scale;
        x = x > 0.0F ? x : 0.0F;
        x = x < last ? x : last;
        cells[i] = (int32_t)x;
    }
}

static void make_cells(query_state *state) {
    size_t relevant = state->relevant;
    const float *threshold = state->threshold;
    float range = threshold[relevant - 1] - threshold[0];
    float scale = range > 0.0F ? (float)state->cells / range : INFINITY;
    state->low = threshold[0];
    state->scale = scale < INFINITY ? scale : 0.0F; /* all thresholds as good as equal: one cell */
    for (size_t k = 0; k < relevant; k += PIECE) {
        int32_t cells[PIECE];
        size_t n = relevant - k < PIECE ? relevant - k : PIECE;
        find_cells(state, threshold + k, n, cells);
        for (size_t i = 0; i < n; i++) {
            state->start[cells[i] + 1]++;
        }
    }
    state->stride = 1;
    for (size_t c = 0; c < state->cells; c++) {
        while (state->start[c + 1] >= 2 * state->stride) {
            state->stride *= 2;
        }
        state->start[c + 1] += state->start[c];
    }
}

void psb_rank_count_sort(psb_rank_count *count, size_t query) {
    query_state *state = state_of(count, query);
    if (state == NULL) {
        return;
    }
    qsort(state->threshold, state->relevant, sizeof *state->threshold, psb_by_float);
    if (state->relevant > FEW) {
        state->threshold[state->relevant] = INFINITY;
        make_cells(state);
    }
}

/*
 * Sets gaps[i] to the number of thresholds before distance i: those below it and, if `behind`
 * (relevant models come first among equals), those equal to it. Takes one step for all distances,
 * then the next, since the steps of one distance depend on each other.
 */
static inline void find_gaps(const query_state *state, const float *restrict distances, size_t n,
                             bool behind, int32_t *restrict gaps) {
    const float *restrict threshold = state->threshold;
    int32_t last = (int32_t)state->relevant;
    find_cells(state, distances, n, gaps);
    for (size_t i = 0; i < n; i++) {
        gaps[i] = (int32_t)state->start[gaps[i]];
    }
    for (int32_t step = (int32_t)state->stride; step > 0; step /= 2) {
        for (size_t i = 0; i < n; i++) {
            int32_t probe = gaps[i] + step - 1 < last ? gaps[i] + step - 1 : last;
            float middle = threshold[probe];
            int32_t before = behind ? middle <= distances[i] : middle < distances[i];
            gaps[i] += step & -before;
        }
    }
}

static void count_gaps(query_state *state, const float *distances, size_t n, bool behind) {
    for (size_t i = 0; i < n; i += PIECE) {
        int32_t gaps[PIECE];
        size_t piece = n - i < PIECE ? n - i : PIECE;
        if (behind) {
            find_gaps(state, distances + i, piece, true, gaps);
        } else {
            find_gaps(state, distances + i, piece, false, gaps);
        }
        for (size_t j = 0; j < piece; j++) {
            state->before[gaps[j]]++;
        }
    }
}

/* Counts distances to models that stand behind the class in the order (`behind`), or before it. */
static void count(query_state *state, const float *distances, size_t n, bool behind) {
    if (state->relevant <= FEW) {
        psb_count_below(distances, n, state->threshold, state->relevant, !behind, state->before);
    } else {
        count_gaps(state, distances, n, behind);
    }
}

void psb_rank_count_add(psb_rank_count *ranks, size_t query, size_t first, size_t n,
                        const float *distances) {
    query_state *state = state_of(ranks, query);
    if (state == NULL) {
        return;
    }
    const psb_class *own = &ranks->cla->classes[ranks->cla->class_of[query]];
    size_t end = first + n, in_front = own->first < end ? own->first : end;
    size_t behind = own->first + own->count > first ? own->first + own->count : first;
    if (in_front > first) {
        count(state, distances, in_front - first, false);
    }
    if (behind < end) {
        count(state, distances + (behind - first), end - behind, true);
    }
}

psb_ranks psb_rank_count_finish(psb_rank_count *count, size_t query) {
    query_state *state = state_of(count, query);
    if (state == NULL) {
        return (psb_ranks){.listed = count->cla->nmodels - 1};
    }
    bool few = state->relevant <= FEW;
    uint32_t previous = 0;
    for (uint32_t k = 0; k < state->relevant; k++) {
        previous = few ? state->before[k] + k + 1 : previous + state->before[k] + 1;
        state->before[k] = previous;
    }
    return (psb_ranks){
        .rank = state->before, .relevant = state->relevant, .listed = count->cla->nmodels - 1};
}
