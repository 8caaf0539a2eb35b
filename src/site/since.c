/*
 * What changed since another run: figures side by side, whether the difference is significant,
 * and the queries and classes that gained or lost. Both runs are judged on the queries that both
 * have, so that models which came or went change nothing.
 */
#include "core/file.h"
#include "core/names.h"
#include "site/parts.h"

#include <math.h>

enum { AFTER, BEFORE, BOTH };

/* One method of both runs. */
typedef struct pair {
    size_t which; /* its number in this run */
    psb_evaluation both;
    psb_comparison test; /* test of DCG, this run less the other */
    size_t changed;      /* queries whose DCG is another */
} pair;

typedef struct since {
    const site *s;
    const psb_report *before;
    size_t *there; /* there[i]: number of model i in the other run, or PSB_NO_NAME */
    size_t gone;   /* models of the other run that are not in this one */
    pair *pairs;
    size_t npairs;
} since;

/* ---- what is common --------------------------------------------------------------------- */

static psb_status find_models(since *all, psb_error *error) {
    const psb_classification *here = all->s->cla, *there = all->before->evaluation->cla;
    PSB_AT_END(psb_names_free) psb_names names = {0};
    psb_status status = PSB_OK;
    size_t found = 0;
    all->there = psb_new(&status, here->nmodels, sizeof *all->there, "models", error);
    PSB_THEN(status, psb_names_fill(&names, there->models, there->nmodels, error));
    for (size_t i = 0; i < here->nmodels && status == PSB_OK; i++) {
        all->there[i] = psb_names_find(&names, here->models[i]);
        found += all->there[i] != PSB_NO_NAME;
    }
    all->gone = there->nmodels - found;
    return status;
}

/* Fills p->both with the values of both runs, of models that are queries in both. */
static psb_status fill(const since *all, pair *p, size_t other, psb_error *error) {
    const psb_evaluation *here = all->s->evaluation, *there = all->before->evaluation;
    psb_status status = PSB_OK;
    size_t m = here->nmeasures;
    PSB_FREED bool *covered =
        psb_new(&status, here->cla->nmodels, sizeof *covered, "queries", error);
    p->both = (psb_evaluation){
        .cla = here->cla, .measures = here->measures, .nmeasures = m, .nmethods = BOTH};
    PSB_THEN(status, psb_evaluation_open(&p->both, error));
    for (size_t q = 0; q < here->cla->nmodels && status == PSB_OK; q++) {
        size_t t = all->there[q];
        double *after = psb_evaluation_values(&p->both, AFTER) + q * m;
        double *before = psb_evaluation_values(&p->both, BEFORE) + q * m;
        covered[q] = t != PSB_NO_NAME && here->selected[q] && there->selected[t];
        if (covered[q]) {
            memcpy(after, psb_evaluation_values(here, p->which) + q * m, m * sizeof *after);
            memcpy(before, psb_evaluation_values(there, other) + t * m, m * sizeof *before);
            p->changed += after[PSB_DCG] != before[PSB_DCG];
        }
    }
    if (status == PSB_OK) {
        psb_evaluation_narrow(&p->both, covered);
    }
    return status;
}

static size_t queries_of(const since *all) {
    return psb_evaluation_mean(&all->pairs[0].both, AFTER, 0, (psb_group){PSB_MICRO, 0}).queries;
}

static psb_status compare(since *all, psb_error *error) {
    site_stage stage = {all->s->options, "comparisons"};
    const psb_test test = {PSB_TEST_ROUNDS, PSB_TEST_SEED, all->s->options->threads,
                           psb_site_progress, &stage};
    psb_status status = PSB_OK;
    PSB_FREED psb_comparison *tests =
        psb_new(&status, all->npairs, sizeof *tests, "comparisons", error);
    for (size_t p = 0; p < all->npairs && status == PSB_OK; p++) {
        status = psb_evaluation_compare(&all->pairs[p].both, PSB_DCG, PSB_MICRO, &test, &tests[p],
                                        error);
    }
    PSB_THEN(status, psb_correct_holm(tests, all->npairs, error));
    for (size_t p = 0; p < all->npairs && status == PSB_OK; p++) {
        all->pairs[p].test = tests[p];
    }
    return status;
}

static psb_status find_pairs(since *all, psb_error *error) {
    const psb_run_facts *there = all->before->facts;
    psb_status status = PSB_OK;
    all->pairs = psb_new_zero(&status, all->s->ndescriptors, sizeof *all->pairs, "methods", error);
    for (size_t d = 0; d < all->s->ndescriptors && status == PSB_OK; d++) {
        for (size_t o = 0; o < there->ndescriptors && status == PSB_OK; o++) {
            if (strcmp(all->s->descriptors[d].label, there->descriptors[o].label) == 0) {
                pair *p = &all->pairs[all->npairs++];
                p->which = d;
                status = fill(all, p, o, error);
                break;
            }
        }
    }
    PSB_THEN_IF(status, (all->npairs == 0 || queries_of(all) == 0),
                psb_fail_at(error, PSB_ERROR_USAGE, all->before->run, 0,
                            all->npairs == 0
                                ? "has none of the methods of %s: name a run of the same"
                                : "has none of the queries of %s: name a run of the same models",
                            all->s->options->report->run));
    return PSB_THEN(status, compare(all, error));
}

