/*
 * The map of the set: where models stand by each descriptor, made from the front of the lists that
 * pass by unless the run kept it. A set whose maps take long has one, of the best descriptor.
 */
#include "eval/map.h"

#include "core/memory.h"
#include "core/vector.h"
#include "eval/nearest.h"
#include "report/map_plot.h"
#include "site/parts.h"

#include <math.h>

/* A descriptor's map, and the front of each list until it is made; `kept`: by the run. */
typedef struct entry {
    uint32_t *neighbor;
    float *distance, *xy;
    bool kept;
} entry;

struct site_maps {
    size_t n, k;
    bool single; /* only the best descriptor has one */
    entry of[];  /* one for each descriptor */
};

psb_status psb_site_maps_begin(site *s, psb_error *error) {
    const psb_site_options *o = s->options;
    size_t n = s->cla->nmodels;
    psb_status status = PSB_OK;
    if (n < 3 || n > PSB_MAP_MOST) {
        return PSB_OK;
    }
    s->maps =
        psb_new_zero(&status, 1, sizeof *s->maps + s->ndescriptors * sizeof(entry), "maps", error);
    if (status == PSB_OK) {
        s->maps->n = n;
        s->maps->k = psb_map_neighbors(n);
        s->maps->single = n > PSB_MAP_EXACT;
    }
    for (size_t d = 0; d < s->ndescriptors && status == PSB_OK; d++) {
        entry *e = &s->maps->of[d];
        e->xy = psb_new(&status, n, 2 * sizeof *e->xy, "maps", error);
        PSB_THEN_IF(status, o->find_map != NULL,
                    o->find_map(o->context, d, e->xy, &e->kept, error));
        if (status == PSB_OK && !e->kept) {
            e->neighbor = psb_new(&status, n, s->maps->k * sizeof *e->neighbor, "maps", error);
            e->distance = psb_new(&status, n, s->maps->k * sizeof *e->distance, "maps", error);
        }
    }
    return status;
}

size_t psb_site_map_neighbors(const site *s) {
    return s->maps != NULL ? s->maps->k : 0;
}

void psb_site_map_note(const site *s, size_t which, size_t query, const uint64_t *keys) {
    const entry *e = s->maps != NULL ? &s->maps->of[which] : NULL;
    for (size_t j = 0; e != NULL && !e->kept && j < s->maps->k; j++) {
        e->neighbor[query * s->maps->k + j] = (uint32_t)psb_nearest_row(keys[j]);
        e->distance[query * s->maps->k + j] = psb_nearest_distance(keys[j]);
    }
}

static psb_status make_map(const site *s, size_t which, int threads, psb_error *error) {
    entry *e = &s->maps->of[which];
    const psb_map_input in = {s->maps->n, s->maps->k, e->neighbor, e->distance,
                              (const char *const *)s->cla->models};
    return psb_map_make(&in, threads, NULL, NULL, e->xy, error);
}

/* Makes a descriptor's map on one thread, as others are made at the same time. */
static psb_status make_one(void *job, void *own PSB_UNUSED, size_t which, psb_error *error) {
    const site *s = job;
    return s->maps->of[which].kept ? PSB_OK : make_map(s, which, 1, error);
}

psb_status psb_site_maps_make(site *s, psb_error *error) {
    const psb_site_options *o = s->options;
    site_stage stage = {o, "maps"};
    psb_status status = PSB_OK;
    if (s->maps == NULL) {
        return PSB_OK;
    }
    size_t best = s->by_score[0];
    if (!s->maps->single) {
        status = psb_parallel(&(psb_loop){.count = s->ndescriptors,
                                          .threads = o->threads,
                                          .item = make_one,
                                          .job = s,
                                          .progress = psb_site_progress,
                                          .context = &stage},
                              error);
    } else if (!s->maps->of[best].kept) {
        status = make_map(s, best, o->threads, error);
    }
    PSB_FREED const float **xy = psb_new(&status, s->ndescriptors, sizeof *xy, "maps", error);
    for (size_t d = 0; d < s->ndescriptors && status == PSB_OK; d++) {
        bool made = !s->maps->of[d].kept && (!s->maps->single || d == best);
        xy[d] = made ? s->maps->of[d].xy : NULL;
    }
    return PSB_THEN_IF(status, o->keep_maps != NULL, o->keep_maps(o->context, xy, error));
}

