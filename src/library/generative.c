/* Compares generated sets for clients: finds descriptors and metrics, makes the tables. */
#include "studies/generative.h"

#include "core/file.h"
#include "distance/points.h"
#include "library/call.h"
#include "library/parts.h"
#include "report/named_facts.h"
#include "report/table.h"
#include "run/run.h"
#include "site/generative_page.h"
#include "stream/memory_plan.h"

#include <math.h>
#include <string.h>

/* Names of the columns for a figure and both ends of its interval. */
static const struct {
    const char *names[3], *title;
    double unit;
    int decimals;
} figures[PSB_SET_FIGURES] = {
    [PSB_MATCHING_DISTANCE] = {{"matching_distance", "matching_distance_low",
                                "matching_distance_high"},
                               "matching distance",
                               1,
                               -6},
    [PSB_COVERAGE] = {{"coverage_percent", "coverage_percent_low", "coverage_percent_high"},
                      "coverage %",
                      100,
                      2},
    [PSB_ONE_NEAREST_NEIGHBOR] = {{"1nna_percent", "1nna_percent_low", "1nna_percent_high"},
                                  "1-NNA %",
                                  100,
                                  2},
};

/* What the page of shapes needs during the comparison. */
typedef struct page_work {
    const psb_generative_options *options;
    psb_generative_page *page;
} page_work;

enum {
    LABEL,
    SIZES,
    FIGURES = SIZES + PSB_SETS,
    MORE = FIGURES + 3 * PSB_SET_FIGURES,
    MOST_MORE = 6,
    MOST_METRICS = 8
};

/* Optional columns: shown if some row has a number for them, or if they were asked for. */
static const struct {
    const char *name, *heading;
    size_t value; /* offset in psb_generative_row */
    double unit;
    bool distributions;
} more[MOST_MORE] = {
    {"jsd", "JSD", offsetof(psb_generative_row, divergence), 1, false},
    {"gap_percent", "gap %", offsetof(psb_generative_row, gap), 100, false},
    {"largest_gap_percent", "largest", offsetof(psb_generative_row, most_gap), 100, false},
    {"frechet_distance", "Frechet distance", offsetof(psb_generative_row, frechet), 1, true},
    {"kernel_distance", "kernel distance", offsetof(psb_generative_row, kernel), 1, true},
    {"kernel_distance_error", "s.e.", offsetof(psb_generative_row, kernel_error), 1, true},
};

static double more_of(const psb_generative_row *row, size_t m) {
    double value;
    memcpy(&value, (const char *)row + more[m].value, sizeof value);
    return more[m].unit * value;
}

/* Sets `chosen` to the optional columns that are shown; returns how many. */
static size_t choose_more(const psb_generative_options *o, const psb_generative_row *rows,
                          size_t count, size_t chosen[MOST_MORE]) {
    size_t n = 0;
    for (size_t m = 0; m < MOST_MORE; m++) {
        size_t with = 0;
        while (with < count && isnan(more_of(&rows[with], m))) {
            with++;
        }
        if (more[m].distributions ? o->distributions : with < count) {
            chosen[n++] = m;
        }
    }
    return n;
}

/* Distances have any size: six significant digits for people, nine for programs. */
static int decimals_of(bool for_programs, int decimals) {
    return !for_programs ? decimals : decimals < 0 ? -9 : 6;
}

static void make_columns(bool for_programs, psb_column *columns) {
    static const char *const names[] = {"descriptor", "generated", "reference"};
    static const char *const headings[] = {"", "from", "to"};
    for (int c = LABEL; c < MORE; c++) {
        int f = (c - FIGURES) / 3, end = (c - FIGURES) % 3;
        columns[c] = c < FIGURES
                         ? (psb_column){.name = names[c], .heading = names[c]}
                         : (psb_column){.name = figures[f].names[end],
                                        .heading = headings[end],
                                        .group = figures[f].title,
                                        .decimals = decimals_of(for_programs, figures[f].decimals)};
        columns[c].align = c == LABEL ? PSB_LEFT : PSB_RIGHT;
    }
}

static void add_caption(const psb_generative_options *o, bool gaps, psb_text *caption) {
    if (strcmp(o->sets[0], o->sets[1]) == 0) {
        psb_text_add(caption, "Both sets are the same: these are the figures of copies. ");
    }
    psb_text_add(
        caption,
        "Matching distance: mean over the references of the distance to the nearest "
        "generated shape. Coverage: references that are the nearest of some generated "
        "shape. 1-NNA: share of shapes whose nearest other shape is of their own set; 50 is best.");
    if (o->rounds > 0) {
        psb_text_printf(caption,
                        " From, to: 95 %% bootstrap intervals over shapes, %zu rounds, seed %llu. "
                        "All three depend on the sets' sizes.",
                        o->rounds, (unsigned long long)o->seed);
    }
    if (gaps) {
        psb_text_add(caption, " Gap: proven bound by which the distances may exceed those of the "
                              "best maps; mean and largest.");
    }
    if (o->floor) {
        psb_text_add(caption,
                     " Floor: every other reference as the generated set, against the rest.");
    }
}

