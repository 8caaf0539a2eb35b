/*
 * The pages that their script fills: a query's best matches, a class, two descriptors against each
 * other. What they show comes from data files; every figure in these was rounded here.
 */
#include "core/memory.h"
#include "site/parts.h"

#include <math.h>

enum { EXTREMES = 8 }; /* queries that gain and lose most */

/* ---- data ------------------------------------------------------------------------------- */

static void add_descriptors(const site *s, psb_text *out) {
    psb_text_add(out, "descriptors:[");
    for (size_t d = 0; d < s->ndescriptors; d++) {
        const psb_descriptor_facts *of = &s->descriptors[d];
        psb_text_add(out, d > 0 ? ",\n[" : "\n[");
        psb_markup_string(out, of->label);
        psb_text_add(out, ",");
        psb_markup_string(out, of->stem);
        psb_text_add(out, ",");
        psb_markup_string(out, of->title != NULL ? of->title : "");
        psb_text_add(out, "]");
    }
    psb_text_add(out, "],\nfigures:[");
    for (size_t f = 0; f < PSB_FIGURES; f++) {
        psb_text_add(out, f > 0 ? "," : "");
        psb_markup_string(out, s->evaluation->measures[f].title);
    }
    psb_text_add(out, "],\n");
}

/* Writes for scripts what a number in a chunk of ranked lists stands for. */
static psb_status write_models(const site *s, psb_error *error) {
    const psb_classification *cla = s->cla;
    psb_text out = {0};
    psb_text_printf(&out, "var psb = {chunk:%zu,step:%zu,\n", psb_site_chunk(s),
                    psb_site_image_step(s));
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
    psb_text_printf(&out, "\",\nsolids_of:%zu};\n", s->solids ? psb_site_solids(s) : 0);
    return psb_site_write(s, "data/models.js", &out, error);
}

/* Writes for the style sheet which picture a class "sheet-N" is, and how many rows are below its
 * first: where a picture stands in it, the classes "xN" and "yN" say. */
static psb_status write_pictures(const site *s, psb_error *error) {
    size_t n = s->cla->nmodels;
    psb_text out = {0};
    for (size_t first = 0; s->options->thumbnails != PSB_THUMBNAILS_NONE && first < n;
         first += SITE_SHEET) {
        size_t last = first + SITE_SHEET < n ? SITE_SHEET - 1 : n - 1 - first;
        while (last > 0 && s->picture[first + last] != 'p') {
            last--;
        }
        size_t below = last / SITE_SHEET_COLUMNS;
        if (s->picture[first + last] == 'p') {
            psb_text_printf(
                &out, ".sheet-%zu{background-image:url(../thumbnails/%s.png);--below:%zu}\n",
                first / SITE_SHEET, s->sheet[first / SITE_SHEET], below > 0 ? below : 1);
        }
    }
    psb_text_add(&out, out.length == 0 ? "/* no sheets of pictures */\n" : "");
    return psb_site_write(s, "data/pictures.css", &out, error);
}

static void add_percent(psb_text *out, double value, int decimals) {
    psb_text_printf(out, isnan(value) ? "null" : "%.*f", decimals, 100 * value);
}

/* Adds [class, 1 with all below, queries, figures by descriptor]; DCG again, with 5 digits. */
static void add_group(const site *s, psb_text *out, psb_group group) {
    const psb_evaluation *e = s->evaluation;
    psb_text_printf(out, "[%td,%d,%zu,[",
                    group.kind == PSB_MICRO   ? (ptrdiff_t)-1
                    : group.kind == PSB_MACRO ? (ptrdiff_t)-2
                                              : (ptrdiff_t)group.which,
                    group.kind == PSB_SUBTREE, psb_evaluation_mean(e, 0, 0, group).queries);
    for (size_t d = 0; d < s->ndescriptors; d++) {
        psb_text_add(out, d > 0 ? ",[" : "[");
        for (size_t f = 0; f < PSB_FIGURES; f++) {
            add_percent(out, psb_evaluation_mean(e, d, f, group).value, 1);
            psb_text_add(out, ",");
        }
        add_percent(out, psb_evaluation_mean(e, d, PSB_DCG, group).value, 5);
        psb_text_add(out, "]");
    }
    psb_text_add(out, "]]");
}

static void add_groups(const site *s, psb_text *out) {
    add_group(s, out, (psb_group){PSB_MICRO, 0});
    psb_text_add(out, ",\n");
    add_group(s, out, (psb_group){PSB_MACRO, 0});
    for (int k = 0; k < 2; k++) {
        for (psb_group g = psb_groups(k == 0 ? PSB_PER_CLASS : PSB_SUBTREE);
             psb_group_next(s->evaluation, &g);) {
            psb_text_add(out, ",\n");
            add_group(s, out, g);
        }
    }
}

/* Adds the queries whose difference times `sign` is largest, ties by their order. */
static void add_extremes(const site *s, psb_text *out, const psb_comparison *pair, double sign) {
    const psb_evaluation *e = s->evaluation;
    const double *a = psb_evaluation_values(e, pair->a), *b = psb_evaluation_values(e, pair->b);
    struct {
        size_t query;
        double gain;
    } best[EXTREMES];
    size_t count = 0;
    for (size_t q = 0; q < s->cla->nmodels; q++) {
        double gain = e->selected[q]
                          ? sign * (a[q * e->nmeasures + PSB_DCG] - b[q * e->nmeasures + PSB_DCG])
                          : 0;
        if (!(gain > 0) || (count == EXTREMES && gain <= best[count - 1].gain)) {
            continue;
        }
        size_t at = count < EXTREMES ? count++ : count - 1;
        for (; at > 0 && best[at - 1].gain < gain; at--) {
            best[at] = best[at - 1];
        }
        best[at].query = q;
        best[at].gain = gain;
    }
    psb_text_add(out, "[");
    for (size_t i = 0; i < count; i++) {
        psb_text_printf(out, "%s[%zu,%.1f]", i > 0 ? "," : "", best[i].query,
                        100 * sign * best[i].gain);
    }
    psb_text_add(out, "]");
}

