/* The first page: what retrieves how well, at what cost, and what was run. */
#include "core/memory.h"
#include "site/parts.h"

#include <math.h>
#include <string.h>

/* The table's caption, as a paragraph below it. */
static void add_note(const site *s, psb_text *out,
                     void (*add_caption)(psb_text *, const psb_table4_comparison *)) {
    psb_text caption = {0};
    add_caption(&caption, &s->table);
    psb_markup_within(out, "<p class=\"note\">", caption.data != NULL ? caption.data : "",
                      "</p>\n");
    out->failed = out->failed || caption.failed;
    psb_text_free(&caption);
}

/* ---- Table 4 --------------------------------------------------------------------------- */

/* A heading over `columns` others. */
static void add_group_heading(psb_text *out, const char *text, int columns) {
    psb_text_printf(out, "<th scope=\"colgroup\" colspan=\"%d\">%s</th>", columns, text);
}

static void add_published_headings(const site *s, psb_text *out, bool difference) {
    if (s->table.any_published) {
        psb_site_sort_heading(out, "<abbr title=\"published\">pub.</abbr>", true);
    }
    if (s->table.any_published && difference) {
        psb_site_sort_heading(out, "<abbr title=\"here minus published\">diff.</abbr>", true);
    }
}

static void add_table_head(const site *s, psb_text *out) {
    int beside = s->table.any_published ? 2 : 0;
    psb_text_add(out, "<thead><tr><td></td>");
    for (size_t f = 0; f < PSB_FIGURES; f++) {
        add_group_heading(out, s->evaluation->measures[f].title, 2 + beside);
    }
    add_group_heading(out, "Normalized DCG", 1 + beside);
    psb_text_add(out, "</tr>\n<tr>");
    psb_site_sort_heading(out, "Descriptor", false);
    for (size_t f = 0; f <= PSB_FIGURES; f++) {
        psb_site_sort_heading(out, "here", true);
        if (f < PSB_FIGURES) {
            psb_site_sort_heading(out, "<abbr title=\"standard error\">s.e.</abbr>", true);
        }
        add_published_headings(s, out, true);
    }
    psb_text_add(out, "</tr></thead>\n<tbody>\n");
}

static void add_table_row(const site *s, psb_text *out, size_t which) {
    const psb_table4_numbers *row = &s->table.rows[which];
    psb_site_descriptor_heading(s, out, which);
    for (size_t f = 0; f <= PSB_FIGURES; f++) {
        size_t field = PSB_TABLE4_RETRIEVAL + f;
        bool normalized = f == PSB_FIGURES;
        psb_site_cell(out, row->value[PSB_MEASURED][field], 1, normalized);
        if (!normalized) {
            psb_mean mean = psb_evaluation_mean(s->evaluation, which, f, (psb_group){PSB_MICRO, 0});
            psb_site_cell(out, 100 * mean.error, 1, false);
        }
        if (s->table.any_published) {
            psb_site_cell(out, row->value[PSB_PUBLISHED][field], 1, normalized);
            psb_site_cell(out, row->value[PSB_DIFFERENCE][field], 1, true);
        }
    }
    psb_text_add(out, "</tr>\n");
}

static void add_retrieval(const site *s, psb_text *out) {
    psb_text_add(out, "<section>\n");
    psb_site_table_begin(out, "retrieval",
                         s->table.any_published ? "Table 4: retrieval, measured beside published"
                                                : "Retrieval");
    add_table_head(s, out);
    for (size_t d = 0; d < s->ndescriptors; d++) {
        add_table_row(s, out, d);
    }
    psb_site_table_end(out);
    add_note(s, out, psb_table4_add_caption);
    psb_text_add(out, "</section>\n");
}

/* ---- the second table ------------------------------------------------------------------- */

static void add_beyond_rows(psb_text *out, const psb_table *table) {
    for (size_t r = 0; r < table->nrows; r++) {
        psb_text_add(out, "<tr><th scope=\"row\">");
        psb_markup_text(out, psb_table_cell(table, r, 0)->text);
        psb_text_add(out, "</th>");
        for (size_t c = 1; c < table->ncolumns; c++) {
            const psb_cell *cell = psb_table_cell(table, r, c);
            if (cell->kind == PSB_CELL_TEXT) {
                psb_text_printf(out, "<td>%s</td>", cell->text);
            } else {
                psb_site_cell(out, cell->number, table->columns[c].decimals, false);
            }
        }
        psb_text_add(out, "</tr>\n");
    }
}

