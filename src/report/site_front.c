/* The first page: what retrieves how well, at what cost, and what was run. */
#include "core/memory.h"
#include "report/site_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two-sided 5, 1 and 0.1 percent of the normal distribution. */
static const double marks_from[] = {1.960, 2.576, 3.291};

static const char *marks(double difference, double error) {
    static const char *const text[] = {"", "*", "**", "***"};
    size_t count = 0;
    while (error > 0 && count < 3 && fabs(difference) > marks_from[count] * error) {
        count++;
    }
    return text[count];
}

/* ---- Table 4 --------------------------------------------------------------------------- */

static void add_table_head(const site *s, psb_text *out) {
    psb_text_add(out, "<thead><tr><td></td>");
    for (size_t f = 0; f < PSB_FIGURES; f++) {
        psb_text_printf(out, "<th scope=\"colgroup\" colspan=\"%d\">%s</th>", s->published ? 4 : 2,
                        psb_site_figures[f].heading);
    }
    psb_text_printf(out,
                    "<th scope=\"colgroup\" colspan=\"%d\">Normalized DCG</th></tr>\n"
                    "<tr>",
                    s->published ? 3 : 1);
    psb_site_sort_heading(out, "Descriptor", false);
    for (size_t f = 0; f <= PSB_FIGURES; f++) {
        psb_site_sort_heading(out, "here", true);
        if (f < PSB_FIGURES) {
            psb_site_sort_heading(out, "<abbr title=\"standard error\">s.e.</abbr>", true);
        }
        if (s->published) {
            psb_site_sort_heading(out, "<abbr title=\"published\">pub.</abbr>", true);
            psb_site_sort_heading(out, "<abbr title=\"here minus published\">diff.</abbr>", true);
        }
    }
    psb_text_add(out, "</tr></thead>\n<tbody>\n");
}

static double beside(const site_descriptor *d, const char *figure, const char *suffix) {
    char name[64];
    snprintf(name, sizeof name, "%s_%s", figure, suffix);
    return psb_site_number(d->row, name);
}

static void add_name(psb_text *out, const site_descriptor *d) {
    psb_text_add(out, "<tr><th scope=\"row\"><a href=\"");
    psb_markup_link(out, d->stem);
    psb_text_add(out, ".html\">");
    psb_markup_text(out, d->label);
    psb_text_add(out, "</a></th>");
}

/* A difference that rounds to nothing has no sign. */
static void add_difference(psb_text *out, double difference, double error) {
    if (isnan(difference)) {
        psb_text_add(out, "<td></td>");
    } else if (fabs(difference) < 0.05) {
        psb_text_printf(out, "<td>0.0<span class=\"mark\">%s</span></td>",
                        marks(difference, error));
    } else {
        psb_text_printf(out, "<td>%+.1f<span class=\"mark\">%s</span></td>", difference,
                        marks(difference, error));
    }
}

static void add_table_row(const site *s, psb_text *out, const site_descriptor *d) {
    add_name(out, d);
    for (size_t f = 0; f < PSB_FIGURES; f++) {
        const char *name = psb_site_figures[f].name;
        psb_site_cell(out, 100 * d->micro.figure[f], 1, false);
        psb_site_cell(out, 100 * d->error[f], 1, false);
        if (s->published) {
            psb_site_cell(out, beside(d, name, "published"), 1, false);
            add_difference(out, beside(d, name, "difference"), 100 * d->error[f]);
        }
    }
    psb_site_cell(out, psb_site_number(d->row, "normalized_dcg"), 1, true);
    if (s->published) {
        psb_site_cell(out, beside(d, "normalized_dcg", "published"), 1, true);
        psb_site_cell(out, beside(d, "normalized_dcg", "difference"), 1, true);
    }
    psb_text_add(out, "</tr>\n");
}

