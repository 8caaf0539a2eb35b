/* Writes a descriptor's page: what it is, its figures by class, its images, and a first look. */
#include "core/memory.h"
#include "site/parts.h"

#include <math.h>

static void add_descriptor_list(const site *s, psb_text *out, size_t current) {
    psb_text_add(out, "<nav class=\"descriptors\" aria-label=\"Descriptors\"><ul>\n");
    for (size_t d = 0; d < s->ndescriptors; d++) {
        psb_text_add(out, "<li>");
        psb_site_descriptor_link(s, out, d, d == current ? " aria-current=\"page\"" : "");
        psb_text_add(out, "</li>\n");
    }
    psb_text_add(out, "</ul></nav>\n");
}

/* ---- figures by class ------------------------------------------------------------------ */

static int depth_of(const psb_classification *cla, size_t which) {
    enum { DEEPEST = 8 }; /* no class is indented further */
    int depth = 0;
    for (size_t c = cla->classes[which].parent; c != PSB_NO_CLASS && depth < DEEPEST;
         c = cla->classes[c].parent) {
        depth++;
    }
    return depth;
}

static void add_figures(const site *s, psb_text *out, size_t d, psb_group group) {
    psb_mean mean = psb_evaluation_mean(s->evaluation, d, 0, group);
    psb_site_cell(out, (double)mean.queries, 0, false);
    for (size_t f = 0; f < PSB_FIGURES; f++) {
        mean = psb_evaluation_mean(s->evaluation, d, f, group);
        psb_site_cell(out, 100 * mean.value, 1, false);
    }
    psb_text_add(out, "</tr>\n");
}

/* Adds a row for a class's own models or, for a group, those of all classes below it as well. */
static void add_class_row(const site *s, psb_text *out, size_t d, psb_group class,
                          const char *suffix) {
    bool group = class.kind == PSB_SUBTREE;
    psb_text_printf(out, "<tr%s><th scope=\"row\" class=\"depth-%d\"><span class=\"path\">",
                    group ? " class=\"group\"" : "", depth_of(s->cla, class.which));
    psb_site_class_path(out, s->cla, class.which, false);
    psb_text_add(out, "</span>");
    psb_site_class_link(s, out, class.which);
    psb_text_printf(out, "%s</th>", suffix);
    add_figures(s, out, d, class);
}

static void add_average_row(const site *s, psb_text *out, size_t d, const char *name,
                            psb_grouping grouping) {
    psb_text_printf(out, "<tr><th scope=\"row\">%s</th>", name);
    add_figures(s, out, d, (psb_group){grouping, 0});
}

enum { MOST_CLASSES = 3000 }; /* more make a page that is too large */

/* Adds rows in the file's order: a group, if a class has others below, then the class itself. */
static void add_class_rows(const site *s, psb_text *out, size_t d) {
    const psb_evaluation *e = s->evaluation;
    psb_group below = psb_groups(PSB_SUBTREE);
    for (size_t shown = 0; shown < MOST_CLASSES && psb_group_next(e, &below); shown++) {
        psb_group own = {PSB_PER_CLASS, below.which};
        size_t own_queries = psb_evaluation_mean(e, d, 0, own).queries;
        if (own_queries < psb_evaluation_mean(e, d, 0, below).queries) {
            add_class_row(s, out, d, below, own_queries > 0 ? " and subclasses" : "");
        }
        if (own_queries > 0) {
            add_class_row(s, out, d, own, "");
        }
    }
}

static void add_classes(const site *s, psb_text *out, size_t d) {
    psb_text_add(out, "<section>\n"
                      "<p class=\"filter\" hidden><label>Filter classes "
                      "<input type=\"search\" data-filter=\"classes\"></label> "
                      "<output aria-live=\"polite\"></output></p>\n");
    psb_site_table_begin(out, "classes", "By class, percent");
    psb_text_add(out, "<thead><tr>");
    psb_site_sort_heading(out, "Class", false);
    psb_site_sort_heading(out, "Queries", true);
    for (size_t f = 0; f < PSB_FIGURES; f++) {
        psb_site_sort_heading(out, s->evaluation->measures[f].title, true);
    }
    psb_text_add(out, "</tr></thead>\n<tbody class=\"averages\">\n");
    add_average_row(s, out, d, "All queries", PSB_MICRO);
    add_average_row(s, out, d, "Mean of classes", PSB_MACRO);
    psb_text_add(out, "</tbody>\n<tbody>\n");
    add_class_rows(s, out, d);
    psb_site_table_end(out);
    psb_text_add(out, "<p class=\"note\">Bold: means over a class and all its subclasses, hidden "
                      "when rows are sorted by a figure. Classes of 2 or fewer models and the "
                      "miscellaneous class are excluded.");
    psb_text_add(out,
                 s->cla->nclasses > MOST_CLASSES ? " Only the first 3,000 classes are shown." : "");
    psb_text_add(out, "</p>\n</section>\n");
}

