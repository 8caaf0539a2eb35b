/* Writes the pages of all models, by class. */
#include "site/parts.h"

#include <stdio.h>

static void add_model(const site *s, psb_text *out, size_t model) {
    psb_site_card_begin(s, out, model, PSB_NONE);
    psb_markup_within(out, "<span class=\"id\">", s->cla->models[model], "</span></a></li>\n");
}

enum { MODELS_OF_PAGE = 2000, UNFOLDED = 60 }; /* no class of a set so small is folded */

/* Adds the models of a class that are among first ... end - 1. */
static void add_class(const site *s, psb_text *out, size_t c, size_t first, size_t end) {
    const psb_class *class = &s->cla->classes[c];
    size_t from = class->first > first ? class->first : first, to = class->first + class->count;
    to = to < end ? to : end;
    if (from >= to) {
        return;
    }
    psb_text_printf(out, "<details class=\"class\" id=\"class-%zu\"%s><summary><h2>", c,
                    s->cla->nmodels <= UNFOLDED ? " open data-open" : "");
    psb_site_class_path(out, s->cla, c, true);
    psb_text_printf(out, "&#160;<small>%zu</small></h2></summary>\n<p>", class->count);
    psb_site_class_link(s, out, c);
    psb_text_add(out, "</p>\n<ul class=\"models\">\n");
    for (size_t i = from; i < to; i++) {
        add_model(s, out, i);
    }
    psb_text_add(out, "</ul></details>\n");
}

static void name_page(size_t page, char name[40]) {
    snprintf(name, 40, page == 0 ? "models.html" : "models-%zu.html", page + 1);
}

/* Adds links to the pages, if there are several, by the class that each begins with. */
static void add_pages(const site *s, psb_text *out, size_t current) {
    char name[40];
    size_t n = s->cla->nmodels;
    if (n <= MODELS_OF_PAGE) {
        return;
    }
    psb_text_add(out, "<nav aria-label=\"Pages of models\"><ul>\n");
    for (size_t page = 0; page * MODELS_OF_PAGE < n; page++) {
        name_page(page, name);
        psb_text_printf(out, "<li><a href=\"%s\"%s>", name,
                        page == current ? " aria-current=\"page\"" : "");
        psb_site_class_path(out, s->cla, s->cla->class_of[page * MODELS_OF_PAGE], true);
        psb_text_add(out, " …</a></li>\n");
    }
    psb_text_add(out, "</ul></nav>\n");
}

static psb_status write_page(const site *s, size_t page, psb_error *error) {
    psb_text out = {0};
    char name[40];
    size_t first = page * MODELS_OF_PAGE;
    psb_site_page_begin(s, &out, "Models", "models.html");
    add_pages(s, &out, page);
    psb_text_add(&out, "<p class=\"filter\" hidden><label>Filter by class or id "
                       "<input type=\"search\" data-filter=\"gallery\"></label> "
                       "<output aria-live=\"polite\"></output></p>\n<div id=\"gallery\">\n");
    for (size_t c = 0; c < s->cla->nclasses; c++) {
        add_class(s, &out, c, first, first + MODELS_OF_PAGE);
    }
    psb_text_add(&out, "</div>\n");
    psb_site_page_end(s, &out);
    name_page(page, name);
    return psb_site_write(s, name, &out, error);
}

psb_status psb_site_write_models(const site *s, psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t page = 0; page == 0 || page * MODELS_OF_PAGE < s->cla->nmodels; page++) {
        PSB_THEN(status, write_page(s, page, error));
    }
    return status;
}
