/* Begins and ends every page of the report, and makes the pieces that pages consist of. */
#include "core/file.h"
#include "site/parts.h"
#include "site/policy.h"

#include <math.h>
#include <sys/utsname.h>
#include <time.h>

psb_status psb_site_write_bytes(const site *s, const char *name, const void *data, size_t size,
                                psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED char *path = psb_new_format(&status, error, "%s/%s", s->options->folder, name);
    return PSB_THEN_IF(status, !psb_holds(path, data, size),
                       psb_write_one_of_many(path, data, size, error));
}

psb_status psb_site_write(const site *s, const char *name, psb_text *text, psb_error *error) {
    psb_status status = psb_text_status(text, error);
    PSB_THEN(status, psb_site_write_bytes(s, name, text->data, text->length, error));
    psb_text_free(text);
    return status;
}

static void add_navigation(const site *s, psb_text *out, const char *current) {
    const struct {
        const char *file, *name;
        bool there;
    } pages[] = {{"index.html", "Overview", true},
                 {"methods.html", "Methods", psb_site_has_methods(s)},
                 {"class.html", "Classes", true},
                 {"matches.html", "Best matches", true},
                 {"compare.html", "Compare", s->ndescriptors > 1},
                 {"models.html", "Models", true},
                 {"since.html", "Changes", s->options->since != NULL}};
    psb_text_add(out, "<nav aria-label=\"Pages\"><ul>\n");
    for (size_t p = 0; p < sizeof pages / sizeof pages[0]; p++) {
        if (pages[p].there) {
            psb_text_printf(out, "<li><a href=\"%s\"%s>%s</a></li>\n", pages[p].file,
                            strcmp(pages[p].file, current) == 0 ? " aria-current=\"page\"" : "",
                            pages[p].name);
        }
    }
    psb_text_add(out, "</ul></nav>\n");
}

void psb_site_page_begin(const site *s, psb_text *out, const char *title, const char *current) {
    psb_text_add(
        out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" SITE_POLICY
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<meta name=\"color-scheme\" content=\"light dark\">\n"
             "<link rel=\"icon\" href=\"data:,\">\n"
             "<link rel=\"stylesheet\" href=\"report.css\">\n"
             "<link rel=\"stylesheet\" href=\"data/pictures.css\">\n"
             "<script src=\"data/models.js\" defer></script>\n"
             "<script src=\"data/judged.js\" defer></script>\n"
             "<script src=\"report.js\" defer></script>\n");
    psb_markup_within(out, "<title>", title, "");
    psb_markup_within(out, " · ", s->facts->title != NULL ? s->facts->title : "",
                      " · psbench</title>\n</head>\n<body>\n");
    psb_text_add(out, "<a class=\"skip\" href=\"#content\">Skip to the content</a>\n<header>\n");
    psb_markup_within(out, "<p class=\"set\">", s->facts->title != NULL ? s->facts->title : "",
                      "</p>\n");
    add_navigation(s, out, current);
    psb_markup_within(out, "</header>\n<main id=\"content\">\n<h1>", title, "</h1>\n");
}

/* False for a run without times (--no-times), which has no seconds of any descriptor. */
static bool has_times(const site *s) {
    bool any = false;
    for (size_t d = 0; d < s->ndescriptors; d++) {
        any = any || !isnan(s->descriptors[d].generate_seconds);
    }
    return any;
}

/*
 * Says by which command the page was made and, for a run with times, when and where: pages of a run
 * without times stay the same on other days and machines.
 */
static void add_origin(const site *s, psb_text *out) {
    char date[16] = "";
    struct utsname host;
    struct tm when;
    time_t now = time(NULL);
    if (has_times(s) && gmtime_r(&now, &when) != NULL && uname(&host) == 0 &&
        strftime(date, sizeof date, "%Y-%m-%d", &when) > 0) {
        psb_text_printf(out, " on %s", date);
        psb_markup_within(out, ", on ", host.nodename, "");
    }
    if (s->facts->command_line != NULL) {
        psb_markup_within(out, ", from <code>", s->facts->command_line, "</code>");
    }
}

