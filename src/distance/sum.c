/*
 * The metric "sum": a recipe's distance of two rows, each of which concatenates the rows of the
 * members as bytes. The length of the row identifies the recipe. The distance has the bits of the
 * sum of the members' matrices, since each member's distance has the same bits wherever it is
 * computed.
 */
#include "core/element.h"
#include "core/memory.h"
#include "distance/recipe.h"

#include <string.h>

typedef struct member {
    const psb_metric *metric;
    size_t offset, length, bytes; /* where the member's part of a row is */
} member;

typedef struct layout {
    const psb_recipe *recipe;
    size_t count;
    member members[PSB_MEMBERS_MOST];
} layout;

static layout layout_of(size_t length) {
    layout l = {.recipe = psb_recipe_of_rows(length)};
    size_t offset = 0;
    for (size_t t = 0; t < l.recipe->nterms; t++) {
        const psb_term *term = &l.recipe->terms[t];
        for (int k = 0; k < 2 && term->member[k] != NULL; k++) {
            size_t bytes = term->length * psb_element_bytes(term->metric->element);
            l.members[l.count++] = (member){term->metric, offset, term->length, bytes};
            offset += bytes;
        }
    }
    return l;
}

static int accepts(size_t length) {
    return psb_recipe_of_rows(length) != NULL;
}

/* A prepared block has for each member its part of the rows, then that part prepared. */
static size_t part_bytes(const member *m, size_t rows) {
    return psb_whole_lines(rows * m->bytes) + psb_block_bytes(m->metric, rows, m->length);
}

static size_t prepared_bytes(size_t rows, size_t length) {
    size_t bytes = 0;
    if (accepts(length)) {
        layout l = layout_of(length);
        for (size_t m = 0; m < l.count; m++) {
            bytes += part_bytes(&l.members[m], rows);
        }
    }
    return bytes;
}

static psb_row_view part_of(const member *m, const void *part, size_t rows) {
    return (psb_row_view){part, rows, m->length, m->metric->element};
}

static void prepare(const psb_row_view *rows, void *prepared) {
    layout l = layout_of(rows->length);
    char *part = prepared;
    for (size_t i = 0; i < l.count; i++) {
        const member *m = &l.members[i];
        const char *from = (const char *)rows->data + m->offset;
        for (size_t r = 0; r < rows->n; r++) {
            memcpy(part + r * m->bytes, from + r * rows->length, m->bytes);
        }
        psb_row_view own = part_of(m, part, rows->n);
        psb_block_prepare(m->metric, &own, part + psb_whole_lines(rows->n * m->bytes));
        part += part_bytes(m, rows->n);
    }
}

static void tile(const psb_block *a, const psb_block *b, bool upper, void *scratch, float *out,
                 size_t stride) {
    layout l = layout_of(a->rows.length);
    float *sums = scratch;
    const char *parts[2] = {a->prepared, b->prepared};
    const size_t n[2] = {a->rows.n, b->rows.n};
    for (size_t i = 0; i < l.count; i++) {
        const member *m = &l.members[i];
        psb_block side[2];
        for (int s = 0; s < 2; s++) {
            side[s] = (psb_block){m->metric, part_of(m, parts[s], n[s]),
                                  parts[s] + psb_whole_lines(n[s] * m->bytes), NULL};
            parts[s] += part_bytes(m, n[s]);
        }
        m->metric->tile(&side[0], &side[1], upper, sums + l.count * PSB_TILE * PSB_TILE,
                        sums + i * PSB_TILE * PSB_TILE, PSB_TILE);
    }
    for (size_t r = 0; r < n[0]; r++) {
        const float *members[PSB_MEMBERS_MOST];
        size_t first = upper ? r + 1 : 0;
        for (size_t i = 0; i < l.count; i++) {
            members[i] = sums + (i * PSB_TILE + r) * PSB_TILE + first;
        }
        if (first < n[1]) {
            psb_recipe_sum(l.recipe, members, n[1] - first, out + r * stride + first);
        }
    }
}

static size_t tile_scratch(size_t rows, size_t length) {
    size_t most = 0;
    if (!accepts(length)) {
        return 0;
    }
    layout l = layout_of(length);
    for (size_t i = 0; i < l.count; i++) {
        size_t bytes = psb_tile_scratch(l.members[i].metric, rows, l.members[i].length);
        most = bytes > most ? bytes : most;
    }
    return l.count * PSB_TILE * PSB_TILE * sizeof(float) + most;
}

static double pair(const void *a, const void *b, size_t length) {
    layout l = layout_of(length);
    float distance[PSB_MEMBERS_MOST], sum;
    const float *members[PSB_MEMBERS_MOST];
    for (size_t i = 0; i < l.count; i++) {
        const member *m = &l.members[i];
        distance[i] = (float)m->metric->pair((const char *)a + m->offset,
                                             (const char *)b + m->offset, m->length);
        members[i] = &distance[i];
    }
    psb_recipe_sum(l.recipe, members, 1, &sum);
    return (double)sum;
}

const psb_metric psb_sum = {
    .name = "sum",
    .help = "of rows of a recipe's members side by side: the recipe's sum of their distances",
    .revision = 1,
    .element = PSB_UINT8,
    .most_rows = PSB_TILE,
    .pair = pair,
    .prepare = prepare,
    .prepared_bytes = prepared_bytes,
    .tile = tile,
    .tile_scratch = tile_scratch,
    .accepts = accepts,
};
