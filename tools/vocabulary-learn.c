/* Draws features, then finds directions, words and, for views, directions of codes. */
#include "vocabulary-learn.h"

#include "core/elementary.h"
#include "core/error.h"
#include "core/linear.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/vector.h"
#include "descriptors/spin.h"
#include "io/mesh.h"

#include <math.h>
#include <string.h>

enum {
    DRAWN = 160,       /* features drawn from a model */
    MOST = 120000,     /* most features that words are found from */
    MOST_CODES = 5000, /* most views that directions of codes are found from */
    MEANS_ROUNDS = 8,
    MIXTURE_ROUNDS = 12,
    WORDS = PSB_WORD_COUNT,
    NUMBERS = PSB_WORD_NUMBERS,
};

/* The least variance of a word, as a share of the variance of all features: no word shrinks to a
 * point. */
static const double least_variance = 0.02;

/* ---- visiting every model of the list ------------------------------------------------------- */

/* A loop over the training models, which loads each and calls `visit`. */
typedef struct tour {
    const psb_learning *learning;
    psb_status (*visit)(struct tour *tour, psb_shape *shape, size_t model, psb_error *error);
    void *job;
} tour;

typedef struct worker {
    psb_mesh_buffer mesh;
    psb_buffer file;
    psb_shape *shape;
} worker;

static psb_status begin(void *context, void **own, psb_error *error) {
    worker *w = *own;
    *w = (worker){.shape = NULL};
    return psb_shape_new(((const tour *)context)->learning->tables, &w->shape, error);
}

static void end(void *context, void *own) {
    (void)context;
    worker *w = own;
    psb_mesh_buffer_free(&w->mesh);
    psb_buffer_free(&w->file);
    psb_shape_free(w->shape);
}

static psb_status visit_model(void *context, void *own, size_t i, psb_error *error) {
    tour *t = context;
    worker *w = own;
    const psb_dataset *set = t->learning->set;
    size_t size;
    psb_status status =
        psb_archive_read(set->archive, set->paths[i], SIZE_MAX, &w->file, &size, error);
    PSB_THEN(status, psb_mesh_parse(set->paths[i], w->file.data, size, &w->mesh, error));
    if (status != PSB_OK) {
        return status;
    }
    psb_error inner;
    status = psb_shape_load(w->shape, &w->mesh.mesh, set->cla.models[i], &inner);
    PSB_THEN(status, t->visit(t, w->shape, i, &inner));
    return status == PSB_OK ? PSB_OK
                            : psb_fail_at(error, status, set->paths[i], 0, "%s", inner.message);
}

static psb_status visit_all(tour *t, const char *name, psb_error *error) {
    psb_stage stage = {.observer = t->learning->observer, .name = name};
    psb_loop loop = {.count = t->learning->set->cla.nmodels,
                     .threads = t->learning->threads,
                     .bytes = sizeof(worker),
                     .name = "a worker",
                     .begin = begin,
                     .end = end,
                     .item = visit_model,
                     .job = t,
                     .progress = psb_stage_progress,
                     .context = &stage};
    return psb_parallel(&loop, error);
}

/* ---- features ------------------------------------------------------------------------------ */

/* The features drawn from each model i: count[i] of them, from features[i * DRAWN] on. */
typedef struct drawn {
    psb_feature *features;
    size_t *count;
} drawn;

/* Draws from a stream of features of unknown length, so that each is kept with equal chance. */
typedef struct reservoir {
    psb_feature *kept;
    size_t seen;
    psb_random random;
} reservoir;

static psb_status offer(void *context, int view, const psb_feature *features, size_t n,
                        psb_error *error) {
    (void)view;
    (void)error;
    reservoir *r = context;
    for (size_t i = 0; i < n; i++) {
        size_t at = r->seen < DRAWN ? r->seen : psb_random_below(&r->random, r->seen + 1);
        r->seen++;
        if (at < DRAWN) {
            memcpy(r->kept[at], features[i], sizeof *features);
        }
    }
    return PSB_OK;
}

static psb_status draw(tour *t, psb_shape *shape, size_t model, psb_error *error) {
    drawn *d = t->job;
    reservoir r = {.kept = d->features + model * DRAWN,
                   .random = psb_random_seeded(1, psb_shape_id(shape), "vocabulary")};
    psb_status status;
    if (t->learning->kind == PSB_VOCABULARY_VIEWS) {
        status = psb_shape_view_features(shape, PSB_CUBE_VIEWS, offer, &r, error);
    } else {
        const psb_feature *features;
        status = psb_shape_spin_features(shape, 1, &features, error);
        PSB_THEN(status, offer(&r, 0, features, PSB_SPIN_FEATURES, error));
    }
    d->count[model] = r.seen < DRAWN ? r.seen : DRAWN;
    return status;
}

