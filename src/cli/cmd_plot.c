/* psbench plot: curves, distance and tier images, classes by method, maps. */
#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/matrices.h"
#include "core/file.h"
#include "core/number.h"
#include "eval/curve.h"
#include "eval/map.h"
#include "library/methods.h"
#include "report/class_heat.h"
#include "report/curve_plot.h"
#include "report/map_plot.h"
#include "report/matrix_image.h"

#include <stdio.h>
#include <string.h>

/* What the options say. */
typedef struct request {
    psb_methods_options methods;
    int threads;
    int kind; /* one of kinds */
    const char *stem;
    const char *formats; /* "svg,png" */
    const char *title, *classes, *measure_name;
    psb_grouping grouping;
    bool count_query;
    size_t length; /* of gain curves; 0: the whole list */
    int cell;
    psb_picture_style style;
    /* What follows from these. */
    psb_pr_counting counting;
    psb_chosen_measure measure;
    size_t first_class, last_class;
    bool ideal; /* a curve of ideal lists stands beside the others */
} request;

/* Calls `one` for each picture format of the request, and returns at the first error. */
typedef psb_status (*write_one)(const void *what, const psb_picture_style *style,
                                const char *format, const char *path, psb_error *error);

static bool next_format(const char **at, char format[8]) {
    size_t length = strcspn(*at, ",");
    snprintf(format, 8, "%.*s", (int)length, *at);
    bool any = length > 0;
    *at += length + ((*at)[length] == ',');
    return any;
}

static psb_status write_formats(const request *r, const char *suffix, const void *what,
                                write_one one, psb_error *error) {
    char format[8];
    psb_status status = PSB_OK;
    for (const char *at = r->formats; status == PSB_OK && next_format(&at, format);) {
        if (strcmp(format, "plot") == 0) {
            continue;
        }
        char *path = psb_new_format(&status, error, "%s%s.%s", r->stem, suffix, format);
        PSB_THEN(status, one(what, &r->style, format, path, error));
        free(path);
    }
    return status;
}

static bool wants_plot_files(const request *r) {
    char format[8];
    for (const char *at = r->formats; next_format(&at, format);) {
        if (strcmp(format, "plot") == 0) {
            return true;
        }
    }
    return false;
}

/* "-LABEL", without what would lead elsewhere; nothing where there is one matrix. Behind the last
   one stands the ideal. */
static void suffix_of(const psb_methods *all, size_t k, char suffix[128]) {
    bool named = all->count > 1 || k == all->count;
    snprintf(suffix, 128, "%s%.120s", named ? "-" : "",
             k == all->count ? "ideal"
             : named         ? all->labels[k]
                             : "");
    for (char *c = suffix; *c != '\0'; c++) {
        *c = *c == '/' ? '_' : *c;
    }
}

/* Nothing is written where one of the files is an input, or would be written twice. */
static int check_outputs(const cli_values *values, const psb_methods *all, const request *r) {
    char format[8], suffix[128], other[128];
    int code = CLI_DONE;
    size_t own = all->count + r->ideal;
    for (size_t k = 0; k <= own && code == CLI_DONE; k++) {
        suffix[0] = '\0'; /* last the files about all matrices */
        if (k < own) {
            suffix_of(all, k, suffix);
        }
        for (size_t i = 0; i < k && k < own && code == CLI_DONE; i++) {
            suffix_of(all, i, other);
            if (strcmp(other, suffix) == 0) {
                code = cli_usage("plot", "%s and %s would be written to the same files %s%s.*",
                                 all->labels[i], k < all->count ? all->labels[k] : "the ideal",
                                 r->stem, suffix);
            }
        }
        for (const char *at = r->formats; code == CLI_DONE && next_format(&at, format);) {
            psb_status status = PSB_OK;
            psb_error error;
            char *path = psb_new_format(&status, &error, "%s%s.%s", r->stem, suffix, format);
            code = status == PSB_OK ? cli_check_part(values, path) : cli_report(&error);
            free(path);
        }
    }
    return code;
}

/* ---- curves ----------------------------------------------------------------------------- */

