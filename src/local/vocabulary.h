/*
 * A vocabulary describes what is typical of local features. It is learned without labels from the
 * models of a training list. A model's features are then summed by the vocabulary's words.
 *
 * Of a feature's 128 shares the vocabulary keeps the coordinates along their first 48 principal
 * directions, followed by the two places, scaled to count about as much as one of these. Its words
 * are the 64 Gaussians, with diagonal covariance, of a mixture that describes the density of these
 * 50 numbers. A feature belongs to each word by its posterior probability (Perronnin, Sanchez,
 * Mensink 2010, Improving the Fisher Kernel for Large-Scale Image Classification).
 *
 * All arithmetic is in float32 without contraction, and calls only sqrtf of the C library, so that
 * every processor gives the same bits.
 */
#pragma once

#include "local/local_features.h"

enum {
    PSB_WORD_COUNT = 64,
    PSB_WORD_DIRECTIONS = 48,
    PSB_WORD_NUMBERS = PSB_WORD_DIRECTIONS + PSB_FEATURE_PLACES, /* 50 */
    PSB_WORD_LENGTH = PSB_WORD_COUNT * PSB_WORD_NUMBERS,         /* 3,200 */
    PSB_VIEW_DIRECTIONS = 128,
};

/* The words as in a file: numbers of 32 bits, little-endian. */
typedef struct psb_vocabulary_words {
    float mean[PSB_FEATURE_NUMBERS];                          /* mean of the features */
    float direction[PSB_FEATURE_SHARES][PSB_WORD_DIRECTIONS]; /* [share][direction] */
    float place_scale[PSB_FEATURE_PLACES];
    float weight[PSB_WORD_COUNT]; /* sum 1 */
    float centre[PSB_WORD_COUNT][PSB_WORD_NUMBERS];
    float deviation[PSB_WORD_COUNT][PSB_WORD_NUMBERS];
} psb_vocabulary_words;

/*
 * Principal directions of the codes of single views, psb_view_code. Coordinate k of a code x is
 * factor[k] * (sum over i of direction[k][i] * x[i] / sqrt(number of nonzero x[i]) - offset[k]),
 * which has mean 0 and variance 1 over the views from which the directions were learned.
 */
typedef struct psb_vocabulary_views {
    float offset[PSB_VIEW_DIRECTIONS];
    float factor[PSB_VIEW_DIRECTIONS];
    int8_t direction[PSB_VIEW_DIRECTIONS][PSB_WORD_LENGTH];
} psb_vocabulary_views;

/* The kind of local features that a vocabulary describes. */
typedef enum psb_vocabulary_kind {
    PSB_VOCABULARY_VIEWS,
    PSB_VOCABULARY_SPIN,
    PSB_VOCABULARY_KINDS
} psb_vocabulary_kind;

/* A vocabulary, with derived numbers for the loop over features. */
typedef struct psb_vocabulary {
    psb_vocabulary_kind kind;
    uint64_t list;   /* hash of the training list, psb_list_hash */
    uint64_t models; /* number of training models */
    psb_vocabulary_words words;
    psb_vocabulary_views views; /* only for PSB_VOCABULARY_VIEWS */
    /* The log of a word's share at x is constant + sum over d of linear x + square x^2. */
    float constant[PSB_WORD_COUNT];
    float linear[PSB_WORD_NUMBERS][PSB_WORD_COUNT], square[PSB_WORD_NUMBERS][PSB_WORD_COUNT];
} psb_vocabulary;

/*
 * A vocabulary file, in the frame of core/seal.h: "psbvoc1\n"; kind, hash of the training list,
 * number of models (8 bytes each); the words; the directions of views, if the kind has them; the
 * XXH64 of all that. psb_vocabulary_parse makes a vocabulary from these bytes; psb_vocabulary_free
 * it. PSB_ERROR_INPUT, which names `path`, if the file is of another kind, is damaged, or has
 * impossible numbers. psb_vocabulary_write reads only the members up to `views`.
 */
psb_status psb_vocabulary_parse(const char *path, const void *data, size_t size,
                                psb_vocabulary **vocabulary, psb_error *error);
psb_status psb_vocabulary_write(const psb_vocabulary *vocabulary, const char *path,
                                psb_error *error);
/* Computes the members after `views` from the words. */
void psb_vocabulary_prepare(psb_vocabulary *vocabulary);

void psb_vocabulary_free(psb_vocabulary *vocabulary);

/* Loads the vocabulary of this program, learned from the training set of the Princeton Shape
 * Benchmark. */
psb_status psb_vocabulary_shipped(psb_vocabulary_kind kind, psb_vocabulary **vocabulary,
                                  psb_error *error);

/* Sums over features x with posteriors g, by word: of g, of g x and of g x^2. */
typedef struct psb_word_sums {
    float zeroth[PSB_WORD_COUNT];
    float first[PSB_WORD_COUNT][PSB_WORD_NUMBERS];
    float second[PSB_WORD_COUNT][PSB_WORD_NUMBERS];
    size_t count; /* number of features */
} psb_word_sums;

/*
 * Smaller posteriors do not count in the sums of one view, whose code is 0 for a word to which none
 * of its features belongs. In the sums of a model all count, so that each word has a sign: far from
 * all features it is the side on which the nearest of them lie.
 */
#define PSB_POSTERIOR_OF_VIEW 1e-4F

/* Computes the 50 numbers of a feature. */
void psb_word_project(const psb_vocabulary_words *words, const psb_feature feature,
                      float x[PSB_WORD_NUMBERS]);

PSB_KERNEL(psb_words, (const psb_vocabulary *vocabulary, const psb_feature *features, size_t n,
                       psb_word_sums *model, psb_word_sums *view))

/* Adds n features to the sums of their model and of their view; the view's second moments are not
 * changed. `view` may be NULL. */
void psb_words_add(const psb_vocabulary *vocabulary, const psb_feature *features, size_t n,
                   psb_word_sums *model, psb_word_sums *view);

/*
 * Computes the code of one view from its sums: for each word the signs (-1 or 1) of its first
 * moment about its center, or 0 if no feature of the view belongs to the word. Returns how many are
 * not 0.
 */
size_t psb_view_code(const psb_vocabulary_words *words, const psb_word_sums *view,
                     int8_t code[PSB_WORD_LENGTH]);

/* Computes the coordinates of a code with `count` nonzero numbers; without any, all are 0. */
void psb_view_project(const psb_vocabulary_views *views, const int8_t code[PSB_WORD_LENGTH],
                      size_t count, float out[PSB_VIEW_DIRECTIONS]);

/* Computes the Fisher vector: the derivatives of the log likelihood by the words' centers and
 * deviations, 2 x 3,200 numbers, word after word. */
void psb_fisher_vector(const psb_vocabulary_words *words, const psb_word_sums *sums,
                       float out[2 * PSB_WORD_LENGTH]);

/* Stores the signs of the Fisher vector: bit i % 8 of byte i / 8 is set if number i is above 0. */
void psb_words_store_signs(const psb_vocabulary_words *words, const psb_word_sums *sums,
                           uint8_t bits[2 * PSB_WORD_LENGTH / 8]);