static void add_retrieval(const site *s, psb_text *out) {
    psb_text_add(out, "<section>\n");
    psb_site_table_begin(out, "retrieval",
                         s->published ? "Table 4: retrieval, measured beside published"
                                      : "Retrieval");
    add_table_head(s, out);
    for (size_t d = 0; d < s->ndescriptors; d++) {
        add_table_row(s, out, &s->descriptors[d]);
    }
    psb_site_table_end(out);
    psb_text_add(out, "<p class=\"note\">");
    psb_markup_text(out, psb_site_string(s->table, "caption"));
    psb_text_add(out, " Standard errors are those of a mean over queries.");
    if (s->published) {
        psb_text_add(out, " <span class=\"mark\">*</span>, <span class=\"mark\">**</span>, "
                          "<span class=\"mark\">***</span>: the difference exceeds 1.96, 2.58, "
                          "3.29 standard errors.");
    }
    psb_text_add(out, "</p>\n</section>\n");
}

/* ---- differences between descriptors --------------------------------------------------- */

/* Mean difference of DCG over the queries of the micro average, with its standard error. */
static double paired(const site *s, const site_descriptor *a, const site_descriptor *b,
                     double *error) {
    double sum = 0, squares = 0, n = 0;
    for (size_t i = 0; i < s->cla.nmodels; i++) {
        if (a->scores[i].scored && s->cla.classes[s->cla.class_of[i]].count > 2) {
            double x = a->scores[i].figure[PSB_DCG] - b->scores[i].figure[PSB_DCG];
            sum += x;
            squares += x * x;
            n++;
        }
    }
    double mean = n > 0 ? sum / n : 0;
    *error = n > 1 ? sqrt(fmax(squares / n - mean * mean, 0) / n) : 0;
    return mean;
}

static void add_pairs(const site *s, psb_text *out) {
    if (s->ndescriptors < 2) {
        return;
    }
    psb_text_add(out, "<section>\n");
    psb_site_table_begin(out, "pairs", "DCG of the row minus DCG of the column, percent");
    psb_text_add(out, "<thead><tr><td></td>");
    for (size_t d = 0; d < s->ndescriptors; d++) {
        psb_text_add(out, "<th scope=\"col\">");
        psb_markup_text(out, s->descriptors[d].label);
        psb_text_add(out, "</th>");
    }
    psb_text_add(out, "</tr></thead>\n<tbody>\n");
    for (size_t a = 0; a < s->ndescriptors; a++) {
        add_name(out, &s->descriptors[a]);
        for (size_t b = 0; b < s->ndescriptors; b++) {
            double error;
            double mean = paired(s, &s->descriptors[a], &s->descriptors[b], &error);
            if (a == b) {
                psb_text_add(out, "<td></td>");
            } else {
                add_difference(out, 100 * mean, 100 * error);
            }
        }
        psb_text_add(out, "</tr>\n");
    }
    psb_site_table_end(out);
    psb_text_add(out, "<p class=\"note\">Means over queries of paired differences; "
                      "<span class=\"mark\">*</span>, <span class=\"mark\">**</span>, "
                      "<span class=\"mark\">***</span>: beyond 1.96, 2.58, 3.29 of their standard "
                      "errors (5, 1, 0.1 percent), not corrected for the number of pairs."
                      "</p>\n</section>\n");
}

/* ---- plots and costs ------------------------------------------------------------------- */

static void add_curves(const site *s, psb_text *out) {
    psb_text_add(out, "<section aria-labelledby=\"curves\">\n<h2 id=\"curves\">Precision and "
                      "recall</h2>\n<div class=\"figure\">\n");
    psb_site_plot_curves(s, out);
    psb_text_add(out, "<fieldset class=\"legend\"><legend>Curves</legend>\n");
    for (size_t d = 0; d < s->ndescriptors; d++) {
        psb_text_printf(out,
                        "<label><input type=\"checkbox\" checked data-curve=\"%zu\">"
                        "<svg class=\"swatch\" viewBox=\"0 0 28 10\" aria-hidden=\"true\">"
                        "<path class=\"curve colour-%zu dash-%zu\" d=\"M0 5H28\"/></svg> ",
                        d, d % 12, d / 12 % 3);
        psb_markup_text(out, s->descriptors[d].label);
        psb_text_add(out, "</label>\n");
    }
    psb_text_add(out, "</fieldset>\n</div>\n<details><summary>Precision as a table</summary>\n");
    psb_site_table_begin(out, "precision", "Precision, percent, at recall levels");
    psb_text_add(out, "<thead><tr><th scope=\"col\">Recall</th>");
    for (size_t d = 0; d < s->ndescriptors; d++) {
        psb_text_add(out, "<th scope=\"col\" class=\"number\">");
        psb_markup_text(out, s->descriptors[d].label);
        psb_text_add(out, "</th>");
    }
    psb_text_add(out, "</tr></thead>\n<tbody>\n");
    for (int level = 0; level < SITE_LEVELS; level++) {
        psb_text_printf(out, "<tr><th scope=\"row\">%.2f</th>", (level + 1.0) / SITE_LEVELS);
        for (size_t d = 0; d < s->ndescriptors; d++) {
            psb_site_cell(out, 100 * s->descriptors[d].precision[level], 1, false);
        }
        psb_text_add(out, "</tr>\n");
    }
    psb_site_table_end(out);
    psb_text_add(out, "</details>\n<p class=\"note\">Means over the queries that say something at "
                      "a level; the query itself does not count as found.</p>\n</section>\n");
}