/* ---- images ---------------------------------------------------------------------------- */

static void add_image(const site *s, psb_text *out, size_t which, const char *what,
                      const char *heading, const char *note) {
    const psb_descriptor_facts *d = &s->descriptors[which];
    psb_text_printf(out,
                    "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n"
                    "<p class=\"note\">%s",
                    what, what, heading, note);
    if (psb_site_image_step(s) > 1) {
        psb_text_printf(out, " One model in %zu is shown.", psb_site_image_step(s));
    }
    psb_text_printf(out,
                    "</p>\n<div class=\"matrix\" data-matrix=\"%s\" data-d=\"%zu\">"
                    "<div class=\"pan\"><img src=\"images/",
                    what, which);
    psb_markup_link(out, d->stem);
    psb_text_printf(out, "-%s.png\" alt=\"%s", what, heading);
    psb_markup_within(out, " of ", d->label, "\" loading=\"lazy\"></div></div>\n</section>\n");
}

/* Says how good the descriptor is, and at which classes it is best and worst. */
static void add_standing(const site *s, psb_text *out, size_t which) {
    size_t rank = 0, best = PSB_NO_CLASS, worst = PSB_NO_CLASS;
    double high = -INFINITY, low = INFINITY;
    while (s->by_score[rank] != which) {
        rank++;
    }
    for (psb_group class = psb_groups(PSB_PER_CLASS); psb_group_next(s->evaluation, &class);) {
        double dcg = psb_evaluation_mean(s->evaluation, which, PSB_DCG, class).value;
        best = dcg > high ? class.which : best;
        worst = dcg < low ? class.which : worst;
        high = fmax(high, dcg);
        low = fmin(low, dcg);
    }
    if (best == PSB_NO_CLASS) {
        return;
    }
    psb_mean all = psb_evaluation_mean(s->evaluation, which, PSB_DCG, (psb_group){PSB_MICRO, 0});
    psb_text_printf(out, "<p class=\"summary\">Rank %zu of %zu by DCG, %.1f&nbsp;%%. Best class: ",
                    rank + 1, s->ndescriptors, 100 * all.value);
    psb_site_class_link(s, out, best);
    psb_text_printf(out, ", %.1f&nbsp;%%; worst: ", 100 * high);
    psb_site_class_link(s, out, worst);
    psb_text_printf(out, ", %.1f&nbsp;%%.</p>\n", 100 * low);
}

/* Says what the descriptor computes, after whom, and how rows are compared, as far as known. */
static void add_what(psb_text *out, const psb_descriptor_facts *d) {
    if (d->formula == NULL || d->formula[0] == '\0') {
        return;
    }
    psb_markup_within(out, "<p class=\"summary\">A row is the ", d->formula, "");
    if (d->source != NULL && d->source[0] != '\0') {
        psb_markup_within(out, " (", d->source, ")");
    }
    if (!isnan(d->length) && d->metric != NULL) {
        psb_text_printf(out, ". The %.0f-dimensional rows are compared with the ", d->length);
        psb_markup_within(out, "<code>", d->metric, "</code> metric");
    }
    psb_text_add(out, ".</p>\n");
}

/* ---- what it keeps of a model ------------------------------------------------------------- */

enum { GLIMPSES = 4 };

/* Chooses the first models of the classes with most models, ties by their order. */
static size_t choose_models(const psb_classification *cla, size_t chosen[GLIMPSES]) {
    site_few of = {.most = GLIMPSES};
    for (size_t c = 0; c < cla->nclasses; c++) {
        if (cla->classes[c].count > 0 && !cla->classes[c].miscellaneous) {
            psb_site_few_add(&of, c, 0, (double)cla->classes[c].count);
        }
    }
    for (size_t i = 0; i < of.count; i++) {
        chosen[i] = cla->classes[of.which[i]].first;
    }
    return of.count;
}

