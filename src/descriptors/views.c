/*
 * VIEWS: local features of depth views. Ours, 2026; not one of the paper's descriptors. Its parts
 * are known: dense local features of depth images and visual words (Ohbuchi, Osada, Furuya, Banno
 * 2008, Salient Local Visual Features for Shape-Based 3D Model Retrieval), Fisher vectors and their
 * signs (Perronnin, Sanchez, Mensink 2010).
 *
 * The pose is aligned, with mean distance 0.45. Some 5,000 features of 18 views
 * (local/local_features.h) are summed by the words of a vocabulary that was learned, without
 * labels, from the training set of the Princeton Shape Benchmark (local/vocabulary.h).
 *
 * code=views: each view has a code of its own. Its 3,200 signs are projected on 128 principal
 * directions of such codes, each divided by its standard deviation; the vector is scaled to length
 * 1 and rounded to 8-bit integers. The metric cube finds the best of the 24 rotations that the
 * principal axes leave open.
 *
 * code=pooled, and pooled42 and pooled66 with more views: the row has the signs of the Fisher
 * vector over all views, a bit each; metric hamming. code=fisher42: the row is the Fisher vector
 * itself, from which signatures (run/signature.h) are made; metric cosine.
 */
#include "descriptors/citations.h"
#include "descriptors/descriptor.h"
#include "distance/cube.h"

#include <math.h>
#include <string.h>

_Static_assert((int)PSB_CUBE_CODE == (int)PSB_VIEW_DIRECTIONS, "the code of a view");

enum { POOLED_BYTES = 2 * PSB_WORD_LENGTH / 8 };

static const char *const code_names[] = {"views",    "pooled",   "pooled42",
                                         "pooled66", "fisher42", NULL};
static const int views_of_code[] = {PSB_CUBE_VIEWS, PSB_CUBE_VIEWS, PSB_ICOSAHEDRON_VIEWS,
                                    PSB_FINE_VIEWS, PSB_ICOSAHEDRON_VIEWS};
enum { CODE_VIEWS, CODE_FISHER = 4 };

/* Indices of the parameters in the table below. */
enum { CODE };

static const psb_param params[] = {
    {
        .name = "code",
        .type = PSB_PARAM_CHOICE,
        .default_value = CODE_VIEWS,
        .choices = code_names,
        .provenance = PSB_BEYOND,
        .help = "a code of each of 18 views, one of 18, 42 or 66 views, or numbers of 42",
    },
    PSB_PARAM_FRAME,
};

static size_t length(const psb_params *p) {
    int code = (int)p->value[CODE];
    return code == CODE_VIEWS    ? PSB_CUBE_LENGTH
           : code == CODE_FISHER ? 2 * PSB_WORD_LENGTH
                                 : POOLED_BYTES;
}

static const psb_metric *metric_of(const psb_params *p) {
    int code = (int)p->value[CODE];
    return code == CODE_VIEWS ? &psb_cube : code == CODE_FISHER ? &psb_cosine : &psb_hamming;
}

/* Stores a vector scaled to length 1, in units of 1 / PSB_CUBE_UNIT; a zero vector stays zero. */
static void store_code(const float *vector, int8_t *code) {
    enum { MOST = 127 };
    double sum = 0;
    for (int k = 0; k < PSB_CUBE_CODE; k++) {
        sum += (double)vector[k] * (double)vector[k];
    }
    for (int k = 0; k < PSB_CUBE_CODE; k++) {
        double at = sum > 0 ? floor((double)vector[k] / sqrt(sum) * PSB_CUBE_UNIT + 0.5) : 0;
        code[k] = (int8_t)(at > MOST ? MOST : at < -MOST ? -MOST : at);
    }
}

static void store_views(const psb_vocabulary *vocabulary, const psb_view_words *words, void *row) {
    int8_t *code = row;
    for (int v = 0; v < PSB_CUBE_VIEWS; v++) {
        float vector[PSB_VIEW_DIRECTIONS];
        psb_view_project(&vocabulary->views, words->code[v], words->count[v], vector);
        store_code(vector, code + v * PSB_CUBE_CODE);
    }
}

static psb_status compute(psb_shape *shape, const psb_params *p, void *row, psb_error *error) {
    const psb_vocabulary *vocabulary;
    const psb_view_words *words;
    int code = (int)p->value[CODE];
    psb_status status = psb_shape_view_words(shape, views_of_code[code], &words, error);
    PSB_THEN(status, psb_shape_vocabulary(shape, PSB_VOCABULARY_VIEWS, &vocabulary, error));
    if (status == PSB_OK && code == CODE_VIEWS) {
        store_views(vocabulary, words, row);
    } else if (status == PSB_OK && code == CODE_FISHER) {
        psb_fisher_vector(&vocabulary->words, &words->model, row);
    } else if (status == PSB_OK) {
        psb_words_store_signs(&vocabulary->words, &words->model, row);
    }
    return status;
}

const psb_descriptor psb_views = {
    .name = "VIEWS",
    .title = "Local features of depth views",
    .source = "ours, 2026, after Ohbuchi, Osada, Furuya, Banno 2008",
    .bibtex = psb_this_program,
    .formula = "orientations of depth gradients around some 5,000 points of 18 depth images, "
               "summed by 64 Gaussians that were learned from the training set",
    .pose = PSB_POSE_ALIGNED,
    .invariant = PSB_UNDER_ALL,
    .metric = &psb_cube,
    .metric_of = metric_of,
    .beyond = true,
    .revision = 2,
    PSB_PARAMS(params),
    .length = length,
    .compute = compute,
};
