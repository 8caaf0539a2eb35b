/* Sets measured rows beside published ones. */
#include "report/table4.h"

#include "report/published.h"

#include <math.h>

enum { DCG = PSB_TABLE4_RETRIEVAL + PSB_DCG };

/* A field's names for programs; the first as the published table has it. */
#define MEASURED_ONLY(name)                                                                        \
    { name, NULL, NULL }
#define BESIDE(name)                                                                               \
    { name, name "_published", NULL }
#define COMPARED(name)                                                                             \
    { name, name "_published", name "_difference" }

/* How fields are written: programs read the units above, people something handier. */
static const struct {
    const char *name[PSB_TABLE4_KINDS];
    int decimals;
    const char *title;
    double unit; /* unit of the number that people see */
    int unit_decimals[PSB_TABLE4_KINDS];
} fields[PSB_TABLE4_FIELDS] = {
    [PSB_TABLE4_STORAGE] = {BESIDE("storage_bytes"), 0, "storage, bytes", 1, {0}},
    [PSB_TABLE4_GENERATE] = {BESIDE("generate_s"), 6, "generate, ms per model", 1e-3, {2}},
    [PSB_TABLE4_COMPARE] = {BESIDE("compare_s"), 9, "compare, us per pair", 1e-6, {3}},
    [PSB_TABLE4_RETRIEVAL] = {COMPARED("nearest_neighbor"), 4, "nearest neighbor", 1, {1, 1, 1}},
    [PSB_TABLE4_RETRIEVAL +
        PSB_FIRST_TIER] = {COMPARED("first_tier"), 4, "first tier", 1, {1, 1, 1}},
    [PSB_TABLE4_RETRIEVAL +
        PSB_SECOND_TIER] = {COMPARED("second_tier"), 4, "second tier", 1, {1, 1, 1}},
    [PSB_TABLE4_RETRIEVAL + PSB_E_MEASURE] = {COMPARED("e_measure"), 4, "E-measure", 1, {1, 1, 1}},
    [DCG] = {COMPARED("dcg"), 4, "DCG", 1, {1, 1, 1}},
    [PSB_TABLE4_NORMALIZED_DCG] = {COMPARED("normalized_dcg"), 4, "normalized DCG", 1, {1, 1, 1}},
    [PSB_TABLE4_NEAREST_NEIGHBOR_ERROR] =
        {MEASURED_ONLY("nearest_neighbor_error"), 4, "nearest neighbor", 1, {1}},
    [PSB_TABLE4_QUERIES] = {MEASURED_ONLY("queries"), 0, "queries", 1, {0}},
    [PSB_TABLE4_MODELS_USED] = {MEASURED_ONLY("models_used"), 0, "models used", 1, {0}},
    [PSB_TABLE4_MODELS_LISTED] = {MEASURED_ONLY("models_listed"), 0, "models listed", 1, {0}},
};

/* ---- numbers ---------------------------------------------------------------------------- */

static double or_unknown(double value) {
    return value > 0 ? value : NAN;
}

static void fill_measured(const psb_table4 *input, const psb_table4_row *row, double *measured) {
    bool scored = row->average.queries > 0;
    measured[PSB_TABLE4_STORAGE] = row->storage_bytes > 0 ? (double)row->storage_bytes : NAN;
    measured[PSB_TABLE4_GENERATE] = or_unknown(row->generate_seconds);
    measured[PSB_TABLE4_COMPARE] = or_unknown(row->compare_seconds);
    for (size_t f = 0; f < PSB_FIGURES; f++) {
        measured[PSB_TABLE4_RETRIEVAL + f] = scored ? 100 * row->average.figure[f] : NAN;
    }
    measured[PSB_TABLE4_NORMALIZED_DCG] = NAN;
    measured[PSB_TABLE4_NEAREST_NEIGHBOR_ERROR] =
        scored ? 100 * row->average.nearest_neighbor_error : NAN;
    measured[PSB_TABLE4_QUERIES] = (double)row->average.queries;
    measured[PSB_TABLE4_MODELS_USED] = (double)input->models_used;
    measured[PSB_TABLE4_MODELS_LISTED] = (double)input->models_listed;
}

