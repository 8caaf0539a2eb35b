/*
 * One pass over the queries of a descriptor: each one's ranked list gives its entry in a chunk of
 * lists, and its rows of the tier and distance images.
 */
#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "io/png.h"
#include "report/matrix_image.h"
#include "site/parts.h"

#include <stdio.h>
#include <stdlib.h>

/* Larger images are averaged down by a whole number to this at most. */
enum { LONGEST_IMAGE = 1600 };

/* An image that is averaged down while its rows come in. */
typedef struct picture {
    size_t channels;
    uint32_t *sums;  /* side x channels: of the row of blocks in work */
    uint8_t *pixels; /* side x side x channels */
} picture;

typedef struct pass {
    const site *s;
    size_t which; /* descriptor */
    const psb_descriptor_facts *d;
    const psb_matrix *matrix;
    size_t n, factor, side; /* an image's pixel is factor x factor models */
    uint64_t *scratch;      /* to rank in */
    const uint32_t *list;   /* of the query in work, nearest first */
    uint32_t *line;         /* n colours, a row of an image before averaging */
    picture tiers, distances;
    psb_text chunk;
} pass;

/* ---- images ---------------------------------------------------------------------------- */

/* Adds row `row` of the full image; writes the row of blocks when it is complete. */
static void add_line(const pass *p, picture *image, size_t row) {
    for (size_t i = 0; i < p->n; i++) {
        for (size_t k = 0; k < image->channels; k++) {
            image->sums[i / p->factor * image->channels + k] += p->line[i] >> (16 - 8 * k) & 0xff;
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

/* ---- ranked lists ---------------------------------------------------------------------- */

static void add_list(pass *p, size_t query) {
    const psb_evaluation *e = p->s->evaluation;
    const double *values = psb_evaluation_values(e, p->which) + query * e->nmeasures;
    const float *distances = p->matrix->data + query * p->n;
    bool scored = !p->s->cla->classes[p->s->cla->class_of[query]].miscellaneous;
    size_t listed = p->n - 1 < SITE_LISTED ? p->n - 1 : SITE_LISTED;
    psb_text *out = &p->chunk;
    psb_text_add(out, "[[");
    for (size_t f = 0; f < PSB_FIGURES && scored; f++) {
        psb_text_printf(out, "%s%.4g", f > 0 ? "," : "", values[f]);
    }
    psb_text_add(out, "],[");
    for (size_t r = 0; r < listed; r++) {
        psb_text_printf(out, "%s%u", r > 0 ? "," : "", (unsigned)p->list[r]);
    }
    psb_text_add(out, "],[");
    for (size_t r = 0; r < listed; r++) {
        psb_text_printf(out, "%s%.4g", r > 0 ? "," : "", (double)distances[p->list[r]]);
    }
    psb_text_add(out, "]]");
}

/* Opens a chunk before its first query and writes it behind its last. */
static psb_status add_to_chunk(pass *p, size_t query, psb_error *error) {
    size_t chunk = query / SITE_CHUNK;
    bool last = query + 1 == p->n || (query + 1) % SITE_CHUNK == 0;
    if (query % SITE_CHUNK == 0) {
        psb_text_printf(&p->chunk, "psb.lists(%zu,%zu,[\n", p->which, chunk);
    }
    add_list(p, query);
    psb_text_add(&p->chunk, last ? "]);\n" : ",\n");
    if (!last) {
        return PSB_OK;
    }
    char name[sizeof p->d->stem + 32];
    snprintf(name, sizeof name, "data/%s/%zu.js", p->d->stem, chunk);
    return psb_site_write(p->s, name, &p->chunk, error);
}

/* ---- the pass -------------------------------------------------------------------------- */

static psb_status allocate(pass *p, psb_error *error) {
    struct {
        void **out;
        size_t count, size;
    } blocks[] = {
        {(void **)&p->scratch, p->n, PSB_RANK_ALL_BYTES},
        {(void **)&p->line, p->n, sizeof(uint32_t)},
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
    psb_text path = {0};
    psb_text_printf(&path, "%s/images/%s-%s.png", p->s->options->folder, p->d->stem, what);
    psb_status status = psb_text_status(&path, error);
    if (status == PSB_OK) {
        psb_pixel pixel = image->channels == 3 ? PSB_RGB : PSB_GRAY;
        status = psb_png_write(path.data, p->side, p->side, pixel, image->pixels, error);
    }
    psb_text_free(&path);
    return status;
}

static psb_status make_folder(const pass *p, psb_error *error) {
    psb_text path = {0};
    psb_text_printf(&path, "%s/data/%s", p->s->options->folder, p->d->stem);
    psb_status status = psb_text_status(&path, error);
    PSB_THEN(status, psb_make_folder(path.data, error));
    psb_text_free(&path);
    return status;
}

static psb_status run_pass(pass *p, psb_error *error) {
    psb_status status = make_folder(p, error);
    float largest = psb_largest_distance(p->matrix);
    for (size_t query = 0; query < p->n && status == PSB_OK; query++) {
        p->list =
            psb_rank_all(p->matrix->data + query * p->matrix->n, p->matrix->n, query, p->scratch);
        psb_tier_colors(p->s->cla, query, p->list, p->line);
        add_line(p, &p->tiers, query);
        psb_distance_colors(p->matrix, query, largest, p->line);
        add_line(p, &p->distances, query);
        status = add_to_chunk(p, query, error);
    }
    PSB_THEN(status, write_image(p, "tiers", &p->tiers, error));
    PSB_THEN(status, write_image(p, "distances", &p->distances, error));
    return status;
}

psb_status psb_site_write_queries(const site *s, size_t which, psb_error *error) {
    const psb_descriptor_facts *d = &s->descriptors[which];
    psb_matrix matrix = {0};
    size_t n = s->cla->nmodels, factor = (n + LONGEST_IMAGE - 1) / LONGEST_IMAGE;
    pass p = {.s = s,
              .which = which,
              .d = d,
              .matrix = &matrix,
              .n = n,
              .factor = factor,
              .side = (n + factor - 1) / factor,
              .tiers = {.channels = 3},
              .distances = {.channels = 1}};
    psb_text path = {0};
    psb_text_printf(&path, "%s/matrices/%s.matrix", s->options->report->run, d->stem);
    psb_status status = psb_text_status(&path, error);
    PSB_THEN(status, psb_matrix_read(path.data, n, &matrix, error));
    PSB_THEN(status, allocate(&p, error));
    PSB_THEN(status, run_pass(&p, error));
    psb_matrix_close(&matrix);
    psb_text_free(&path);
    psb_text_free(&p.chunk);
    free(p.scratch);
    free(p.line);
    free(p.tiers.sums);
    free(p.tiers.pixels);
    free(p.distances.sums);
    free(p.distances.pixels);
    return status;
}