static psb_status add_line(psb_text *text, const char *name, const char *id, size_t count,
                           const double *x, const double *y, psb_error *error) {
    psb_text_printf(text, "# %s%s%s\n", name, id != NULL ? " " : "", id != NULL ? id : "");
    psb_curve_text(x, y, count, text);
    psb_text_add(text, "\n");
    return psb_text_status(text, error);
}

/* A class's or a model's curve with all its points, as psbPlot writes them. */
static psb_status add_points(const psb_evaluation *e, const request *r, size_t k, psb_group group,
                             psb_text *text, double *memory, psb_error *error) {
    bool model = group.kind == PSB_PER_MODEL;
    const psb_class *class = &e->cla->classes[model ? e->cla->class_of[group.which] : group.which];
    size_t first = model ? group.which : class->first;
    size_t end = model ? first + 1 : first + class->count;
    size_t points = class->count - 1 + (r->counting == PSB_PR_WITH_QUERY), queries = 0;
    double *sum = memory, *x = memory + class->count, *one = memory + 2 * class->count;
    for (size_t p = 0; p < points; p++) {
        sum[p] = 0;
        x[p] = (double)(p + 1) / (double)points;
    }
    for (size_t i = first; i < end; i++) {
        if (e->selected[i]) {
            psb_ranks ranks = psb_evaluation_ranks(e, k, i);
            psb_pr_query(&ranks, r->counting, one);
            queries++;
            for (size_t p = 0; p < points; p++) {
                sum[p] += one[p];
            }
        }
    }
    for (size_t p = 0; p < points; p++) {
        sum[p] /= (double)queries;
    }
    return add_line(text, class->full_name, model ? e->cla->models[first] : NULL, points, x, sum,
                    error);
}

static psb_status all_points(const psb_evaluation *e, const request *r, size_t k, psb_text *text,
                             psb_error *error) {
    psb_status status = PSB_OK;
    double *memory = psb_new(&status, e->cla->nmodels, 3 * sizeof *memory, "a curve", error);
    psb_group group = psb_groups(r->grouping);
    while (status == PSB_OK && psb_group_next(e, &group)) {
        status = add_points(e, r, k, group, text, memory, error);
    }
    free(memory);
    return status;
}

static psb_status write_plot_file(const psb_methods *all, const request *r, size_t k,
                                  const psb_text *text, psb_error *error) {
    char suffix[128];
    suffix_of(all, k, suffix);
    psb_status status = psb_text_status(text, error);
    char *path = psb_new_format(&status, error, "%s%s.plot", r->stem, suffix);
    PSB_THEN(status, psb_write_file(path, text->data, text->length, error));
    free(path);
    return status;
}

static psb_status write_points(const psb_methods *all, const psb_evaluation *e, const request *r,
                               psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        psb_text text = {.data = NULL};
        status = all_points(e, r, k, &text, error);
        PSB_THEN(status, write_plot_file(all, r, k, &text, error));
        psb_text_free(&text);
    }
    return status;
}

static psb_status write_curve_picture(const void *what, const psb_picture_style *style,
                                      const char *format, const char *path, psb_error *error) {
    return psb_curve_plot_write(what, style, format, path, error);
}

static psb_status write_curves(const psb_methods *all, const request *r, psb_curve_plot *plot,
                               psb_error *error) {
    for (size_t k = 0; k < plot->ncurves && wants_plot_files(r); k++) {
        psb_text text = {.data = NULL};
        psb_curve_text(plot->x, plot->curves[k].y, plot->count, &text);
        psb_status status = write_plot_file(all, r, k, &text, error);
        psb_text_free(&text);
        if (status != PSB_OK) {
            return status;
        }
    }
    return write_formats(r, "", plot, write_curve_picture, error);
}

/* Averages one method into `y`. */
typedef psb_status (*average_curve)(const psb_evaluation *e, const request *r, size_t k,
                                    psb_gain gain, size_t count, double *y, psb_error *error);

static psb_status average_pr(const psb_evaluation *e, const request *r, size_t k, psb_gain gain,
                             size_t count, double *y, psb_error *error) {
    (void)gain;
    (void)count;
    return psb_pr_average(e, k, r->grouping, r->counting, y, error);
}

static psb_status average_gain(const psb_evaluation *e, const request *r, size_t k, psb_gain gain,
                               size_t count, double *y, psb_error *error) {
    return psb_gain_average(e, k, r->grouping, gain, count, y, error);
}

