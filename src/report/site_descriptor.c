/* A descriptor's page: what it is, its figures by class, its images, and a first look. */
#include "core/memory.h"
#include "report/site_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_facts(psb_text *out, const site_descriptor *d) {
    static const struct {
        const char *term, *name;
    } facts[] = {{"Formula", "formula"}, {"Source", "source"}, {"Distance", "metric"}};
    psb_text_add(out, "<dl class=\"facts\">\n");
    for (size_t f = 0; f < sizeof facts / sizeof facts[0]; f++) {
        const char *text = psb_site_string(d->facts, facts[f].name);
        if (text[0] != '\0') {
            psb_text_printf(out, "<div><dt>%s</dt><dd>", facts[f].term);
            psb_markup_text(out, text);
            psb_text_add(out, "</dd></div>\n");
        }
    }
    psb_text_printf(out, "<div><dt>Numbers</dt><dd>%.0f</dd></div>\n",
                    psb_site_number(d->facts, "length"));
    const cJSON *parameter, *parameters = cJSON_GetObjectItemCaseSensitive(d->facts, "parameters");
    psb_text_add(out, "<div><dt>Parameters</dt><dd>");
    if (cJSON_GetArraySize(parameters) == 0) {
        psb_text_add(out, "none");
    }
    cJSON_ArrayForEach(parameter, parameters) {
        const char *text = cJSON_GetStringValue(parameter);
        psb_text_add(out, parameter->prev != NULL && parameter != parameters->child ? ", " : "");
        psb_text_add(out, "<code>");
        psb_markup_text(out, parameter->string);
        psb_text_add(out, "=");
        if (text != NULL) {
            psb_markup_text(out, text);
        } else {
            psb_text_printf(out, "%.6g", parameter->valuedouble);
        }
        psb_text_add(out, "</code>");
    }
    psb_text_add(out, "</dd></div>\n</dl>\n");
}

static void add_descriptor_list(const site *s, psb_text *out, size_t current) {
    psb_text_add(out, "<nav class=\"descriptors\" aria-label=\"Descriptors\"><ul>\n");
    for (size_t d = 0; d < s->ndescriptors; d++) {
        psb_text_add(out, "<li><a href=\"");
        psb_markup_link(out, s->descriptors[d].stem);
        psb_text_printf(out, ".html\"%s>", d == current ? " aria-current=\"page\"" : "");
        psb_markup_text(out, s->descriptors[d].label);
        psb_text_add(out, "</a></li>\n");
    }
    psb_text_add(out, "</ul></nav>\n");
}

/* ---- figures by class ------------------------------------------------------------------ */

/* Sums over the queries of a class and of all classes below it. */
typedef struct subtree {
    double figure[PSB_FIGURES];
    size_t queries, classes;
} subtree;

static psb_status sum_subtrees(const site *s, const site_descriptor *d, subtree **out,
                               psb_error *error) {
    const psb_classification *cla = &s->cla;
    void *memory;
    psb_status status = psb_alloc_zero(&memory, cla->nclasses, sizeof(subtree), "classes", error);
    subtree *sums = *out = memory;
    for (size_t c = cla->nclasses; status == PSB_OK && c-- > 0;) {
        psb_average own = psb_average_class(cla, d->scores, c);
        for (size_t f = 0; f < PSB_FIGURES; f++) {
            sums[c].figure[f] += own.figure[f] * (double)own.queries;
        }
        sums[c].queries += own.queries;
        sums[c].classes += own.queries > 0;
        size_t parent = cla->classes[c].parent; /* stands above in the file */
        if (parent != PSB_NO_CLASS) {
            for (size_t f = 0; f < PSB_FIGURES; f++) {
                sums[parent].figure[f] += sums[c].figure[f];
            }
            sums[parent].queries += sums[c].queries;
            sums[parent].classes += sums[c].classes;
        }
    }
    return status;
}

static int depth_of(const psb_classification *cla, size_t which) {
    enum { DEEPEST = 8 }; /* that is still indented further */
    int depth = 0;
    for (size_t c = cla->classes[which].parent; c != PSB_NO_CLASS && depth < DEEPEST;
         c = cla->classes[c].parent) {
        depth++;
    }
    return depth;
}

static void add_class_row(const site *s, psb_text *out, size_t c, const subtree *sum) {
    const psb_class *class = &s->cla.classes[c];
    bool group = class->count == 0;
    psb_text_printf(out, "<tr%s><th scope=\"row\" class=\"depth-%d\"><span class=\"path\">",
                    group ? " class=\"group\"" : "", depth_of(&s->cla, c));
    psb_site_class_path(out, &s->cla, c, false);
    psb_text_add(out, "</span>");
    if (!group) {
        psb_text_printf(out, "<a href=\"models.html#class-%zu\">", c);
    }
    psb_markup_text(out, class->name);
    psb_text_add(out, group ? "</th>" : "</a></th>");
    psb_site_cell(out, (double)sum->queries, 0, false);
    for (size_t f = 0; f < PSB_FIGURES; f++) {
        psb_site_cell(out, 100 * sum->figure[f] / (double)sum->queries, 1, false);
    }
    psb_text_add(out, "</tr>\n");
}