static psb_status add_beyond(const site *s, psb_text *out, psb_error *error) {
    psb_table table = {0};
    if (s->options->beyond == NULL) {
        return PSB_OK;
    }
    psb_status status = psb_beyond_table(s->options->beyond, &table, error);
    if (status == PSB_OK) {
        psb_text_add(out, "<section>\n");
        psb_site_table_begin(out, "beyond", table.title);
        psb_text_add(out, "<thead><tr>");
        for (size_t c = 0; c < table.ncolumns; c++) {
            psb_text heading = {0};
            const char *group = table.columns[c].group;
            psb_text_printf(&heading, "%s%s%s", group != NULL ? group : "",
                            group != NULL ? " " : "", table.columns[c].heading);
            psb_site_sort_heading(out, heading.failed ? "" : heading.data,
                                  table.columns[c].align == PSB_RIGHT);
            psb_text_free(&heading);
        }
        psb_text_add(out, "</tr></thead>\n<tbody>\n");
        add_beyond_rows(out, &table);
        psb_site_table_end(out);
        psb_text_printf(out, "<p class=\"note\">%s</p>\n</section>\n", table.caption);
    }
    psb_table_free(&table);
    return status;
}

/* ---- differences between descriptors --------------------------------------------------- */

/* Corrected p below 5, 1 and 0.1 percent. */
static const char *mark_of(const psb_comparison *c) {
    return c->p_holm < 0.001            ? "***"
           : c->p_holm < 0.01           ? "**"
           : c->p_holm < PSB_TEST_LEVEL ? "*"
                                        : "";
}

/* The comparison of two descriptors, whichever came first. */
static const psb_comparison *pair_of(const site *s, size_t a, size_t b) {
    const psb_comparison *pair = s->pairs;
    while (pair->a != (a < b ? a : b) || pair->b != (a < b ? b : a)) {
        pair++;
    }
    return pair;
}

static void add_pairs(const site *s, psb_text *out) {
    if (s->ndescriptors < 2 || s->pairs == NULL) {
        return;
    }
    psb_text_add(out, "<section>\n");
    psb_site_table_begin(out, "pairs", "DCG of the row minus DCG of the column, percent");
    psb_text_add(out, "<thead><tr><td></td>");
    for (size_t d = 0; d < s->ndescriptors; d++) {
        psb_markup_within(out, "<th scope=\"col\">", s->descriptors[d].label, "</th>");
    }
    psb_text_add(out, "</tr></thead>\n<tbody>\n");
    for (size_t a = 0; a < s->ndescriptors; a++) {
        psb_site_descriptor_heading(s, out, a);
        for (size_t b = 0; b < s->ndescriptors; b++) {
            if (a == b) {
                psb_text_add(out, "<td></td>");
                continue;
            }
            const psb_comparison *pair = pair_of(s, a, b);
            psb_text_add(out, "<td>");
            psb_site_number(out, (a < b ? 100 : -100) * pair->difference, 1, true);
            psb_text_printf(out, "<span class=\"mark\">%s</span></td>", mark_of(pair));
        }
        psb_text_add(out, "</tr>\n");
    }
    psb_site_table_end(out);
    psb_text_printf(out,
                    "<p class=\"note\">Means over queries of paired differences; "
                    "<span class=\"mark\">*</span>, <span class=\"mark\">**</span>, "
                    "<span class=\"mark\">***</span>: p of the paired randomisation test below 5, "
                    "1, 0.1 percent, corrected for all pairs after Holm, with whole classes as "
                    "units, %d rounds; as <code>psbench compare</code>.</p>\n</section>\n",
                    PSB_TEST_ROUNDS);
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
        psb_markup_within(out, "", s->descriptors[d].label, "</label>\n");
    }
    psb_text_add(out, "</fieldset>\n</div>\n<details><summary>Precision as a table</summary>\n");
    psb_site_table_begin(out, "precision", "Precision, percent, at recall levels");
    psb_text_add(out, "<thead><tr><th scope=\"col\">Recall</th>");
    for (size_t d = 0; d < s->ndescriptors; d++) {
        psb_markup_within(out, "<th scope=\"col\" class=\"number\">", s->descriptors[d].label,
                          "</th>");
    }
    psb_text_add(out, "</tr></thead>\n<tbody>\n");
    for (int level = 0; level < PSB_RECALL_LEVELS; level++) {
        psb_text_printf(out, "<tr><th scope=\"row\">%.2f</th>", (level + 1.0) / PSB_RECALL_LEVELS);
        for (size_t d = 0; d < s->ndescriptors; d++) {
            psb_site_cell(out, 100 * s->precision[d][level], 1, false);
        }
        psb_text_add(out, "</tr>\n");
    }
    psb_site_table_end(out);
    psb_text_add(out, "</details>\n<p class=\"note\">Means over the queries that say something at "
                      "a level; the query itself does not count as found.</p>\n</section>\n");
}

