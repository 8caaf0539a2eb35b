/* Computes the posteriors of a mixture of Gaussians, one feature at a time. */
#include "local/vocabulary.h"

#include "core/elementary.h"
#include "core/file.h"
#include "core/seal.h"

#include <math.h>

void psb_vocabulary_prepare(psb_vocabulary *v) {
    const psb_vocabulary_words *words = &v->words;
    for (int w = 0; w < PSB_WORD_COUNT; w++) {
        double constant = psb_log((double)words->weight[w]);
        for (int d = 0; d < PSB_WORD_NUMBERS; d++) {
            double centre = (double)words->centre[w][d];
            double deviation = (double)words->deviation[w][d];
            double precision = 1.0 / (deviation * deviation);
            constant -= psb_log(deviation) + 0.5 * centre * centre * precision;
            v->linear[d][w] = (float)(centre * precision);
            v->square[d][w] = (float)(-0.5 * precision);
        }
        v->constant[w] = (float)constant;
    }
}

PSB_INLINE void project(const psb_vocabulary_words *words, const float *feature, float *x) {
    float sum[PSB_WORD_DIRECTIONS] = {0};
    for (int i = 0; i < PSB_FEATURE_SHARES; i++) {
        float share = feature[i] - words->mean[i];
        for (int k = 0; k < PSB_WORD_DIRECTIONS; k++) {
            sum[k] += share * words->direction[i][k];
        }
    }
    memcpy(x, sum, sizeof sum);
    for (int p = 0; p < PSB_FEATURE_PLACES; p++) {
        int i = PSB_FEATURE_SHARES + p;
        x[PSB_WORD_DIRECTIONS + p] = (feature[i] - words->mean[i]) * words->place_scale[p];
    }
}

void psb_word_project(const psb_vocabulary_words *words, const psb_feature feature,
                      float x[PSB_WORD_NUMBERS]) {
    project(words, feature, x);
}

/* Returns e^x for x <= 0, to a relative 1e-7, and at least e^-60, so that no result is
 * subnormal. */
PSB_INLINE float exponential(float x) {
    float clipped = x > -60.0F ? x : -60.0F;
    float whole = floorf(clipped * 1.44269504F + 0.5F);
    float rest = clipped - whole * 0.693359375F + whole * 2.12194440e-4F;
    float power =
        1.0F +
        rest * (1.0F +
                rest * (0.5F + rest * (0.166666667F +
                                       rest * (0.0416666667F +
                                               rest * (0.00833333333F + rest * 0.00138888889F)))));
    union {
        uint32_t bits;
        float number;
    } scale = {.bits = (uint32_t)((int32_t)whole + 127) << 23};
    return power * scale.number;
}

/* Computes the words' shares at x, relative to the largest; returns their sum. */
PSB_INLINE float fill_shares(const psb_vocabulary *v, const float *x, float *share) {
    float log_share[PSB_WORD_COUNT], largest = -INFINITY, total = 0;
    memcpy(log_share, v->constant, sizeof log_share);
    for (int d = 0; d < PSB_WORD_NUMBERS; d++) {
        float first = x[d], second = first * first;
        for (int w = 0; w < PSB_WORD_COUNT; w++) {
            log_share[w] += first * v->linear[d][w] + second * v->square[d][w];
        }
    }
    for (int w = 0; w < PSB_WORD_COUNT; w++) {
        largest = log_share[w] > largest ? log_share[w] : largest;
    }
    for (int w = 0; w < PSB_WORD_COUNT; w++) {
        share[w] = exponential(log_share[w] - largest);
    }
    for (int w = 0; w < PSB_WORD_COUNT; w++) {
        total += share[w];
    }
    return total;
}

PSB_INLINE void add_moments(float g, const float *x, float *first) {
    for (int d = 0; d < PSB_WORD_NUMBERS; d++) {
        first[d] += g * x[d];
    }
}

PSB_INLINE void add(const psb_vocabulary *v, const psb_feature *features, size_t n,
                    psb_word_sums *model, psb_word_sums *view) {
    model->count += n;
    for (size_t i = 0; i < n; i++) {
        float x[PSB_WORD_NUMBERS], squares[PSB_WORD_NUMBERS], share[PSB_WORD_COUNT];
        project(&v->words, features[i], x);
        float total = fill_shares(v, x, share);
        for (int d = 0; d < PSB_WORD_NUMBERS; d++) {
            squares[d] = x[d] * x[d];
        }
        for (int w = 0; w < PSB_WORD_COUNT; w++) {
            float g = share[w] / total;
            model->zeroth[w] += g;
            add_moments(g, x, model->first[w]);
            add_moments(g, squares, model->second[w]);
            if (view != NULL && g >= PSB_POSTERIOR_OF_VIEW) {
                view->zeroth[w] += g;
                add_moments(g, x, view->first[w]);
            }
        }
    }
}

