/* The pages of models: all of them by class, and the best matches of each, with their data. */
#include "site/parts.h"

static void add_model(const site *s, psb_text *out, size_t model) {
    psb_text_printf(out, "<li class=\"model\"><a href=\"matches.html#q=%zu\">", model);
    psb_site_thumbnail(s, out, model);
    psb_markup_within(out, "<span class=\"id\">", s->cla->models[model], "</span></a></li>\n");
}

static void add_class(const site *s, psb_text *out, size_t c) {
    const psb_class *class = &s->cla->classes[c];
    psb_text_printf(out,
                    "<section class=\"class\" id=\"class-%zu\" aria-labelledby=\"name-%zu\">"
                    "<h2 id=\"name-%zu\">",
                    c, c, c);
    psb_site_class_path(out, s->cla, c, true);
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

static void add_descriptors(const site *s, psb_text *out) {
    psb_text_add(out, "descriptors:[");
    for (size_t d = 0; d < s->ndescriptors; d++) {
        psb_text_add(out, d > 0 ? ",\n[" : "\n[");
        psb_markup_string(out, s->descriptors[d].label);
        psb_text_add(out, ",");
        psb_markup_string(out, s->descriptors[d].stem);
        psb_text_add(out, "]");
    }
    psb_text_add(out, "],\n");
}

/* For scripts: what a number in a chunk of ranked lists stands for. */
static psb_status write_data(const site *s, psb_error *error) {
    const psb_classification *cla = s->cla;
    psb_text out = {0};
    psb_text_printf(&out, "var psb = {chunk:%d,\n", SITE_CHUNK);
    add_descriptors(s, &out);
    psb_text_add(&out, "classes:["); /* name, parent or -1, first model, models, miscellaneous */
    for (size_t c = 0; c < cla->nclasses; c++) {
        const psb_class *class = &cla->classes[c];
        psb_text_add(&out, c > 0 ? ",\n[" : "\n[");
        psb_markup_string(&out, class->name);
        psb_text_printf(&out, ",%td,%zu,%zu,%d]",
                        class->parent == PSB_NO_CLASS ? (ptrdiff_t)-1 : (ptrdiff_t) class->parent,
                        class->first, class->count, class->miscellaneous);
    }
    psb_text_add(&out, "],\nmodels:[");
    for (size_t i = 0; i < cla->nmodels; i++) {
        psb_text_add(&out, i > 0 ? ",\n" : "\n");
        psb_markup_string(&out, cla->models[i]);
    }
    psb_text_add(&out, "],\npictures:\"");
    psb_text_add_bytes(&out, s->picture, cla->nmodels);
    psb_text_add(&out, "\"};\n");
    return psb_site_write(s, "data/models.js", &out, error);
}

/* The page is filled by its script; without one it leads to the models. */
psb_status psb_site_write_matches(const site *s, psb_error *error) {
    psb_text out = {0};
    psb_status status = write_data(s, error);
    if (status != PSB_OK) {
        return status;
    }
    psb_site_page_begin(s, &out, "Best matches", "matches.html");
    psb_text_add(&out,
                 "<noscript><p>Ranked lists need JavaScript. <a href=\"models.html\">All models</a>"
                 " and the other pages do without.</p></noscript>\n"
                 "<div id=\"matches\" hidden>\n<form class=\"controls\" role=\"search\">\n"
                 "<label>Descriptor <select id=\"descriptor\">");
    for (size_t d = 0; d < s->ndescriptors; d++) {
        psb_text_printf(&out, "<option value=\"%zu\">", d);
        psb_markup_within(&out, "", s->descriptors[d].label, "</option>");
    }
    psb_text_add(&out,
                 "</select></label>\n"
                 "<span class=\"walk\"><button type=\"button\" id=\"previous\">Previous</button>\n"
                 "<button type=\"button\" id=\"next\">Next</button></span>\n"
                 "<label>Search by id or class "
                 "<input type=\"search\" id=\"search\" autocomplete=\"off\" spellcheck=\"false\">"
                 "</label>\n</form>\n"
                 "<ul id=\"found\" class=\"models\" aria-label=\"Models found\" hidden></ul>\n"
                 "<section id=\"query\" aria-label=\"Query\"></section>\n"
                 "<p class=\"key\"><span class=\"chip hit\">hit</span> same class as the query "
                 "<span class=\"chip nearest\">NN</span> nearest neighbor "
                 "<span class=\"chip first\">T1</span> first tier "
                 "<span class=\"chip second\">T2</span> second tier</p>\n"
                 "<p id=\"status\" role=\"status\"></p>\n"
                 "<ol id=\"ranked\" class=\"models\"></ol>\n</div>\n");
    psb_site_page_end(&out);
    return psb_site_write(s, "matches.html", &out, error);
}
