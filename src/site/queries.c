/*
 * One pass over the queries of a descriptor: each one's ranked list gives its entry in a chunk of
 * lists, and its rows of the tier and distance images.
 */
#include "core/file.h"
#include "io/png.h"
#include "report/matrix_image.h"
#include "site/parts.h"

#include <stdio.h>
#include <string.h>

typedef struct picture {
    size_t channels;
    uint8_t *pixels; /* side x side x channels */
} picture;

typedef struct pass {
    const site *s;
    size_t which; /* descriptor */
    const psb_descriptor_facts *d;
    const psb_matrix *matrix;
    size_t n, step, side; /* an image has every step-th model */
    uint64_t *scratch;    /* to rank in */
    const uint32_t *list; /* of the query in work, nearest first */
    uint32_t *line;       /* n colours, a row of an image before averaging */
    picture tiers, distances;
    psb_text chunk, classes;
    uint32_t *found; /* of each class: its models in the first tiers of the class in work */
} pass;

/* ---- images ---------------------------------------------------------------------------- */

/* Pixels are true pairs: of a large set, those of some models. */
static void add_line(const pass *p, picture *image, size_t row) {
    if (row % p->step != 0) {
        return;
    }
    uint8_t *pixel = image->pixels + row / p->step * p->side * image->channels;
    for (size_t x = 0; x < p->side; x++) {
        for (size_t k = 0; k < image->channels; k++) {
            *pixel++ = (uint8_t)(p->line[x * p->step] >> (16 - 8 * k) & 0xff);
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
        psb_text_printf(out, "%s%.1f", f > 0 ? "," : "", 100 * values[f]);
    }
    psb_text_add(out, "],[");
    for (size_t r = 0; r < listed; r++) {
        psb_text_printf(out, "%s%u", r > 0 ? "," : "", (unsigned)p->list[r]);
    }
    psb_text_add(out, "],[");
    for (size_t r = 0; r < listed; r++) {
        psb_text_add(out, r > 0 ? "," : "");
        psb_text_add_short(out, (double)distances[p->list[r]]);
    }
    psb_text_add(out, "],[");
    psb_ranks ranks = psb_evaluation_ranks(e, p->which, query);
    for (size_t k = 0; k < psb_ranks_known(&ranks) && k < SITE_LISTED; k++) {
        psb_text_printf(out, "%s%u", k > 0 ? "," : "", (unsigned)ranks.rank[k]);
    }
    psb_text_add(out, "]]");
}

/* Opens a chunk before its first query and writes it behind its last. */
static psb_status add_to_chunk(pass *p, size_t query, psb_error *error) {
    size_t length = psb_site_chunk(p->s), chunk = query / length;
    bool last = query + 1 == p->n || (query + 1) % length == 0;
    if (query % length == 0) {
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

/* ---- classes ---------------------------------------------------------------------------- */

enum { MOST_CONFUSED = 8, EXTREMES = 8 };

/* Which classes stand in the first tiers of a class's queries, as shares of these; itself, too. */
static void add_confusions(pass *p, size_t class) {
    psb_text *out = &p->classes;
    double all = 0;
    for (size_t c = 0; c < p->s->cla->nclasses; c++) {
        all += p->found[c];
    }
    psb_text_printf(out, "%s[%zu,[", out->length > 0 ? ",\n" : "", class);
    for (int k = 0; k < MOST_CONFUSED; k++) {
        size_t most = 0;
        for (size_t c = 1; c < p->s->cla->nclasses; c++) {
            most = p->found[c] > p->found[most] ? c : most;
        }
        if (p->found[most] == 0) {
            break;
        }
        psb_text_printf(out, "%s[%zu,%.1f]", k > 0 ? "," : "", most, 100 * p->found[most] / all);
        p->found[most] = 0;
    }
    memset(p->found, 0, p->s->cla->nclasses * sizeof *p->found);
}

/* A class's queries with the largest DCG, or the smallest, ties by their order. */
static void add_extremes(pass *p, const psb_class *class, double sign) {
    const psb_evaluation *e = p->s->evaluation;
    const double *values = psb_evaluation_values(e, p->which) + PSB_DCG;
    size_t shown[EXTREMES], count = 0;
    for (size_t q = class->first; q < class->first + class->count; q++) {
        double value = sign * values[q * e->nmeasures];
        size_t at = count;
        while (at > 0 && value > sign * values[shown[at - 1] * e->nmeasures]) {
            at--;
        }
        if (at < EXTREMES) {
            count += count < EXTREMES;
            memmove(shown + at + 1, shown + at, (count - 1 - at) * sizeof *shown);
            shown[at] = q;
        }
    }
    psb_text_add(&p->classes, "],[");
    for (size_t i = 0; i < count; i++) {
        psb_text_printf(&p->classes, "%s[%zu,%.1f]", i > 0 ? "," : "", shown[i],
                        100 * values[shown[i] * e->nmeasures]);
    }
}

/* Models of a class follow each other: behind its last query all is known of it. */
static void add_to_class(pass *p, size_t query) {
    const psb_classification *cla = p->s->cla;
    const psb_class *class = &cla->classes[cla->class_of[query]];
    size_t tier = psb_cla_relevant(cla, query);
    for (size_t r = 0; r < tier; r++) {
        p->found[cla->class_of[p->list[r]]]++;
    }
    if (tier > 0 && query + 1 == class->first + class->count) {
        add_confusions(p, cla->class_of[query]);
        add_extremes(p, class, 1);
        add_extremes(p, class, -1);
        psb_text_add(&p->classes, "]]");
    }
}

static psb_status write_classes(const pass *p, psb_error *error) {
    psb_text out = {0};
    char name[sizeof p->d->stem + 32];
    snprintf(name, sizeof name, "data/%s/classes.js", p->d->stem);
    psb_text_printf(&out, "psb.confusions(%zu,[\n", p->which);
    psb_text_add_bytes(&out, p->classes.length > 0 ? p->classes.data : "", p->classes.length);
    out.failed = out.failed || p->classes.failed;
    psb_text_add(&out, "]);\n");
    return psb_site_write(p->s, name, &out, error);
}

/* ---- the pass -------------------------------------------------------------------------- */

static psb_status allocate(pass *p, psb_error *error) {
    static const char what[] = "ranked lists";
    psb_status status = PSB_OK;
    p->scratch = psb_new(&status, p->n, PSB_RANK_ALL_BYTES, what, error);
    p->line = psb_new(&status, p->n, sizeof *p->line, what, error);
    p->found = psb_new_zero(&status, p->s->cla->nclasses, sizeof *p->found, what, error);
    for (int i = 0; i < 2; i++) {
        picture *image = i == 0 ? &p->tiers : &p->distances;
        image->pixels = psb_new(&status, p->side * p->side, image->channels, what, error);
    }
    return status;
}

static psb_status write_image(const pass *p, const char *what, const picture *image,
                              psb_error *error) {
    psb_status status = PSB_OK;
    char *path = psb_new_format(&status, error, "%s/images/%s-%s.png", p->s->options->folder,
                                p->d->stem, what);
    psb_pixel pixel = image->channels == 3 ? PSB_RGB : PSB_GRAY;
    PSB_THEN(status, psb_png_write(path, p->side, p->side, pixel, image->pixels, error));
    free(path);
    return status;
}

static psb_status run_pass(pass *p, psb_error *error) {
    psb_status status = PSB_OK;
    char *folder = psb_new_format(&status, error, "%s/data/%s", p->s->options->folder, p->d->stem);
    PSB_THEN(status, psb_make_folder(folder, error));
    free(folder);
    float largest = psb_largest_distance(p->matrix);
    for (size_t query = 0; query < p->n && status == PSB_OK; query++) {
        p->list =
            psb_rank_all(p->matrix->data + query * p->matrix->n, p->matrix->n, query, p->scratch);
        psb_tier_colors(p->s->cla, query, p->list, p->line);
        add_line(p, &p->tiers, query);
        psb_distance_colors(p->matrix, query, largest, p->line);
        add_line(p, &p->distances, query);
        add_to_class(p, query);
        status = add_to_chunk(p, query, error);
    }
    PSB_THEN(status, write_classes(p, error));
    PSB_THEN(status, write_image(p, "tiers", &p->tiers, error));
    PSB_THEN(status, write_image(p, "distances", &p->distances, error));
    return status;
}

psb_status psb_site_write_queries(const site *s, size_t which, psb_error *error) {
    const psb_descriptor_facts *d = &s->descriptors[which];
    const psb_report *report = s->options->report;
    size_t own = s->ndescriptors - report->ngiven;
    psb_matrix matrix = {0};
    size_t n = s->cla->nmodels, step = psb_site_image_step(s);
    pass p = {.s = s,
              .which = which,
              .d = d,
              .matrix = which < own ? &matrix : &report->given[which - own],
              .n = n,
              .step = step,
              .side = (n + step - 1) / step,
              .tiers = {.channels = 3},
              .distances = {.channels = 1}};
    psb_status status = PSB_OK;
    char *path = psb_new_format(&status, error, "%s/matrices/%s.matrix", report->run, d->stem);
    if (which < own) {
        PSB_THEN(status, psb_matrix_read(path, n, &matrix, error));
    }
    PSB_THEN(status, allocate(&p, error));
    PSB_THEN(status, run_pass(&p, error));
    psb_matrix_close(&matrix);
    free(path);
    psb_text_free(&p.chunk);
    psb_text_free(&p.classes);
    free(p.found);
    free(p.scratch);
    free(p.line);
    free(p.tiers.pixels);
    free(p.distances.pixels);
    return status;
}