void psb_site_maps_free(site *s) {
    for (size_t d = 0; s->maps != NULL && d < s->ndescriptors; d++) {
        free(s->maps->of[d].neighbor);
        free(s->maps->of[d].distance);
        free(s->maps->of[d].xy);
    }
    free(s->maps);
}

/* ---- on the page ------------------------------------------------------------------------- */

/* Turns and mirrors a map so that models come near to where the other map has them. */
static void turn_like(float *xy, const float *other, size_t n) {
    double along[2] = {0, 0}, across[2] = {0, 0}, most = 0;
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        for (size_t i = 0; i < n; i++) {
            double x = (double)xy[2 * i] * (mirrored ? -1 : 1), y = (double)xy[2 * i + 1];
            along[mirrored] += x * (double)other[2 * i] + y * (double)other[2 * i + 1];
            across[mirrored] += x * (double)other[2 * i + 1] - y * (double)other[2 * i];
        }
    }
    int m =
        along[1] * along[1] + across[1] * across[1] > along[0] * along[0] + across[0] * across[0];
    double length = sqrt(along[m] * along[m] + across[m] * across[m]);
    double cosine = length > 0 ? along[m] / length : 1, sine = length > 0 ? across[m] / length : 0;
    for (size_t i = 0; i < n; i++) {
        double x = (double)xy[2 * i] * (m ? -1 : 1), y = (double)xy[2 * i + 1];
        xy[2 * i] = (float)(cosine * x - sine * y);
        xy[2 * i + 1] = (float)(sine * x + cosine * y);
        most = psb_max(most, psb_max(fabs((double)xy[2 * i]), fabs((double)xy[2 * i + 1])));
    }
    for (size_t c = 0; c < 2 * n && most > 0; c++) {
        xy[c] = (float)((double)xy[c] / most);
    }
}

/* Writes for the script: places as pairs of 16 bits in base64, by descriptor. */
static psb_status write_data(const site *s, const psb_map_groups *groups, psb_error *error) {
    psb_text out = {0};
    psb_status status = PSB_OK;
    size_t best = s->by_score[0], n = s->maps->n;
    PSB_FREED uint16_t *packed = psb_new(&status, n, 2 * sizeof *packed, "maps", error);
    psb_text_add(&out, "psb.map={groups:[");
    for (size_t g = 0; g < groups->count; g++) {
        psb_text_printf(&out, "%s%zu", g > 0 ? "," : "", groups->class[g]);
    }
    psb_text_add(&out, "],places:[");
    for (size_t r = 0; r < s->ndescriptors && status == PSB_OK && (r == 0 || !s->maps->single);
         r++) {
        float *xy = s->maps->of[s->by_score[r]].xy;
        if (r > 0) {
            turn_like(xy, s->maps->of[best].xy, n);
        }
        for (size_t c = 0; c < 2 * n; c++) {
            packed[c] = (uint16_t)(32767.5 * (1 + (double)xy[c]) + 0.5);
        }
        psb_text_printf(&out, "%s\n[%zu,\"", r > 0 ? "," : "", s->by_score[r]);
        psb_text_add_base64(&out, packed, 2 * n * sizeof *packed);
        psb_text_add(&out, "\"]");
    }
    psb_text_add(&out, "]};\n");
    if (status != PSB_OK) {
        psb_text_free(&out);
        return status;
    }
    return psb_site_write(s, "data/map.js", &out, error);
}