/* Writes the figures of groups, and every pair of descriptors. */
static psb_status write_judged(const site *s, psb_error *error) {
    size_t npairs = s->pairs != NULL ? s->ndescriptors * (s->ndescriptors - 1) / 2 : 0;
    psb_text out = {0};
    psb_text_add(&out, "psb.groups=[");
    add_groups(s, &out);
    psb_text_add(&out, "];\npsb.exact=[");
    for (size_t d = 0; d < s->ndescriptors; d++) {
        psb_text_add(&out, d > 0 ? ",[" : "[");
        for (size_t f = 0; f < PSB_FIGURES; f++) {
            psb_group all = {PSB_MICRO, 0};
            psb_text_add(&out, f > 0 ? "," : "");
            add_percent(&out, psb_evaluation_mean(s->evaluation, d, f, all).value, 5);
        }
        psb_text_add(&out, "]");
    }
    psb_text_printf(&out, "];\npsb.rounds=%zu;\npsb.pairs=[", psb_test_rounds(s->ndescriptors));
    for (size_t p = 0; p < npairs; p++) {
        const psb_comparison *pair = &s->pairs[p];
        psb_text_printf(&out, "%s\n[%zu,%zu,", p > 0 ? "," : "", pair->a, pair->b);
        add_percent(&out, pair->difference, 5);
        psb_text_add(&out, ",");
        add_percent(&out, pair->low, 5);
        psb_text_add(&out, ",");
        add_percent(&out, pair->high, 5);
        psb_text_printf(&out, ",%.4g,%.4g,", pair->p, pair->p_holm);
        add_extremes(s, &out, pair, 1);
        psb_text_add(&out, ",");
        add_extremes(s, &out, pair, -1);
        psb_text_add(&out, "]");
    }
    psb_text_add(&out, "];\n");
    return psb_site_write(s, "data/judged.js", &out, error);
}

/* ---- pages ------------------------------------------------------------------------------ */

static const char controls_of_query[] =
    "<form class=\"controls\" role=\"search\">\n"
    "<label>Query <input type=\"search\" id=\"search\" autocomplete=\"off\" "
    "spellcheck=\"false\" placeholder=\"id or class\"></label>\n"
    "<span class=\"walk\"><button type=\"button\" id=\"previous\">Previous</button>\n"
    "<button type=\"button\" id=\"next\">Next</button></span>\n</form>\n"
    "<fieldset class=\"choice\"><legend>Descriptors, up to four</legend>"
    "<div id=\"chosen\"></div></fieldset>\n"
    "<ul id=\"found\" class=\"models\" aria-label=\"Models found\" hidden></ul>\n"
    "<div class=\"answered\">\n<section id=\"query\" aria-label=\"Query\"></section>\n<div>\n"
    "<p class=\"key\"><span><span class=\"chip hit\">hit</span> same class as the query</span>"
    "<span><span class=\"chip nearest\">NN</span> nearest neighbor</span>"
    "<span><span class=\"chip first\">T1</span> first tier</span>"
    "<span><span class=\"chip second\">T2</span> second tier</span></p>\n"
    "<p id=\"status\" role=\"status\"></p>\n<div id=\"lists\"></div>\n</div>\n</div>\n";

static const struct {
    const char *file, *title, *controls;
} pages[] = {
    {"matches.html", "Best matches", controls_of_query},
    {"class.html", "Classes",
     "<form class=\"controls\">\n<label>Class <select id=\"which\"></select></label>\n"
     "<label>Descriptor <select id=\"descriptor\"></select></label>\n</form>\n"
     "<div id=\"about\"></div>\n<p id=\"status\" role=\"status\"></p>\n"},
    {"compare.html", "Compare",
     "<form class=\"controls\">\n<label>A <select id=\"a\"></select></label>\n"
     "<label>B <select id=\"b\"></select></label>\n</form>\n<div id=\"about\"></div>\n"},
};

psb_status psb_site_write_scripted(const site *s, psb_error *error) {
    psb_status status = write_models(s, error);
    PSB_THEN(status, write_pictures(s, error));
    PSB_THEN(status, write_judged(s, error));
    for (size_t p = 0; p < sizeof pages / sizeof pages[0] && status == PSB_OK; p++) {
        psb_text out = {0};
        psb_site_page_begin(s, &out, pages[p].title, pages[p].file);
        psb_text_printf(&out,
                        "<noscript><p>This page needs JavaScript; <a href=\"models.html\">all "
                        "models</a> and the other pages do not.</p></noscript>\n"
                        "<div id=\"%.*s\" class=\"scripted\" hidden>\n%s</div>\n",
                        (int)strcspn(pages[p].file, "."), pages[p].file, pages[p].controls);
        psb_site_page_end(s, &out);
        status = psb_site_write(s, pages[p].file, &out, error);
    }
    return status;
}
