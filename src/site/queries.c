/*
 * One pass over the distances of a descriptor, from its matrix or as they stream by: the front of
 * each query's ranked list gives its entry in a chunk of lists and its row of the tier image. The
 * distances between every step-th model, of a small set all, are kept for their image.
 */
#include "eval/nearest.h"
#include "io/png.h"
#include "report/matrix_image.h"
#include "site/parts.h"

#include <math.h>

enum { BLOCK = 256 }; /* queries of a matrix that are looked at together */

typedef struct pass {
    const site *s;
    size_t which; /* descriptor */
    const psb_descriptor_facts *d;
    size_t n, step, side; /* an image has every step-th model */
    psb_nearest *nearest; /* nearest rows of the queries in work */
    uint32_t *list;       /* ranked list of the query in work, nearest first */
    size_t listed;
    int32_t *largest; /* largest distance of each query, as bits, whose order is the same */
    float *distances; /* side x side */
    uint32_t *line;   /* n colors, a row of an image before models are left out */
    uint8_t *tiers;   /* side x side x 3 */
    psb_pr_running *curve, *class_curve; /* curve of all queries; of the class in work */
    psb_text chunk, classes;
    uint32_t *found; /* found[c]: models of class c in the first tiers of the class in work */
} pass;

/* ---- ranked lists ---------------------------------------------------------------------- */

static void add_list(pass *p, size_t query, const psb_ranks *ranks, const uint64_t *keys) {
    const psb_evaluation *e = p->s->evaluation;
    const double *values = psb_evaluation_values(e, p->which) + query * e->nmeasures;
    bool scored = !p->s->cla->classes[p->s->cla->class_of[query]].miscellaneous;
    size_t most = psb_site_listed(p->s), listed = p->listed < most ? p->listed : most;
    psb_text *out = &p->chunk;
    psb_text_add(out, "[[");
    for (size_t f = 0; f < PSB_FIGURES && scored; f++) {
        psb_text_printf(out, "%s%.1f", f > 0 ? "," : "", 100 * values[f]);
    }
    psb_text_add(out, "],[");
    psb_text_add_numbers(out, p->list, listed, ',');
    psb_text_add(out, "],[");
    for (size_t r = 0; r < listed; r++) {
        psb_text_add(out, r > 0 ? "," : "");
        psb_text_add_short(out, (double)psb_nearest_distance(keys[r]), 4);
    }
    psb_text_add(out, "],[");
    size_t known = psb_ranks_known(ranks);
    psb_text_add_numbers(out, ranks->rank, known < most ? known : most, ',');
    psb_text_add(out, "]]");
}