typedef struct cost {
    const char *name; /* in the table's JSON */
    const char *heading, *axis, *title;
    double unit; /* of the number that is shown */
    int decimals;
} cost;

enum { STORAGE, GENERATE, COMPARE, COSTS };
static const cost costs[COSTS] = {
    [STORAGE] = {"storage_bytes", "storage, bytes", "Storage, bytes",
                 "DCG against bytes of storage", 1, 0},
    [GENERATE] = {"generate_s", "generate, ms a model", "Time to generate, ms a model",
                  "DCG against time to generate", 1e-3, 2},
    [COMPARE] = {"compare_s", "compare, µs a pair", "Time to compare, µs a pair",
                 "DCG against time to compare", 1e-6, 3},
};

static void add_cost_table(const site *s, psb_text *out) {
    psb_site_table_begin(out, "costs", "Costs");
    psb_text_add(out, "<thead><tr><td></td>");
    for (int c = 0; c < COSTS; c++) {
        psb_text_printf(out, "<th scope=\"colgroup\" colspan=\"%d\">%s</th>", s->published ? 2 : 1,
                        costs[c].heading);
    }
    psb_text_add(out, "</tr>\n<tr>");
    psb_site_sort_heading(out, "Descriptor", false);
    for (int c = 0; c < COSTS; c++) {
        psb_site_sort_heading(out, "here", true);
        if (s->published) {
            psb_site_sort_heading(out, "<abbr title=\"published\">pub.</abbr>", true);
        }
    }
    psb_text_add(out, "</tr></thead>\n<tbody>\n");
    for (size_t d = 0; d < s->ndescriptors; d++) {
        const site_descriptor *descriptor = &s->descriptors[d];
        add_name(out, descriptor);
        for (int c = 0; c < COSTS; c++) {
            double here = psb_site_number(descriptor->row, costs[c].name) / costs[c].unit;
            psb_site_cell(out, here, costs[c].decimals, false);
            if (s->published) {
                psb_site_cell(out, beside(descriptor, costs[c].name, "published") / costs[c].unit,
                              0, false);
            }
        }
        psb_text_add(out, "</tr>\n");
    }
    psb_site_table_end(out);
}

static psb_status add_costs(const site *s, psb_text *out, psb_error *error) {
    void *memory;
    psb_status status = psb_alloc(&memory, s->ndescriptors, sizeof(double), "costs", error);
    if (status != PSB_OK) {
        return status;
    }
    double *values = memory;
    psb_text_add(out, "<section aria-labelledby=\"cost\">\n<h2 id=\"cost\">Cost against "
                      "quality</h2>\n<div class=\"figures\">\n");
    for (int c = 0; c < COSTS; c++) {
        for (size_t d = 0; d < s->ndescriptors; d++) {
            values[d] = psb_site_number(s->descriptors[d].row, costs[c].name) / costs[c].unit;
        }
        psb_site_plot_costs(s, out, costs[c].title, costs[c].axis, values);
    }
    psb_text_add(out, "</div>\n");
    add_cost_table(s, out);
    psb_text_add(out, "<p class=\"note\">Times are means of processor time on this machine");
    psb_text_add(out, s->published ? "; the published ones are of a 2.0 GHz Pentium 4.</p>\n"
                                   : ".</p>\n");
    psb_text_add(out, "</section>\n");
    free(values);
    return PSB_OK;
}