/* Moves all drawn features to the front, in random order; returns how many there are. */
static size_t mix(drawn *d, size_t models) {
    size_t n = 0;
    psb_random random = psb_random_seeded(1, "all", "vocabulary");
    for (size_t i = 0; i < models; i++) {
        memmove(d->features[n], d->features[i * DRAWN], d->count[i] * sizeof *d->features);
        n += d->count[i];
    }
    for (size_t i = n; i > 1; i--) {
        size_t other = psb_random_below(&random, i);
        psb_feature moved;
        memcpy(moved, d->features[i - 1], sizeof moved);
        memmove(d->features[i - 1], d->features[other], sizeof moved);
        memcpy(d->features[other], moved, sizeof moved);
    }
    return n;
}

/* ---- principal directions ------------------------------------------------------------------ */

/* Centers n vectors (number i of vector v is x[i * n + v]) and computes the `count` largest
 * eigenvalues of their covariance, largest first, with their unit eigenvectors. */
static psb_status find_directions(double *x, int length, size_t n, int count, double *mean,
                                  double *values, double *vectors, psb_error *error) {
    psb_status status = PSB_OK;
    double *covariance =
        psb_new(&status, (size_t)length, (size_t)length * sizeof *covariance, "covariance", error);
    PSB_FREED double *found = psb_new(&status, (size_t)count, ((size_t)length + 1) * sizeof *found,
                                      "eigenvectors", error);
    for (int i = 0; i < length && status == PSB_OK; i++) {
        double *numbers = x + (size_t)i * n;
        mean[i] = 0;
        for (size_t v = 0; v < n; v++) {
            mean[i] += numbers[v];
        }
        mean[i] /= (double)n;
        for (size_t v = 0; v < n; v++) {
            numbers[v] -= mean[i];
        }
    }
    if (status == PSB_OK) {
        double *ascending = found + (size_t)count * (size_t)length;
        status =
            psb_packed_product((size_t)length, (size_t)length, n, x, x, true, covariance, error);
        PSB_THEN(status, psb_eigen_largest(length, covariance, count, ascending, found, error));
        for (int k = 0; k < count && status == PSB_OK; k++) {
            int from = count - 1 - k;
            values[k] = ascending[from] / (double)n;
            memcpy(vectors + (size_t)k * (size_t)length, found + (size_t)from * (size_t)length,
                   (size_t)length * sizeof *vectors);
            psb_orient(vectors + (size_t)k * (size_t)length, (size_t)length);
            if (!(values[k] > 0)) {
                status = psb_fail(error, PSB_ERROR_INPUT,
                                  "the training models differ in fewer than %d directions", count);
            }
        }
    }
    free(covariance);
    return status;
}

static double deviation_of(const psb_feature *features, size_t n, int k, double *mean) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        sum += (double)features[i][k];
    }
    *mean = sum / (double)n;
    for (size_t i = 0; i < n; i++) {
        double off = (double)features[i][k] - *mean;
        squares += off * off;
    }
    return sqrt(squares / (double)n);
}

/* Finds the projection of features; scales both places to count as much as an average direction. */
static psb_status find_projection(const psb_feature *features, size_t n, psb_vocabulary_words *w,
                                  psb_error *error) {
    enum { SHARES = PSB_FEATURE_SHARES, DIRECTIONS = PSB_WORD_DIRECTIONS };
    psb_status status = PSB_OK;
    double mean[SHARES], values[DIRECTIONS], spread = 0;
    PSB_FREED double *vectors =
        psb_new(&status, DIRECTIONS, SHARES * sizeof *vectors, "directions", error);
    PSB_FREED double *x = psb_new(&status, n, SHARES * sizeof *x, "features", error);
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        for (size_t k = 0; k < SHARES; k++) {
            x[k * n + i] = (double)features[i][k];
        }
    }
    PSB_THEN(status, find_directions(x, SHARES, n, DIRECTIONS, mean, values, vectors, error));
    for (int k = 0; k < SHARES && status == PSB_OK; k++) {
        w->mean[k] = (float)mean[k];
        for (int d = 0; d < DIRECTIONS; d++) {
            w->direction[k][d] = (float)vectors[d * SHARES + k];
        }
    }
    for (int d = 0; d < DIRECTIONS && status == PSB_OK; d++) {
        spread += sqrt(values[d]) / DIRECTIONS;
    }
    for (int p = 0; p < PSB_FEATURE_PLACES && status == PSB_OK; p++) {
        double place, deviation = deviation_of(features, n, SHARES + p, &place);
        w->mean[SHARES + p] = (float)place;
        w->place_scale[p] = (float)(deviation > 0 ? spread / deviation : 1);
    }
    return status;
}

