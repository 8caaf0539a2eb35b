/* Shows queries that a descriptor is worst at, none finds, or one; classes with another ranking. */
#include "site/parts.h"

#include <math.h>
#include <string.h>

static double value_of(const site *s, size_t which, size_t query, size_t figure) {
    return psb_evaluation_values(s->evaluation, which)[query * s->evaluation->nmeasures + figure];
}

static void add_card(const site *s, psb_text *out, size_t query, size_t which, double score) {
    psb_site_card_begin(s, out, query, which);
    psb_markup_within(out, "<span class=\"id\">", s->cla->models[query],
                      "</span><span class=\"line\">");
    psb_site_class_path(out, s->cla, s->cla->class_of[query], true);
    psb_markup_within(out, "</span><span class=\"line\">", s->descriptors[which].label, ": DCG ");
    psb_text_printf(out, "%.1f %%</span></a></li>\n", 100 * score);
}

/* Adds queries whose scores are their DCG, or less it with `sign` -1. */
static void add_list(const site *s, psb_text *out, const site_few *l, double sign,
                     const char *heading) {
    if (l->count == 0) {
        return;
    }
    psb_text_printf(out, "%s <small>%zu of %zu</small></h2>\n<ul class=\"models\">\n", heading,
                    l->count, l->all);
    for (size_t i = 0; i < l->count; i++) {
        add_card(s, out, l->which[i], l->by[i], sign * l->score[i]);
    }
    psb_text_add(out, "</ul>\n");
}

/* A descriptor finds a query if its nearest neighbor is of its class. */
void psb_site_add_failures(const site *s, psb_text *out) {
    site_few none = {.most = SITE_FEW}, one = {.most = SITE_FEW};
    for (size_t q = 0; q < s->cla->nmodels && s->ndescriptors > 1; q++) {
        size_t finders = 0, finder = 0, top = 0;
        for (size_t d = 0; d < s->ndescriptors && s->evaluation->selected[q]; d++) {
            bool finds = value_of(s, d, q, PSB_NEAREST_NEIGHBOR) > 0;
            finders += finds;
            finder = finds ? d : finder;
            top = value_of(s, d, q, PSB_DCG) > value_of(s, top, q, PSB_DCG) ? d : top;
        }
        if (s->evaluation->selected[q] && finders == 0) {
            psb_site_few_add(&none, q, top, -value_of(s, top, q, PSB_DCG));
        } else if (finders == 1) {
            psb_site_few_add(&one, q, finder, value_of(s, finder, q, PSB_DCG));
        }
    }
    if (none.count + one.count == 0) {
        return;
    }
    psb_text_add(out, "<section aria-label=\"Hard queries\">\n");
    add_list(s, out, &none, -1, "<h2>Queries that no descriptor finds");
    add_list(s, out, &one, 1, "<h2>Queries that only one descriptor finds");
    psb_text_add(out, "<p class=\"note\">A query is found if its nearest neighbor is in its class. "
                      "Queries that none finds: lowest DCG first, each with its best descriptor. "
                      "Queries that one finds: highest DCG first.</p>\n</section>\n");
}

/* ---- classes where the ranking turns round ------------------------------------------------- */

static double dcg_of(const site *s, size_t which, psb_group group) {
    return psb_evaluation_mean(s->evaluation, which, PSB_DCG, group).value;
}

/* Kendall's tau of the descriptors' orders in a class and over all queries; ties count nothing. */
static double order_kept(const site *s, psb_group class) {
    double agree = 0, pairs = 0;
    for (size_t a = 0; a < s->ndescriptors; a++) {
        for (size_t b = a + 1; b < s->ndescriptors; b++) {
            double here = dcg_of(s, s->by_score[a], class) - dcg_of(s, s->by_score[b], class);
            agree += (here > 0) - (here < 0);
            pairs++;
        }
    }
    return agree / pairs;
}

/* Adds a class: "EXT is best, 61.3; LFD is number 9, 40.2". */
static void add_turned(const site *s, psb_text *out, psb_group class) {
    size_t all_best = s->by_score[0], here = all_best, place = 1;
    for (size_t d = 0; d < s->ndescriptors; d++) {
        here = dcg_of(s, d, class) > dcg_of(s, here, class) ? d : here;
        place += dcg_of(s, d, class) > dcg_of(s, all_best, class);
    }
    psb_text_add(out, "<div class=\"tile\"><div class=\"tile-pictures\" aria-hidden=\"true\">");
    const psb_class *of = &s->cla->classes[class.which];
    for (size_t i = of->first; i < of->first + of->count && i < of->first + 4; i++) {
        psb_site_thumbnail(s, out, i);
    }
    psb_text_add(out, "</div><h3>");
    psb_site_class_link(s, out, class.which);
    psb_markup_within(out, "</h3><p>", s->descriptors[here].label, "");
    psb_text_printf(out, " is best, %.1f; ", 100 * dcg_of(s, here, class));
    psb_markup_within(out, "", s->descriptors[all_best].label, "");
    psb_text_printf(out, " is number %zu, %.1f</p></div>\n", place,
                    100 * dcg_of(s, all_best, class));
}

void psb_site_add_turned(const site *s, psb_text *out) {
    site_few turned = {.most = SITE_FEW};
    for (psb_group class = psb_groups(PSB_PER_CLASS);
         s->ndescriptors > 2 && psb_group_next(s->evaluation, &class);) {
        double kept = order_kept(s, class);
        if (kept < 0) {
            psb_site_few_add(&turned, class.which, 0, -kept);
        }
    }
    if (turned.count == 0) {
        return;
    }
    psb_text_printf(out,
                    "<section aria-labelledby=\"turned\">\n<h2 id=\"turned\">Classes with a "
                    "reversed ranking <small>%zu of %zu</small></h2>\n<div class=\"tiles\">\n",
                    turned.count, turned.all);
    for (size_t i = 0; i < turned.count; i++) {
        add_turned(s, out, (psb_group){PSB_PER_CLASS, turned.which[i]});
    }
    psb_text_add(out, "</div>\n<p class=\"note\">Classes in which most pairs of descriptors rank "
                      "in the opposite order to all queries (Kendall\xe2\x80\x99s tau of DCG below "
                      "0), most reversed first.</p>\n</section>\n");
}

void psb_site_add_worst(const site *s, psb_text *out, size_t which) {
    site_few worst = {.most = SITE_FEW};
    for (size_t q = 0; q < s->cla->nmodels; q++) {
        if (s->evaluation->selected[q]) {
            psb_site_few_add(&worst, q, which, -value_of(s, which, q, PSB_DCG));
        }
    }
    psb_text_add(out, "<section aria-label=\"Worst queries\">\n");
    add_list(s, out, &worst, -1, "<h2>Worst queries");
    psb_text_add(out, "</section>\n");
}
