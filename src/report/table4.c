/* Measured rows beside published ones. */
#include "report/table4.h"

#include "core/memory.h"
#include "report/published.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The numbers of one row. NAN: not known. */
enum {
    STORAGE,
    GENERATE,
    COMPARE,
    RETRIEVAL, /* the first of the five figures */
    DCG = RETRIEVAL + PSB_DCG,
    NORMALIZED_DCG,
    PAPERS_FIELDS, /* the paper has the fields above, in this order */
    NEAREST_NEIGHBOR_ERROR = PAPERS_FIELDS,
    QUERIES,
    MODELS_USED,
    MODELS_LISTED,
    FIELDS,
};

/* A row's numbers in bytes, seconds and percent: as measured, as published, and the difference. */
typedef enum value_kind { MEASURED, PUBLISHED, DIFFERENCE, KINDS } value_kind;

typedef struct row_numbers {
    double value[KINDS][FIELDS];
    bool is_published; /* the paper has such a row */
    bool in_set;       /* normalized DCG is taken over it */
} row_numbers;

/* A field's names for programs; the first as in data/published/table4.csv. */
#define MEASURED_ONLY(name)                                                                        \
    { name, NULL, NULL }
#define BESIDE(name)                                                                               \
    { name, name "_published", NULL }
#define COMPARED(name)                                                                             \
    { name, name "_published", name "_difference" }

/* How fields are written: programs read the units above, people something handier. */
static const struct {
    const char *name[KINDS];
    int decimals;
    const char *title;
    double unit; /* of the number that people see */
    int unit_decimals[KINDS];
} fields[FIELDS] = {
    [STORAGE] = {BESIDE("storage_bytes"), 0, "storage, bytes", 1, {0}},
    [GENERATE] = {BESIDE("generate_s"), 6, "generate, ms a model", 1e-3, {2}},
    [COMPARE] = {BESIDE("compare_s"), 9, "compare, us a pair", 1e-6, {3}},
    [RETRIEVAL] = {COMPARED("nearest_neighbor"), 4, "nearest neighbor", 1, {1, 1, 1}},
    [RETRIEVAL + PSB_FIRST_TIER] = {COMPARED("first_tier"), 4, "first tier", 1, {1, 1, 1}},
    [RETRIEVAL + PSB_SECOND_TIER] = {COMPARED("second_tier"), 4, "second tier", 1, {1, 1, 1}},
    [RETRIEVAL + PSB_E_MEASURE] = {COMPARED("e_measure"), 4, "E-measure", 1, {1, 1, 1}},
    [DCG] = {COMPARED("dcg"), 4, "DCG", 1, {1, 1, 1}},
    [NORMALIZED_DCG] = {COMPARED("normalized_dcg"), 4, "normalized DCG", 1, {1, 1, 1}},
    [NEAREST_NEIGHBOR_ERROR] =
        {MEASURED_ONLY("nearest_neighbor_error"), 4, "nearest neighbor", 1, {1}},
    [QUERIES] = {MEASURED_ONLY("queries"), 0, "queries", 1, {0}},
    [MODELS_USED] = {MEASURED_ONLY("models_used"), 0, "models used", 1, {0}},
    [MODELS_LISTED] = {MEASURED_ONLY("models_listed"), 0, "models listed", 1, {0}},
};

typedef struct comparison {
    const psb_table4 *input;
    row_numbers *rows;
    bool any_published;
    bool any_costs;
    bool as_in_paper; /* the set is the paper's own */
} comparison;

/* ---- numbers ---------------------------------------------------------------------------- */

static double or_unknown(double value) {
    return value > 0 ? value : NAN;
}

static void fill_measured(const psb_table4 *input, const psb_table4_row *row, double *measured) {
    bool scored = row->average.queries > 0;
    measured[STORAGE] = row->storage_bytes > 0 ? (double)row->storage_bytes : NAN;
    measured[GENERATE] = or_unknown(row->generate_seconds);
    measured[COMPARE] = or_unknown(row->compare_seconds);
    for (size_t f = 0; f < PSB_FIGURES; f++) {
        measured[RETRIEVAL + f] = scored ? 100 * row->average.figure[f] : NAN;
    }
    measured[NORMALIZED_DCG] = NAN;
    measured[NEAREST_NEIGHBOR_ERROR] = scored ? 100 * row->average.nearest_neighbor_error : NAN;
    measured[QUERIES] = (double)row->average.queries;
    measured[MODELS_USED] = (double)input->models_used;
    measured[MODELS_LISTED] = (double)input->models_listed;
}