void psb_site_page_end(const site *s, psb_text *out) {
    psb_text_add(out, "</main>\n<footer><p>Written by psbench " PSB_VERSION);
    if (s != NULL) {
        add_origin(s, out);
    }
    psb_text_add(out, ". Needs no network.</p></footer>\n</body>\n</html>\n");
}

/* Adds a name to an address or, if it has other than plain letters, a star and its number. */
static void add_address(psb_text *out, const char *name, size_t number) {
    bool plain = name[0] != '*';
    for (const char *at = name; *at != '\0'; at++) {
        plain = plain && *at > ' ' && *at < 0x7f;
    }
    if (plain) {
        psb_markup_link(out, name);
    } else {
        psb_text_printf(out, "*%zu", number);
    }
}

void psb_site_query_link(const site *s, psb_text *out, size_t model) {
    psb_text_add(out, "matches.html#q=");
    add_address(out, s->cla->models[model], model);
}

void psb_site_class_link(const site *s, psb_text *out, size_t which) {
    psb_text_add(out, "<a href=\"class.html#c=");
    add_address(out, s->cla->classes[which].full_name, which);
    psb_markup_within(out, "\">", s->cla->classes[which].name, "</a>");
}

void psb_site_descriptor_link(const site *s, psb_text *out, size_t which, const char *attribute) {
    psb_text_add(out, "<a href=\"");
    psb_markup_link(out, s->descriptors[which].stem);
    psb_text_printf(out, ".html\"%s", attribute);
    psb_markup_within(out, ">", s->descriptors[which].label, "</a>");
}

void psb_site_descriptor_heading(const site *s, psb_text *out, size_t which) {
    psb_text_add(out, "<tr><th scope=\"row\">");
    psb_site_descriptor_link(s, out, which, "");
    psb_text_add(out, "</th>");
}

static void add_parameters(psb_text *out, const psb_parameter_facts *parameters) {
    psb_text_add(out, parameters->count == 0 ? "none" : "");
    for (size_t p = 0; p < parameters->count; p++) {
        psb_markup_within(out, p > 0 ? ", <code>" : "<code>", parameters->list[p].name, "=");
        if (parameters->list[p].choice != NULL) {
            psb_markup_text(out, parameters->list[p].choice);
        } else {
            psb_text_printf(out, "%.6g", parameters->list[p].number);
        }
        psb_text_add(out, "</code>");
    }
}

static void add_left_out(psb_text *out, const psb_left_out_list *list) {
    psb_text_printf(out, "<details%s><summary>%zu</summary><ul>\n", list->count <= 5 ? " open" : "",
                    list->count);
    for (size_t i = 0; i < list->count; i++) {
        const psb_left_out *entry = &list->entries[i];
        psb_markup_within(out, "<li>", entry->reason != NULL ? entry->reason : entry->id,
                          "</li>\n");
    }
    psb_text_add(out, "</ul></details>");
}

static bool is_known(const psb_fact *fact, const void *value) {
    switch (fact->kind) {
    case PSB_FACT_TEXT:
        return *(const char *const *)value != NULL && **(const char *const *)value != '\0';
    case PSB_FACT_NUMBER:
        return !isnan(*(const double *)value);
    case PSB_FACT_IDS:
    case PSB_FACT_REASONS:
        return ((const psb_left_out_list *)value)->count > 0;
    default:
        return true;
    }
}

void psb_site_facts(psb_text *out, const psb_fact_table *table, const void *facts) {
    psb_text_add(out, "<dl class=\"facts\">\n");
    for (size_t f = 0; f < table->count; f++) {
        const psb_fact *fact = &table->facts[f];
        const void *value = (const char *)facts + fact->offset;
        if (fact->term == NULL || !is_known(fact, value)) {
            continue;
        }
        psb_text_printf(out, "<div><dt>%s</dt><dd>", fact->term);
        if (fact->kind == PSB_FACT_TEXT) {
            psb_markup_text(out, *(const char *const *)value);
        } else if (fact->kind == PSB_FACT_NUMBER) {
            psb_text_printf(out, "%.*f%s", fact->decimals, *(const double *)value / fact->unit,
                            fact->suffix);
        } else if (fact->kind == PSB_FACT_PARAMETERS) {
            add_parameters(out, value);
        } else {
            add_left_out(out, value);
        }
        psb_text_add(out, "</dd></div>\n");
    }
    psb_text_add(out, "</dl>\n");
}