static void add_average_row(psb_text *out, const char *name, const psb_average *average) {
    psb_text_printf(out, "<tr><th scope=\"row\">%s</th>", name);
    psb_site_cell(out, (double)average->queries, 0, false);
    for (size_t f = 0; f < PSB_FIGURES; f++) {
        psb_site_cell(out, average->queries > 0 ? 100 * average->figure[f] : (double)NAN, 1, false);
    }
    psb_text_add(out, "</tr>\n");
}

static psb_status add_classes(const site *s, psb_text *out, const site_descriptor *d,
                              psb_error *error) {
    subtree *sums;
    psb_status status = sum_subtrees(s, d, &sums, error);
    if (status != PSB_OK) {
        return status;
    }
    psb_text_add(out, "<section>\n"
                      "<p class=\"filter\" hidden><label>Classes whose name has "
                      "<input type=\"search\" data-filter=\"classes\"></label> "
                      "<output aria-live=\"polite\"></output></p>\n");
    psb_site_table_begin(out, "classes", "By class, percent");
    psb_text_add(out, "<thead><tr>");
    psb_site_sort_heading(out, "Class", false);
    psb_site_sort_heading(out, "Queries", true);
    for (size_t f = 0; f < PSB_FIGURES; f++) {
        psb_site_sort_heading(out, psb_site_figures[f].heading, true);
    }
    psb_text_add(out, "</tr></thead>\n<tbody class=\"averages\">\n");
    add_average_row(out, "All queries", &d->micro);
    add_average_row(out, "Mean of classes", &d->macro);
    psb_text_add(out, "</tbody>\n<tbody>\n");
    for (size_t c = 0; c < s->cla.nclasses; c++) {
        if (sums[c].queries > 0) {
            add_class_row(s, out, c, &sums[c]);
        }
    }
    psb_site_table_end(out);
    psb_text_add(out, "<p class=\"note\">In bold: groups, as means over the queries of all classes "
                      "below; sorting by a figure leaves them out. Classes of 2 or fewer models "
                      "and the miscellaneous class take no part.</p>\n</section>\n");
    free(sums);
    return PSB_OK;
}

/* ---- images ---------------------------------------------------------------------------- */

static void add_image(psb_text *out, const site_descriptor *d, const char *what,
                      const char *heading, const char *note) {
    psb_text_printf(out,
                    "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n"
                    "<p class=\"note\">%s</p>\n"
                    "<div class=\"matrix\" data-matrix=\"%s\"><div class=\"pan\">"
                    "<img src=\"images/",
                    what, what, heading, note, what);
    psb_markup_link(out, d->stem);
    psb_text_printf(out, "-%s.png\" alt=\"%s of ", what, heading);
    psb_markup_text(out, d->label);
    psb_text_add(out, "\" loading=\"lazy\"></div></div>\n</section>\n");
}

psb_status psb_site_write_descriptor(const site *s, size_t which, psb_error *error) {
    const site_descriptor *d = &s->descriptors[which];
    psb_text out = {0}, name = {0}, title = {0};
    const char *full = psb_site_string(d->facts, "title");
    psb_text_printf(&title, full[0] != '\0' ? "%s: %s" : "%s%s", d->label, full);
    psb_text_printf(&name, "%s.html", d->stem);
    psb_status status = psb_text_status(&title, error);
    if (status == PSB_OK) {
        status = psb_text_status(&name, error);
    }
    if (status == PSB_OK) {
        psb_site_page_begin(s, &out, title.data, name.data);
        add_descriptor_list(s, &out, which);
        add_facts(&out, d);
        psb_text_printf(&out,
                        "<p><a href=\"matches.html#d=%zu\">Best matches with this "
                        "descriptor</a></p>\n",
                        which);
        status = add_classes(s, &out, d, error);
    }
    if (status == PSB_OK) {
        psb_text_add(&out, "<div class=\"matrices\">\n");
        add_image(&out, d, "tiers", "Tier image",
                  "A row for each query: black the query and its nearest neighbor, red the first "
                  "tier, blue the second.");
        add_image(&out, d, "distances", "Distance image",
                  "A row for each query: the darker, the nearer.");
        psb_text_add(&out, "</div>\n");
        psb_site_page_end(&out);
        status = psb_site_write(s, name.data, &out, error);
    }
    psb_text_free(&out);
    psb_text_free(&name);
    psb_text_free(&title);
    return status;
}