static psb_status fill_published(const psb_csv *csv, const char *name, row_numbers *numbers,
                                 psb_error *error) {
    size_t row = name != NULL ? psb_csv_row(csv, name) : csv->nrows;
    numbers->is_published = row < csv->nrows;
    for (size_t f = 0; f < FIELDS; f++) {
        numbers->value[PUBLISHED][f] = NAN;
        psb_status status = PSB_OK;
        if (numbers->is_published && f < PAPERS_FIELDS) {
            status = psb_published_number(csv, row, fields[f].name[MEASURED],
                                          &numbers->value[PUBLISHED][f], error);
        }
        if (status != PSB_OK) {
            return status;
        }
    }
    return PSB_OK;
}

/* Every row of the paper is there, and once. */
static bool has_papers_set(const psb_table4 *input, const psb_csv *csv) {
    for (size_t r = 0; r < csv->nrows; r++) {
        size_t found = 0;
        for (size_t i = 0; i < input->nrows; i++) {
            const char *name = input->rows[i].published_name;
            found += name != NULL && strcmp(name, psb_csv_field(csv, r, 0)) == 0;
        }
        if (found != 1) {
            return false;
        }
    }
    return true;
}

static void normalize_dcg(const comparison *all, value_kind kind) {
    double members = 0;
    double sum = 0;
    for (size_t i = 0; i < all->input->nrows; i++) {
        if (all->rows[i].in_set) {
            members++;
            sum += all->rows[i].value[kind][DCG];
        }
    }
    for (size_t i = 0; i < all->input->nrows; i++) {
        double *value = all->rows[i].value[kind];
        if (!isnan(value[DCG])) {
            value[NORMALIZED_DCG] = 100 * psb_normalized_dcg(value[DCG], sum / members);
        }
    }
}

static void finish(comparison *all) {
    for (size_t i = 0; i < all->input->nrows; i++) {
        row_numbers *numbers = &all->rows[i];
        numbers->in_set = numbers->is_published || !all->any_published;
    }
    normalize_dcg(all, MEASURED);
    if (!all->as_in_paper) {
        normalize_dcg(all, PUBLISHED);
    }
    for (size_t i = 0; i < all->input->nrows; i++) {
        double(*value)[FIELDS] = all->rows[i].value;
        for (size_t f = 0; f < FIELDS; f++) {
            value[DIFFERENCE][f] = value[MEASURED][f] - value[PUBLISHED][f];
        }
    }
}

static psb_status compare(const psb_table4 *input, row_numbers *rows, comparison *all,
                          psb_error *error) {
    *all = (comparison){.input = input, .rows = rows};
    psb_csv csv;
    psb_status status = psb_published_table4(&csv, error);
    for (size_t i = 0; i < input->nrows && status == PSB_OK; i++) {
        fill_measured(input, &input->rows[i], rows[i].value[MEASURED]);
        status = fill_published(&csv, input->rows[i].published_name, &rows[i], error);
        all->any_published = all->any_published || rows[i].is_published;
        for (size_t f = STORAGE; f <= COMPARE; f++) {
            all->any_costs = all->any_costs || !isnan(rows[i].value[MEASURED][f]);
        }
    }
    if (status == PSB_OK) {
        all->as_in_paper = has_papers_set(input, &csv);
        finish(all);
    }
    psb_csv_free(&csv);
    return status;
}

/* ---- captions --------------------------------------------------------------------------- */

