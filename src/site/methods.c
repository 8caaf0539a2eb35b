/*
 * The methods' page: which descriptors rank alike. Two agree by the mean, over queries, of the
 * share of the first tier that both find; average linkage joins them, the nearest first. What the
 * first tiers have is noted while the lists pass by.
 */
#include "core/memory.h"
#include "eval/clusters.h"
#include "site/parts.h"

#include <math.h>
#include <stdio.h>

enum {
    MOST_QUERIES = 2000, /* if there are more, every step-th is compared */
    MOST_TIER = 100,     /* models of a first tier that are compared */
};

struct site_agreement {
    size_t step, nqueries; /* every step-th query is compared, nqueries in all */
    size_t *first;         /* where each of these queries begins in tier[d], and the end */
    uint32_t **tier;       /* tier[d]: these queries' tiers by descriptor d, one behind the other */
    uint32_t *row;         /* row[q]: query q's number among these, or UINT32_MAX */
    double *share;         /* descriptors x descriptors */
    bool cut;              /* some tier is larger than MOST_TIER */
};

static size_t tier_of(const site *s, size_t query) {
    size_t relevant = psb_cla_relevant(s->cla, query);
    return relevant < MOST_TIER ? relevant : MOST_TIER;
}

psb_status psb_site_agreement_begin(site *s, psb_error *error) {
    static const char what[] = "first tiers";
    size_t n = s->cla->nmodels, nd = s->ndescriptors, all = 0, at = 0;
    psb_status status = PSB_OK;
    for (size_t q = 0; q < n; q++) {
        all += tier_of(s, q) > 0;
    }
    if (nd < 2 || all == 0) {
        return PSB_OK;
    }
    struct site_agreement *a = s->agreement = psb_new_zero(&status, 1, sizeof *a, what, error);
    if (status != PSB_OK) {
        return status;
    }
    a->step = (all + MOST_QUERIES - 1) / MOST_QUERIES;
    a->first = psb_new_zero(&status, all / a->step + 2, sizeof *a->first, what, error);
    a->row = psb_new(&status, n, sizeof *a->row, what, error);
    a->tier = psb_new_zero(&status, nd, sizeof *a->tier, what, error);
    a->share = psb_new_zero(&status, nd, nd * sizeof *a->share, what, error);
    for (size_t q = 0; q < n && status == PSB_OK; q++) {
        a->row[q] = UINT32_MAX;
        if (tier_of(s, q) > 0 && at++ % a->step == 0) {
            a->row[q] = (uint32_t)a->nqueries++;
            a->cut = a->cut || tier_of(s, q) < psb_cla_relevant(s->cla, q);
            a->first[a->nqueries] = a->first[a->nqueries - 1] + tier_of(s, q);
        }
    }
    for (size_t d = 0; d < nd && status == PSB_OK; d++) {
        a->tier[d] = psb_new(&status, a->first[a->nqueries] + 1, sizeof **a->tier, what, error);
    }
    return status;
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void psb_site_agreement_note(const site *s, size_t which, size_t query, const uint32_t *list) {
    const struct site_agreement *a = s->agreement;
    if (a != NULL && a->row[query] != UINT32_MAX) {
        uint32_t *tier = a->tier[which] + a->first[a->row[query]];
        memcpy(tier, list, tier_of(s, query) * sizeof *tier);
        qsort(tier, tier_of(s, query), sizeof *tier, by_number);
    }
}

void psb_site_agreement_free(site *s) {
    struct site_agreement *a = s->agreement;
    for (size_t d = 0; a != NULL && a->tier != NULL && d < s->ndescriptors; d++) {
        free(a->tier[d]);
    }
    if (a != NULL) {
        free(a->first);
        free(a->row);
        free(a->tier);
        free(a->share);
        free(a);
    }
}

/* How many models two ascending lists have in common. */
static size_t common(const uint32_t *a, const uint32_t *b, size_t count) {
    size_t both = 0, i = 0, j = 0;
    while (i < count && j < count) {
        both += a[i] == b[j];
        uint32_t x = a[i], y = b[j];
        i += x <= y;
        j += y <= x;
    }
    return both;
}

static void compare(const site *s) {
    const struct site_agreement *of = s->agreement;
    size_t nd = s->ndescriptors;
    for (size_t a = 0; a < nd; a++) {
        for (size_t b = 0; b <= a; b++) {
            double sum = 0;
            for (size_t q = 0; q < of->nqueries; q++) {
                size_t first = of->first[q], count = of->first[q + 1] - first;
                sum +=
                    (double)common(of->tier[a] + first, of->tier[b] + first, count) / (double)count;
            }
            of->share[a * nd + b] = of->share[b * nd + a] = sum / (double)of->nqueries;
        }
    }
}

/* ---- the tree ---------------------------------------------------------------------------- */

/* A descriptor, or two parts that were joined: parts nd, nd + 1, ... */
typedef struct part {
    size_t left, right, count;
    double share; /* mean share that the descriptors of both sides have in common */
    double x, y;  /* place in the drawing */
} part;

/* The place by score of a part's best descriptor: parts with a better one stand above. */
static size_t standing(const site *s, const part *parts, size_t at) {
    while (at >= s->ndescriptors) {
        at = parts[at].left;
    }
    size_t place = 0;
    while (s->by_score[place] != at) {
        place++;
    }
    return place;
}

/* Joins the descriptors to a tree; parts have the numbers of clusters. */
static psb_status grow(const site *s, part *parts, psb_error *error) {
    size_t nd = s->ndescriptors;
    psb_status status = PSB_OK;
    PSB_FREED float *apart = psb_new(&status, nd, nd * sizeof *apart, "a tree", error);
    PSB_FREED size_t *all = psb_new(&status, nd, sizeof *all, "a tree", error);
    PSB_FREED psb_joint *joints = psb_new(&status, nd, sizeof *joints, "a tree", error);
    for (size_t i = 0; i < nd * nd && status == PSB_OK; i++) {
        apart[i] = (float)(1 - s->agreement->share[i]);
    }
    for (size_t d = 0; d < nd && status == PSB_OK; d++) {
        all[d] = d;
        parts[d] = (part){.count = 1, .share = 1};
    }
    const psb_matrix matrix = {.n = nd, .data = apart};
    PSB_THEN(status, psb_average_linkage(&matrix, all, nd, joints, error));
    for (size_t j = 0; j + 1 < nd && status == PSB_OK; j++) {
        size_t left = joints[j].a, right = joints[j].b;
        bool turn = standing(s, parts, right) < standing(s, parts, left);
        parts[nd + j] = (part){.left = turn ? right : left,
                               .right = turn ? left : right,
                               .count = joints[j].models,
                               .share = 1 - joints[j].distance};
    }
    return status;
}

/* Appends the descriptors below a part to `order`, from above; returns the new count. */
static size_t leaves(const site *s, const part *parts, size_t at, size_t *order, size_t count) {
    if (at < s->ndescriptors) {
        order[count] = at;
        return count + 1;
    }
    count = leaves(s, parts, parts[at].left, order, count);
    return leaves(s, parts, parts[at].right, order, count);
}

/* ---- the page ---------------------------------------------------------------------------- */

enum { WIDTH = 560, LINE = 26, LEFT = 16, RIGHT = 430, TOP = 8, BOTTOM = 48 };

/* The x of a share: all in common stands at the right, nothing at the left. */
static double across(double share) {
    return LEFT + share * (RIGHT - LEFT);
}

static void add_tree(const site *s, psb_text *out, part *parts, const size_t *order) {
    size_t nd = s->ndescriptors;
    double foot = TOP + LINE * (double)nd;
    psb_text_printf(out,
                    "<svg class=\"plot tree\" viewBox=\"0 0 %d %.0f\" role=\"img\" "
                    "aria-label=\"Descriptors joined by first-tier overlap\">\n",
                    WIDTH, foot + BOTTOM);
    for (int t = 0; t <= 5; t++) {
        double x = across(t / 5.0);
        psb_text_printf(out,
                        "<path class=\"grid\" d=\"M%.1f %dV%.1f\"/><text x=\"%.1f\" y=\"%.1f\" "
                        "text-anchor=\"middle\">%d</text>\n",
                        x, TOP, foot, x, foot + 17, 20 * t);
    }
    psb_text_printf(out,
                    "<text class=\"axis\" x=\"%d\" y=\"%.1f\" text-anchor=\"middle\">First-tier "
                    "overlap, percent</text>\n",
                    (LEFT + RIGHT) / 2, foot + BOTTOM - 9);
    for (size_t i = 0; i < nd; i++) {
        part *p = &parts[order[i]];
        p->x = across(1);
        p->y = TOP + LINE * ((double)i + 0.5);
        psb_site_plot_marker(out, order[i], p->x, p->y);
        psb_text_printf(out, "/><text class=\"leaf\" x=\"%.1f\" y=\"%.1f\">", p->x + 10,
                        p->y + 4.5);
        psb_markup_within(out, "", s->descriptors[order[i]].label, "</text>\n");
    }
    for (size_t at = nd; at < 2 * nd - 1; at++) {
        part *p = &parts[at], *left = &parts[p->left], *right = &parts[p->right];
        p->x = fmin(across(p->share), fmin(left->x, right->x));
        p->y = 0.5 * (left->y + right->y);
        psb_text_printf(out, "<path class=\"branch\" d=\"M%.1f %.1fH%.1fV%.1fH%.1f\"/>\n", left->x,
                        left->y, p->x, right->y, right->x);
        psb_text_printf(out,
                        "<circle class=\"touched\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\" data-say=\"",
                        p->x, p->y);
        psb_text_printf(out, "%zu and %zu descriptors: %.1f %% overlap\"/>\n", left->count,
                        right->count, 100 * p->share);
    }
    psb_text_add(out, "</svg>\n");
}

static void add_pair_link(const site *s, psb_text *out, size_t a, size_t b) {
    psb_text_add(out, "<a href=\"compare.html#a=");
    psb_markup_link(out, s->descriptors[a].stem);
    psb_text_add(out, "&amp;b=");
    psb_markup_link(out, s->descriptors[b].stem);
    psb_text_add(out, "\">");
}

static void add_shares(const site *s, psb_text *out, const size_t *order) {
    size_t nd = s->ndescriptors;
    psb_site_table_begin(out, "agreement", "First-tier overlap, percent");
    psb_text_add(out, "<thead><tr><td></td>");
    for (size_t i = 0; i < nd; i++) {
        psb_markup_within(out, "<th scope=\"col\">", s->descriptors[order[i]].label, "</th>");
    }
    psb_text_add(out, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < nd; i++) {
        psb_site_descriptor_heading(s, out, order[i]);
        for (size_t j = 0; j < nd; j++) {
            double share = 100 * s->agreement->share[order[i] * nd + order[j]];
            if (i == j) {
                psb_text_add(out, "<td></td>");
                continue;
            }
            psb_text_printf(out, "<td class=\"heat v%.0f\">", SITE_HEATS * share / 100);
            add_pair_link(s, out, order[i], order[j]);
            psb_text_printf(out, "%.1f</a></td>", share);
        }
        psb_text_add(out, "</tr>\n");
    }
    psb_site_table_end(out);
}

/* Says which two are most alike, and which one is least like the others. */
static void add_summary(const site *s, psb_text *out, const part *parts) {
    size_t nd = s->ndescriptors, lonely = 0;
    double least = INFINITY;
    const part *first = &parts[nd];
    for (size_t a = 0; a < nd; a++) {
        double sum = 0;
        for (size_t b = 0; b < nd; b++) {
            sum += b != a ? s->agreement->share[a * nd + b] / (double)(nd - 1) : 0;
        }
        lonely = sum < least ? a : lonely;
        least = fmin(least, sum);
    }
    psb_text_add(out, "<p class=\"answer\"><strong>");
    psb_site_descriptor_link(s, out, first->left, "");
    psb_text_add(out, "</strong> and <strong>");
    psb_site_descriptor_link(s, out, first->right, "");
    psb_text_printf(out, "</strong> agree most (%.0f&nbsp;%% first-tier overlap)",
                    100 * first->share);
    if (nd > 2) {
        psb_text_add(out, "; <strong>");
        psb_site_descriptor_link(s, out, lonely, "");
        psb_text_printf(out, "</strong> agrees least with the rest (%.0f&nbsp;%%)", 100 * least);
    }
    psb_text_add(out, ".</p>\n");
}

static void add_list(const site *s, psb_text *out) {
    size_t nd = s->ndescriptors;
    static const char *const columns[] = {"Descriptor", "What it is", "#DCG", "Most similar",
                                          "#Overlap"};
    psb_site_table_begin(out, "methods", "All descriptors, by score");
    psb_site_columns(out, columns, sizeof columns / sizeof columns[0]);
    for (size_t r = 0; r < nd; r++) {
        size_t d = s->by_score[r], like = d == 0 ? 1 : 0;
        for (size_t b = 0; b < nd; b++) {
            bool more = s->agreement->share[d * nd + b] > s->agreement->share[d * nd + like];
            like = b != d && more ? b : like;
        }
        psb_mean dcg = psb_evaluation_mean(s->evaluation, d, PSB_DCG, (psb_group){PSB_MICRO, 0});
        const char *title = s->descriptors[d].title;
        psb_site_descriptor_heading(s, out, d);
        psb_markup_within(out, "<td class=\"words\">", title != NULL ? title : "", "</td>");
        psb_site_cell(out, 100 * dcg.value, 1, false);
        psb_text_add(out, "<td class=\"words\">");
        psb_site_descriptor_link(s, out, like, "");
        psb_text_add(out, "</td>");
        psb_site_cell(out, 100 * s->agreement->share[d * nd + like], 1, false);
        psb_text_add(out, "</tr>\n");
    }
    psb_site_table_end(out);
}

psb_status psb_site_write_methods(const site *s, psb_error *error) {
    psb_status status = PSB_OK;
    psb_text out = {0};
    if (!psb_site_has_methods(s)) {
        return PSB_OK;
    }
    size_t nd = s->ndescriptors;
    PSB_FREED part *parts = psb_new(&status, 2 * nd, sizeof *parts, "a tree", error);
    PSB_FREED size_t *order = psb_new(&status, nd, sizeof *order, "a tree", error);
    if (status == PSB_OK) {
        compare(s);
        status = grow(s, parts, error);
    }
    if (status == PSB_OK) {
        leaves(s, parts, 2 * nd - 2, order, 0);
        psb_site_page_begin(s, &out, "Methods", "methods.html");
        add_summary(s, &out, parts);
        psb_text_add(&out, "<section aria-labelledby=\"alike\">\n<h2 "
                           "id=\"alike\">Agreement</h2>\n<div class=\"figure\">\n");
        add_tree(s, &out, parts, order);
        psb_text_add(&out, "<div>\n");
        add_list(s, &out);
        psb_text_add(&out, "</div>\n</div>\n<p class=\"note\">Overlap: the share of the first tier "
                           "that both retrieve, averaged over queries. Tree: average linkage.");
        if (s->agreement->step > 1) {
            psb_text_printf(&out, " One query in %zu is compared.", s->agreement->step);
        }
        if (s->agreement->cut) {
            psb_text_printf(&out, " Of larger tiers, the first %d models are compared.", MOST_TIER);
        }
        psb_text_add(&out, "</p>\n");
        add_shares(s, &out, order);
        psb_text_add(&out, "<p class=\"note\">Each cell links to the comparison of the two.</p>\n"
                           "</section>\n");
        psb_site_page_end(s, &out);
        status = psb_site_write(s, "methods.html", &out, error);
    }
    return status;
}
