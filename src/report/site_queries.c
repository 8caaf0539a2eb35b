/*
 * One pass over the queries of a descriptor: each one's ranked list gives its entry in a chunk of
 * lists, its rows of the tier and distance images, and its part of the precision-recall curve.
 */
#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "io/png.h"
#include "report/site_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Larger images are averaged down by a whole number to this at most. */
enum { LONGEST_IMAGE = 1600 };

/* Colours of the tier image (paper, section 7). */
static const uint8_t colour_none[3] = {255, 255, 255};
static const uint8_t colour_nearest[3] = {0, 0, 0};
static const uint8_t colour_first[3] = {200, 30, 30};
static const uint8_t colour_second[3] = {50, 80, 220};

typedef struct ranked {
    float distance;
    uint32_t model;
} ranked;

/* An image that is averaged down while its rows come in. */
typedef struct picture {
    size_t channels;
    uint32_t *sums;  /* side x channels: of the row of blocks in work */
    uint8_t *pixels; /* side x side x channels */
} picture;

typedef struct pass {
    const site *s;
    site_descriptor *d;
    const psb_matrix *matrix;
    size_t n, factor, side; /* an image's pixel is factor x factor models */
    ranked *list;           /* of the query in work, nearest first */
    uint8_t *line;          /* n x 3, a row of an image before averaging */
    picture tiers, distances;
    double largest;                /* distance in the matrix */
    double precision[SITE_LEVELS]; /* sums over the queries below */
    size_t queries[SITE_LEVELS];
    psb_text chunk;
} pass;

static int compare(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    int by_distance = (x->distance > y->distance) - (x->distance < y->distance);
    return by_distance != 0 ? by_distance : (x->model > y->model) - (x->model < y->model);
}

static void rank(pass *p, size_t query) {
    size_t count = 0;
    for (size_t i = 0; i < p->n; i++) {
        if (i != query) {
            p->list[count++] = (ranked){p->matrix->data[query * p->n + i], (uint32_t)i};
        }
    }
    qsort(p->list, count, sizeof *p->list, compare);
}

/* ---- images ---------------------------------------------------------------------------- */

/* Adds row `row` of the full image; writes the row of blocks when it is complete. */
static void add_line(const pass *p, picture *image, size_t row) {
    for (size_t i = 0; i < p->n; i++) {
        for (size_t k = 0; k < image->channels; k++) {
            image->sums[i / p->factor * image->channels + k] += p->line[i * image->channels + k];
        }
    }
    bool last = row + 1 == p->n;
    if (!last && (row + 1) % p->factor != 0) {
        return;
    }
    size_t y = row / p->factor, rows = row - y * p->factor + 1;
    for (size_t x = 0; x < p->side; x++) {
        size_t left = p->n - x * p->factor;
        size_t count = rows * (left < p->factor ? left : p->factor);
        for (size_t k = 0; k < image->channels; k++) {
            size_t at = x * image->channels + k;
            image->pixels[y * p->side * image->channels + at] = (uint8_t)(image->sums[at] / count);
            image->sums[at] = 0;
        }
    }
}

static void set_pixel(pass *p, size_t model, const uint8_t colour[3]) {
    memcpy(p->line + 3 * model, colour, 3);
}

static void add_tiers(pass *p, size_t query) {
    size_t relevant = psb_cla_relevant(&p->s->cla, query);
    for (size_t r = 0; r + 1 < p->n; r++) {
        const uint8_t *colour = r < relevant ? colour_first : colour_second;
        set_pixel(p, p->list[r].model, r < 2 * relevant ? colour : colour_none);
    }
    if (p->n > 1) {
        set_pixel(p, p->list[0].model, colour_nearest);
    }
    set_pixel(p, query, colour_nearest);
    add_line(p, &p->tiers, query);
}

static void add_distances(pass *p, size_t query) {
    double scale = p->largest > 0 ? 255.0 / p->largest : 0.0;
    for (size_t i = 0; i < p->n; i++) {
        p->line[i] = (uint8_t)(scale * (double)p->matrix->data[query * p->n + i] + 0.5);
    }
    add_line(p, &p->distances, query);
}