static void fill_row(psb_table *out, size_t i, const psb_generative_row *row,
                     const size_t chosen[MOST_MORE]) {
    char label[300];
    snprintf(label, sizeof label, "%s%s", row->label, row->floor ? ", floor" : "");
    psb_table_copy_text(out, i, LABEL, label);
    for (size_t set = 0; set < PSB_SETS; set++) {
        psb_table_set_number(out, i, SIZES + set, (double)row->count[set]);
    }
    for (size_t f = 0; f < PSB_SET_FIGURES; f++) {
        const psb_set_value *v = &row->figures[f];
        psb_table_set_number(out, i, FIGURES + 3 * f, figures[f].unit * v->value);
        psb_table_set_number(out, i, FIGURES + 3 * f + 1, figures[f].unit * v->low);
        psb_table_set_number(out, i, FIGURES + 3 * f + 2, figures[f].unit * v->high);
    }
    for (size_t c = MORE; c < out->ncolumns; c++) {
        psb_table_set_number(out, i, c, more_of(row, chosen[c - MORE]));
    }
}

static psb_status make_table(const psb_generative_options *o, const psb_generative_row *rows,
                             size_t count, psb_table **out, psb_error *error) {
    psb_status status = PSB_OK;
    size_t chosen[MOST_MORE], nmore = choose_more(o, rows, count, chosen);
    for (int form = 0; form < 2 && status == PSB_OK; form++) {
        psb_column columns[MORE + MOST_MORE];
        psb_text caption = {0};
        psb_table table = {.cells = NULL};
        bool gaps = false;
        make_columns(form == 1, columns);
        for (size_t m = 0; m < nmore; m++) {
            gaps = gaps || more[chosen[m]].value == offsetof(psb_generative_row, gap);
            columns[MORE + m] = (psb_column){.name = more[chosen[m]].name,
                                             .heading = more[chosen[m]].heading,
                                             .align = PSB_RIGHT,
                                             .decimals = decimals_of(form == 1, -6)};
        }
        add_caption(o, gaps, &caption);
        status = psb_table_new(&table, columns, MORE + nmore, count, error);
        for (size_t i = 0; i < count && status == PSB_OK; i++) {
            fill_row(&table, i, &rows[i], chosen);
        }
        status = psb_table_keep(status, &table, &caption, out, error);
    }
    return status;
}

/* Writes a section of the page. Sets appear by name, without their folders. */
static psb_status show(void *context, const psb_set_shapes *shapes, psb_error *error) {
    const page_work *w = context;
    psb_shown_set sets[PSB_SETS];
    for (psb_set set = 0; set < PSB_SETS; set++) {
        sets[set] = (psb_shown_set){psb_path_name(w->options->sets[set]), shapes->ids[set],
                                    shapes->paths[set], shapes->archives[set]};
    }
    return psb_generative_page_add(w->page, shapes->label, shapes->distances, shapes->figures, sets,
                                   error);
}

static psb_status measure(psb_generative_job *job, psb_generative_row *rows, size_t *failures,
                          psb_error *error) {
    psb_generative_page page;
    page_work w = {&job->options, &page};
    if (job->options.report == NULL) {
        return psb_generative_compare(job, rows, failures, error);
    }
    job->show = show;
    job->context = &w;
    psb_status status = psb_generative_page_begin(&page, job->options.report, error);
    PSB_THEN(status, psb_generative_compare(job, rows, failures, error));
    return psb_generative_page_end(&page, status, error);
}