/* Adds all markers of a group as one path; PSB_MAP_GROUPS are the others. */
static void add_group(const site *s, psb_text *out, const psb_map_groups *groups, size_t group,
                      const float *xy) {
    enum { MOST = 10000 }; /* markers; of more models every step-th is shown */
    size_t step = (s->maps->n + MOST - 1) / MOST;
    bool any = false;
    for (size_t i = 0; i < s->maps->n; i += step) {
        if (psb_map_group_of(groups, s->cla, s->cla->class_of[i]) == group) {
            if (!any && group < PSB_MAP_GROUPS) {
                psb_text_printf(out, "<path data-group=\"%zu\" class=\"point colour-%zu\" d=\"",
                                group, group % SITE_COLOURS);
            } else if (!any) {
                psb_text_printf(out, "<path data-group=\"%zu\" class=\"others\" d=\"", group);
            }
            any = true;
            psb_site_plot_shape(out, group, SITE_MAP / 2.0 + SITE_MAP_HALF * (double)xy[2 * i],
                                SITE_MAP / 2.0 + SITE_MAP_HALF * (double)xy[2 * i + 1]);
        }
    }
    psb_text_add(out, any ? "\"/>\n" : "");
}

static void add_legend(const site *s, psb_text *out, const psb_map_groups *groups) {
    psb_text_add(out, "<ul class=\"map-legend\">\n");
    for (size_t g = 0; g < groups->count; g++) {
        psb_text_printf(out,
                        "<li data-group=\"%zu\"><svg class=\"swatch\" viewBox=\"0 0 12 12\" "
                        "aria-hidden=\"true\">",
                        g);
        psb_site_plot_marker(out, g, 6, 6);
        psb_markup_within(out, "/></svg> ", s->cla->classes[groups->class[g]].name, "");
        psb_text_printf(out, " <small>%zu</small></li>\n", groups->models[g]);
    }
    if (groups->others > 0) {
        psb_text_printf(out,
                        "<li data-group=\"%d\"><svg class=\"swatch\" viewBox=\"0 0 12 12\" "
                        "aria-hidden=\"true\"><circle class=\"others\" cx=\"6\" cy=\"6\" "
                        "r=\"3\"/></svg> others <small>%zu</small></li>\n",
                        PSB_MAP_GROUPS, groups->others);
    }
    psb_text_add(out, "</ul>\n");
}

psb_status psb_site_add_map(const site *s, psb_text *out, psb_error *error) {
    psb_map_groups groups;
    if (s->maps == NULL) {
        return PSB_OK;
    }
    psb_map_groups_find(s->cla, &groups);
    size_t best = s->by_score[0];
    psb_text_add(out, "<section class=\"map\" aria-labelledby=\"map\">\n"
                      "<h2 id=\"map\">Map of the set</h2>\n<div class=\"map-body\">\n");
    psb_text_printf(out,
                    "<div class=\"map-frame\"><svg class=\"map-points\" viewBox=\"0 0 %d %d\" "
                    "role=\"img\" aria-label=\"",
                    SITE_MAP, SITE_MAP);
    psb_markup_within(out, "Map of the set by ", s->descriptors[best].label, "\">\n");
    for (size_t g = PSB_MAP_GROUPS + 1; g-- > 0;) {
        add_group(s, out, &groups, g, s->maps->of[best].xy);
    }
    psb_text_add(out, "</svg></div>\n<div class=\"map-side\">\n<div class=\"map-tools\"></div>\n");
    add_legend(s, out, &groups);
    psb_markup_within(out,
                      "<p class=\"note\">Nearby points are similar models (t-SNE of the "
                      "<span class=\"map-by\">",
                      s->descriptors[best].label,
                      "</span> distances); distances between clusters have no "
                      "meaning.</p>\n</div>\n</div>\n</section>\n"
                      "<script src=\"data/map.js\" defer></script>\n");
    return write_data(s, &groups, error);
}