/* "LFD, REXT and SHD" */
static void add_set(psb_text *out, const comparison *all) {
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

static void add_retrieval_caption(psb_text *out, const comparison *all) {
    const psb_table4 *input = all->input;
    psb_text_printf(out,
                    "Percent; means over queries; s.e.: standard error of the "
                    "nearest-neighbor rate. %zu of the %zu models listed were used",
                    input->models_used, input->models_listed);
    if (input->nrows > 0) {
        psb_text_printf(out, ", %zu of them as queries", input->rows[0].average.queries);
    }
    psb_text_add(out, ". ");
    if (all->any_published) {
        psb_text_add(out, "pub.: as published; diff: here minus published. ");
    }
    psb_text_add(out, "Normalized DCG is taken over ");
    add_set(out, all);
    if (all->as_in_paper) {
        psb_text_add(out, ", as in the paper");
    } else if (all->any_published) {
        psb_text_add(out, "; the published one is recomputed over the same descriptors from the "
                          "published DCG, so it is not what the paper prints");
    }
    psb_text_add(out, ".");
}

/* ---- tables ----------------------------------------------------------------------------- */

enum { MAX_COLUMNS = 1 + KINDS * FIELDS };

/* Columns in the making, and where their numbers come from. The first holds the labels. */
typedef struct column_plan {
    psb_column columns[MAX_COLUMNS];
    value_kind kinds[MAX_COLUMNS];
    size_t fields[MAX_COLUMNS];
    double units[MAX_COLUMNS];
    size_t count;
} column_plan;

static void start_plan(column_plan *plan) {
    plan->columns[0] = (psb_column){"descriptor", "descriptor", NULL, PSB_LEFT, 0, false};
    plan->count = 1;
}

static void add_column(column_plan *plan, value_kind kind, size_t field, double unit,
                       psb_column column) {
    plan->columns[plan->count] = column;
    plan->kinds[plan->count] = kind;
    plan->fields[plan->count] = field;
    plan->units[plan->count] = unit;
    plan->count++;
}

static void add_for_programs(column_plan *plan, value_kind kind, size_t field) {
    const char *name = fields[field].name[kind];
    if (name != NULL) {
        add_column(plan, kind, field, 1,
                   (psb_column){name, name, NULL, PSB_RIGHT, fields[field].decimals, false});
    }
}

static void add_for_people(column_plan *plan, value_kind kind, size_t field, const char *heading) {
    add_column(plan, kind, field, fields[field].unit,
               (psb_column){fields[field].name[kind], heading, fields[field].title, PSB_RIGHT,
                            fields[field].unit_decimals[kind], kind == DIFFERENCE});
}

static psb_status render(const comparison *all, const column_plan *plan, const char *title,
                         const char *caption, const psb_table_format *format, psb_text *out,
                         psb_error *error) {
    psb_table table;
    psb_status status = psb_table_new(&table, plan->columns, plan->count, all->input->nrows, error);
    if (status != PSB_OK) {
        return status;
    }
    table.title = title;
    table.caption = caption;
    for (size_t i = 0; i < table.nrows; i++) {
        psb_table_set_text(&table, i, 0, all->input->rows[i].label);
        for (size_t j = 1; j < plan->count; j++) {
            double value = all->rows[i].value[plan->kinds[j]][plan->fields[j]];
            if (!isnan(value)) {
                psb_table_set_number(&table, i, j, value / plan->units[j]);
            }
        }
    }
    format->render(&table, out);
    psb_table_free(&table);
    return psb_text_status(out, error);
}

static psb_status render_retrieval(const comparison *all, const psb_table_format *format,
                                   psb_text *out, psb_error *error) {
    column_plan plan;
    start_plan(&plan);
    for (size_t f = RETRIEVAL; f <= NORMALIZED_DCG; f++) {
        add_for_people(&plan, MEASURED, f, "here");
        if (all->any_published) {
            add_for_people(&plan, PUBLISHED, f, "pub.");
            add_for_people(&plan, DIFFERENCE, f, "diff");
        }
        if (f == RETRIEVAL) {
            add_for_people(&plan, MEASURED, NEAREST_NEIGHBOR_ERROR, "s.e.");
        }
    }
    psb_text caption = {.data = NULL};
    add_retrieval_caption(&caption, all);
    psb_status status = psb_text_status(&caption, error);
    if (status == PSB_OK) {
        status = render(all, &plan, all->input->title, caption.data, format, out, error);
    }
    psb_text_free(&caption);
    return status;
}

static psb_status render_costs(const comparison *all, const psb_table_format *format, psb_text *out,
                               psb_error *error) {
    column_plan plan;
    start_plan(&plan);
    for (size_t f = STORAGE; f <= COMPARE; f++) {
        add_for_people(&plan, MEASURED, f, "here");
        if (all->any_published) {
            add_for_people(&plan, PUBLISHED, f, "pub.");
        }
    }
    const char *caption = all->any_published
                              ? "Times are means; published ones are from a 2.0 GHz Pentium 4."
                              : "Times are means.";
    return render(all, &plan, NULL, caption, format, out, error);
}

static psb_status render_for_programs(const comparison *all, const psb_table_format *format,
                                      psb_text *out, psb_error *error) {
    column_plan plan;
    start_plan(&plan);
    value_kind kinds = format == &psb_format_tsv ? 1 : KINDS;
    for (value_kind kind = MEASURED; kind < kinds; kind++) {
        for (size_t f = 0; f < (kinds == 1 ? PAPERS_FIELDS : FIELDS); f++) {
            add_for_programs(&plan, kind, f);
        }
    }
    psb_text caption = {.data = NULL};
    add_retrieval_caption(&caption, all);
    psb_status status = psb_text_status(&caption, error);
    if (status == PSB_OK) {
        status = render(all, &plan, all->input->title, caption.data, format, out, error);
    }
    psb_text_free(&caption);
    return status;
}

psb_status psb_table4_render(const psb_table4 *table4, const psb_table_format *format,
                             psb_text *out, psb_error *error) {
    void *rows;
    comparison all;
    psb_status status = psb_alloc(&rows, table4->nrows, sizeof(row_numbers), "Table 4", error);
    if (status == PSB_OK) {
        status = compare(table4, rows, &all, error);
    }
    if (status == PSB_OK && format->for_programs) {
        status = render_for_programs(&all, format, out, error);
    } else if (status == PSB_OK) {
        status = render_retrieval(&all, format, out, error);
        if (status == PSB_OK && all.any_costs) {
            psb_text_add(out, "\n");
            status = render_costs(&all, format, out, error);
        }
    }
    free(rows);
    return status;
}