PSB_VARIANTS_TO_AVX2(psb_words, add,
                     (const psb_vocabulary *v, const psb_feature *features, size_t n,
                      psb_word_sums *model, psb_word_sums *view),
                     (v, features, n, model, view))

void psb_words_add(const psb_vocabulary *v, const psb_feature *features, size_t n,
                   psb_word_sums *model, psb_word_sums *view) {
    PSB_RUN(psb_words)(v, features, n, model, view);
}

size_t psb_view_code(const psb_vocabulary_words *words, const psb_word_sums *view,
                     int8_t code[PSB_WORD_LENGTH]) {
    size_t count = 0;
    for (int w = 0; w < PSB_WORD_COUNT; w++) {
        float g = view->zeroth[w];
        for (int d = 0; d < PSB_WORD_NUMBERS; d++) {
            bool above = view->first[w][d] - g * words->centre[w][d] > 0;
            *code++ = (int8_t)(g == 0 ? 0 : above ? 1 : -1);
        }
        count += g == 0 ? 0 : PSB_WORD_NUMBERS;
    }
    return count;
}

static void multiply(const psb_vocabulary_views *views, const int8_t *code, int32_t *product) {
    for (int k = 0; k < PSB_VIEW_DIRECTIONS; k++) {
        int32_t sum = 0;
        for (int i = 0; i < PSB_WORD_LENGTH; i++) {
            sum += (int16_t)views->direction[k][i] * (int16_t)code[i];
        }
        product[k] = sum;
    }
}

void psb_view_project(const psb_vocabulary_views *views, const int8_t code[PSB_WORD_LENGTH],
                      size_t count, float out[PSB_VIEW_DIRECTIONS]) {
    int32_t product[PSB_VIEW_DIRECTIONS];
    multiply(views, code, product);
    for (int k = 0; k < PSB_VIEW_DIRECTIONS; k++) {
        float along = count > 0 ? (float)product[k] / sqrtf((float)count) - views->offset[k] : 0;
        out[k] = views->factor[k] * along;
    }
}

void psb_fisher_vector(const psb_vocabulary_words *words, const psb_word_sums *sums,
                       float out[2 * PSB_WORD_LENGTH]) {
    float *first = out, *second = out + PSB_WORD_LENGTH;
    float n = (float)(sums->count > 0 ? sums->count : 1);
    for (int w = 0; w < PSB_WORD_COUNT; w++) {
        float g = sums->zeroth[w], factor = 1.0F / (n * sqrtf(words->weight[w]));
        for (int d = 0; d < PSB_WORD_NUMBERS; d++) {
            float centre = words->centre[w][d], deviation = words->deviation[w][d];
            float s1 = sums->first[w][d], s2 = sums->second[w][d];
            float variance = deviation * deviation;
            *first++ = factor * (s1 - g * centre) / deviation;
            *second++ = factor * sqrtf(0.5F) *
                        ((s2 - 2.0F * centre * s1 + g * centre * centre) / variance - g);
        }
    }
}

void psb_words_store_signs(const psb_vocabulary_words *words, const psb_word_sums *sums,
                           uint8_t bits[2 * PSB_WORD_LENGTH / 8]) {
    float vector[2 * PSB_WORD_LENGTH];
    psb_fisher_vector(words, sums, vector);
    memset(bits, 0, 2 * PSB_WORD_LENGTH / 8);
    for (int i = 0; i < 2 * PSB_WORD_LENGTH; i++) {
        bits[i / 8] |= (uint8_t)((vector[i] > 0) << i % 8);
    }
}

/* ---- files ------------------------------------------------------------------------------- */

typedef struct head {
    char file_kind[PSB_SEAL_KIND];
    uint64_t kind, list, models;
} head;
static const char file_kind[] = "psbvoc1\n";

extern const unsigned char psb_data_vocabulary_views[], psb_data_vocabulary_spin[];
extern const unsigned long psb_data_vocabulary_views_size, psb_data_vocabulary_spin_size;

static size_t bytes_of(psb_vocabulary_kind kind) {
    return sizeof(head) + sizeof(psb_vocabulary_words) +
           (kind == PSB_VOCABULARY_VIEWS ? sizeof(psb_vocabulary_views) : 0);
}

