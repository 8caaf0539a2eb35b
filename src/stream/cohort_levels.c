/* Computes levels member by member, for as many rows at a time as fit into a bound. */
#include "stream/cohort_levels.h"

#include "core/names.h"
#include "eval/cohort.h"

/* Rows whose distances to the reference are there at a time, and these distances, at most. */
enum { ROWS = 1024, DISTANCES = 1 << 22 };

typedef struct work {
    const psb_cohort *cohort;
    psb_recipe sum;
    size_t all, block; /* rows of the reference, rows at a time */
    float *distances;  /* of each member, block x all, then of the sum, one row */
    psb_names names;   /* of the reference */
} work;

/* The row of the reference that is row i itself, or PSB_NO_NAME. */
static size_t own_row(const work *w, size_t i) {
    const psb_cohort *c = w->cohort;
    return c->same ? i : c->names != NULL ? psb_names_find(&w->names, c->names[i]) : PSB_NO_NAME;
}

static psb_status take_block(const work *w, size_t first, double *level, psb_error *error) {
    const psb_cohort *c = w->cohort;
    size_t all = w->all, left = c->members[0].rows.n - first;
    size_t n = left < w->block ? left : w->block;
    float *sum = w->distances + c->count * w->block * all;
    psb_status status = PSB_OK;
    for (size_t m = 0; m < c->count && status == PSB_OK; m++) {
        const psb_cohort_member *of = &c->members[m];
        psb_row_view rows = psb_rows_part(&of->rows, first, n);
        status = psb_distance_between(of->metric, &rows, &of->reference, c->threads,
                                      w->distances + m * w->block * all, NULL, NULL, error);
    }
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        const float *members[PSB_MEMBERS_MOST];
        for (size_t m = 0; m < c->count; m++) {
            members[m] = w->distances + (m * w->block + i) * all;
        }
        psb_recipe_sum(&w->sum, members, all, sum);
        size_t own = own_row(w, first + i), others = all;
        if (own != PSB_NO_NAME) {
            sum[own] = sum[--others];
        }
        if (others == 0) {
            return psb_fail_at(error, PSB_ERROR_INPUT, c->path, 0,
                               "has no model but that of row %zu", first + i);
        }
        level[first + i] = psb_cohort_level(sum, others);
    }
    return status;
}

psb_status psb_cohort_levels(const psb_cohort *c, double *level, psb_error *error) {
    static const psb_recipe alone = {.nterms = 1,
                                     .terms = {{.member = {""}, .weight = 1, .scale = 1}}};
    work w = {.cohort = c,
              .sum = c->sum != NULL ? *c->sum : alone,
              .all = c->members[0].reference.n,
              .block = DISTANCES / c->members[0].reference.n};
    w.block = w.block < 1 ? 1 : w.block < ROWS ? w.block : ROWS;
    psb_status status = PSB_OK;
    if (c->names != NULL && c->reference_names != NULL) {
        status = psb_names_fill(&w.names, c->reference_names, w.all, error);
    }
    w.distances = psb_new(&status, c->count * w.block + 1, w.all * sizeof *w.distances,
                          "distances to the reference", error);
    size_t n = c->members[0].rows.n;
    for (size_t first = 0; first < n && status == PSB_OK; first += w.block) {
        status = take_block(&w, first, level, error);
    }
    PSB_THEN(status, psb_cohort_check(level, n, error));
    psb_names_free(&w.names);
    free(w.distances);
    return status;
}
