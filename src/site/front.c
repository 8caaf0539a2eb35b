/* Writes the first page: how well each descriptor retrieves, at what cost, and what was run. */
#include "core/memory.h"
#include "site/parts.h"

#include <math.h>
#include <stdio.h>

/* Adds a table's caption as a paragraph below it. */
static void add_note(const site *s, psb_text *out,
                     void (*add_caption)(psb_text *, const psb_table4_comparison *)) {
    PSB_AT_END(psb_text_free) psb_text caption = {0};
    add_caption(&caption, &s->table);
    psb_markup_within(out, "<p class=\"note\">", caption.data != NULL ? caption.data : "",
                      "</p>\n");
    out->failed = out->failed || caption.failed;
}

/* ---- Table 4 --------------------------------------------------------------------------- */

/* Adds a heading over `columns` others. */
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

/*
 * The mean E-measure of perfect lists, which have few relevant models among 32 if classes are
 * small. NAN if no query has a relevant model.
 */
static double e_measure_ceiling(const site *s) {
    double page = (double)s->evaluation->measures[PSB_E_MEASURE].measure.parameter;
    double looked_at = fmin(page, (double)s->cla->nmodels - 1), sum = 0, queries = 0;
    for (size_t q = 0; q < s->cla->nmodels; q++) {
        double relevant = (double)psb_cla_relevant(s->cla, q);
        if (s->evaluation->selected[q] && relevant > 0) {
            sum += 2 * fmin(relevant, looked_at) / (relevant + looked_at);
            queries++;
        }
    }
    return queries > 0 ? 100 * sum / queries : (double)NAN;
}