/* True if all numbers are finite and, with `positive`, above 0. */
static bool are_usable(const float *numbers, size_t n, bool positive) {
    bool usable = true;
    for (size_t i = 0; i < n; i++) {
        usable = usable && isfinite(numbers[i]) && fabsf(numbers[i]) < 1e15F &&
                 (!positive || numbers[i] > 1e-15F);
    }
    return usable;
}

static bool is_vocabulary(const psb_vocabulary *v) {
    const psb_vocabulary_words *w = &v->words;
    enum { NUMBERS = offsetof(psb_vocabulary_words, weight) / sizeof(float) };
    return are_usable(w->mean, NUMBERS, false) && are_usable(w->weight, PSB_WORD_COUNT, true) &&
           are_usable(w->centre[0], PSB_WORD_LENGTH, false) &&
           are_usable(w->deviation[0], PSB_WORD_LENGTH, true) &&
           are_usable(v->views.offset, PSB_VIEW_DIRECTIONS, false) &&
           are_usable(v->views.factor, PSB_VIEW_DIRECTIONS, false);
}

static psb_status read_bytes(const char *path, const char *data, size_t size, psb_vocabulary *v,
                             psb_error *error) {
    head h = {.kind = UINT64_MAX};
    if (psb_seal_is_of(data, size, sizeof h, file_kind)) {
        memcpy(&h, data, sizeof h);
    }
    if (h.kind > PSB_VOCABULARY_SPIN) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "not a vocabulary");
    }
    v->kind = (psb_vocabulary_kind)h.kind;
    v->list = h.list;
    v->models = h.models;
    if (size != bytes_of(v->kind) + PSB_SEAL_BYTES) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "%zu bytes, but a vocabulary of its kind has %zu", size,
                           bytes_of(v->kind) + PSB_SEAL_BYTES);
    }
    if (!psb_seal_holds(data, size, NULL)) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "damaged: it does not have its own checksum");
    }
    memcpy(&v->words, data + sizeof h, sizeof v->words);
    if (v->kind == PSB_VOCABULARY_VIEWS) {
        memcpy(&v->views, data + sizeof h + sizeof v->words, sizeof v->views);
    }
    if (!is_vocabulary(v)) {
        return psb_fail_at(error, PSB_ERROR_INPUT, path, 0,
                           "has numbers that are not finite, or weights or deviations that are "
                           "not above 0");
    }
    psb_vocabulary_prepare(v);
    return PSB_OK;
}

psb_status psb_vocabulary_parse(const char *path, const void *data, size_t size,
                                psb_vocabulary **vocabulary, psb_error *error) {
    psb_status status = PSB_OK;
    *vocabulary = psb_new_zero(&status, 1, sizeof **vocabulary, "a vocabulary", error);
    PSB_THEN(status, read_bytes(path, data, size, *vocabulary, error));
    if (status != PSB_OK) {
        psb_vocabulary_free(*vocabulary);
        *vocabulary = NULL;
    }
    return status;
}

psb_status psb_vocabulary_write(const psb_vocabulary *v, const char *path, psb_error *error) {
    head h = {.kind = v->kind, .list = v->list, .models = v->models};
    psb_status status = PSB_OK;
    size_t size = bytes_of(v->kind);
    PSB_FREED char *data = psb_new(&status, 1, size + PSB_SEAL_BYTES, "a vocabulary", error);
    if (status == PSB_OK) {
        memcpy(data, &h, sizeof h);
        memcpy(data + sizeof h, &v->words, sizeof v->words);
        if (v->kind == PSB_VOCABULARY_VIEWS) {
            memcpy(data + sizeof h + sizeof v->words, &v->views, sizeof v->views);
        }
        psb_seal(data, size, file_kind);
        status = psb_write_file(path, data, size + PSB_SEAL_BYTES, error);
    }
    return status;
}

void psb_vocabulary_free(psb_vocabulary *vocabulary) {
    free(vocabulary);
}

psb_status psb_vocabulary_shipped(psb_vocabulary_kind kind, psb_vocabulary **vocabulary,
                                  psb_error *error) {
    return kind == PSB_VOCABULARY_VIEWS
               ? psb_vocabulary_parse("the vocabulary of VIEWS", psb_data_vocabulary_views,
                                      psb_data_vocabulary_views_size, vocabulary, error)
               : psb_vocabulary_parse("the vocabulary of SPIN", psb_data_vocabulary_spin,
                                      psb_data_vocabulary_spin_size, vocabulary, error);
}