/* ---- precision and recall -------------------------------------------------------------- */

/* Ranks of the relevant models are read off the list; see README for the levels. */
static void add_precision(pass *p, size_t query) {
    const psb_classification *cla = &p->s->cla;
    const psb_class *own = &cla->classes[cla->class_of[query]];
    if (own->miscellaneous || own->count < 3) {
        return;
    }
    double relevant = (double)(own->count - 1), before = 0, now = 0;
    double found = 0;
    int level = 0;
    for (size_t r = 0; r + 1 < p->n && level < SITE_LEVELS; r++) {
        if (cla->class_of[p->list[r].model] != cla->class_of[query]) {
            continue;
        }
        before = now;
        found++;
        now = found / (double)(r + 1);
        /* Levels up to found / relevant lie between the relevant model before and this one. */
        for (; level < SITE_LEVELS && (level + 1) * relevant <= found * SITE_LEVELS; level++) {
            double x = relevant * (level + 1) / SITE_LEVELS; /* relevant models at this level */
            if (x >= 1) {
                double weight = found - x;
                p->precision[level] += weight * before + (1 - weight) * now;
                p->queries[level]++;
            }
        }
    }
}

/* ---- ranked lists ---------------------------------------------------------------------- */

static void add_list(pass *p, size_t query) {
    const psb_query_scores *scores = &p->d->scores[query];
    size_t listed = p->n - 1 < SITE_LISTED ? p->n - 1 : SITE_LISTED;
    psb_text *out = &p->chunk;
    psb_text_add(out, "[[");
    for (size_t f = 0; f < PSB_FIGURES && scores->scored; f++) {
        psb_text_printf(out, "%s%.4g", f > 0 ? "," : "", scores->figure[f]);
    }
    psb_text_add(out, "],[");
    for (size_t r = 0; r < listed; r++) {
        psb_text_printf(out, "%s%u", r > 0 ? "," : "", (unsigned)p->list[r].model);
    }
    psb_text_add(out, "],[");
    for (size_t r = 0; r < listed; r++) {
        psb_text_printf(out, "%s%.4g", r > 0 ? "," : "", (double)p->list[r].distance);
    }
    psb_text_add(out, "]]");
}

/* Opens a chunk before its first query and writes it behind its last. */
static psb_status add_to_chunk(pass *p, size_t query, psb_error *error) {
    size_t chunk = query / SITE_CHUNK;
    bool last = query + 1 == p->n || (query + 1) % SITE_CHUNK == 0;
    if (query % SITE_CHUNK == 0) {
        psb_text_printf(&p->chunk, "psb.lists(%td,%zu,[\n", p->d - p->s->descriptors, chunk);
    }
    add_list(p, query);
    psb_text_add(&p->chunk, last ? "]);\n" : ",\n");
    if (!last) {
        return PSB_OK;
    }
    psb_text name = {0};
    psb_text_printf(&name, "data/%s/%zu.js", p->d->stem, chunk);
    psb_status status = psb_text_status(&name, error);
    if (status == PSB_OK) {
        status = psb_site_write(p->s, name.data, &p->chunk, error);
    }
    psb_text_free(&name);
    return status;
}

/* ---- the pass -------------------------------------------------------------------------- */

static psb_status allocate(pass *p, psb_error *error) {
    struct {
        void **out;
        size_t count, size;
    } blocks[] = {
        {(void **)&p->list, p->n, sizeof *p->list},
        {(void **)&p->line, p->n, 3},
        {(void **)&p->tiers.sums, p->side * 3, sizeof(uint32_t)},
        {(void **)&p->tiers.pixels, p->side * p->side, 3},
        {(void **)&p->distances.sums, p->side, sizeof(uint32_t)},
        {(void **)&p->distances.pixels, p->side * p->side, 1},
    };
    psb_status status = PSB_OK;
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0] && status == PSB_OK; b++) {
        void *memory;
        status = psb_alloc_zero(&memory, blocks[b].count, blocks[b].size, "ranked lists", error);
        *blocks[b].out = memory;
    }
    return status;
}