static void fill_published(const char *name, psb_table4_numbers *numbers) {
    const psb_published *paper = &psb_published_table4;
    size_t row = name != NULL ? psb_published_find(paper, name) : paper->nrows;
    numbers->is_published = row < paper->nrows;
    for (size_t f = 0; f < PSB_TABLE4_FIELDS; f++) {
        numbers->value[PSB_PUBLISHED][f] =
            numbers->is_published && f < PSB_TABLE4_PAPERS_FIELDS
                ? psb_published_figure(paper, row, fields[f].name[PSB_MEASURED])
                : NAN;
    }
}

/* True if every row of the paper is there, and once. */
static bool has_papers_set(const psb_table4 *input) {
    for (size_t r = 0; r < psb_published_table4.nrows; r++) {
        size_t found = 0;
        for (size_t i = 0; i < input->nrows; i++) {
            const char *name = input->rows[i].published_name;
            found += name != NULL && strcmp(name, psb_published_table4.rows[r].name) == 0;
        }
        if (found != 1) {
            return false;
        }
    }
    return true;
}

static void normalize_dcg(const psb_table4_comparison *all, psb_table4_kind kind) {
    psb_dcg_set set = {0, 0};
    for (size_t i = 0; i < all->input->nrows; i++) {
        if (all->rows[i].in_set) {
            psb_dcg_set_add(&set, all->rows[i].value[kind][DCG]);
        }
    }
    for (size_t i = 0; i < all->input->nrows; i++) {
        double *value = all->rows[i].value[kind];
        value[PSB_TABLE4_NORMALIZED_DCG] = 100 * psb_normalized_dcg(value[DCG], &set);
    }
}

static void finish(psb_table4_comparison *all) {
    for (size_t i = 0; i < all->input->nrows; i++) {
        psb_table4_numbers *numbers = &all->rows[i];
        numbers->in_set =
            numbers->is_published || (!all->any_published && all->input->rows[i].uses == NULL);
    }
    normalize_dcg(all, PSB_MEASURED);
    if (!all->as_in_paper) {
        normalize_dcg(all, PSB_PUBLISHED);
    }
    for (size_t i = 0; i < all->input->nrows; i++) {
        double(*value)[PSB_TABLE4_FIELDS] = all->rows[i].value;
        for (size_t f = 0; f < PSB_TABLE4_FIELDS; f++) {
            value[PSB_DIFFERENCE][f] = value[PSB_MEASURED][f] - value[PSB_PUBLISHED][f];
        }
    }
}

static void fill(psb_table4_comparison *all) {
    const psb_table4 *input = all->input;
    for (size_t i = 0; i < input->nrows; i++) {
        psb_table4_numbers *numbers = &all->rows[i];
        fill_measured(input, &input->rows[i], numbers->value[PSB_MEASURED]);
        fill_published(input->rows[i].published_name, numbers);
        all->any_published = all->any_published || numbers->is_published;
        for (size_t f = PSB_TABLE4_STORAGE; f <= PSB_TABLE4_COMPARE; f++) {
            bool known = !isnan(numbers->value[PSB_MEASURED][f]);
            all->any_costs = all->any_costs || known;
            all->any_times = all->any_times || (known && f != PSB_TABLE4_STORAGE);
        }
    }
    all->as_in_paper = has_papers_set(input);
    finish(all);
}

psb_status psb_table4_compare(const psb_table4 *table4, psb_table4_comparison *all,
                              psb_error *error) {
    psb_status status = PSB_OK;
    *all = (psb_table4_comparison){.input = table4};
    all->rows = psb_new(&status, table4->nrows, sizeof *all->rows, "Table 4", error);
    if (status == PSB_OK) {
        fill(all);
    }
    return status;
}

void psb_table4_comparison_free(psb_table4_comparison *all) {
    free(all->rows);
    *all = (psb_table4_comparison){.rows = NULL};
}

/* ---- captions --------------------------------------------------------------------------- */

/* Appends the rows of the set: "LFD, REXT and SHD". */
static void add_set(psb_text *out, const psb_table4_comparison *all) {
    const psb_table4 *input = all->input;
    size_t members = 0;
    for (size_t i = 0; i < input->nrows; i++) {
        members += all->rows[i].in_set;
    }
    size_t named = 0;
    for (size_t i = 0; i < input->nrows; i++) {
        if (all->rows[i].in_set) {
            const char *separator = named == 0 ? "" : named + 1 < members ? ", " : " and ";
            psb_text_printf(out, "%s%s", separator, input->rows[i].label);
            named++;
        }
    }
}