/* ---- what was run ---------------------------------------------------------------------- */

static void add_term(psb_text *out, const char *term, const char *text) {
    if (text[0] != '\0') {
        psb_text_printf(out, "<div><dt>%s</dt><dd>", term);
        psb_markup_text(out, text);
        psb_text_add(out, "</dd></div>\n");
    }
}

static void add_amount(psb_text *out, const char *term, double number, double unit, int decimals,
                       const char *suffix) {
    if (!isnan(number)) {
        psb_text_printf(out, "<div><dt>%s</dt><dd>%.*f%s</dd></div>\n", term, decimals,
                        number / unit, suffix);
    }
}

/* Ids that were left out; failed ones are objects with a reason. */
static void add_left_out(psb_text *out, const char *term, const cJSON *list) {
    int count = cJSON_GetArraySize(list);
    if (count == 0) {
        return;
    }
    psb_text_printf(out, "<div><dt>%s</dt><dd><details%s><summary>%d</summary><ul>\n", term,
                    count <= 5 ? " open" : "", count);
    const cJSON *entry;
    cJSON_ArrayForEach(entry, list) {
        const char *text = cJSON_GetStringValue(entry);
        psb_text_add(out, "<li>");
        psb_markup_text(out, text != NULL ? text : psb_site_string(entry, "reason"));
        psb_text_add(out, "</li>\n");
    }
    psb_text_add(out, "</ul></details></dd></div>\n");
}

static void add_run(const site *s, psb_text *out) {
    const cJSON *inputs = cJSON_GetObjectItemCaseSensitive(s->run, "inputs");
    const cJSON *machine = cJSON_GetObjectItemCaseSensitive(s->run, "machine");
    const cJSON *spent = cJSON_GetObjectItemCaseSensitive(s->run, "costs");
    psb_text_add(out, "<section aria-labelledby=\"run\">\n<h2 id=\"run\">What was run</h2>\n"
                      "<dl class=\"facts\">\n");
    add_term(out, "Program", psb_site_string(s->run, "program"));
    add_term(out, "Command", psb_site_string(s->run, "command_line"));
    add_term(out, "Classification", psb_site_string(inputs, "classification"));
    add_term(out, "Its checksum (XXH64)", psb_site_string(inputs, "classification_xxh64"));
    add_term(out, "Models", psb_site_string(inputs, "models_folder"));
    add_term(out, "Their checksum (XXH64)", psb_site_string(inputs, "models_xxh64"));
    add_amount(out, "Models listed", psb_site_number(inputs, "models_listed"), 1, 0, "");
    add_amount(out, "Models used", psb_site_number(inputs, "models_used"), 1, 0, "");
    add_left_out(out, "Models without a file",
                 cJSON_GetObjectItemCaseSensitive(inputs, "models_missing"));
    add_left_out(out, "Models that could not be used",
                 cJSON_GetObjectItemCaseSensitive(inputs, "models_failed"));
    add_term(out, "System", psb_site_string(machine, "system"));
    add_term(out, "Architecture", psb_site_string(machine, "architecture"));
    add_amount(out, "Processors", psb_site_number(machine, "processors"), 1, 0, "");
    add_amount(out, "Threads", psb_site_number(machine, "threads"), 1, 0, "");
    add_amount(out, "Wall time", psb_site_number(spent, "wall_seconds"), 1, 1, " s");
    add_amount(out, "Processor time", psb_site_number(spent, "cpu_seconds"), 1, 1, " s");
    add_amount(out, "Memory at most", psb_site_number(spent, "peak_memory_bytes"), 1 << 20, 0,
               " MiB");
    psb_text_add(out, "</dl>\n</section>\n");
}

psb_status psb_site_write_front(const site *s, psb_error *error) {
    psb_text out = {0};
    psb_site_page_begin(s, &out, "Overview", "index.html");
    add_retrieval(s, &out);
    add_curves(s, &out);
    psb_status status = add_costs(s, &out, error);
    if (status != PSB_OK) {
        psb_text_free(&out);
        return status;
    }
    add_pairs(s, &out);
    add_run(s, &out);
    psb_site_page_end(&out);
    return psb_site_write(s, "index.html", &out, error);
}