/* ---- words --------------------------------------------------------------------------------- */

/* Sums over points by word, like psb_word_sums, but in double. */
typedef struct sums {
    double zeroth[WORDS], first[WORDS][NUMBERS], second[WORDS][NUMBERS];
} sums;

/* The mixture in double. A round goes over all points in pieces that threads share. */
typedef struct mixture {
    const float (*x)[NUMBERS];
    size_t n;
    bool nearest; /* k-means: each point belongs only to the nearest center */
    double weight[WORDS], centre[WORDS][NUMBERS], variance[WORDS][NUMBERS];
    sums *piece;
} mixture;

enum { PIECE = 2048 };

static void add_point(const double *share, const float *x, sums *to) {
    for (int w = 0; w < WORDS; w++) {
        if (share[w] == 0) {
            continue;
        }
        to->zeroth[w] += share[w];
        for (int d = 0; d < NUMBERS; d++) {
            to->first[w][d] += share[w] * (double)x[d];
            to->second[w][d] += share[w] * (double)x[d] * (double)x[d];
        }
    }
}

/* Computes the words' shares of a point, which add up to 1; shares below 1e-12 become 0. */
static void find_shares(const mixture *m, const double *constant, const float *x, double *share) {
    double largest = -INFINITY, total = 0;
    int best = 0;
    for (int w = 0; w < WORDS; w++) {
        double sum = constant[w];
        for (int d = 0; d < NUMBERS; d++) {
            double off = (double)x[d] - m->centre[w][d];
            sum -= m->nearest ? off * off : 0.5 * off * off / m->variance[w][d];
        }
        share[w] = sum;
        best = sum > largest ? w : best;
        largest = sum > largest ? sum : largest;
    }
    for (int w = 0; w < WORDS; w++) {
        double own = psb_exp(share[w] - largest);
        share[w] = m->nearest ? (double)(w == best) : own > 1e-12 ? own : 0;
        total += share[w];
    }
    for (int w = 0; w < WORDS; w++) {
        share[w] /= total;
    }
}

static psb_status add_piece(void *context, void *own, size_t piece, psb_error *error) {
    (void)own;
    (void)error;
    const mixture *m = context;
    sums *to = &m->piece[piece];
    double constant[WORDS], share[WORDS];
    for (int w = 0; w < WORDS; w++) {
        constant[w] = m->nearest ? 0 : psb_log(m->weight[w]);
        for (int d = 0; d < NUMBERS && !m->nearest; d++) {
            constant[w] -= 0.5 * psb_log(m->variance[w][d]);
        }
    }
    memset(to, 0, sizeof *to);
    for (size_t i = piece * PIECE; i < m->n && i < (piece + 1) * PIECE; i++) {
        find_shares(m, constant, m->x[i], share);
        add_point(share, m->x[i], to);
    }
    return PSB_OK;
}

/* Fits the words to the points by the points' present shares. */
static void fit(mixture *m, const sums *all, const double *whole) {
    for (int w = 0; w < WORDS; w++) {
        double count = all->zeroth[w];
        if (!(count > 0)) { /* no point belongs to the word: it stays */
            continue;
        }
        m->weight[w] = psb_max(count / (double)m->n, 1e-9);
        for (int d = 0; d < NUMBERS; d++) {
            double centre = all->first[w][d] / count;
            double variance = all->second[w][d] / count - centre * centre;
            m->centre[w][d] = centre;
            m->variance[w][d] = psb_max(variance, least_variance * whole[d]);
        }
    }
}

static psb_status go_round(mixture *m, int threads, const double *whole, psb_error *error) {
    size_t pieces = (m->n + PIECE - 1) / PIECE;
    psb_loop loop = {.count = pieces, .threads = threads, .item = add_piece, .job = m};
    psb_status status = psb_parallel(&loop, error);
    for (size_t p = 1; p < pieces && status == PSB_OK; p++) {
        for (size_t k = 0; k < sizeof(sums) / sizeof(double); k++) {
            ((double *)&m->piece[0])[k] += ((const double *)&m->piece[p])[k];
        }
    }
    if (status == PSB_OK) {
        fit(m, &m->piece[0], whole);
    }
    return status;
}