/* Appends `text` and the labels of the rows that use `uses`, if there are any. */
static void add_uses(psb_text *out, const psb_table4 *input, const char *uses, const char *text) {
    bool any = false;
    for (size_t i = 0; i < input->nrows; i++) {
        const char *own = input->rows[i].uses;
        if (own != NULL && strcmp(own, uses) == 0) {
            psb_text_printf(out, "%s%s", any ? ", " : text, input->rows[i].label);
            any = true;
        }
    }
    psb_text_add(out, any ? "." : "");
}

void psb_table4_add_caption(psb_text *out, const psb_table4_comparison *all) {
    const psb_table4 *input = all->input;
    psb_text_add(out, "Percent; means over queries");
    psb_text_printf(out, "; s.e.: standard error%s, clustered by class",
                    all->every_error ? "" : " of the nearest-neighbor rate");
    psb_text_printf(out, ". %zu of %zu models used", input->models_used, input->models_listed);
    if (input->sides[0] > 0) {
        psb_text_printf(out, ", %zu queries and %zu targets", input->sides[0], input->sides[1]);
    }
    if (input->nrows > 0) {
        psb_text_printf(out, input->sides[0] > 0 ? "; means over %zu queries" : ", %zu queries",
                        input->rows[0].average.queries);
    }
    psb_text_add(out, ". ");
    if (all->any_published) {
        psb_text_add(out, "pub.: published; diff: here minus published. ");
    }
    psb_text_add(out, "Normalized DCG: relative to the mean of ");
    add_set(out, all);
    if (all->as_in_paper) {
        psb_text_add(out, ", as in the paper");
    } else if (all->any_published) {
        psb_text_add(out, "; the published one is recomputed over the same descriptors from the "
                          "published DCG, so it is not what the paper prints");
    }
    psb_text_add(out, ".");
    add_uses(out, input, "pair", " Sums that use the pair alone: ");
    add_uses(out, input, "learned", " Labels of other models were used by: ");
    add_uses(out, input, "reference", " These also use a fixed, unlabeled reference: ");
    add_uses(out, input, "context",
             " These also use the context, the other, unlabeled models of the set: ");
    add_uses(out, input, "given", " With distances from elsewhere, whose inputs are unknown: ");
}

void psb_table4_add_cost_caption(psb_text *out, const psb_table4_comparison *all) {
    const psb_table4 *input = all->input;
    if (!all->any_times) {
        psb_text_add(out, all->any_published ? "Published times: 2.0 GHz Pentium 4." : "");
        return;
    }
    psb_text_add(out, "Times are means; generate: one descriptor alone, without reading");
    size_t described = 0;
    for (size_t i = 0; i < input->nrows; i++) {
        described += input->rows[i].uses == NULL;
    }
    if (input->together_seconds > 0 && described > 1) {
        psb_text_printf(out, "; all %zu together take %.2f ms per model, since they share work",
                        described, input->together_seconds / fields[PSB_TABLE4_GENERATE].unit);
    }
    psb_text_add(out, all->any_published ? ". Published times: 2.0 GHz Pentium 4." : ".");
}

/* ---- tables ----------------------------------------------------------------------------- */

enum { MAX_COLUMNS = 1 + PSB_TABLE4_KINDS * PSB_TABLE4_FIELDS };

/* Columns in the making, and where their numbers come from. The first holds the labels. */
typedef struct column_plan {
    psb_column columns[MAX_COLUMNS];
    psb_table4_kind kinds[MAX_COLUMNS];
    size_t fields[MAX_COLUMNS];
    double units[MAX_COLUMNS];
    size_t count;
} column_plan;

static void start_plan(column_plan *plan) {
    plan->columns[0] = (psb_column){"descriptor", "descriptor", NULL, PSB_LEFT, 0, PSB_PLAIN};
    plan->count = 1;
}

static void add_column(column_plan *plan, psb_table4_kind kind, size_t field, double unit,
                       psb_column column) {
    plan->columns[plan->count] = column;
    plan->kinds[plan->count] = kind;
    plan->fields[plan->count] = field;
    plan->units[plan->count] = unit;
    plan->count++;
}

