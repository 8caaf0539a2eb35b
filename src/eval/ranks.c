/*
 * Ranks by counting. No measure depends on the order of irrelevant models among themselves, so only
 * the R relevant ones are sorted. If they are few, each is compared with every distance. If they
 * are many, a binary search finds for each irrelevant model the gap between relevant models to
 * which it belongs: N log R steps a query instead of N log N.
 */
#include "eval/ranks.h"

#include "eval/count_below.h"

enum { FEW = 64 };

/* The bits of floats that are not negative have the order of their values. */
uint64_t psb_rank_key(const float *row, size_t model) {
    float distance = row[model] + 0.0F; /* -0 becomes 0 */
    uint32_t bits;
    memcpy(&bits, &distance, sizeof bits);
    return (uint64_t)bits << 32 | (uint32_t)model;
}

int psb_compare_keys(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Returns how many of n > 0 ascending keys are below `key`; no branch depends on data. */
static size_t count_below(const uint64_t *keys, size_t n, uint64_t key) {
    const uint64_t *base = keys;
    while (n > 1) {
        size_t half = n / 2;
        base += base[half - 1] < key ? half : 0;
        n -= half;
    }
    return (size_t)(base - keys) + (*base < key);
}

size_t psb_ranks_scratch(const psb_relevance *relevance) {
    size_t each = sizeof(uint64_t) + sizeof(uint32_t) + 2 * sizeof(uint8_t);
    return psb_whole_lines((psb_relevance_largest(relevance) + 1) * each);
}

/* Counts the irrelevant targets into the gaps between the relevant ones. */
static void fill_gaps(const psb_relevance *r, const psb_relevant *set, const float *row,
                      size_t self, const uint64_t *keys, size_t relevant, uint32_t *gaps) {
    for (size_t m = 0, i = 0; m <= set->count; m++, i++) {
        size_t end = m < set->count ? set->target[m] : r->targets->nmodels;
        for (; i < end; i++) {
            if (i != self) {
                gaps[count_below(keys, relevant, psb_rank_key(row, i))]++;
            }
        }
    }
}

static void rank_many(const psb_relevance *r, const psb_relevant *set, const float *row,
                      size_t self, const uint64_t *keys, size_t relevant, uint32_t *rank) {
    uint32_t previous = 0;
    memset(rank, 0, (relevant + 1) * sizeof *rank);
    fill_gaps(r, set, row, self, keys, relevant, rank);
    for (size_t k = 0; k < relevant; k++) {
        previous += rank[k] + 1;
        rank[k] = previous;
    }
}

/* A model's rank is 1 + how many models are nearer, or as near and of a lower index. */
static void rank_few(const psb_relevance *r, const float *row, size_t self, const uint64_t *keys,
                     size_t relevant, uint32_t *rank) {
    float threshold[FEW];
    uint32_t below[FEW] = {0}, within[FEW] = {0};
    size_t n = r->targets->nmodels;
    for (size_t k = 0; k < relevant; k++) {
        threshold[k] = row[(uint32_t)keys[k]];
    }
    psb_count_below(row, n, threshold, relevant, false, below);
    psb_count_below(row, n, threshold, relevant, true, within);
    for (size_t k = 0; k < relevant; k++) {
        rank[k] = below[k] + 1 - (self < n && row[self] < threshold[k] ? 1 : 0);
        for (size_t i = 0; within[k] - below[k] > 1 && i < (uint32_t)keys[k]; i++) {
            rank[k] += i != self && row[i] == threshold[k] ? 1 : 0;
        }
    }
}

/* Writes the grades in the order of the ranks and, for the ideal list, in descending order. */
static void take_grades(const psb_relevant *set, size_t self, const uint64_t *keys,
                        psb_ranks *ranks, uint8_t *grade) {
    for (size_t k = 0; k < ranks->relevant; k++) {
        grade[k] = set->grade[psb_relevant_find(set, (uint32_t)keys[k])];
    }
    psb_relevant_ideal(set, self, grade + ranks->relevant);
    ranks->grade = grade;
    ranks->ideal = grade + ranks->relevant;
}

psb_ranks psb_rank_relevant(const psb_relevance *relevance, const float *row, size_t query,
                            void *scratch) {
    psb_relevant set = psb_relevance_set(relevance, query);
    size_t self = relevance->self[query], relevant = 0;
    uint64_t *keys = scratch;
    /*
     * rank[k] first counts the targets between the relevant ones k - 1 and k; the last entry counts
     * those behind all relevant ones.
     */
    uint32_t *rank = (uint32_t *)(keys + set.count + 1);
    for (size_t m = 0; m < set.count; m++) {
        if (set.target[m] != self) {
            keys[relevant++] = psb_rank_key(row, set.target[m]);
        }
    }
    psb_ranks ranks = {.rank = rank,
                       .relevant = relevant,
                       .listed = psb_relevance_listed(relevance, query),
                       .apart = relevant == set.count};
    if (relevant > 0) {
        qsort(keys, relevant, sizeof *keys, psb_compare_keys);
        if (relevant <= FEW) {
            rank_few(relevance, row, self, keys, relevant, rank);
        } else {
            rank_many(relevance, &set, row, self, keys, relevant, rank);
        }
        if (set.grade != NULL) {
            take_grades(&set, self, keys, &ranks, (uint8_t *)(rank + set.count + 1));
        }
    }
    return ranks;
}

/* Copies n keys from one array to the other, sorted by eight bits of their distances. */
static void sort_by_byte(const uint64_t *from, uint64_t *to, size_t n, unsigned shift) {
    size_t start[257] = {0};
    for (size_t i = 0; i < n; i++) {
        start[(from[i] >> shift & 255) + 1]++;
    }
    for (size_t b = 0; b < 255; b++) {
        start[b + 1] += start[b];
    }
    for (size_t i = 0; i < n; i++) {
        to[start[from[i] >> shift & 255]++] = from[i];
    }
}

/*
 * Sorts by one byte after the other, the lowest first. Each pass keeps the order of equal keys, so
 * that ties stay in the order of indices.
 */
const uint32_t *psb_rank_all(const float *row, size_t n, size_t self, uint64_t *scratch) {
    uint64_t *keys = scratch, *other = scratch + n;
    size_t listed = 0;
    for (size_t i = 0; i < n; i++) {
        if (i != self) {
            keys[listed++] = psb_rank_key(row, i);
        }
    }
    for (unsigned shift = 32; shift < 64; shift += 16) {
        sort_by_byte(keys, other, listed, shift);
        sort_by_byte(other, keys, listed, shift + 8);
    }
    uint32_t *order = (uint32_t *)other;
    for (size_t r = 0; r < listed; r++) {
        order[r] = (uint32_t)keys[r];
    }
    return order;
}