static psb_status write_image(const pass *p, const char *what, const picture *image,
                              psb_error *error) {
    psb_text name = {0}, path = {0};
    psb_text_printf(&name, "images/%s-%s.png", p->d->stem, what);
    psb_status status = psb_text_status(&name, error);
    if (status == PSB_OK) {
        status = psb_site_path(p->s, name.data, &path, error);
    }
    if (status == PSB_OK) {
        psb_pixel pixel = image->channels == 3 ? PSB_RGB : PSB_GRAY;
        status = psb_png_write(path.data, p->side, p->side, pixel, image->pixels, error);
    }
    psb_text_free(&name);
    psb_text_free(&path);
    return status;
}

static psb_status make_folder(const pass *p, psb_error *error) {
    psb_text path = {0};
    psb_text_printf(&path, "%s/data/%s", p->s->options->folder, p->d->stem);
    psb_status status = psb_text_status(&path, error);
    if (status == PSB_OK) {
        status = psb_make_folder(path.data, error);
    }
    psb_text_free(&path);
    return status;
}

static psb_status run_pass(pass *p, psb_error *error) {
    psb_status status = make_folder(p, error);
    for (size_t i = 0; i < p->n * p->n; i++) {
        p->largest = fmax(p->largest, (double)p->matrix->data[i]);
    }
    for (size_t query = 0; query < p->n && status == PSB_OK; query++) {
        rank(p, query);
        add_tiers(p, query);
        add_distances(p, query);
        add_precision(p, query);
        status = add_to_chunk(p, query, error);
    }
    if (status == PSB_OK) {
        status = write_image(p, "tiers", &p->tiers, error);
    }
    if (status == PSB_OK) {
        status = write_image(p, "distances", &p->distances, error);
    }
    for (int level = 0; level < SITE_LEVELS; level++) {
        p->d->precision[level] =
            p->queries[level] > 0 ? p->precision[level] / (double)p->queries[level] : (double)NAN;
    }
    return status;
}

static void average(const site *s, site_descriptor *d) {
    d->micro = psb_average_micro(&s->cla, d->scores);
    d->macro = psb_average_macro(&s->cla, d->scores);
    double squares[PSB_FIGURES] = {0};
    for (size_t i = 0; i < s->cla.nmodels; i++) {
        const psb_class *own = &s->cla.classes[s->cla.class_of[i]];
        for (size_t f = 0; f < PSB_FIGURES && own->count > 2 && d->scores[i].scored; f++) {
            double difference = d->scores[i].figure[f] - d->micro.figure[f];
            squares[f] += difference * difference;
        }
    }
    double queries = (double)d->micro.queries;
    for (size_t f = 0; f < PSB_FIGURES; f++) {
        d->error[f] = queries > 0 ? sqrt(squares[f]) / queries : (double)NAN;
    }
}

psb_status psb_site_write_queries(const site *s, site_descriptor *d, psb_error *error) {
    psb_matrix matrix = {0};
    size_t n = s->cla.nmodels, factor = (n + LONGEST_IMAGE - 1) / LONGEST_IMAGE;
    pass p = {.s = s,
              .d = d,
              .matrix = &matrix,
              .n = n,
              .factor = factor,
              .side = (n + factor - 1) / factor,
              .tiers = {.channels = 3},
              .distances = {.channels = 1}};
    psb_text path = {0};
    psb_text_printf(&path, "%s/matrices/%s.matrix", s->options->run, d->stem);
    psb_status status = psb_text_status(&path, error);
    if (status == PSB_OK) {
        status = psb_matrix_read(path.data, n, &matrix, error);
    }
    if (status == PSB_OK) {
        status = psb_score_queries(&s->cla, &matrix, s->options->threads, d->scores, error);
    }
    if (status == PSB_OK) {
        average(s, d);
        status = allocate(&p, error);
    }
    if (status == PSB_OK) {
        status = run_pass(&p, error);
    }
    psb_matrix_close(&matrix);
    psb_text_free(&path);
    psb_text_free(&p.chunk);
    free(p.list);
    free(p.line);
    free(p.tiers.sums);
    free(p.tiers.pixels);
    free(p.distances.sums);
    free(p.distances.pixels);
    return status;
}
