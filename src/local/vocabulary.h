/*
 * A vocabulary: what is typical of local features, learned without labels from the models of a
 * training list; and sums over the features of a model by its words.
 *
 * Of a feature's 128 shares the vocabulary keeps the coordinates along their first 48 principal
 * directions; the two places follow, scaled to count about as much as one of these. Its words are
 * the 64 Gaussians, with diagonal covariance, of a mixture that describes the density of these 50
 * numbers. A feature belongs to each word by its posterior probability (Perronnin, Sanchez, Mensink
 * 2010, Improving the Fisher Kernel for Large-Scale Image Classification).
 *
 * All arithmetic is in float32 without contraction and without functions of the C library but
 * sqrtf: the same bits on every processor.
 */
#ifndef PSB_LOCAL_VOCABULARY_H
#define PSB_LOCAL_VOCABULARY_H

#include "local/local_features.h"

enum {
    PSB_WORD_COUNT = 64,
    PSB_WORD_DIRECTIONS = 48,
    PSB_WORD_NUMBERS = PSB_WORD_DIRECTIONS + PSB_FEATURE_PLACES, /* 50 */
    PSB_WORD_LENGTH = PSB_WORD_COUNT * PSB_WORD_NUMBERS,         /* 3,200 */
    PSB_VIEW_DIRECTIONS = 128,
};

/* The words as they stand in a file: numbers of 32 bits, least significant byte first. */
typedef struct psb_vocabulary_words {
    float mean[PSB_FEATURE_NUMBERS];                          /* of features */
    float direction[PSB_FEATURE_SHARES][PSB_WORD_DIRECTIONS]; /* [share][direction] */
    float place_scale[PSB_FEATURE_PLACES];
    float weight[PSB_WORD_COUNT]; /* sum 1 */
    float centre[PSB_WORD_COUNT][PSB_WORD_NUMBERS];
    float deviation[PSB_WORD_COUNT][PSB_WORD_NUMBERS];
} psb_vocabulary_words;

/*
 * Principal directions of the codes of single views, psb_view_code. Coordinate k of a code x is
 * factor[k] * (sum over i of direction[k][i] * x[i] / sqrt(how many x[i] are not 0) - offset[k]),
 * which has mean 0 and variance 1 over the views that the directions were learned from.
 */
typedef struct psb_vocabulary_views {
    float offset[PSB_VIEW_DIRECTIONS];
    float factor[PSB_VIEW_DIRECTIONS];
    int8_t direction[PSB_VIEW_DIRECTIONS][PSB_WORD_LENGTH];
} psb_vocabulary_views;

/* What local features a vocabulary is of. */
typedef enum psb_vocabulary_kind {
    PSB_VOCABULARY_VIEWS,
    PSB_VOCABULARY_SPIN,
    PSB_VOCABULARY_KINDS
} psb_vocabulary_kind;

/* A vocabulary with what follows from it for the loop over features. */
typedef struct psb_vocabulary {
    psb_vocabulary_kind kind;
    uint64_t list;   /* hash of the training list, psb_list_hash */
    uint64_t models; /* of that list, that it was learned from */
    psb_vocabulary_words words;
    psb_vocabulary_views views; /* of PSB_VOCABULARY_VIEWS only */
    /* The logarithm of a word's share at x is constant + sum over d of linear x + square x^2. */
    float constant[PSB_WORD_COUNT];
    float linear[PSB_WORD_NUMBERS][PSB_WORD_COUNT], square[PSB_WORD_NUMBERS][PSB_WORD_COUNT];
} psb_vocabulary;

/*
 * A vocabulary file, in the frame of core/seal.h: "psbvoc1\n"; kind, hash of the training list,
 * models (8 bytes each); the words; the directions of views, where the kind has them; XXH64 of all
 * that. psb_vocabulary_parse makes a vocabulary of these bytes, which psb_vocabulary_free frees;
 * PSB_ERROR_INPUT names `path` for what is no such file, is damaged, or has numbers that no
 * vocabulary has. psb_vocabulary_write needs the members up to `views` only.
 */
psb_status psb_vocabulary_parse(const char *path, const void *data, size_t size,
                                psb_vocabulary **vocabulary, psb_error *error);
psb_status psb_vocabulary_write(const psb_vocabulary *vocabulary, const char *path,
                                psb_error *error);
/* Fills the members behind `views` from the words. */
void psb_vocabulary_prepare(psb_vocabulary *vocabulary);

void psb_vocabulary_free(psb_vocabulary *vocabulary);

/* The one of this program, learned from the training set of the Princeton Shape Benchmark. */
psb_status psb_vocabulary_shipped(psb_vocabulary_kind kind, psb_vocabulary **vocabulary,
                                  psb_error *error);

/* Sums over features x with posteriors g: of g, of g x and of g x^2, by word. */
typedef struct psb_word_sums {
    float zeroth[PSB_WORD_COUNT];
    float first[PSB_WORD_COUNT][PSB_WORD_NUMBERS];
    float second[PSB_WORD_COUNT][PSB_WORD_NUMBERS];
    size_t count; /* features */
} psb_word_sums;

/*
 * Posteriors that are less do not count in the sums of one view, whose code has a 0 for a word that
 * none of its features belongs to. In the sums of a model all count, so that each word has a sign:
 * far from all features it is that of the side on which the nearest of them lie.
 */
#define PSB_POSTERIOR_OF_VIEW 1e-4F

/* The 50 numbers of a feature. */
void psb_word_project(const psb_vocabulary_words *words, const psb_feature feature,
                      float x[PSB_WORD_NUMBERS]);

typedef struct psb_words_kernel {
    psb_variant variant;
    void (*add)(const psb_vocabulary *vocabulary, const psb_feature *features, size_t n,
                psb_word_sums *model, psb_word_sums *view);
} psb_words_kernel;

/* The psb_words_kernel of this build, fastest first; the last is plain, then NULL. */
extern const psb_variant *const psb_words_kernels[];

/*
 * Adds n features to the sums of their model and to those of their view, whose second moments stay
 * as they are; `view` may be NULL.
 */
void psb_words_add(const psb_vocabulary *vocabulary, const psb_feature *features, size_t n,
                   psb_word_sums *model, psb_word_sums *view);

/*
 * The code of one view, from its sums: the sign of each word's first moment about its centre, as
 * -1 or 1, and 0 for words that none of the view's features belongs to. Returns how many are not 0.
 */
size_t psb_view_code(const psb_vocabulary_words *words, const psb_word_sums *view,
                     int8_t code[PSB_WORD_LENGTH]);

/* The coordinates of a code of which `count` numbers are not 0; of none, all are 0. */
void psb_view_project(const psb_vocabulary_views *views, const int8_t code[PSB_WORD_LENGTH],
                      size_t count, float out[PSB_VIEW_DIRECTIONS]);

/*
 * The Fisher vector: the derivatives of the log likelihood by the words' centres and deviations,
 * 2 x 3,200 numbers, word after word.
 */
void psb_fisher_vector(const psb_vocabulary_words *words, const psb_word_sums *sums,
                       float out[2 * PSB_WORD_LENGTH]);

/* The signs of the Fisher vector: bit i % 8 of byte i / 8 is set where number i is above 0. */
void psb_words_store_signs(const psb_vocabulary_words *words, const psb_word_sums *sums,
                           uint8_t bits[2 * PSB_WORD_LENGTH / 8]);

#endif
