/* How every page of the report begins and ends, and the pieces that pages are made of. */
#include "core/error.h"
#include "core/file.h"
#include "report/site_parts.h"

#include <math.h>
#include <string.h>

const site_figure psb_site_figures[PSB_FIGURES] = {
    [PSB_NEAREST_NEIGHBOR] = {"nearest_neighbor", "Nearest neighbor"},
    [PSB_FIRST_TIER] = {"first_tier", "First tier"},
    [PSB_SECOND_TIER] = {"second_tier", "Second tier"},
    [PSB_E_MEASURE] = {"e_measure", "E-measure"},
    [PSB_DCG] = {"dcg", "DCG"},
};

const char *psb_site_string(const cJSON *object, const char *name) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return text != NULL ? text : "";
}

double psb_site_number(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(item) && isfinite(item->valuedouble) ? item->valuedouble : (double)NAN;
}

psb_status psb_site_path(const site *s, const char *name, psb_text *path, psb_error *error) {
    psb_text_printf(path, "%s/%s", s->options->folder, name);
    return psb_text_status(path, error);
}

psb_status psb_site_write(const site *s, const char *name, psb_text *text, psb_error *error) {
    psb_text path = {0};
    psb_status status = psb_text_status(text, error);
    if (status == PSB_OK) {
        status = psb_site_path(s, name, &path, error);
    }
    if (status == PSB_OK) {
        status = psb_write_file(path.data, text->data, text->length, error);
    }
    psb_text_free(&path);
    psb_text_free(text);
    return status;
}

static void add_navigation(psb_text *out, const char *current) {
    static const struct {
        const char *file, *name;
    } pages[] = {
        {"index.html", "Overview"}, {"matches.html", "Best matches"}, {"models.html", "Models"}};
    psb_text_add(out, "<nav aria-label=\"Pages\"><ul>\n");
    for (size_t p = 0; p < sizeof pages / sizeof pages[0]; p++) {
        psb_text_printf(out, "<li><a href=\"%s\"%s>%s</a></li>\n", pages[p].file,
                        strcmp(pages[p].file, current) == 0 ? " aria-current=\"page\"" : "",
                        pages[p].name);
    }
    psb_text_add(out, "</ul></nav>\n");
}

void psb_site_page_begin(const site *s, psb_text *out, const char *title, const char *current) {
    psb_text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                      "<meta name=\"color-scheme\" content=\"light dark\">\n"
                      "<link rel=\"icon\" href=\"data:,\">\n"
                      "<link rel=\"stylesheet\" href=\"report.css\">\n"
                      "<script src=\"data/models.js\" defer></script>\n"
                      "<script src=\"report.js\" defer></script>\n<title>");
    psb_markup_text(out, title);
    psb_text_add(out, " · psbench</title>\n</head>\n<body>\n"
                      "<a class=\"skip\" href=\"#content\">Skip to the content</a>\n<header>\n"
                      "<p class=\"set\">");
    psb_markup_text(out, psb_site_string(s->table, "title"));
    psb_text_add(out, "</p>\n");
    add_navigation(out, current);
    psb_text_add(out, "</header>\n<main id=\"content\">\n<h1>");
    psb_markup_text(out, title);
    psb_text_add(out, "</h1>\n");
}

void psb_site_page_end(psb_text *out) {
    psb_text_add(out, "</main>\n<footer><p>Written by psbench " PSB_VERSION
                      ". Needs no network.</p></footer>\n</body>\n</html>\n");
}

void psb_site_table_begin(psb_text *out, const char *id, const char *caption) {
    psb_text_printf(out,
                    "<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
                    "aria-labelledby=\"%s-caption\">\n"
                    "<table id=\"%s\"><caption id=\"%s-caption\">",
                    id, id, id);
    psb_markup_text(out, caption);
    psb_text_add(out, "</caption>\n");
}

void psb_site_table_end(psb_text *out) {
    psb_text_add(out, "</tbody></table></div>\n");
}

void psb_site_sort_heading(psb_text *out, const char *text, bool numbers) {
    psb_text_printf(out, "<th scope=\"col\" data-sort=\"%s\"%s>%s</th>",
                    numbers ? "number" : "text", numbers ? " class=\"number\"" : "", text);
}

void psb_site_cell(psb_text *out, double number, int decimals, bool sign) {
    if (isnan(number)) {
        psb_text_add(out, "<td></td>");
    } else {
        psb_text_printf(out, sign ? "<td>%+.*f</td>" : "<td>%.*f</td>", decimals, number);
    }
}

void psb_site_class_path(psb_text *out, const psb_classification *cla, size_t which, bool own) {
    enum { DEEPEST = 64 };
    size_t levels[DEEPEST];
    size_t count = 0;
    for (size_t c = which; c != PSB_NO_CLASS && count < DEEPEST; c = cla->classes[c].parent) {
        levels[count++] = c;
    }
    while (count > (own ? 0U : 1U)) {
        count--;
        psb_markup_text(out, cla->classes[levels[count]].name);
        if (count > 0) {
            psb_text_add(out, " / ");
        }
    }
}

void psb_site_thumbnail(const site *s, psb_text *out, size_t model) {
    static const char attributes[] = "alt=\"\" width=\"160\" height=\"120\" loading=\"lazy\"";
    switch (s->picture[model]) {
    case 'p':
        psb_text_printf(out,
                        "<img src=\"thumbnails/%zu.png\" "
                        "srcset=\"thumbnails/%zu-2x.png 2x\" %s>",
                        model, model, attributes);
        break;
    case 'j':
        psb_text_printf(out, "<img src=\"thumbnails/%zu.jpg\" %s>", model, attributes);
        break;
    default:
        psb_text_add(out, "<span class=\"no-picture\">no picture</span>");
        break;
    }
}