static double largest_of(const double *values, size_t count) {
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        largest = values[i] > largest ? values[i] : largest;
    }
    return largest;
}

/* How far below the ideal curve each other one is, as a mean over the lengths: the effort wasted.
 */
static void note_distances(const psb_curve_plot *plot, psb_text *note) {
    const double *ideal = plot->curves[plot->ncurves - 1].y;
    psb_text_printf(note, "%s; mean distance from the ideal curve:", plot->note);
    for (size_t k = 0; k + 1 < plot->ncurves; k++) {
        double sum = 0;
        for (size_t i = 0; i < plot->count; i++) {
            sum += ideal[i] - plot->curves[k].y[i];
        }
        psb_text_printf(note, "%s %s %.3f", k > 0 ? "," : "", plot->curves[k].label,
                        sum > 0 ? sum / (double)plot->count : 0);
    }
}

static psb_status write_with_ideal(const psb_methods *all, const request *r, psb_curve_plot *plot,
                                   psb_error *error) {
    psb_text note = {.data = NULL};
    if (!r->ideal) {
        return write_curves(all, r, plot, error);
    }
    note_distances(plot, &note);
    psb_status status = psb_text_status(&note, error);
    plot->note = note.data;
    PSB_THEN(status, write_curves(all, r, plot, error));
    if (status == PSB_OK && cli_verbosity() >= 0) {
        cli_say("%s", note.data);
    }
    psb_text_free(&note);
    return status;
}

/* Fills plot->x and curves, and writes. x of point i is (i + 1) * x_step. */
static psb_status plot_curves(const psb_methods *all, const psb_evaluation *e, const request *r,
                              psb_curve_plot *plot, double x_step, average_curve average,
                              psb_gain gain, psb_error *error) {
    size_t ncurves = all->count + r->ideal;
    psb_status status = PSB_OK;
    double *x = psb_new(&status, ncurves + 1, plot->count * sizeof *x, "curves", error);
    psb_curve *curves = psb_new(&status, ncurves, sizeof *curves, "curves", error);
    for (size_t k = 0; k < ncurves && status == PSB_OK; k++) {
        double *y = x + (k + 1) * plot->count;
        curves[k] = (psb_curve){k < all->count ? all->labels[k] : "ideal", y, 0};
        status = k < all->count ? average(e, r, k, gain, plot->count, y, error)
                                : psb_gain_ideal(e, r->grouping, gain, plot->count, y, error);
    }
    if (status == PSB_OK) {
        for (size_t i = 0; i < plot->count; i++) {
            x[i] = x_step * (double)(i + 1);
        }
        psb_curve_styles(curves, ncurves);
        plot->x = x;
        plot->curves = curves;
        plot->ncurves = ncurves;
        if (plot->y_high <= 0) {
            plot->y_high = 1.05 * largest_of(x + plot->count, ncurves * plot->count);
        }
        status = write_with_ideal(all, r, plot, error);
    }
    free(curves);
    free(x);
    return status;
}

static psb_status plot_pr(const psb_methods *all, const psb_evaluation *e, const request *r,
                          int variant, psb_error *error) {
    (void)variant;
    if (r->grouping == PSB_PER_CLASS || r->grouping == PSB_PER_MODEL) {
        return write_points(all, e, r, error);
    }
    char note[160];
    snprintf(note, sizeof note, "%s average; relevant are the %s (%s).",
             r->grouping == PSB_MACRO ? "macro" : "micro",
             r->counting == PSB_PR_WITH_QUERY ? "C models of the query's class, itself first"
                                              : "C - 1 other models of the query's class",
             r->counting == PSB_PR_WITH_QUERY ? "as copies of psbPlot count"
                                              : "as psbPlot's README says");
    psb_curve_plot plot = {.title = r->title != NULL ? r->title : "Precision and recall",
                           .note = note,
                           .x_label = "recall",
                           .y_label = "precision",
                           .count = PSB_RECALL_LEVELS,
                           .x_high = 1,
                           .y_high = 1};
    return plot_curves(all, e, r, &plot, 1.0 / PSB_RECALL_LEVELS, average_pr, PSB_CG, error);
}