static void add_table_head(const site *s, psb_text *out) {
    int beside = s->table.any_published ? 2 : 0;
    psb_text_add(out, "<thead><tr><td></td>");
    for (size_t f = 0; f < PSB_FIGURES; f++) {
        char heading[160];
        double most = f == PSB_E_MEASURE ? e_measure_ceiling(s) : NAN;
        snprintf(heading, sizeof heading, isnan(most) ? "%s" : "%s <small>max. %.1f</small>",
                 s->evaluation->measures[f].title, most);
        add_group_heading(out, heading, 2 + beside);
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

/* Marks the best of a column, and what does not differ significantly from it; normalized DCG is
 * judged as DCG. */
static const char *standing(const site *s, size_t which, size_t figure) {
    size_t f = figure == PSB_FIGURES ? PSB_DCG : figure;
    double value = s->table.rows[which].value[PSB_MEASURED][PSB_TABLE4_RETRIEVAL + f];
    bool best = s->equal != NULL;
    for (size_t d = 0; d < s->ndescriptors && best; d++) {
        best = value >= s->table.rows[d].value[PSB_MEASURED][PSB_TABLE4_RETRIEVAL + f];
    }
    return best                                                    ? " class=\"best\""
           : s->equal != NULL && s->equal[which * PSB_FIGURES + f] ? " class=\"equal\""
                                                                   : "";
}

static void add_table_row(const site *s, psb_text *out, size_t which) {
    const psb_table4_numbers *row = &s->table.rows[which];
    size_t own = s->ndescriptors - s->options->report->ngiven; /* descriptors of the run itself */
    psb_text_add(out, "<tr><th scope=\"row\">");
    psb_site_descriptor_link(s, out, which, "");
    psb_text_add(out,
                 own > 0 && which >= own ? " <span class=\"chip\">given</span></th>" : "</th>");
    for (size_t f = 0; f <= PSB_FIGURES; f++) {
        size_t field = PSB_TABLE4_RETRIEVAL + f;
        bool normalized = f == PSB_FIGURES;
        psb_text_printf(out, "<td%s>", standing(s, which, f));
        psb_site_number(out, row->value[PSB_MEASURED][field], 1, normalized);
        psb_text_add(out, "</td>");
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
                         s->table.any_published ? "Table 4: retrieval, measured and published"
                                                : "Retrieval");
    add_table_head(s, out);
    for (size_t r = 0; r < s->ndescriptors; r++) {
        add_table_row(s, out, s->by_score[r]);
    }
    psb_site_table_end(out);
    psb_text_add(out, "<p class=\"downloads\">The table as files: ");
    for (size_t f = 0; f < psb_table_format_count(); f++) {
        const psb_table_format *format = psb_table_format_at(f);
        if (!format->printed) {
            psb_text_printf(out, "%s<a href=\"data/table4.%s\">%s</a>", f > 0 ? ", " : "",
                            format->name, format->name);
        }
    }
    psb_text_add(out, "</p>\n");
    if (s->equal != NULL && s->ndescriptors > 1) {
        psb_text_printf(out,
                        "<p class=\"note\"><span class=\"standing best\">Bold</span>: best in its "
                        "column; <span class=\"standing equal\">shaded</span>: not significantly "
                        "different from the best (paired randomization test clustered by class, p "
                        "≥ %.2f, Holm-corrected for %zu comparison%s).%s</p>\n",
                        PSB_TEST_LEVEL, s->ndescriptors - 1, s->ndescriptors == 2 ? "" : "s",
                        s->table.any_published
                            ? " Some parameters that the paper leaves open were fitted to the "
                              "published figures: <code>psbench list NAME</code> says which."
                            : "");
    }
    add_note(s, out, psb_table4_add_caption);
    psb_text_add(out, "</section>\n");
}

/* Writes the table as files, in every format. */
static psb_status write_table(const site *s, psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t f = 0; f < psb_table_format_count() && status == PSB_OK; f++) {
        const psb_table_format *format = psb_table_format_at(f);
        if (format->printed) {
            continue;
        }
        char name[64];
        psb_text out = {0};
        snprintf(name, sizeof name, "data/table4.%s", format->name);
        status = psb_table4_render(s->options->report->table, format, &out, error);
        if (status == PSB_OK) {
            status = psb_site_write(s, name, &out, error);
        } else {
            psb_text_free(&out);
        }
    }
    return status;
}

/* Says how many models were used, and how far figures are from the published. */
static void add_summary(const site *s, psb_text *out) {
    const psb_table4 *table = s->options->report->table;
    double farthest = NAN;
    size_t rows = 0;
    for (size_t d = 0; d < s->ndescriptors; d++) {
        rows += s->table.rows[d].is_published;
        for (size_t f = 0; f < PSB_FIGURES; f++) {
            farthest = fmax(farthest,
                            fabs(s->table.rows[d].value[PSB_DIFFERENCE][PSB_TABLE4_RETRIEVAL + f]));
        }
    }
    psb_text_printf(out, "<p class=\"summary\">%zu descriptor%s on %zu", s->ndescriptors,
                    s->ndescriptors == 1 ? "" : "s", table->models_used);
    if (table->models_listed > table->models_used) {
        psb_text_printf(out, " of %zu", table->models_listed);
    }
    psb_text_printf(out, " models, %zu queries, %zu classes",
                    psb_evaluation_mean(s->evaluation, 0, 0, (psb_group){PSB_MICRO, 0}).queries,
                    psb_group_count(s->evaluation, PSB_PER_CLASS));
    if (rows > 0 && !isnan(farthest)) {
        psb_text_printf(out,
                        "; all figures of %zu rows are within %.1f points of the published ones",
                        rows, farthest);
    }
    psb_text_add(out, ".</p>\n");
}

/* ---- classes by descriptors -------------------------------------------------------------- */

/* Cells have no links, which would make a large page larger: the script adds them. */
static void add_heat_row(const site *s, psb_text *out, psb_group class, const char *kind) {
    double best = -INFINITY;
    for (size_t d = 0; d < s->ndescriptors; d++) {
        best = fmax(best, psb_evaluation_mean(s->evaluation, d, PSB_DCG, class).value);
    }
    psb_mean mean = psb_evaluation_mean(s->evaluation, 0, PSB_DCG, class);
    psb_text_printf(out, "<tr%s data-class=\"%zu\"><th scope=\"row\"><span class=\"path\">", kind,
                    class.which);
    psb_site_class_path(out, s->cla, class.which, false);
    psb_text_add(out, "</span>");
    psb_site_class_link(s, out, class.which);
    psb_text_printf(out, "</th><td>%zu</td>", mean.queries);
    for (size_t d = 0; d < s->ndescriptors; d++) {
        double value = psb_evaluation_mean(s->evaluation, d, PSB_DCG, class).value;
        psb_text_printf(out, "<td class=\"heat%s v%.0f\" title=\"", value >= best ? " best" : "",
                        SITE_HEATS * value);
        psb_markup_within(out, "", s->cla->classes[class.which].name, ", ");
        psb_markup_within(out, "", s->descriptors[d].label, "");
        psb_text_printf(out, ": DCG %.1f %%\">%.0f</td>", 100 * value, 100 * value);
    }
    psb_text_add(out, "</tr>\n");
}

/*
 * Adds the rows of classes. A class of the top level with others below it stands before these, with
 * the mean of all. The next row outside of it says so, for the script folds what is between.
 */
static size_t add_heat_rows(const site *s, psb_text *out, size_t most) {
    const psb_evaluation *e = s->evaluation;
    size_t rows = 0, behind = 0; /* the first class that is not below the last group */
    psb_group below = psb_groups(PSB_SUBTREE);
    while (rows < most && psb_group_next(e, &below)) {
        psb_group own = {PSB_PER_CLASS, below.which};
        size_t queries = psb_evaluation_mean(e, 0, 0, own).queries;
        bool top = s->cla->classes[below.which].parent == PSB_NO_CLASS;
        bool group = top && queries < psb_evaluation_mean(e, 0, 0, below).queries;
        if (group) {
            add_heat_row(s, out, below, " class=\"group\"");
            behind = e->last_below[below.which] + 1;
            rows++;
        }
        if (queries > 0) {
            add_heat_row(s, out, own, below.which < behind ? "" : " class=\"alone\"");
            rows++;
        }
    }
    return rows;
}

static void add_heat(const site *s, psb_text *out) {
    enum { MOST_CELLS = 12000 }; /* more make a page that is too large */
    size_t classes = psb_group_count(s->evaluation, PSB_PER_CLASS);
    if (classes == 0) {
        return;
    }
    psb_text_add(out, "<section>\n");
    psb_site_table_begin(out, "heat", "DCG by class and descriptor, percent");
    psb_text_add(out, "<thead><tr>");
    psb_site_sort_heading(out, "Class", false);
    psb_site_sort_heading(out, "Queries", true);
    for (size_t d = 0; d < s->ndescriptors; d++) {
        PSB_AT_END(psb_text_free) psb_text label = {0};
        psb_markup_text(&label, s->descriptors[d].label);
        if (!label.failed) {
            psb_site_sort_heading(out, label.data, true);
        }
        out->failed = out->failed || label.failed;
    }
    psb_text_add(out, "</tr></thead>\n<tbody>\n");
    size_t most = MOST_CELLS / s->ndescriptors, rows = add_heat_rows(s, out, most);
    psb_site_table_end(out);
    psb_text_add(out, "<p class=\"note\">Means over the queries of a class; of a group, over all "
                      "its subclasses. Framed: best of the row. Each cell links to its class.");
    psb_text_printf(
        out, rows == most ? " The first of %zu classes.</p>\n</section>\n" : "</p>\n</section>\n",
        classes);
}

/* ---- other tables ----------------------------------------------------------------------- */

static void add_plain_headings(psb_text *out, const psb_table *table) {
    psb_text_add(out, "<thead><tr>");
    for (size_t c = 0; psb_table_is_grouped(table) && c < table->ncolumns;) {
        size_t end = psb_table_group_end(table, c);
        if (table->columns[c].group == NULL) {
            psb_text_add(out, "<td></td>");
        } else {
            psb_text_printf(out, "<th scope=\"colgroup\" colspan=\"%zu\">", end - c);
            psb_markup_within(out, "", table->columns[c].group, "</th>");
        }
        c = end;
        psb_text_add(out, c == table->ncolumns ? "</tr>\n<tr>" : "");
    }
    for (size_t c = 0; c < table->ncolumns; c++) {
        psb_site_sort_heading(out, table->columns[c].heading, table->columns[c].align == PSB_RIGHT);
    }
    psb_text_add(out, "</tr></thead>\n<tbody>\n");
}

/* Renders a table as a section of the page. */
static void add_plain_table(const psb_table *table, psb_text *out) {
    char id[32];
    size_t length = strcspn(table->title, ":");
    for (size_t i = 0; i <= length && i < sizeof id; i++) {
        char c = table->title[i];
        id[i] = (char)(i == length || i + 1 == sizeof id ? '\0' : c == ' ' ? '-' : c | 0x20);
    }
    psb_text_add(out, "<section>\n");
    psb_site_table_begin(out, id, table->title);
    add_plain_headings(out, table);
    for (size_t r = 0; r < table->nrows; r++) {
        for (size_t c = 0; c < table->ncolumns; c++) {
            psb_text_add(out, c == 0 ? "<tr><th scope=\"row\">" : "<td>");
            if (psb_table_cell(table, r, c)->kind == PSB_CELL_TEXT) {
                psb_markup_text(out, psb_table_cell(table, r, c)->text);
            } else {
                psb_table_add_cell(out, table, r, c);
            }
            psb_text_add(out, c == 0 ? "</th>" : "</td>");
        }
        psb_text_add(out, "</tr>\n");
    }
    psb_site_table_end(out);
    psb_markup_within(out, "<p class=\"note\">", table->caption, "</p>\n</section>\n");
}

static psb_status add_tables(const site *s, psb_text *out, psb_error *error) {
    static const psb_table_format page = {.name = "html", .render = add_plain_table};
    const psb_site_options *o = s->options;
    psb_table *beyond = NULL;
    psb_status status = o->beyond != NULL ? psb_beyond_make(o->beyond, &beyond, error) : PSB_OK;
    PSB_THEN_IF(status, beyond != NULL, psb_table_end(PSB_OK, beyond, &page, out, error));
    for (size_t t = 0; t < o->npaper && status == PSB_OK; t++) {
        status = psb_dcg_table_render(o->paper[t], &page, out, error);
    }
    return status;
}

/* ---- differences between descriptors --------------------------------------------------- */

/* Marks corrected p below 5, 1 and 0.1 percent. */
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
    psb_site_table_begin(out, "pairs", "Difference of DCG, row minus column, percent");
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
            psb_text_add(out, "<td><a href=\"compare.html#a=");
            psb_markup_link(out, s->descriptors[a].stem);
            psb_text_add(out, "&amp;b=");
            psb_markup_link(out, s->descriptors[b].stem);
            psb_text_add(out, "\">");
            psb_site_number(out, (a < b ? 100 : -100) * pair->difference, 1, true);
            psb_text_printf(out, "</a><span class=\"mark\">%s</span></td>", mark_of(pair));
        }
        psb_text_add(out, "</tr>\n");
    }
    psb_site_table_end(out);
    psb_text_printf(
        out,
        "<p class=\"note\">Mean paired differences over queries. <span class=\"mark\">*</span>, "
        "<span class=\"mark\">**</span>, <span class=\"mark\">***</span>: p below .05, .01, .001 "
        "(paired randomization test clustered by class, %zu rounds, Holm-corrected for all pairs), "
        "as in <code>psbench compare</code>.</p>\n</section>\n",
        psb_test_rounds(s->ndescriptors));
}