/* Finds the metrics of a list like "cd,emd": either all are of points, or none is. */
static psb_status parse_metrics(psb_context *psb, const char *list,
                                const psb_metric *metrics[MOST_METRICS], size_t *count,
                                psb_error *error) {
    psb_status status = PSB_OK;
    for (const char *at = list; at != NULL && status == PSB_OK;) {
        size_t length = strcspn(at, ",");
        PSB_FREED char *name = psb_new_text(&status, at, length, "a metric", error);
        if (*count == MOST_METRICS) {
            status = psb_misuse(error, "more than 8 metrics");
        }
        PSB_THEN(status, psb_metric_named(psb, name, &metrics[*count], error));
        if (status == PSB_OK &&
            psb_metric_is_of_points(metrics[*count]) != psb_metric_is_of_points(metrics[0])) {
            status = psb_misuse(error, "metrics of points go with no others");
        }
        *count += status == PSB_OK;
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    return status;
}

/* Puts the paths of the rows in the place of what the user named, and finds their metric, unless
 * `o` names one. Folders of models stay as they are. */
static psb_status find_rows(psb_context *psb, psb_generative_options *o,
                            psb_subject subjects[PSB_SETS], psb_error *error) {
    psb_status status = PSB_OK;
    bool rows = true;
    for (int set = 0; set < PSB_SETS && status == PSB_OK; set++) {
        bool folder = false, taken;
        status = psb_folder_is_there(o->sets[set], &folder, error);
        taken = !folder || psb_is_run(o->sets[set]);
        rows = rows && taken;
        PSB_THEN_IF(status, taken,
                    psb_subject_find(o->sets[set], NULL, false, &subjects[set], error));
        if (status == PSB_OK && taken) {
            psb_subject_tell(psb, o->sets[set], &subjects[set]);
            o->sets[set] = subjects[set].path;
        }
    }
    PSB_THEN_IF(status, rows, psb_run_check_alike(o->sets[0], o->sets[1], error));
    if (status == PSB_OK && rows && o->metric == NULL && o->descriptors == NULL) {
        const char *a = subjects[0].metric, *b = subjects[1].metric;
        o->metric = a != NULL ? a : b;
        if (a != NULL && b != NULL && strcmp(a, b) != 0) {
            status = psb_fail_at(error, PSB_ERROR_USAGE, o->sets[1], 0,
                                 "rows that are compared by %.40s, but those of %.200s by %.40s; "
                                 "name two files of one descriptor",
                                 b, o->sets[0], a);
        }
    }
    return status;
}

/* Folders are described, or points of them compared; files of rows need a metric. */
static psb_status check_sets(const psb_generative_options *o, const psb_generative_job *job,
                             psb_error *error) {
    bool folders[PSB_SETS] = {false, false};
    psb_status status = psb_folder_is_there(o->sets[0], &folders[0], error);
    PSB_THEN(status, psb_folder_is_there(o->sets[1], &folders[1], error));
    for (size_t set = 0; set < PSB_SETS && status == PSB_OK; set++) {
        PSB_FREED char *file = psb_new_format(&status, error, "%s", o->sets[set]);
        PSB_THEN_IF(status, !folders[set] && !psb_cut_to_file(file),
                    psb_fail_at(error, PSB_ERROR_IO, o->sets[set], 0, "no such file or folder"));
    }
    bool points = job->nmetrics > 0 && psb_metric_is_of_points(job->metrics[0]);
    if (status == PSB_OK && !points &&
        (folders[0] != folders[1] || folders[0] != (o->metric == NULL))) {
        status =
            psb_misuse(error, "give two folders of models and descriptors, two files of features "
                              "and a metric, or two sets of point clouds and --metric cd, "
                              "cd-l1, hausdorff, emd or emd-auction");
    }
    return status;
}

static psb_status compare(psb_context *psb, const psb_generative_options *given, psb_table **table,
                          psb_error *error) {
    const char *list = given->descriptors != NULL ? given->descriptors : "LFD";
    psb_generative_job job = {
        .options = *given, .threads = psb->threads, .observer = psb->observer};
    psb_generative_options *o = &job.options;
    psb_subject subjects[PSB_SETS] = {{.path = NULL}, {.path = NULL}};
    const psb_metric *metrics[MOST_METRICS];
    PSB_FREED psb_spec **specs = NULL;
    size_t failures = 0;
    psb_status status = PSB_OK;
    job.metrics = metrics;
    o->command_line = o->command_line != NULL ? o->command_line : "";
    o->max_faces = o->max_faces > 0 ? o->max_faces : PSB_MAX_FACES;
    o->memory = o->memory > 0 ? o->memory : PSB_STREAM_MEMORY;
    PSB_THEN(status, find_rows(psb, o, subjects, error));
    if (o->metric != NULL) {
        PSB_THEN(status, parse_metrics(psb, o->metric, metrics, &job.nmetrics, error));
    } else {
        PSB_THEN(status, psb_spec_parse_list(&psb->added, list, &specs, &job.nspecs, error));
    }
    job.specs = specs;
    size_t count = (job.nmetrics + job.nspecs) * (o->floor ? 2 : 1);
    PSB_FREED psb_generative_row *rows =
        psb_new_zero(&status, count, sizeof *rows, "a table", error);
    PSB_THEN(status, check_sets(o, &job, error));
    PSB_THEN(status, measure(&job, rows, &failures, error));
    PSB_THEN(status, make_table(o, rows, count, table, error));
    PSB_THEN_IF(status, o->folder != NULL,
                psb_run_save_table(o->folder, "generative", *table, o->command_line, error));
    if (status == PSB_OK) {
        (*table)->gaps = failures > 0;
    } else {
        psb_table_free(*table);
        *table = NULL;
    }
    for (size_t s = 0; s < job.nspecs; s++) {
        psb_spec_free(specs[s]);
    }
    psb_subject_close(&subjects[0]);
    psb_subject_close(&subjects[1]);
    return status;
}

psb_status psb_generative(psb_context *psb, const psb_generative_options *options,
                          psb_table **table, psb_error *error) {
    const psb_generative_options *o = options;
    *table = NULL;
    if (o == NULL || o->sets[0] == NULL || o->sets[1] == NULL || !(o->max_seconds >= 0)) {
        return psb_misuse(error, "two sets are compared, and no time is negative");
    }
    if (o->metric != NULL && o->descriptors != NULL) {
        return psb_misuse(error, "a metric is for features and point clouds, descriptors have "
                                 "their own: give one of them");
    }
    PSB_AT_END(psb_call_end) psb_call call = {0};
    psb_status status = psb_call_begin(&call, &psb->observer, error);
    return PSB_THEN(status, compare(psb, o, table, error));
}