/* ---- the table -------------------------------------------------------------------------- */

static void add_table_head(const since *all, psb_text *out) {
    psb_text_add(out, "<thead><tr><td></td>");
    for (size_t f = 0; f < PSB_FIGURES; f++) {
        psb_text_printf(out, "<th scope=\"colgroup\" colspan=\"%d\">%s</th>", f == PSB_DCG ? 6 : 2,
                        all->s->evaluation->measures[f].title);
    }
    psb_text_add(out, "</tr>\n<tr>");
    psb_site_sort_heading(out, "Descriptor", false);
    for (size_t f = 0; f < PSB_FIGURES; f++) {
        if (f == PSB_DCG) {
            psb_site_sort_heading(out, "before", true);
        }
        psb_site_sort_heading(out, "now", true);
        psb_site_sort_heading(out, "<abbr title=\"now less then\">diff.</abbr>", true);
    }
    psb_site_sort_heading(out, "95 % interval", false);
    psb_site_sort_heading(out, "p", true);
    psb_site_sort_heading(out, "queries changed", true);
    psb_text_add(out, "</tr></thead>\n<tbody>\n");
}

static void add_row(const since *all, psb_text *out, const pair *p) {
    psb_site_descriptor_heading(all->s, out, p->which);
    for (size_t f = 0; f < PSB_FIGURES; f++) {
        psb_group queries = {PSB_MICRO, 0};
        double now = 100 * psb_evaluation_mean(&p->both, AFTER, f, queries).value;
        double then = 100 * psb_evaluation_mean(&p->both, BEFORE, f, queries).value;
        if (f == PSB_DCG) {
            psb_site_cell(out, then, 1, false);
        }
        psb_site_cell(out, now, 1, false);
        psb_site_cell(out, now - then, 1, true);
    }
    psb_text_add(out, "<td>");
    if (p->changed > 0 && !isnan(p->test.low)) {
        psb_site_number(out, 100 * p->test.low, 1, true);
        psb_text_add(out, " … ");
        psb_site_number(out, 100 * p->test.high, 1, true);
    }
    psb_text_add(out, "</td>");
    psb_site_cell(out, p->changed > 0 ? p->test.p_holm : (double)NAN, 4, false);
    psb_site_cell(out, (double)p->changed, 0, false);
    psb_text_add(out, "</tr>\n");
}

static void add_table(const since *all, psb_text *out) {
    psb_site_table_begin(out, "since",
                         "Figures before and now, percent, on the queries in both runs");
    add_table_head(all, out);
    for (size_t r = 0; r < all->npairs; r++) {
        add_row(all, out, &all->pairs[r]);
    }
    psb_site_table_end(out);
    psb_text_printf(
        out,
        "<p class=\"note\">95 %% interval and p of the difference of DCG: paired randomization "
        "test clustered by class, %d rounds, Holm-corrected for %zu methods.</p>\n",
        PSB_TEST_ROUNDS, all->npairs);
}

/* ---- queries and classes ---------------------------------------------------------------- */

static double dcg_of(const pair *p, int method, size_t query) {
    const psb_evaluation *e = &p->both;
    return psb_evaluation_values(e, (size_t)method)[query * e->nmeasures + PSB_DCG];
}

static void add_change(psb_text *out, double then, double now) {
    psb_site_number(out, 100 * then, 1, false);
    psb_text_add(out, " → ");
    psb_site_number(out, 100 * now, 1, false);
}

static void add_queries(const since *all, psb_text *out, const pair *p, double sign,
                        const char *what) {
    site_few shown = {.most = SITE_FEW};
    for (size_t q = 0; q < all->s->cla->nmodels; q++) {
        double gain = p->both.selected[q] ? sign * (dcg_of(p, AFTER, q) - dcg_of(p, BEFORE, q)) : 0;
        if (gain > 0) {
            psb_site_few_add(&shown, q, p->which, gain);
        }
    }
    if (shown.count == 0) {
        return;
    }
    psb_text_printf(out, "<h3>Queries that %s most</h3>\n<ul class=\"models\">\n", what);
    for (size_t i = 0; i < shown.count; i++) {
        size_t q = shown.which[i];
        psb_site_card_begin(all->s, out, q, p->which);
        psb_markup_within(out, "<span class=\"id\">", all->s->cla->models[q],
                          "</span><span class=\"line\">");
        psb_site_class_path(out, all->s->cla, all->s->cla->class_of[q], true);
        psb_text_add(out, "</span><span class=\"line\">DCG ");
        add_change(out, dcg_of(p, BEFORE, q), dcg_of(p, AFTER, q));
        psb_text_add(out, "</span></a></li>\n");
    }
    psb_text_add(out, "</ul>\n");
}

