/* The page of all models, by class. */
#include "site/parts.h"

static void add_model(const site *s, psb_text *out, size_t model) {
    psb_text_add(out, "<li class=\"model\"><a href=\"");
    psb_site_query_link(s, out, model);
    psb_text_add(out, "\">");
    psb_site_thumbnail(s, out, model);
    psb_markup_within(out, "<span class=\"id\">", s->cla->models[model], "</span></a></li>\n");
}

static void add_class(const site *s, psb_text *out, size_t c) {
    const psb_class *class = &s->cla->classes[c];
    psb_text_printf(out,
                    "<section class=\"class\" id=\"class-%zu\" aria-labelledby=\"name-%zu\">"
                    "<h2 id=\"name-%zu\">",
                    c, c, c);
    psb_site_class_path(out, s->cla, c, false);
    psb_site_class_link(s, out, c);
    psb_text_printf(out, " <small>%zu</small></h2>\n<ul class=\"models\">\n", class->count);
    for (size_t i = class->first; i < class->first + class->count; i++) {
        add_model(s, out, i);
    }
    psb_text_add(out, "</ul></section>\n");
}

psb_status psb_site_write_models(const site *s, psb_error *error) {
    psb_text out = {0};
    psb_site_page_begin(s, &out, "Models", "models.html");
    psb_text_add(&out, "<p class=\"filter\" hidden><label>Class or id has "
                       "<input type=\"search\" data-filter=\"gallery\"></label> "
                       "<output aria-live=\"polite\"></output></p>\n<div id=\"gallery\">\n");
    for (size_t c = 0; c < s->cla->nclasses; c++) {
        if (s->cla->classes[c].count > 0) {
            add_class(s, &out, c);
        }
    }
    psb_text_add(&out, "</div>\n");
    psb_site_page_end(&out);
    return psb_site_write(s, "models.html", &out, error);
}