static psb_status plot_gain(const psb_methods *all, const psb_evaluation *e, const request *r,
                            int variant, psb_error *error) {
    static const char *const titles[PSB_GAINS] = {
        [PSB_CG] = "Cumulated gain",
        [PSB_NCG] = "Normalised cumulated gain",
        [PSB_DCG_SUM] = "Discounted cumulated gain",
        [PSB_NDCG] = "Normalised discounted cumulated gain",
    };
    if (r->grouping == PSB_PER_CLASS || r->grouping == PSB_PER_MODEL) {
        return psb_fail(error, PSB_ERROR_USAGE, "gain curves are micro or macro averages");
    }
    size_t listed = all->cla.nmodels - 1;
    size_t count = r->length > 0 && r->length < listed ? r->length : listed;
    bool share = variant == PSB_NCG || variant == PSB_NDCG;
    psb_curve_plot plot = {.title = r->title != NULL ? r->title : titles[variant],
                           .note = r->grouping == PSB_MACRO ? "macro average" : "micro average",
                           .x_label = "length of the list",
                           .y_label = "gain",
                           .count = count,
                           .x_low = 0,
                           .x_high = (double)count,
                           .y_high = share ? 1 : 0};
    return plot_curves(all, e, r, &plot, 1, average_gain, (psb_gain)variant, error);
}

/* ---- images ----------------------------------------------------------------------------- */

static psb_status write_image(const void *what, const psb_picture_style *style, const char *format,
                              const char *path, psb_error *error) {
    return psb_matrix_image_write(what, style, format, path, error);
}

static psb_status plot_image(const psb_methods *all, const psb_evaluation *e, const request *r,
                             int variant, psb_error *error) {
    (void)e;
    psb_status status = PSB_OK;
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        char suffix[128];
        suffix_of(all, k, suffix);
        psb_matrix_image image = {(psb_image_kind)variant,
                                  r->title != NULL ? r->title : all->labels[k],
                                  &all->cla,
                                  &all->matrices[k],
                                  r->first_class,
                                  r->last_class,
                                  r->cell};
        status = write_formats(r, suffix, &image, write_image, error);
    }
    return status;
}

typedef struct heat {
    const psb_evaluation *evaluation;
    const char *title;
} heat;

static psb_status write_heat(const void *what, const psb_picture_style *style, const char *format,
                             const char *path, psb_error *error) {
    const heat *h = what;
    return psb_class_heat_write(h->evaluation, h->title, style, format, path, error);
}

static psb_status plot_heat(const psb_methods *all, const psb_evaluation *e, const request *r,
                            int variant, psb_error *error) {
    (void)all;
    (void)variant;
    char title[128];
    snprintf(title, sizeof title, "%s by class", r->measure.title);
    heat h = {e, r->title != NULL ? r->title : title};
    return write_formats(r, "", &h, write_heat, error);
}

static psb_status write_map(const void *what, const psb_picture_style *style, const char *format,
                            const char *path, psb_error *error) {
    return psb_map_plot_write(what, style, format, path, error);
}

static psb_status plot_map(const psb_methods *all, const psb_evaluation *e, const request *r,
                           int variant, psb_error *error) {
    (void)e;
    (void)variant;
    psb_status status = PSB_OK;
    float *xy = psb_new(&status, all->cla.nmodels, 2 * sizeof *xy, "a map", error);
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        char suffix[128];
        suffix_of(all, k, suffix);
        psb_map_plot plot = {r->title != NULL ? r->title : all->labels[k], &all->cla, xy};
        status = psb_map_of_matrix(&all->matrices[k], (const char *const *)all->cla.models,
                                   all->threads, NULL, NULL, xy, error);
        PSB_THEN(status, write_formats(r, suffix, &plot, write_map, error));
    }
    free(xy);
    return status;
}

static const struct kind {
    psb_status (*plot)(const psb_methods *all, const psb_evaluation *e, const request *r,
                       int variant, psb_error *error);
    int variant;
    const char *formats;
} kinds[] = {
    {plot_pr, 0, "svg,pdf,png,plot"},
    {plot_gain, PSB_CG, "svg,pdf,png,plot"},
    {plot_gain, PSB_NCG, "svg,pdf,png,plot"},
    {plot_gain, PSB_DCG_SUM, "svg,pdf,png,plot"},
    {plot_gain, PSB_NDCG, "svg,pdf,png,plot"},
    {plot_image, PSB_DISTANCE_IMAGE, "pdf,png"},
    {plot_image, PSB_TIER_IMAGE, "pdf,png"},
    {plot_heat, 0, "svg,pdf,png"},
    {plot_map, 0, "svg,pdf,png"},
};