void psb_site_table_begin(psb_text *out, const char *id, const char *caption) {
    psb_text_printf(out,
                    "<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
                    "aria-labelledby=\"%s-caption\">\n"
                    "<table id=\"%s\"><caption id=\"%s-caption\">",
                    id, id, id);
    psb_markup_within(out, "", caption, "</caption>\n");
}

void psb_site_table_end(psb_text *out) {
    psb_text_add(out, "</tbody></table></div>\n");
}

void psb_site_sort_heading(psb_text *out, const char *text, bool numbers) {
    psb_text_printf(out, "<th scope=\"col\" data-sort=\"%s\"%s>%s</th>",
                    numbers ? "number" : "text", numbers ? " class=\"number\"" : "", text);
}

void psb_site_columns(psb_text *out, const char *const *names, size_t count) {
    psb_text_add(out, "<thead><tr>");
    for (size_t c = 0; c < count; c++) {
        bool numbers = names[c][0] == '#';
        psb_site_sort_heading(out, names[c] + numbers, numbers);
    }
    psb_text_add(out, "</tr></thead>\n<tbody>\n");
}

void psb_site_card_begin(const site *s, psb_text *out, size_t query, size_t which) {
    psb_text_add(out, "<li class=\"model\"><a href=\"");
    psb_site_query_link(s, out, query);
    if (which != PSB_NONE) {
        psb_text_add(out, "&amp;d=");
        psb_markup_link(out, s->descriptors[which].stem);
    }
    psb_text_add(out, "\">");
    psb_site_thumbnail(s, out, query);
}

void psb_site_few_add(site_few *few, size_t which, size_t by, double score) {
    size_t at = few->count < few->most ? few->count : few->most - 1;
    few->all++;
    if (few->count == few->most && !(score > few->score[at])) {
        return;
    }
    for (; at > 0 && score > few->score[at - 1]; at--) {
        few->which[at] = few->which[at - 1];
        few->by[at] = few->by[at - 1];
        few->score[at] = few->score[at - 1];
    }
    few->which[at] = which;
    few->by[at] = by;
    few->score[at] = score;
    few->count += few->count < few->most;
}

void psb_site_number(psb_text *out, double number, int decimals, bool sign) {
    bool nothing = sign && fabs(number) < 0.5 * pow(10, -decimals);
    if (!isnan(number)) {
        psb_text_printf(out, sign && !nothing ? "%+.*f" : "%.*f", decimals, nothing ? 0 : number);
    }
}

void psb_site_cell(psb_text *out, double number, int decimals, bool sign) {
    psb_text_add(out, "<td>");
    psb_site_number(out, number, decimals, sign);
    psb_text_add(out, "</td>");
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
        psb_markup_within(out, "", cla->classes[levels[count]].name, count > 0 ? " / " : "");
    }
}

void psb_site_thumbnail(const site *s, psb_text *out, size_t model) {
    if (s->picture[model] == 'j') {
        psb_text_printf(out,
                        "<img src=\"thumbnails/%zu.jpg\" alt=\"\" width=\"160\" height=\"120\" "
                        "loading=\"lazy\">",
                        model);
    } else if (s->picture[model] == 'p') {
        size_t place = model % SITE_SHEET;
        psb_text_printf(out, "<span class=\"picture sheet-%zu x%zu y%zu\"></span>",
                        model / SITE_SHEET, place % SITE_SHEET_COLUMNS, place / SITE_SHEET_COLUMNS);
    } else {
        psb_text_add(out, "<span class=\"no-picture\">no picture</span>");
    }
}