/* Adds the classes whose mean moved, those that gained most first. */
static void add_classes(const since *all, psb_text *out, const pair *p) {
    static const char *const columns[] = {"Class", "#Queries", "#before", "#now", "#diff."};
    const double seen = 0.0005; /* a difference that is not shown as 0 */
    site_few moved[2] = {{.most = SITE_FEW}, {.most = SITE_FEW}}; /* gained, lost */
    char id[40];
    for (psb_group g = psb_groups(PSB_PER_CLASS); psb_group_next(&p->both, &g);) {
        double gain = psb_evaluation_mean(&p->both, AFTER, PSB_DCG, g).value -
                      psb_evaluation_mean(&p->both, BEFORE, PSB_DCG, g).value;
        if (fabs(gain) >= seen) {
            psb_site_few_add(&moved[gain < 0], g.which, p->which, fabs(gain));
        }
    }
    if (moved[0].count + moved[1].count == 0) {
        return;
    }
    snprintf(id, sizeof id, "since-classes-%zu", p->which);
    psb_site_table_begin(out, id, "Classes that gained and lost most, DCG, percent");
    psb_site_columns(out, columns, sizeof columns / sizeof columns[0]);
    size_t both = moved[0].count + moved[1].count;
    for (size_t i = 0; i < both; i++) {
        size_t which = i < moved[0].count ? moved[0].which[i] : moved[1].which[both - 1 - i];
        psb_group g = {PSB_PER_CLASS, which};
        psb_mean now = psb_evaluation_mean(&p->both, AFTER, PSB_DCG, g);
        double then = psb_evaluation_mean(&p->both, BEFORE, PSB_DCG, g).value;
        psb_text_add(out, "<tr><th scope=\"row\">");
        psb_site_class_path(out, all->s->cla, which, false);
        psb_site_class_link(all->s, out, which);
        psb_text_add(out, "</th>");
        psb_site_cell(out, (double)now.queries, 0, false);
        psb_site_cell(out, 100 * then, 1, false);
        psb_site_cell(out, 100 * now.value, 1, false);
        psb_site_cell(out, 100 * (now.value - then), 1, true);
        psb_text_add(out, "</tr>\n");
    }
    psb_site_table_end(out);
}

static void add_methods(const since *all, psb_text *out) {
    for (size_t r = 0; r < all->npairs; r++) {
        const pair *p = &all->pairs[r];
        if (p->changed == 0) {
            continue;
        }
        psb_text_printf(out, "<section aria-labelledby=\"since-%zu\">\n<h2 id=\"since-%zu\">",
                        p->which, p->which);
        psb_site_descriptor_link(all->s, out, p->which, "");
        psb_text_add(out, "</h2>\n");
        add_queries(all, out, p, 1, "gained");
        add_queries(all, out, p, -1, "lost");
        add_classes(all, out, p);
        psb_text_add(out, "</section>\n");
    }
}

/* ---- the page --------------------------------------------------------------------------- */

static void add_summary(const since *all, psb_text *out) {
    size_t same = 0, significant = 0, fresh = 0;
    for (size_t r = 0; r < all->npairs; r++) {
        same += all->pairs[r].changed == 0;
        significant += all->pairs[r].changed > 0 && all->pairs[r].test.p_holm < PSB_TEST_LEVEL;
    }
    for (size_t i = 0; i < all->s->cla->nmodels; i++) {
        fresh += all->there[i] == PSB_NO_NAME;
    }
    psb_text_add(out, "<p class=\"summary\">");
    if (all->npairs > 0 && same == all->npairs) {
        psb_text_add(out, "Nothing changed: all per-query DCG values are identical. ");
    }
    psb_text_printf(out,
                    "Methods in both runs: %zu (identical per-query DCG: %zu, significantly "
                    "different: %zu). Queries in both runs: %zu",
                    all->npairs, same, significant, queries_of(all));
    if (fresh > 0 || all->gone > 0) {
        psb_text_printf(out, "; models added: %zu, removed: %zu", fresh, all->gone);
    }
    psb_text_add(out, ".</p>\n");
}

/* Removes the page of an earlier report. */
static psb_status remove_page(const site *s, psb_error *error) {
    PSB_FREED char *path = NULL;
    psb_status status = psb_path_join(&path, s->options->folder, "since.html", error);
    return PSB_THEN(status, psb_remove(path, 0, error));
}

psb_status psb_site_write_since(const site *s, psb_error *error) {
    since all = {.s = s, .before = s->options->since};
    psb_text out = {0}, title = {0};
    if (all.before == NULL) {
        return remove_page(s, error);
    }
    psb_status status = find_models(&all, error);
    PSB_THEN(status, find_pairs(&all, error));
    if (status == PSB_OK) {
        psb_text_printf(&title, "Changes since %s", s->options->since_name);
        status = psb_text_status(&title, error);
    }
    if (status == PSB_OK) {
        psb_site_page_begin(s, &out, title.data, "since.html");
        add_summary(&all, &out);
        add_table(&all, &out);
        add_methods(&all, &out);
        psb_site_page_end(s, &out);
        status = psb_site_write(s, "since.html", &out, error);
    }
    for (size_t p = 0; all.pairs != NULL && p < all.npairs; p++) {
        psb_evaluation_close(&all.pairs[p].both);
    }
    psb_text_free(&title);
    free(all.pairs);
    free(all.there);
    return status;
}