/* ---- plots and costs ------------------------------------------------------------------- */

static void add_curves(const site *s, psb_text *out) {
    psb_text_add(out, "<section aria-labelledby=\"curves\">\n<h2 id=\"curves\">Precision and "
                      "recall</h2>\n<div class=\"figure\">\n");
    psb_site_plot_curves(s, out, 0, s->ndescriptors);
    psb_text_add(out, "<fieldset class=\"legend\"><legend>Curves</legend>\n");
    for (size_t d = 0; d < s->ndescriptors; d++) {
        psb_text_printf(out,
                        "<label><input type=\"checkbox\" checked data-curve=\"%zu\"><svg "
                        "class=\"swatch\" viewBox=\"0 0 36 10\" aria-hidden=\"true\">",
                        d);
        psb_site_plot_line(out, d);
        psb_text_add(out, "M0 5H36\"/>");
        psb_site_plot_marker(out, d, 18, 5);
        psb_text_add(out, "/></svg> ");
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
    psb_text_add(out,
                 "</details>\n<p class=\"note\">Averaged, at each recall level, over the queries "
                 "with a value there; the query itself is excluded.</p>\n</section>\n");
}

static const struct {
    psb_table4_field field;
    const char *heading, *axis, *title;
    double unit; /* the number shown is the cost over this */
    int decimals;
} costs[] = {
    {PSB_TABLE4_STORAGE, "storage, bytes", "Storage, bytes", "DCG against storage", 1, 0},
    {PSB_TABLE4_GENERATE, "generate, ms per model", "Time to generate, ms per model",
     "DCG against time to generate", 1e-3, 2},
    {PSB_TABLE4_COMPARE, "compare, µs per pair", "Time to compare, µs per pair",
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
    if (!s->table.any_costs && !s->table.any_times) {
        return PSB_OK; /* no run measured these methods */
    }
    PSB_FREED double *values = psb_new(&status, s->ndescriptors, sizeof *values, "costs", error);
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
    psb_text_add(out, "</div>\n<p class=\"note\">The line is the Pareto front.</p>\n");
    add_cost_table(s, out);
    add_note(s, out, psb_table4_add_cost_caption);
    psb_text_add(out, "</section>\n");
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
    psb_site_add_answer(s, &out);
    add_summary(s, &out);
    psb_text_add(&out, "<div class=\"front\">\n");
    add_retrieval(s, &out);
    psb_status status = psb_site_add_map(s, &out, error);
    psb_text_add(&out, "</div>\n");
    add_curves(s, &out);
    PSB_THEN(status, add_costs(s, &out, error));
    add_heat(s, &out);
    psb_site_add_failures(s, &out);
    psb_site_add_turned(s, &out);
    add_pairs(s, &out);
    PSB_THEN(status, add_tables(s, &out, error));
    add_run(s, &out);
    psb_site_page_end(s, &out);
    PSB_THEN(status, write_table(s, error));
    if (status != PSB_OK) {
        psb_text_free(&out);
        return status;
    }
    return psb_site_write(s, "index.html", &out, error);
}
