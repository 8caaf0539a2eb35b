/* The table of recipes, and their sums. */
#include "eval/combination.h"

#include "core/memory.h"
#include "core/parallel.h"

#include <stdlib.h>
#include <string.h>

#define LFD  "LFD:moments=zernike,root=yes"
#define GEDT "GEDT:shells=8,metric=pose48"
#define CEGI "CEGI:smooth=0.04,normals=outward,metric=pose48"

/* train.cla of the benchmark, whose mean distances the scales are. */
#define TRAINING_LIST 0xb69126f761f71cc4

static const psb_recipe recipes[] = {
    {"t3",
     "T3",
     3,
     {{{LFD, NULL}, 1, 7881.44}, {{GEDT, NULL}, 1, 1.19740}, {{CEGI, NULL}, 1, 1.04104}},
     TRAINING_LIST},
    {"t4",
     "T4",
     4,
     {{{LFD, NULL}, 1, 7881.44},
      {{GEDT, NULL}, 1, 1.19740},
      {{CEGI, NULL}, 1, 1.04104},
      {{"DBUF", NULL}, 1, 1.21641}},
     TRAINING_LIST},
    {"t4n",
     "T4n",
     4,
     {{{LFD, NULL}, 1, 7881.44},
      {{GEDT, GEDT ",frame=normals"}, 1, 1.18407},
      {{CEGI, CEGI ",frame=normals"}, 1, 0.971175},
      {{"DBUF", "DBUF:frame=normals"}, 1, 1.20391}},
     TRAINING_LIST},
};

const psb_recipe *psb_recipe_at(size_t index) {
    return index < sizeof recipes / sizeof recipes[0] ? &recipes[index] : NULL;
}

const psb_recipe *psb_recipe_find(const char *name) {
    size_t i = 0;
    while (psb_recipe_at(i) != NULL && strcmp(recipes[i].name, name) != 0) {
        i++;
    }
    return psb_recipe_at(i);
}

size_t psb_recipe_members(const psb_recipe *recipe, const char *members[PSB_MEMBERS_MOST]) {
    size_t count = 0;
    for (size_t t = 0; t < recipe->nterms; t++) {
        for (int k = 0; k < 2 && recipe->terms[t].member[k] != NULL; k++) {
            members[count++] = recipe->terms[t].member[k];
        }
    }
    return count;
}

void psb_recipe_formula(const psb_recipe *recipe, psb_text *out) {
    for (size_t t = 0; t < recipe->nterms; t++) {
        const psb_term *term = &recipe->terms[t];
        psb_text_add(out, t > 0 ? " + " : "");
        if (term->weight != 1) {
            psb_text_printf(out, "%.9g ", term->weight);
        }
        if (term->member[1] != NULL) {
            psb_text_printf(out, "min(%s, %s)", term->member[0], term->member[1]);
        } else {
            psb_text_add(out, term->member[0]);
        }
        if (term->scale != 1) {
            psb_text_printf(out, " / %.9g", term->scale);
        }
    }
}

void psb_combine(const psb_recipe *recipe, const float *const *members, size_t n, float *out) {
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        size_t m = 0;
        for (size_t t = 0; t < recipe->nterms; t++) {
            const psb_term *term = &recipe->terms[t];
            float least = members[m++][i];
            if (term->member[1] != NULL) {
                float other = members[m++][i];
                least = other < least ? other : least;
            }
            sum += term->weight * (double)least / term->scale;
        }
        out[i] = (float)sum;
    }
}

double psb_mean_distance(const psb_matrix *matrix) {
    size_t n = matrix->n;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double row = 0;
        for (size_t j = 0; j < n; j++) {
            row += i != j ? (double)matrix->data[i * n + j] : 0;
        }
        sum += row;
    }
    return n > 1 ? sum / ((double)n * (double)(n - 1)) : 0;
}

/* ---- whole matrices -------------------------------------------------------------------- */

typedef struct job {
    const psb_recipe *recipe;
    const psb_matrix *members;
    size_t count;
    float *out;
} job;

static psb_status combine_row(void *context, void *own, size_t i, psb_error *error) {
    (void)own;
    (void)error;
    const job *work = context;
    const float *rows[PSB_MEMBERS_MOST];
    size_t n = work->members[0].n;
    for (size_t m = 0; m < work->count; m++) {
        rows[m] = work->members[m].data + i * n;
    }
    psb_combine(work->recipe, rows, n, work->out + i * n);
    return PSB_OK;
}

psb_status psb_combine_matrices(const psb_recipe *recipe, const psb_matrix *members, int threads,
                                float *out, psb_error *error) {
    const char *names[PSB_MEMBERS_MOST];
    job work = {recipe, members, psb_recipe_members(recipe, names), out};
    psb_loop loop = {.count = members[0].n, .threads = threads, .item = combine_row, .job = &work};
    return psb_parallel(&loop, error);
}

static psb_status judge(const psb_recipe *recipe, const psb_matrix *members, int threads,
                        psb_matrix *sum, psb_evaluation *e, double *dcg, psb_error *error) {
    psb_status status = psb_combine_matrices(recipe, members, threads, sum->owned, error);
    PSB_THEN(status, psb_evaluation_rank(e, 0, sum, threads, error));
    *dcg = status == PSB_OK ? psb_evaluation_mean(e, 0, 0, (psb_group){PSB_MICRO, 0}).value : 0;
    return status;
}

psb_status psb_tune_weights(psb_recipe *recipe, const psb_matrix *members,
                            const psb_classification *cla, int threads, double *dcg,
                            psb_error *error) {
    static const double ladder[] = {0, 0.5, 0.7, 1.4, 2};
    enum { ROUNDS = 4, STEPS = sizeof ladder / sizeof ladder[0] };
    psb_chosen_measure measure[PSB_MAX_CHOSEN];
    psb_evaluation e = {.cla = cla, .measures = measure, .nmethods = 1};
    psb_matrix sum = {.n = members[0].n};
    psb_status status = psb_measures_parse("dcg", measure, &e.nmeasures, error);
    PSB_THEN(status, psb_evaluation_open(&e, error));
    sum.owned = psb_new(&status, sum.n, sum.n * sizeof(float), "a distance matrix", error);
    sum.data = sum.owned;
    PSB_THEN(status, judge(recipe, members, threads, &sum, &e, dcg, error));
    bool better = true;
    for (int round = 0; round < ROUNDS && better && status == PSB_OK; round++) {
        better = false;
        for (size_t at = 0; at < recipe->nterms * STEPS && status == PSB_OK; at++) {
            psb_recipe tried = *recipe;
            double value;
            tried.terms[at / STEPS].weight *= ladder[at % STEPS];
            status = judge(&tried, members, threads, &sum, &e, &value, error);
            if (status == PSB_OK && value > *dcg) {
                *recipe = tried;
                *dcg = value;
                better = true;
            }
        }
    }
    psb_evaluation_close(&e);
    free(sum.owned);
    return status;
}
