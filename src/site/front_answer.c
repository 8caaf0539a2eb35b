/*
 * Says which descriptor is best, and which others do not differ significantly from it. A reader
 * compares with the best, so p is corrected for these comparisons and not for all pairs.
 */
#include "core/memory.h"
#include "site/parts.h"

#include <math.h>
#include <stdio.h>

static double figure_of(const site *s, size_t which, size_t figure) {
    return psb_evaluation_mean(s->evaluation, which, figure, (psb_group){PSB_MICRO, 0}).value;
}

psb_status psb_site_order(site *s, psb_error *error) {
    psb_status status = PSB_OK;
    s->by_score = psb_new(&status, s->ndescriptors, sizeof *s->by_score, "descriptors", error);
    for (size_t d = 0; d < s->ndescriptors && status == PSB_OK; d++) {
        size_t at = d;
        while (at > 0 && figure_of(s, d, PSB_DCG) > figure_of(s, s->by_score[at - 1], PSB_DCG)) {
            s->by_score[at] = s->by_score[at - 1];
            at--;
        }
        s->by_score[at] = d;
    }
    return status;
}

/* Compares the best with the others; for DCG, s->pairs has these comparisons already. */
static psb_status compare_best(const site *s, size_t best, size_t figure, psb_comparison *with,
                               psb_error *error) {
    size_t count = 0, npairs = s->ndescriptors * (s->ndescriptors - 1) / 2;
    if (figure != PSB_DCG) {
        const psb_test test = {PSB_TEST_ROUNDS, PSB_TEST_SEED, s->options->threads, NULL, NULL};
        return psb_evaluation_compare_with(s->evaluation, best, figure, PSB_MICRO, &test, with,
                                           error);
    }
    for (size_t p = 0; p < npairs; p++) {
        if (s->pairs[p].a == best || s->pairs[p].b == best) {
            with[count++] = s->pairs[p];
        }
    }
    return psb_correct_holm(with, count, error);
}

static size_t best_of(const site *s, size_t figure) {
    size_t best = s->by_score[0];
    for (size_t d = 0; d < s->ndescriptors; d++) {
        best = figure_of(s, d, figure) > figure_of(s, best, figure) ? d : best;
    }
    return best;
}

psb_status psb_site_judge_best(site *s, psb_error *error) {
    psb_status status = PSB_OK;
    size_t n = s->ndescriptors;
    s->equal = psb_new_zero(&status, n, PSB_FIGURES * sizeof *s->equal, "comparisons", error);
    s->with_best = psb_new_zero(&status, n, sizeof *s->with_best, "comparisons", error);
    for (size_t f = 0; f < PSB_FIGURES && status == PSB_OK; f++) {
        size_t best = best_of(s, f);
        status = n > 1 ? compare_best(s, best, f, s->with_best, error) : PSB_OK;
        s->equal[best * PSB_FIGURES + f] = true;
        for (size_t p = 0; p + 1 < n && status == PSB_OK; p++) {
            const psb_comparison *c = &s->with_best[p];
            size_t other = c->a == best ? c->b : c->a;
            s->equal[other * PSB_FIGURES + f] = !(c->p_holm < PSB_TEST_LEVEL);
        }
    } /* DCG is the last figure: with_best keeps its comparisons */
    return status;
}

/* ---- the sentence ------------------------------------------------------------------------ */

/* Adds "p = .59", "p ≥ .59" or "p < .001". */
static void add_p(psb_text *out, const char *relation, double p) {
    char text[16];
    snprintf(text, sizeof text, p < 0.01 ? "%.3f" : "%.2f", p);
    if (p < 0.001) {
        psb_text_add(out, "p &lt; .001");
    } else {
        psb_text_printf(out, "p %s %s", relation, text + (text[0] == '0'));
    }
}

static void add_name(const site *s, psb_text *out, size_t which) {
    psb_text_add(out, "<strong>");
    psb_site_descriptor_link(s, out, which, "");
    psb_text_add(out, "</strong>");
}

static void add_score(const site *s, psb_text *out, size_t which) {
    psb_text_printf(out, "%.1f", 100 * figure_of(s, which, PSB_DCG));
}

/* Adds those that are equal to the best, by score: "A", "A and B", "A, B and C". */
static void add_equals(const site *s, psb_text *out, size_t count) {
    size_t at = 0;
    for (size_t r = 1; r < s->ndescriptors; r++) {
        if (s->equal[s->by_score[r] * PSB_FIGURES + PSB_DCG]) {
            psb_text_add(out, at == 0 ? "" : at + 1 == count ? " and " : ", ");
            add_name(s, out, s->by_score[r]);
            at++;
        }
    }
}

static void add_worse(psb_text *out, size_t worse, size_t others) {
    if (worse == 1) {
        psb_text_printf(out, "; the other%s is significantly worse", others > 1 ? " one" : "");
    } else if (worse > 1) {
        psb_text_printf(out,
                        worse == others ? "; all %zu others are significantly worse"
                                        : "; the other %zu are significantly worse",
                        worse);
    }
}

static void add_several(const site *s, psb_text *out) {
    size_t best = s->by_score[0], others = s->ndescriptors - 1, equals = 0;
    double p = 1;
    for (size_t i = 0; i < others; i++) {
        bool equal = !(s->with_best[i].p_holm < PSB_TEST_LEVEL);
        equals += equal;
        p = equal ? fmin(p, s->with_best[i].p_holm) : p;
    }
    if (equals == 0) {
        add_name(s, out, best);
        psb_text_add(out, " is best: DCG ");
        add_score(s, out, best);
    } else if (equals == 1) {
        size_t second = 1;
        while (!s->equal[s->by_score[second] * PSB_FIGURES + PSB_DCG]) {
            second++;
        }
        add_name(s, out, best);
        psb_text_add(out, " and ");
        add_name(s, out, s->by_score[second]);
        psb_text_add(out, " do not differ significantly: DCG ");
        add_score(s, out, best);
        psb_text_add(out, " and ");
        add_score(s, out, s->by_score[second]);
        psb_text_add(out, ", ");
        add_p(out, "=", p);
    } else {
        add_name(s, out, best);
        psb_text_add(out, " has the highest DCG, ");
        add_score(s, out, best);
        psb_text_add(out, ", but ");
        add_equals(s, out, equals);
        psb_text_add(out, " do not differ significantly from it (");
        add_p(out, "≥", p);
        psb_text_add(out, ")");
    }
    add_worse(out, others - equals, others);
}

void psb_site_add_answer(const site *s, psb_text *out) {
    psb_text_add(out, "<p class=\"answer\">");
    if (s->equal == NULL) {
        psb_text_add(out, "No query has another model of its class: there is nothing to score");
    } else if (s->ndescriptors == 1) {
        add_name(s, out, 0);
        psb_text_add(out, ": DCG ");
        add_score(s, out, 0);
    } else {
        add_several(s, out);
    }
    psb_text_add(out, ".</p>\n");
}