/* Starts each word at a point (points are in random order) with the variance of all points. */
static void start(mixture *m, double *whole) {
    double mean[NUMBERS] = {0};
    memset(whole, 0, NUMBERS * sizeof *whole);
    for (size_t i = 0; i < m->n; i++) {
        for (int d = 0; d < NUMBERS; d++) {
            mean[d] += (double)m->x[i][d] / (double)m->n;
            whole[d] += (double)m->x[i][d] * (double)m->x[i][d] / (double)m->n;
        }
    }
    for (int d = 0; d < NUMBERS; d++) {
        whole[d] = psb_max(whole[d] - mean[d] * mean[d], 1e-12);
    }
    for (int w = 0; w < WORDS; w++) {
        m->weight[w] = 1.0 / WORDS;
        for (int d = 0; d < NUMBERS; d++) {
            m->centre[w][d] = (double)m->x[w][d];
            m->variance[w][d] = whole[d];
        }
    }
}

static psb_status find_words(const float (*x)[NUMBERS], size_t n, int threads,
                             psb_vocabulary_words *words, psb_error *error) {
    psb_status status = PSB_OK;
    double whole[NUMBERS];
    PSB_FREED mixture *m = psb_new_zero(&status, 1, sizeof *m, "words", error);
    PSB_FREED sums *pieces = psb_new(&status, n / PIECE + 1, sizeof *pieces, "words", error);
    if (status == PSB_OK) {
        m->x = x;
        m->n = n;
        m->piece = pieces;
        start(m, whole);
    }
    for (int round = 0; round < MEANS_ROUNDS + MIXTURE_ROUNDS && status == PSB_OK; round++) {
        m->nearest = round < MEANS_ROUNDS;
        status = go_round(m, threads, whole, error);
    }
    for (int w = 0; w < WORDS && status == PSB_OK; w++) {
        words->weight[w] = (float)m->weight[w];
        for (int d = 0; d < NUMBERS; d++) {
            words->centre[w][d] = (float)m->centre[w][d];
            words->deviation[w][d] = (float)sqrt(m->variance[w][d]);
        }
    }
    return status;
}

static psb_status learn_words(const psb_learning *l, psb_vocabulary_words *words,
                              psb_error *error) {
    psb_status status = PSB_OK;
    size_t models = l->set->cla.nmodels, n = 0;
    drawn d = {.features = NULL};
    d.features = psb_new(&status, models, DRAWN * sizeof *d.features, "features", error);
    d.count = psb_new_zero(&status, models, sizeof *d.count, "features", error);
    tour t = {l, draw, &d};
    PSB_THEN(status, visit_all(&t, "features", error));
    if (status == PSB_OK) {
        n = mix(&d, models);
        status = n >= PSB_FEATURE_SHARES
                     ? find_projection((const psb_feature *)d.features, n, words, error)
                     : psb_fail(error, PSB_ERROR_INPUT, "%zu features of %zu models: want %d", n,
                                models, (int)PSB_FEATURE_SHARES);
    }
    n = n < MOST ? n : MOST;
    float(*x)[NUMBERS] = psb_new(&status, n, sizeof *x, "features", error);
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        psb_word_project(words, d.features[i], x[i]);
    }
    free(d.features);
    free(d.count);
    PSB_THEN(status, find_words((const float(*)[NUMBERS])x, n, l->threads, words, error));
    free(x);
    return status;
}

/* ---- codes of views ------------------------------------------------------------------------ */

/* The views whose codes are used: place[model * 18 + view] is the place in x, or n for none. */
typedef struct codes {
    const psb_vocabulary *vocabulary;
    size_t n, *place;
    double *x; /* number i of code v at x[i * n + v] */
} codes;

/* One model's codes while its views are visited. */
typedef struct model_codes {
    const codes *all;
    const size_t *place;
    psb_word_sums model, view;
} model_codes;

static psb_status take_code(void *context, int view, const psb_feature *features, size_t n,
                            psb_error *error) {
    (void)error;
    model_codes *m = context;
    const codes *all = m->all;
    int8_t code[PSB_WORD_LENGTH];
    size_t place = m->place[view];
    if (place == all->n) {
        return PSB_OK;
    }
    memset(&m->view, 0, sizeof m->view);
    psb_words_add(all->vocabulary, features, n, &m->model, &m->view);
    size_t count = psb_view_code(&all->vocabulary->words, &m->view, code);
    for (size_t i = 0; i < PSB_WORD_LENGTH; i++) {
        all->x[i * all->n + place] = count > 0 ? code[i] / (double)sqrtf((float)count) : 0;
    }
    return PSB_OK;
}