/* Opens a chunk before its first query and writes it behind its last. */
static psb_status add_to_chunk(pass *p, size_t query, const psb_ranks *ranks, const uint64_t *keys,
                               psb_error *error) {
    size_t length = psb_site_chunk(p->s), chunk = query / length;
    bool last = query + 1 == p->n || (query + 1) % length == 0;
    if (query % length == 0) {
        psb_text_printf(&p->chunk, "psb.lists(%zu,%zu,[\n", p->which, chunk);
    }
    add_list(p, query, ranks, keys);
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

/* Adds the most frequent classes of the first tiers of a class's queries, and their shares. */
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

/* Adds a class's queries with the largest DCG, for sign -1 the smallest, ties by their order. */
static void add_extremes(pass *p, const psb_class *class, double sign) {
    const psb_evaluation *e = p->s->evaluation;
    const double *values = psb_evaluation_values(e, p->which) + PSB_DCG;
    site_few shown = {.most = EXTREMES};
    for (size_t q = class->first; q < class->first + class->count; q++) {
        psb_site_few_add(&shown, q, p->which, sign * values[q * e->nmeasures]);
    }
    psb_text_add(&p->classes, "],[");
    for (size_t i = 0; i < shown.count; i++) {
        psb_text_printf(&p->classes, "%s[%zu,%.1f]", i > 0 ? "," : "", shown.which[i],
                        100 * values[shown.which[i] * e->nmeasures]);
    }
}

/* Adds precision at the levels of recall, in percent. */
static void add_class_curve(pass *p) {
    double precision[PSB_RECALL_LEVELS];
    psb_pr_running_curve(p->class_curve, precision);
    psb_text_add(&p->classes, "],[");
    for (int level = 0; level < PSB_RECALL_LEVELS; level++) {
        psb_text_add(&p->classes, level > 0 ? "," : "");
        psb_text_printf(&p->classes, isnan(precision[level]) ? "null" : "%.1f",
                        100 * precision[level]);
    }
}

/* Counts a query for its class, whose models follow each other: behind the last all is known. */
static void add_to_class(pass *p, size_t query, const psb_ranks *ranks) {
    const psb_classification *cla = p->s->cla;
    const psb_class *class = &cla->classes[cla->class_of[query]];
    size_t tier = psb_cla_relevant(cla, query);
    for (size_t r = 0; r < tier; r++) {
        p->found[cla->class_of[p->list[r]]]++;
    }
    psb_pr_running_add(p->class_curve, query, ranks);
    if (tier > 0 && query + 1 == class->first + class->count) {
        add_confusions(p, cla->class_of[query]);
        add_extremes(p, class, 1);
        add_extremes(p, class, -1);
        add_class_curve(p);
        psb_text_add(&p->classes, "]]");
    }
    if (query + 1 == class->first + class->count) {
        psb_pr_running_restart(p->class_curve);
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

/* ---- looking on ------------------------------------------------------------------------ */

/* How many nearest a query needs: for its list, tiers (the second only in the image), and map. */
static size_t wanted(const void *context, size_t query) {
    const pass *p = context;
    size_t tiers = psb_cla_relevant(p->s->cla, query) * (query % p->step == 0 ? 2 : 1);
    size_t most = psb_site_listed(p->s) > tiers ? psb_site_listed(p->s) : tiers;
    size_t near = psb_site_map_neighbors(p->s);
    most = most > near ? most : near;
    return most < p->n ? most : p->n;
}

static size_t bytes_of(const void *context, size_t query) {
    return psb_nearest_bytes(wanted(context, query));
}

static psb_status begin(void *context, size_t first, size_t end, psb_error *error) {
    pass *p = context;
    return psb_nearest_new_each(first, end, wanted, p, &p->nearest, error);
}

static void end(void *context) {
    pass *p = context;
    psb_nearest_free(p->nearest);
    p->nearest = NULL;
}

static void look(void *context, size_t query, size_t first, size_t n, const float *distances) {
    pass *p = context;
    int32_t largest = p->largest[query];
    psb_nearest_add(p->nearest, query, first, n, distances, query);
    for (size_t i = 0; i < n; i++) { /* without branches, for SIMD */
        int32_t bits;
        memcpy(&bits, &distances[i], sizeof bits);
        largest = bits > largest ? bits : largest;
    }
    p->largest[query] = largest;
    if (query % p->step == 0) {
        float *row = p->distances + query / p->step * p->side;
        for (size_t x = (first + p->step - 1) / p->step; x * p->step < first + n; x++) {
            row[x] = distances[x * p->step - first];
        }
    }
}

/* Adds a row of the tier image. Pixels are true pairs: of a large set, those of some models. */
static void add_tiers(const pass *p, size_t query) {
    uint8_t *pixel = p->tiers + query / p->step * p->side * 3;
    psb_tier_colors(p->s->cla, query, p->list, p->listed, p->line);
    for (size_t x = 0; x < p->side; x++) {
        for (int k = 0; k < 3; k++) {
            *pixel++ = (uint8_t)(p->line[x * p->step] >> (16 - 8 * k) & 0xff);
        }
    }
}

static psb_status take(void *context, size_t query, const psb_ranks *ranks, psb_error *error) {
    pass *p = context;
    const uint64_t *keys;
    p->listed = psb_nearest_finish(p->nearest, query, &keys);
    for (size_t r = 0; r < p->listed; r++) {
        p->list[r] = (uint32_t)psb_nearest_row(keys[r]);
    }
    if (query % p->step == 0) {
        add_tiers(p, query);
    }
    psb_site_map_note(p->s, p->which, query, keys);
    psb_site_agreement_note(p->s, p->which, query, p->list);
    psb_pr_running_add(p->curve, query, ranks);
    add_to_class(p, query, ranks);
    return add_to_chunk(p, query, ranks, keys, error);
}

/* ---- the pass -------------------------------------------------------------------------- */

/* The ranks of a query, as the evaluation kept them, or made from its row. */
static psb_ranks ranks_of(const pass *p, size_t query, const float *row, void *scratch) {
    const psb_evaluation *e = p->s->evaluation;
    psb_ranks none = {.listed = p->n - 1};
    return e->relevance->set_of[query] == PSB_NO_CLASS ? none
           : e->keep_ranks                             ? psb_evaluation_ranks(e, p->which, query)
                           : psb_rank_relevant(e->relevance, row, query, scratch);
}

static psb_status look_at_matrix(pass *p, const psb_matrix *matrix, psb_error *error) {
    const psb_relevance *relevance = p->s->evaluation->relevance;
    psb_status status = PSB_OK;
    PSB_FREED void *scratch = psb_new(&status, psb_ranks_scratch(relevance), 1, "rankings", error);
    for (size_t first = 0; first < p->n && status == PSB_OK; first += BLOCK) {
        size_t behind = p->n - first < BLOCK ? p->n : first + BLOCK;
        status = begin(p, first, behind, error);
        for (size_t q = first; q < behind && status == PSB_OK; q++) {
            const float *row = matrix->data + q * p->n;
            psb_ranks ranks = ranks_of(p, q, row, scratch);
            look(p, q, 0, p->n, row);
            status = take(p, q, &ranks, error);
        }
        end(p);
    }
    return status;
}

/* Looks at the descriptor's matrix: of the run, or given beside it. */
static psb_status run_matrix(pass *p, psb_error *error) {
    const psb_report *report = p->s->options->report;
    size_t own = p->s->ndescriptors - report->ngiven;
    PSB_AT_END(psb_matrix_close) psb_matrix matrix = {0};
    if (p->which >= own) {
        return look_at_matrix(p, &report->given[p->which - own], error);
    }
    psb_status status = psb_run_facts_matrix(report->run, p->d, p->n, &matrix, error);
    return PSB_THEN(status, look_at_matrix(p, &matrix, error));
}

static psb_status run_pass(pass *p, psb_error *error) {
    const psb_site_options *o = p->s->options;
    const psb_watcher watcher = {bytes_of, begin, look, take, end, p};
    return psb_site_streams(p->s, p->which) ? o->stream(o->context, p->which, &watcher, error)
                                            : run_matrix(p, error);
}

static psb_status write_image(const pass *p, const char *what, psb_pixel pixel,
                              const uint8_t *pixels, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED uint8_t *png = NULL;
    size_t size = 0;
    PSB_FREED char *name = psb_new_format(&status, error, "images/%s-%s.png", p->d->stem, what);
    PSB_THEN(status, psb_png_make(p->side, p->side, pixel, pixels, &png, &size, error));
    return PSB_THEN(status, psb_site_write_bytes(p->s, name, png, size, error));
}

static psb_status write_distances(const pass *p, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED uint8_t *pixels = psb_new(&status, p->side, p->side, "an image", error);
    int32_t bits = 0;
    float largest;
    for (size_t q = 0; q < p->n; q++) {
        bits = p->largest[q] > bits ? p->largest[q] : bits;
    }
    memcpy(&largest, &bits, sizeof largest);
    for (size_t y = 0; y < p->side && status == PSB_OK; y++) {
        psb_distance_colors(p->distances + y * p->side, p->side, largest, p->line);
        for (size_t x = 0; x < p->side; x++) {
            pixels[y * p->side + x] = (uint8_t)(p->line[x] & 0xff);
        }
    }
    return PSB_THEN(status, write_image(p, "distances", PSB_GRAY, pixels, error));
}

static psb_status allocate(pass *p, psb_error *error) {
    static const char what[] = "ranked lists";
    psb_status status = PSB_OK;
    p->list = psb_new(&status, p->n, sizeof *p->list, what, error);
    p->line = psb_new(&status, p->n, sizeof *p->line, what, error);
    p->largest = psb_new_zero(&status, p->n, sizeof *p->largest, what, error);
    p->found = psb_new_zero(&status, p->s->cla->nclasses, sizeof *p->found, what, error);
    p->tiers = psb_new(&status, p->side * p->side, 3, what, error);
    p->distances = psb_new(&status, p->side * p->side, sizeof *p->distances, what, error);
    PSB_THEN(status, psb_pr_running_new(p->s->evaluation, PSB_PR_OTHERS, &p->curve, error));
    return PSB_THEN(status,
                    psb_pr_running_new(p->s->evaluation, PSB_PR_OTHERS, &p->class_curve, error));
}

static psb_status make_folder(const pass *p, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED char *folder =
        psb_new_format(&status, error, "%s/data/%s", p->s->options->folder, p->d->stem);
    return PSB_THEN(status, psb_make_folder(folder, error));
}

psb_status psb_site_write_queries(site *s, size_t which, psb_error *error) {
    size_t n = s->cla->nmodels, step = psb_site_image_step(s);
    pass p = {.s = s,
              .which = which,
              .d = &s->descriptors[which],
              .n = n,
              .step = step,
              .side = (n + step - 1) / step};
    psb_status status = make_folder(&p, error);
    PSB_THEN(status, allocate(&p, error));
    PSB_THEN(status, run_pass(&p, error));
    PSB_THEN(status, write_classes(&p, error));
    PSB_THEN(status, write_image(&p, "tiers", PSB_RGB, p.tiers, error));
    PSB_THEN(status, write_distances(&p, error));
    if (status == PSB_OK) {
        psb_pr_running_curve(p.curve, s->precision[which]);
    }
    psb_pr_running_free(p.curve);
    psb_pr_running_free(p.class_curve);
    psb_text_free(&p.chunk);
    psb_text_free(&p.classes);
    free(p.found);
    free(p.list);
    free(p.line);
    free(p.largest);
    free(p.tiers);
    free(p.distances);
    return status;
}