/* ---- options ---------------------------------------------------------------------------- */

/* The places are those of kinds. */
static const cli_word kind_words[] = {
    {"pr", 0, NULL},   {"cg", 1, NULL},       {"ncg", 2, NULL},  {"dcg", 3, NULL},
    {"ndcg", 4, NULL}, {"distance", 5, NULL}, {"tier", 6, NULL}, {"classes", 7, NULL},
    {"map", 8, NULL},  {NULL, 0, NULL}};
static const cli_word format_words[] = {
    {"svg", 0, NULL}, {"pdf", 0, NULL}, {"png", 0, NULL}, {"plot", 0, NULL}, {NULL, 0, NULL}};

/* What follows from the options. */
static int read_request(request *r) {
    const struct kind *kind = &kinds[r->kind];
    psb_chosen_measure measures[PSB_MAX_CHOSEN];
    size_t count;
    psb_error error;
    r->ideal = kind->plot == plot_gain && (kind->variant == PSB_CG || kind->variant == PSB_DCG_SUM);
    r->formats = r->formats != NULL ? r->formats : kind->formats;
    r->counting = r->count_query ? PSB_PR_WITH_QUERY : PSB_PR_OTHERS;
    if (psb_measures_parse(r->measure_name, measures, &count, &error) != PSB_OK) {
        return cli_usage("plot", "%s", error.message);
    }
    r->measure = measures[0];
    return CLI_DONE;
}

/* A class by its name, full or last part, or its number from 1; nclasses where there is none. */
static size_t find_class(const psb_classification *cla, const char *text) {
    int64_t number;
    if (psb_parse_int64(text, &number) && number >= 1 && (uint64_t)number <= cla->nclasses) {
        return (size_t)number - 1;
    }
    size_t c = 0;
    while (c < cla->nclasses && strcmp(cla->classes[c].full_name, text) != 0) {
        c++;
    }
    if (c == cla->nclasses) {
        for (c = 0; c < cla->nclasses && strcmp(cla->classes[c].name, text) != 0;) {
            c++;
        }
    }
    return c;
}

/* "human..dog", "12" or nothing for all. */
static int read_classes(const psb_classification *cla, request *r) {
    const char *text = r->classes;
    r->first_class = 0;
    r->last_class = cla->nclasses - 1;
    if (text == NULL) {
        return CLI_DONE;
    }
    const char *dots = strstr(text, "..");
    char name[200];
    snprintf(name, sizeof name, "%.*s", dots != NULL ? (int)(dots - text) : 199, text);
    r->first_class = find_class(cla, name);
    r->last_class = dots != NULL ? find_class(cla, dots + 2) : r->first_class;
    if (r->first_class == cla->nclasses || r->last_class == cla->nclasses) {
        return cli_usage("plot", "--classes %s: there is no class '%s'", text,
                         r->first_class == cla->nclasses ? name : dots + 2);
    }
    if (r->first_class > r->last_class) {
        return cli_usage("plot", "--classes %s: want FIRST..LAST, names or numbers of classes",
                         text);
    }
    const psb_class *last = &cla->classes[r->last_class];
    if (last->first + last->count == cla->classes[r->first_class].first) {
        return cli_usage("plot", "--classes %s: these classes have no models", text);
    }
    return CLI_DONE;
}