static psb_status take_codes(tour *t, psb_shape *shape, size_t model, psb_error *error) {
    const codes *all = t->job;
    model_codes m = {.all = all, .place = all->place + model * PSB_CUBE_VIEWS};
    return psb_shape_view_features(shape, PSB_CUBE_VIEWS, take_code, &m, error);
}

/* Draws the views: permutes the places; views with a place below n are used. */
static void draw_views(codes *all, size_t views) {
    psb_random random = psb_random_seeded(1, "all", "views");
    for (size_t i = 0; i < views; i++) {
        all->place[i] = i;
    }
    for (size_t i = views; i > 1; i--) {
        size_t other = psb_random_below(&random, i), moved = all->place[i - 1];
        all->place[i - 1] = all->place[other];
        all->place[other] = moved;
    }
    for (size_t i = 0; i < views; i++) {
        all->place[i] = all->place[i] < all->n ? all->place[i] : all->n;
    }
}

/* Rounds directions to 8-bit integers, and corrects the factor for that. */
static void store_directions(const double *mean, const double *values, const double *vectors,
                             psb_vocabulary_views *views) {
    for (int k = 0; k < PSB_VIEW_DIRECTIONS; k++) {
        const double *v = vectors + (size_t)k * PSB_WORD_LENGTH;
        double largest = 0, offset = 0;
        for (int i = 0; i < PSB_WORD_LENGTH; i++) {
            largest = psb_max(largest, fabs(v[i]));
        }
        for (int i = 0; i < PSB_WORD_LENGTH; i++) {
            views->direction[k][i] = (int8_t)floor(v[i] / largest * 127 + 0.5);
            offset += views->direction[k][i] * mean[i];
        }
        views->offset[k] = (float)offset;
        views->factor[k] = (float)(largest / 127 / sqrt(values[k]));
    }
}

static psb_status learn_codes(const psb_learning *l, psb_vocabulary *vocabulary, psb_error *error) {
    enum { DIRECTIONS = PSB_VIEW_DIRECTIONS, LENGTH = PSB_WORD_LENGTH };
    size_t views = l->set->cla.nmodels * PSB_CUBE_VIEWS;
    codes all = {.vocabulary = vocabulary, .n = views < MOST_CODES ? views : MOST_CODES};
    psb_status status = all.n > DIRECTIONS
                            ? PSB_OK
                            : psb_fail(error, PSB_ERROR_INPUT, "%zu views: want more than %d",
                                       all.n, (int)DIRECTIONS);
    double mean[LENGTH], values[DIRECTIONS];
    all.place = psb_new(&status, views, sizeof *all.place, "views", error);
    all.x = psb_new(&status, all.n, LENGTH * sizeof *all.x, "codes of views", error);
    PSB_FREED double *vectors =
        psb_new(&status, DIRECTIONS, LENGTH * sizeof *vectors, "directions", error);
    if (status == PSB_OK) {
        draw_views(&all, views);
        tour t = {l, take_codes, &all};
        status = visit_all(&t, "codes of views", error);
    }
    PSB_THEN(status,
             find_directions(all.x, LENGTH, all.n, DIRECTIONS, mean, values, vectors, error));
    if (status == PSB_OK) {
        store_directions(mean, values, vectors, &vocabulary->views);
    }
    free(all.place);
    free(all.x);
    return status;
}

psb_status psb_vocabulary_learn(const psb_learning *l, psb_vocabulary **vocabulary,
                                psb_error *error) {
    psb_status status = PSB_OK;
    *vocabulary = psb_new_zero(&status, 1, sizeof **vocabulary, "a vocabulary", error);
    if (status == PSB_OK) {
        (*vocabulary)->kind = l->kind;
        (*vocabulary)->list = l->set->list;
        (*vocabulary)->models = l->set->cla.nmodels;
        status = learn_words(l, &(*vocabulary)->words, error);
    }
    if (status == PSB_OK) {
        psb_vocabulary_prepare(*vocabulary);
        status = l->kind == PSB_VOCABULARY_VIEWS ? learn_codes(l, *vocabulary, error) : PSB_OK;
    }
    if (status != PSB_OK) {
        psb_vocabulary_free(*vocabulary);
        *vocabulary = NULL;
    }
    return status;
}