static void add_for_programs(column_plan *plan, psb_table4_kind kind, size_t field) {
    const char *name = fields[field].name[kind];
    if (name != NULL) {
        add_column(plan, kind, field, 1,
                   (psb_column){name, name, NULL, PSB_RIGHT, fields[field].decimals, PSB_PLAIN});
    }
}

static void add_for_people(column_plan *plan, psb_table4_kind kind, size_t field,
                           const char *heading) {
    add_column(plan, kind, field, fields[field].unit,
               (psb_column){fields[field].name[kind], heading, fields[field].title, PSB_RIGHT,
                            fields[field].unit_decimals[kind], kind == PSB_DIFFERENCE});
}

static void plan_retrieval(const psb_table4_comparison *all, column_plan *plan) {
    start_plan(plan);
    for (size_t f = PSB_TABLE4_RETRIEVAL; f <= PSB_TABLE4_NORMALIZED_DCG; f++) {
        add_for_people(plan, PSB_MEASURED, f, "here");
        if (all->any_published) {
            add_for_people(plan, PSB_PUBLISHED, f, "pub.");
            add_for_people(plan, PSB_DIFFERENCE, f, "diff");
        }
        if (f == PSB_TABLE4_RETRIEVAL) {
            add_for_people(plan, PSB_MEASURED, PSB_TABLE4_NEAREST_NEIGHBOR_ERROR, "s.e.");
        }
    }
}

static void plan_costs(const psb_table4_comparison *all, column_plan *plan) {
    start_plan(plan);
    for (size_t f = PSB_TABLE4_STORAGE; f <= PSB_TABLE4_COMPARE; f++) {
        add_for_people(plan, PSB_MEASURED, f, "here");
        if (all->any_published) {
            add_for_people(plan, PSB_PUBLISHED, f, "pub.");
        }
    }
}

static void plan_for_programs(column_plan *plan) {
    start_plan(plan);
    for (psb_table4_kind kind = PSB_MEASURED; kind < PSB_TABLE4_KINDS; kind++) {
        for (size_t f = 0; f < PSB_TABLE4_FIELDS; f++) {
            add_for_programs(plan, kind, f);
        }
    }
}

/* Makes a table of the planned columns, with their numbers. */
static psb_status lay_out(const psb_table4_comparison *all, const column_plan *plan,
                          psb_table *table, psb_error *error) {
    psb_status status = psb_table_new(table, plan->columns, plan->count, all->input->nrows, error);
    for (size_t i = 0; i < table->nrows; i++) {
        psb_table_set_text(table, i, 0, all->input->rows[i].label);
        for (size_t j = 1; j < plan->count; j++) {
            double value = all->rows[i].value[plan->kinds[j]][plan->fields[j]];
            psb_table_set_number(table, i, j, value / plan->units[j]);
        }
    }
    return status;
}

psb_status psb_table4_make(const psb_table4 *table4, psb_table **made, psb_error *error) {
    PSB_AT_END(psb_table4_comparison_free) psb_table4_comparison all = {0};
    column_plan plan;
    psb_table table = {.cells = NULL};
    psb_text caption = {0}, programs = {0}, costs = {0};
    *made = NULL;
    psb_status status = psb_table4_compare(table4, &all, error);
    if (status == PSB_OK) {
        plan_retrieval(&all, &plan);
        psb_table4_add_caption(&caption, &all);
        psb_table4_add_caption(&programs, &all);
        status = lay_out(&all, &plan, &table, error);
        table.title = table4->title;
    }
    status = psb_table_keep(status, &table, &caption, made, error);
    if (status == PSB_OK) {
        plan_for_programs(&plan);
        status = lay_out(&all, &plan, &table, error);
        table.title = table4->title;
        table.tsv_columns = 1 + PSB_TABLE4_PAPERS_FIELDS;
        status = psb_table_keep(status, &table, &programs, made, error);
    }
    if (status == PSB_OK && all.any_costs) {
        plan_costs(&all, &plan);
        psb_table4_add_cost_caption(&costs, &all);
        status = lay_out(&all, &plan, &table, error);
        status = psb_table_keep_next(status, &table, &costs, made, error);
    }
    psb_text_free(&programs);
    return status;
}

psb_status psb_table4_render(const psb_table4 *table4, const psb_table_format *format,
                             psb_text *out, psb_error *error) {
    psb_table *made;
    psb_status status = psb_table4_make(table4, &made, error);
    return psb_table_end(status, made, format, out, error);
}