static int run(const cli_values *values, void *options) {
    request *r = options;
    const struct kind *kind = &kinds[r->kind];
    int code = read_request(r);
    if (code != CLI_DONE) {
        return code;
    }
    cli_opened opened;
    psb_error error;
    psb_evaluation e = {.measures = &r->measure, .nmeasures = 1, .keep_ranks = true};
    code = cli_open(values, PSB_MATRICES, &r->methods, r->threads, &opened);
    if (code == CLI_DONE) {
        code = read_classes(&opened.methods->cla, r);
    }
    if (code == CLI_DONE) {
        code = check_outputs(values, opened.methods, r);
    }
    if (code == CLI_DONE && psb_methods_need_queries(opened.methods, &error) != PSB_OK) {
        code = cli_report(&error);
    }
    if (code == CLI_DONE && kind->plot != plot_image && kind->plot != plot_map) {
        code = psb_methods_evaluate(opened.methods, false, &e, &error) != PSB_OK
                   ? cli_report(&error)
               : e.without > 0 ? CLI_PARTIAL
                               : CLI_DONE;
    }
    if (code == CLI_DONE && kind->plot(opened.methods, &e, r, kind->variant, &error) != PSB_OK) {
        code = cli_report(&error);
    }
    psb_evaluation_close(&e);
    return cli_close(&opened, code);
}

static const cli_option options[] = {
    CLI_WORD('k', "kind", kind, kind_words, "pr", "NAME", "of picture"),
    CLI_PATH('o', "output", stem, "plot", "STEM", "path of the files, without their endings"),
    CLI_LIST('f', "format", formats, format_words, NULL, NULL, "LIST",
             "of the files; plot for curves (else: all that suit)"),
    CLI_TEXT(0, "title", title, NULL, "TEXT", "title; '' for none, and no small print"),
    CLI_REAL(0, "width", style.width, 20, 2000, NULL, "MM",
             "millimetres; a column of a paper has about 85 (else: for a screen)"),
    CLI_REAL(0, "text", style.text, 3, 72, NULL, "POINTS",
             "size of the text (else: 8 with --width)"),
    CLI_TEXT(0, "font", style.font, NULL, "FAMILY",
             "of the text, one that fontconfig knows (else: sans-serif)"),
    CLI_FLAG(0, "gray", style.gray, "black, white and grays alone"),
    CLI_GROUPING_OPTION(grouping, "micro", "average; class and model of pr, .plot only"),
    CLI_FLAG(0, "count-query", count_query, "pr: the query is its own first hit"),
    CLI_WHOLE(0, "length", length, 0, 1000000000, "0", "N",
              "gain curves: length of the list (0: all)"),
    CLI_TEXT(0, "classes", classes, NULL, "A..B", "images: only these classes, names or numbers"),
    CLI_WHOLE(0, "cell", cell, 0, 64, "0", "PIXELS", "images: side of a cell (0: what suits)"),
    CLI_LIST('m', "measure", measure_name, NULL, cli_measure_name, "dcg", "NAME",
             "classes: the measure"),
    CLI_MATRICES_OPTIONS,
    CLI_END,
};

const cli_command cmd_plot = {
    .name = "plot",
    .summary = "Draw precision-recall plots, distance and tier images, and more.",
    .usage = CLI_MATRICES_USAGE,
    .details = CLI_MATRICES_HELP
    "\n\n"
    "Kinds: pr is precision over recall, and cg, ncg, dcg, ndcg the cumulated gain over the "
    "length of the list, plain, discounted and normalised, with all matrices in one plot; "
    "distance and tier are the images of the paper's section 7, one for each matrix; classes "
    "colours a cell for each class and matrix; map has a marker for each model, those near to each "
    "other by a matrix together (t-SNE; 50,000 models at most). Beside cg and dcg stands the curve "
    "of ideal lists, "
    "in STEM-ideal.plot as well; how far below it each matrix is on average is said.\n\n"
    "A descriptor has the same line in every plot. Names of classes stand at their rows of an "
    "image, and where there is not room for all, those of the larger ones. With --width text is "
    "8 points, whatever the width, the legend of a narrow plot stands below it, and PNG has 300 "
    "pixels an inch. Text of SVG is text.\n\n"
    "Writes STEM.svg, STEM.pdf, STEM.png and STEM.plot (or STEM-NAME.plot) with the numbers, "
    "as psbPlot.\n\n"
    "Examples:\n"
    "  psbench plot run-psb\n"
    "  psbench plot run-psb SHD GEDT -k ndcg -o gain -f pdf\n"
    "  psbench plot run-psb SHD -k tier -o tier -f png\n"
    "  psbench plot run-psb -o paper -f pdf --width 85 --font 'Times' --gray",
    .options = options,
    .size = sizeof(struct request),
    .most = CLI_ANY_NUMBER,
    .run = run,
};
