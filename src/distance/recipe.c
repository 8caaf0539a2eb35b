/* Holds the table of recipes, and computes their sums. */
#include "distance/recipe.h"

#include "core/element.h"
#include "core/parallel.h"
#include "distance/cube.h"

#include <string.h>
#include <strings.h>

#define LFD    "LFD:moments=zernike,root=yes"
#define GEDT   "GEDT:shells=8,metric=pose48"
#define CEGI   "CEGI:smooth=0.04,normals=outward,metric=pose48"
#define DBUF   "DBUF"
#define POOLED "VIEWS:code=pooled"

/* Metric and length of each member's rows. */
#define LFD_ROWS   &psb_lfd_metric, 4700
#define GEDT_ROWS  &psb_pose48, 8 * 256
#define CEGI_ROWS  &psb_pose48, 2 * 256
#define DBUF_ROWS  &psb_pose48, 816
#define VIEWS_ROWS &psb_cube, PSB_CUBE_LENGTH
#define SIGNS_ROWS &psb_hamming, 800

/* psb_dataset.list of the benchmark's train.cla; the scales are mean distances of its models. */
#define TRAINING_LIST 0xb69126f761f71cc4

/* Terms that several recipes share, each with a given weight. T4n has the mean distance 4. */
#define VIEWS(weight)                                                                              \
    { {"VIEWS", NULL}, weight, 0.951369, VIEWS_ROWS }
#define SPIN(weight)                                                                               \
    { {"SPIN", NULL}, weight, 0.920507, SIGNS_ROWS }
#define T4N(weight)                                                                                \
    {{LFD, NULL}, weight, 7881.44, LFD_ROWS},                                                      \
        {{GEDT, GEDT ",frame=normals"}, weight, 1.18651, GEDT_ROWS},                               \
        {{CEGI, CEGI ",frame=normals"}, weight, 0.971175, CEGI_ROWS}, {                            \
        {DBUF, DBUF ":frame=normals"}, weight, 1.20391, DBUF_ROWS                                  \
    }

static const psb_recipe recipes[] = {
    {"t3",
     "T3",
     3,
     {{{LFD, NULL}, 1, 7881.44, LFD_ROWS},
      {{GEDT, NULL}, 1, 1.19739, GEDT_ROWS},
      {{CEGI, NULL}, 1, 1.04104, CEGI_ROWS}},
     TRAINING_LIST,
     false},
    {"t4",
     "T4",
     4,
     {{{LFD, NULL}, 1, 7881.44, LFD_ROWS},
      {{GEDT, NULL}, 1, 1.19739, GEDT_ROWS},
      {{CEGI, NULL}, 1, 1.04104, CEGI_ROWS},
      {{DBUF, NULL}, 1, 1.21641, DBUF_ROWS}},
     TRAINING_LIST,
     false},
    {"t4n", "T4n", 4, {T4N(1)}, TRAINING_LIST, false},
    {"p2", "P2", 2, {VIEWS(1), SPIN(0.3)}, TRAINING_LIST, false},
    {"p4", "P4", 5, {VIEWS(1), T4N(0.5 / 4)}, TRAINING_LIST, false},
    {"p5",
     "P5",
     7,
     {VIEWS(1), {{POOLED, NULL}, 0.4, 0.962607, SIGNS_ROWS}, T4N(0.4 / 4), SPIN(0.5)},
     TRAINING_LIST,
     false},
    /* F256L has the scale 1: cosine distances of vectors minus their mean have the mean 1. */
    {"l6",
     "L6",
     7,
     {VIEWS(1), {{"F256L", NULL}, 0.5, 1, &psb_cosine, 256}, T4N(0.5 / 4), SPIN(0.5)},
     TRAINING_LIST,
     true},
};

const psb_recipe *psb_recipe_at(size_t index) {
    return index < sizeof recipes / sizeof recipes[0] ? &recipes[index] : NULL;
}

const psb_recipe *psb_recipe_find(const char *name) {
    size_t i = 0;
    while (psb_recipe_at(i) != NULL && strcasecmp(recipes[i].name, name) != 0) {
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

size_t psb_recipe_row_bytes(const psb_recipe *recipe) {
    size_t bytes = 0;
    for (size_t t = 0; t < recipe->nterms; t++) {
        const psb_term *term = &recipe->terms[t];
        size_t row = term->length * psb_element_bytes(term->metric->element);
        bytes += term->member[1] != NULL ? 2 * row : row;
    }
    return bytes;
}

const psb_recipe *psb_recipe_of_rows(size_t bytes) {
    size_t i = 0;
    while (psb_recipe_at(i) != NULL && psb_recipe_row_bytes(&recipes[i]) != bytes) {
        i++;
    }
    return psb_recipe_at(i);
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

void psb_recipe_sum(const psb_recipe *recipe, const float *const *members, size_t n, float *out) {
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

/* ---- whole matrices -------------------------------------------------------------------- */

typedef struct job {
    const psb_recipe *recipe;
    const psb_matrix *members;
    size_t count;
    float *out;
} job;

static psb_status combine_row(void *context, void *own PSB_UNUSED, size_t i,
                              psb_error *error PSB_UNUSED) {
    const job *work = context;
    const float *rows[PSB_MEMBERS_MOST];
    size_t n = work->members[0].n;
    for (size_t m = 0; m < work->count; m++) {
        rows[m] = work->members[m].data + i * n;
    }
    psb_recipe_sum(work->recipe, rows, n, work->out + i * n);
    return PSB_OK;
}

psb_status psb_recipe_sum_matrices(const psb_recipe *recipe, const psb_matrix *members, int threads,
                                   float *out, psb_error *error) {
    const char *names[PSB_MEMBERS_MOST];
    job work = {recipe, members, psb_recipe_members(recipe, names), out};
    psb_loop loop = {.count = members[0].n, .threads = threads, .item = combine_row, .job = &work};
    return psb_parallel(&loop, error);
}