/* Writes the picture of a row, and adds it beside that of its model. */
static psb_status add_glimpse(const site *s, psb_text *out, size_t which, size_t model,
                              size_t number, const psb_small_picture *picture, psb_error *error) {
    const psb_descriptor_facts *d = &s->descriptors[which];
    psb_status status = PSB_OK;
    uint8_t *png = NULL;
    size_t size = 0;
    char *name = psb_new_format(&status, error, "images/%s-row-%zu.png", d->stem, number);
    PSB_THEN(status, psb_png_make(picture->width, picture->height, PSB_GRAY, picture->gray, &png,
                                  &size, error));
    PSB_THEN(status, psb_site_write_bytes(s, name, png, size, error));
    free(png);
    free(name);
    psb_site_card_begin(s, out, model, PSB_NONE);
    psb_text_add(out, "<img class=\"row\" src=\"images/");
    psb_markup_link(out, d->stem);
    psb_text_printf(out, "-row-%zu.png\" width=\"%zu\" height=\"%zu\" alt=\"", number,
                    picture->width, picture->height);
    psb_markup_within(out, "Row of ", s->cla->models[model], "\" loading=\"lazy\">");
    psb_markup_within(out, "<span class=\"id\">", s->cla->models[model], "</span>");
    psb_markup_within(out, "<span class=\"line\">", s->cla->classes[s->cla->class_of[model]].name,
                      "</span></a></li>\n");
    return status;
}

/* Adds some models with the pictures of their rows. */
static psb_status add_glimpses(const site *s, psb_text *out, size_t which, psb_error *error) {
    const psb_site_options *o = s->options;
    size_t chosen[GLIMPSES], count = choose_models(s->cla, chosen);
    psb_status status = PSB_OK;
    PSB_AT_END(psb_text_free) psb_text list = {0};
    PSB_FREED psb_small_picture *pictures =
        psb_new_zero(&status, GLIMPSES, sizeof *pictures, "pictures", error);
    PSB_THEN_IF(status, o->glimpse != NULL,
                o->glimpse(o->context, which, chosen, count, pictures, error));
    for (size_t i = 0; i < count && status == PSB_OK; i++) {
        if (pictures[i].width > 0) {
            psb_text_printf(&list, "%s",
                            list.length == 0 ? "<ul class=\"models glimpses\">\n" : "");
            status = add_glimpse(s, &list, which, chosen[i], i, &pictures[i], error);
        }
    }
    if (status == PSB_OK && list.length > 0) {
        psb_text_add(out, "<section aria-labelledby=\"glimpses\">\n<h2 id=\"glimpses\">What it "
                          "stores for a model</h2>\n");
        psb_markup_within(out, "<p class=\"note\">", pictures[count - 1].caption,
                          " Darker is larger; each picture has a scale of its own.</p>\n");
        psb_text_add_bytes(out, list.data, list.length);
        psb_text_add(out, "</ul>\n</section>\n");
    }
    out->failed = out->failed || list.failed;
    return status;
}

psb_status psb_site_write_descriptor(const site *s, size_t which, psb_error *error) {
    const psb_descriptor_facts *d = &s->descriptors[which];
    psb_text out = {0};
    psb_status status = PSB_OK;
    bool titled = d->title != NULL && d->title[0] != '\0';
    PSB_FREED char *title = psb_new_format(&status, error, "%s%s%s", d->label, titled ? ": " : "",
                                           titled ? d->title : "");
    PSB_FREED char *name = psb_new_format(&status, error, "%s.html", d->stem);
    if (status == PSB_OK) {
        psb_site_page_begin(s, &out, title, name);
        add_descriptor_list(s, &out, which);
        psb_text_add(&out, "<div class=\"columns\">\n<div>\n");
        add_what(&out, d);
        add_standing(s, &out, which);
        psb_text_add(&out, "<p><a href=\"matches.html#d=");
        psb_markup_link(&out, d->stem);
        psb_text_add(&out, "\">Best matches with this descriptor</a></p>\n");
        psb_site_plot_curves(s, &out, which, which + 1);
        psb_text_add(&out, "</div>\n<div>\n");
        status = add_glimpses(s, &out, which, error);
        psb_site_add_worst(s, &out, which);
        psb_text_add(&out, "</div>\n</div>\n<div class=\"matrices\">\n");
        add_image(s, &out, which, "tiers", "Tier image",
                  "One row per query. Black: the query and its nearest neighbor; red: first tier; "
                  "blue: second tier.");
        add_image(s, &out, which, "distances", "Distance image",
                  "One row per query. Darker is nearer; white is the largest distance.");
        psb_text_add(&out,
                     "</div>\n<details class=\"tables\"><summary>Figures by class</summary>\n");
        add_classes(s, &out, which);
        psb_text_add(&out, "</details>\n<details class=\"tables\"><summary>Definition and "
                           "computation</summary>\n");
        psb_site_facts(&out, &psb_facts_of_descriptor, d);
        psb_text_add(&out, "</details>\n");
        psb_site_page_end(s, &out);
        PSB_THEN(status, psb_site_write(s, name, &out, error));
        psb_text_free(&out);
    }
    return status;
}