static const struct {
    psb_table4_field field;
    const char *heading, *axis, *title;
    double unit; /* of the number that is shown */
    int decimals;
} costs[] = {
    {PSB_TABLE4_STORAGE, "storage, bytes", "Storage, bytes", "DCG against bytes of storage", 1, 0},
    {PSB_TABLE4_GENERATE, "generate, ms a model", "Time to generate, ms a model",
     "DCG against time to generate", 1e-3, 2},
    {PSB_TABLE4_COMPARE, "compare, µs a pair", "Time to compare, µs a pair",
     "DCG against time to compare", 1e-6, 3},
};
enum { COSTS = sizeof costs / sizeof costs[0] };

static double cost_of(const site *s, size_t which, psb_table4_kind kind, size_t c) {
    return s->table.rows[which].value[kind][costs[c].field] / costs[c].unit;
}

static void add_cost_table(const site *s, psb_text *out) {
    psb_site_table_begin(out, "costs", "Costs");
    psb_text_add(out, "<thead><tr><td></td>");
    for (size_t c = 0; c < COSTS; c++) {
        add_group_heading(out, costs[c].heading, s->table.any_published ? 2 : 1);
    }
    psb_text_add(out, "</tr>\n<tr>");
    psb_site_sort_heading(out, "Descriptor", false);
    for (size_t c = 0; c < COSTS; c++) {
        psb_site_sort_heading(out, "here", true);
        add_published_headings(s, out, false);
    }
    psb_text_add(out, "</tr></thead>\n<tbody>\n");
    for (size_t d = 0; d < s->ndescriptors; d++) {
        psb_site_descriptor_heading(s, out, d);
        for (size_t c = 0; c < COSTS; c++) {
            psb_site_cell(out, cost_of(s, d, PSB_MEASURED, c), costs[c].decimals, false);
            if (s->table.any_published) {
                psb_site_cell(out, cost_of(s, d, PSB_PUBLISHED, c), 0, false);
            }
        }
        psb_text_add(out, "</tr>\n");
    }
    psb_site_table_end(out);
}

static psb_status add_costs(const site *s, psb_text *out, psb_error *error) {
    psb_status status = PSB_OK;
    double *values = psb_new(&status, s->ndescriptors, sizeof *values, "costs", error);
    if (status != PSB_OK) {
        return status;
    }
    psb_text_add(out, "<section aria-labelledby=\"cost\">\n<h2 id=\"cost\">Cost against "
                      "quality</h2>\n<div class=\"figures\">\n");
    for (size_t c = 0; c < COSTS; c++) {
        for (size_t d = 0; d < s->ndescriptors; d++) {
            values[d] = cost_of(s, d, PSB_MEASURED, c);
        }
        psb_site_plot_costs(s, out, costs[c].title, costs[c].axis, values);
    }
    psb_text_add(out, "</div>\n");
    add_cost_table(s, out);
    add_note(s, out, psb_table4_add_cost_caption);
    psb_text_add(out, "</section>\n");
    free(values);
    return PSB_OK;
}

/* ---- what was run ---------------------------------------------------------------------- */

static void add_run(const site *s, psb_text *out) {
    psb_text_add(out, "<section aria-labelledby=\"run\">\n<h2 id=\"run\">What was run</h2>\n");
    psb_site_facts(out, &psb_facts_of_run, s->facts);
    psb_text_add(out, "</section>\n");
}

psb_status psb_site_write_front(const site *s, psb_error *error) {
    psb_text out = {0};
    psb_site_page_begin(s, &out, "Overview", "index.html");
    add_retrieval(s, &out);
    psb_status status = add_beyond(s, &out, error);
    add_curves(s, &out);
    PSB_THEN(status, add_costs(s, &out, error));
    if (status != PSB_OK) {
        psb_text_free(&out);
        return status;
    }
    add_pairs(s, &out);
    add_run(s, &out);
    psb_site_page_end(&out);
    return psb_site_write(s, "index.html", &out, error);
}
