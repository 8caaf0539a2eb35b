/* Writes plots and images of methods as files, for clients. */
#include "core/file.h"
#include "core/number.h"
#include "eval/curve.h"
#include "eval/map.h"
#include "library/methods.h"
#include "report/class_heat.h"
#include "report/curve_plot.h"
#include "report/map_plot.h"
#include "report/matrix_image.h"
#include "report/tree_plot.h"

/* The options, and what was derived from them. */
typedef struct work {
    const psb_plot_options *o;
    const char *formats;
    psb_pr_counting counting;
    psb_chosen_measure measure;
    size_t first_class, last_class;
    bool ideal; /* a curve of ideal lists is added */
} work;

/* Writes one picture in one format. */
typedef psb_status (*write_one)(const void *what, const psb_picture_style *style,
                                const char *format, const char *path, psb_error *error);

static bool next_format(const char **at, char format[8]) {
    size_t length = strcspn(*at, ",");
    snprintf(format, 8, "%.*s", (int)length, *at);
    bool any = length > 0;
    *at += length + ((*at)[length] == ',');
    return any;
}

static bool has_format(const char *formats, const char *format) {
    char other[8];
    for (const char *at = formats; next_format(&at, other);) {
        if (strcmp(other, format) == 0) {
            return true;
        }
    }
    return false;
}

static psb_status write_formats(const work *r, const char *suffix, const void *what, write_one one,
                                psb_error *error) {
    char format[8];
    psb_status status = PSB_OK;
    for (const char *at = r->formats; status == PSB_OK && next_format(&at, format);) {
        if (strcmp(format, "plot") == 0) {
            continue;
        }
        PSB_FREED char *path =
            psb_new_format(&status, error, "%s%s.%s", r->o->stem, suffix, format);
        PSB_THEN(status, one(what, &r->o->style, format, path, error));
    }
    return status;
}

/* Makes "-LABEL", with '/' replaced; empty if there is one matrix. Method all->count is the
 * ideal. */
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

/* Checks, before anything is written, that each file may be written and that no two are the
 * same. */
static psb_status check_outputs(const psb_methods *all, const work *r, psb_error *error) {
    char format[8], suffix[128], other[128];
    size_t own = all->count + r->ideal;
    for (size_t k = 0; k <= own; k++) {
        suffix[0] = '\0'; /* in the last round: files about all matrices */
        if (k < own) {
            suffix_of(all, k, suffix);
        }
        for (size_t i = 0; i < k && k < own; i++) {
            suffix_of(all, i, other);
            if (strcmp(other, suffix) == 0) {
                return psb_fail(
                    error, PSB_ERROR_USAGE,
                    "%s and %s would be written to the same files %s%s.*: label one, as LABEL=FILE",
                    all->labels[i], k < all->count ? all->labels[k] : "the ideal", r->o->stem,
                    suffix);
            }
        }
        for (const char *at = r->formats; next_format(&at, format);) {
            psb_status status = PSB_OK;
            PSB_FREED char *path =
                psb_new_format(&status, error, "%s%s.%s", r->o->stem, suffix, format);
            if (status == PSB_OK && r->o->may_write != NULL &&
                !r->o->may_write(r->o->context, path)) {
                status = psb_fail(error, PSB_ERROR_USAGE, "%s may not be written", path);
            }
            if (status != PSB_OK) {
                return status;
            }
        }
    }
    return PSB_OK;
}

/* ---- curves ----------------------------------------------------------------------------- */

static psb_status add_line(psb_text *text, const char *name, const char *id, size_t count,
                           const double *x, const double *y, psb_error *error) {
    psb_text_printf(text, "# %s%s%s\n", name, id != NULL ? " " : "", id != NULL ? id : "");
    psb_curve_text(x, y, count, text);
    psb_text_add(text, "\n");
    return psb_text_status(text, error);
}

/* Adds the curve of a class or a model with all its points, as psbPlot writes it. */
static psb_status add_points(const psb_evaluation *e, const work *r, size_t k, psb_group group,
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

static psb_status all_points(const psb_evaluation *e, const work *r, size_t k, psb_text *text,
                             psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED double *memory =
        psb_new(&status, e->cla->nmodels, 3 * sizeof *memory, "a curve", error);
    psb_group group = psb_groups(r->o->grouping);
    while (status == PSB_OK && psb_group_next(e, &group)) {
        status = add_points(e, r, k, group, text, memory, error);
    }
    return status;
}

static psb_status write_plot_file(const psb_methods *all, const work *r, size_t k,
                                  const psb_text *text, psb_error *error) {
    char suffix[128];
    suffix_of(all, k, suffix);
    psb_status status = psb_text_status(text, error);
    PSB_FREED char *path = psb_new_format(&status, error, "%s%s.plot", r->o->stem, suffix);
    return PSB_THEN(status, psb_write_file(path, text->data, text->length, error));
}

static psb_status write_points(const psb_methods *all, const psb_evaluation *e, const work *r,
                               psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        PSB_AT_END(psb_text_free) psb_text text = {.data = NULL};
        status = all_points(e, r, k, &text, error);
        PSB_THEN(status, write_plot_file(all, r, k, &text, error));
    }
    return status;
}

/* Writers of a picture for write_formats. */
#define WRITER(name, write)                                                                        \
    static psb_status name(const void *what, const psb_picture_style *style, const char *format,   \
                           const char *path, psb_error *error) {                                   \
        return write(what, style, format, path, error);                                            \
    }
WRITER(write_curve_picture, psb_curve_plot_write)
WRITER(write_image, psb_matrix_image_write)
WRITER(write_map, psb_map_plot_write)
WRITER(write_tree, psb_tree_plot_write)

static psb_status write_curves(const psb_methods *all, const work *r, psb_curve_plot *plot,
                               psb_error *error) {
    for (size_t k = 0; k < plot->ncurves && has_format(r->formats, "plot"); k++) {
        PSB_AT_END(psb_text_free) psb_text text = {.data = NULL};
        psb_curve_text(plot->x, plot->curves[k].y, plot->count, &text);
        psb_status status = write_plot_file(all, r, k, &text, error);
        if (status != PSB_OK) {
            return status;
        }
    }
    return write_formats(r, "", plot, write_curve_picture, error);
}

/* Writes the average curve of one method to `y`. */
typedef psb_status (*average_curve)(const psb_evaluation *e, const work *r, size_t k, psb_gain gain,
                                    size_t count, double *y, psb_error *error);

static psb_status average_pr(const psb_evaluation *e, const work *r, size_t k,
                             psb_gain gain PSB_UNUSED, size_t count PSB_UNUSED, double *y,
                             psb_error *error) {
    return psb_pr_average(e, k, r->o->grouping, r->counting, y, error);
}

static psb_status average_gain(const psb_evaluation *e, const work *r, size_t k, psb_gain gain,
                               size_t count, double *y, psb_error *error) {
    return psb_gain_average(e, k, r->o->grouping, gain, count, y, error);
}

static double largest_of(const double *values, size_t count) {
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        largest = values[i] > largest ? values[i] : largest;
    }
    return largest;
}

/* Appends each curve's mean distance from the ideal curve over all lengths: the effort wasted. */
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

static psb_status write_with_ideal(const psb_methods *all, const work *r, psb_curve_plot *plot,
                                   psb_error *error) {
    PSB_AT_END(psb_text_free) psb_text note = {.data = NULL};
    if (!r->ideal) {
        return write_curves(all, r, plot, error);
    }
    note_distances(plot, &note);
    psb_status status = psb_text_status(&note, error);
    plot->note = note.data;
    PSB_THEN(status, write_curves(all, r, plot, error));
    if (status == PSB_OK) {
        psb_observer_say(&all->psb->observer, PSB_NOTE, "%s", note.data);
    }
    return status;
}

/* Fills plot->x and the curves, and writes the plot. x of point i is (i + 1) * x_step. */
static psb_status plot_curves(const psb_methods *all, const psb_evaluation *e, const work *r,
                              psb_curve_plot *plot, double x_step, average_curve average,
                              psb_gain gain, psb_error *error) {
    size_t ncurves = all->count + r->ideal;
    psb_status status = PSB_OK;
    PSB_FREED double *x = psb_new(&status, ncurves + 1, plot->count * sizeof *x, "curves", error);
    PSB_FREED psb_curve *curves = psb_new(&status, ncurves, sizeof *curves, "curves", error);
    for (size_t k = 0; k < ncurves && status == PSB_OK; k++) {
        double *y = x + (k + 1) * plot->count;
        curves[k] = (psb_curve){k < all->count ? all->labels[k] : "ideal", y, 0};
        status = k < all->count ? average(e, r, k, gain, plot->count, y, error)
                                : psb_gain_ideal(e, r->o->grouping, gain, plot->count, y, error);
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
    return status;
}

static psb_status plot_pr(const psb_methods *all, const psb_evaluation *e, const work *r,
                          int variant PSB_UNUSED, psb_error *error) {
    if (r->o->grouping == PSB_PER_CLASS || r->o->grouping == PSB_PER_MODEL) {
        return write_points(all, e, r, error);
    }
    char note[160];
    snprintf(note, sizeof note, "%s average; relevant are the %s (%s).",
             r->o->grouping == PSB_MACRO ? "macro" : "micro",
             r->counting == PSB_PR_WITH_QUERY ? "C models of the query's class, itself first"
                                              : "C - 1 other models of the query's class",
             r->counting == PSB_PR_WITH_QUERY ? "as copies of psbPlot count"
                                              : "as psbPlot's README says");
    psb_curve_plot plot = {.title = r->o->title != NULL ? r->o->title : "Precision and recall",
                           .note = note,
                           .x_label = "recall",
                           .y_label = "precision",
                           .count = PSB_RECALL_LEVELS,
                           .x_high = 1,
                           .y_high = 1};
    return plot_curves(all, e, r, &plot, 1.0 / PSB_RECALL_LEVELS, average_pr, PSB_CG, error);
}

static psb_status plot_gain(const psb_methods *all, const psb_evaluation *e, const work *r,
                            int variant, psb_error *error) {
    static const char *const titles[PSB_GAINS] = {
        [PSB_CG] = "Cumulated gain",
        [PSB_NCG] = "Normalized cumulated gain",
        [PSB_DCG_SUM] = "Discounted cumulated gain",
        [PSB_NDCG] = "Normalized discounted cumulated gain",
    };
    if (r->o->grouping == PSB_PER_CLASS || r->o->grouping == PSB_PER_MODEL) {
        return psb_fail(error, PSB_ERROR_USAGE, "gain curves are averages: want micro or macro");
    }
    size_t listed = all->cla.nmodels - 1;
    size_t count = r->o->length > 0 && r->o->length < listed ? r->o->length : listed;
    bool share = variant == PSB_NCG || variant == PSB_NDCG;
    psb_curve_plot plot = {.title = r->o->title != NULL ? r->o->title : titles[variant],
                           .note = r->o->grouping == PSB_MACRO ? "macro average" : "micro average",
                           .x_label = "length of the list",
                           .y_label = "gain",
                           .count = count,
                           .x_low = 0,
                           .x_high = (double)count,
                           .y_high = share ? 1 : 0};
    return plot_curves(all, e, r, &plot, 1, average_gain, (psb_gain)variant, error);
}

/* ---- images ----------------------------------------------------------------------------- */

static psb_status plot_image(const psb_methods *all, const psb_evaluation *e PSB_UNUSED,
                             const work *r, int variant, psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        char suffix[128];
        suffix_of(all, k, suffix);
        psb_matrix_image image = {(psb_image_kind)variant,
                                  r->o->title != NULL ? r->o->title : all->labels[k],
                                  &all->cla,
                                  &all->matrices[k],
                                  r->first_class,
                                  r->last_class,
                                  r->o->cell};
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

static psb_status plot_heat(const psb_methods *all PSB_UNUSED, const psb_evaluation *e,
                            const work *r, int variant PSB_UNUSED, psb_error *error) {
    char title[128];
    snprintf(title, sizeof title, "%s by class", r->measure.title);
    heat h = {e, r->o->title != NULL ? r->o->title : title};
    return write_formats(r, "", &h, write_heat, error);
}

static psb_status plot_map(const psb_methods *all, const psb_evaluation *e PSB_UNUSED,
                           const work *r, int variant PSB_UNUSED, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED float *xy = psb_new(&status, all->cla.nmodels, 2 * sizeof *xy, "a map", error);
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        char suffix[128];
        suffix_of(all, k, suffix);
        psb_map_plot plot = {r->o->title != NULL ? r->o->title : all->labels[k], &all->cla, xy};
        status = psb_map_of_matrix(&all->matrices[k], (const char *const *)all->cla.models,
                                   all->threads, NULL, NULL, xy, error);
        PSB_THEN(status, write_formats(r, suffix, &plot, write_map, error));
    }
    return status;
}

static psb_status plot_tree(const psb_methods *all, const psb_evaluation *e PSB_UNUSED,
                            const work *r, int variant PSB_UNUSED, psb_error *error) {
    psb_status status = PSB_OK;
    size_t n = all->cla.nmodels;
    PSB_FREED psb_joint *joints = psb_new(&status, n, sizeof *joints, "a tree", error);
    PSB_FREED size_t *models = psb_new(&status, n, sizeof *models, "a tree", error);
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        models[i] = i;
    }
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        char suffix[128];
        suffix_of(all, k, suffix);
        psb_tree_plot plot = {r->o->title != NULL ? r->o->title : all->labels[k], &all->cla, models,
                              n, joints};
        status = psb_average_linkage(&all->matrices[k], models, n, joints, error);
        PSB_THEN(status, write_formats(r, suffix, &plot, write_tree, error));
    }
    return status;
}

/* Indexed by psb_plot_kind. */
static const struct kind {
    psb_status (*plot)(const psb_methods *all, const psb_evaluation *e, const work *r, int variant,
                       psb_error *error);
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
    {plot_tree, 0, "svg,pdf,png"},
};

/* Finds a class by its full name, its last part, or its number from 1; nclasses if there is
 * none. */
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

/* Parses "human..dog", "12" or nothing for all classes. */
static psb_status read_classes(const psb_classification *cla, work *r, psb_error *error) {
    const char *text = r->o->classes;
    r->first_class = 0;
    r->last_class = cla->nclasses - 1;
    if (text == NULL) {
        return PSB_OK;
    }
    const char *dots = strstr(text, "..");
    char name[200];
    snprintf(name, sizeof name, "%.*s", dots != NULL ? (int)(dots - text) : 199, text);
    r->first_class = find_class(cla, name);
    r->last_class = dots != NULL ? find_class(cla, dots + 2) : r->first_class;
    if (r->first_class == cla->nclasses || r->last_class == cla->nclasses) {
        return psb_fail(error, PSB_ERROR_USAGE,
                        "classes %s: there is no class '%s'; `psbench cla --per class` lists them",
                        text, r->first_class == cla->nclasses ? name : dots + 2);
    }
    if (r->first_class > r->last_class) {
        return psb_fail(error, PSB_ERROR_USAGE,
                        "classes %s: want FIRST..LAST, names or numbers of classes", text);
    }
    const psb_class *last = &cla->classes[r->last_class];
    if (last->first + last->count == cla->classes[r->first_class].first) {
        return psb_fail(
            error, PSB_ERROR_USAGE,
            "classes %s: these classes have no models; `psbench cla --per class` lists sizes",
            text);
    }
    return PSB_OK;
}

/* Refuses a format that would leave no file: `able` are those of the kind. */
static psb_status check_formats(const char *formats, const char *able, psb_error *error) {
    char format[8];
    for (const char *at = formats; next_format(&at, format);) {
        if (!has_format(able, format)) {
            return psb_fail(error, PSB_ERROR_USAGE, "no .%s is made of this kind of plot, but %s",
                            format, able);
        }
    }
    return PSB_OK;
}

static psb_status read_options(const psb_plot_options *o, work *r, psb_error *error) {
    psb_chosen_measure measures[PSB_MAX_CHOSEN];
    size_t count;
    if (o == NULL || o->stem == NULL || (size_t)o->kind >= sizeof kinds / sizeof kinds[0] ||
        (size_t)o->grouping > PSB_MACRO || o->grouping == PSB_SUBTREE) {
        return psb_misuse(error, "a plot has a kind, a grouping and a stem for its files");
    }
    const struct kind *kind = &kinds[o->kind];
    bool points =
        kind->plot == plot_pr && (o->grouping == PSB_PER_CLASS || o->grouping == PSB_PER_MODEL);
    const char *able = points                              ? "plot"
                       : has_format(kind->formats, "plot") ? "svg,pdf,png,plot"
                                                           : "svg,pdf,png";
    psb_status status = o->formats != NULL ? check_formats(o->formats, able, error) : PSB_OK;
    PSB_THEN(status,
             psb_measures_parse(o->measure != NULL ? o->measure : "dcg", measures, &count, error));
    if (status == PSB_OK) {
        *r = (work){.o = o,
                    .formats = o->formats != NULL ? o->formats
                               : points           ? able
                                                  : kind->formats,
                    .counting = o->count_query ? PSB_PR_WITH_QUERY : PSB_PR_OTHERS,
                    .measure = measures[0],
                    .ideal = kind->plot == plot_gain &&
                             (kind->variant == PSB_CG || kind->variant == PSB_DCG_SUM)};
    }
    return status;
}

psb_status psb_plot(const psb_methods *all, const psb_plot_options *options, psb_error *error) {
    work r;
    PSB_AT_END(psb_evaluation_close)
    psb_evaluation e = {.measures = &r.measure, .nmeasures = 1, .keep_ranks = true};
    psb_status status = read_options(options, &r, error);
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        PSB_THEN_IF(status, all->matrices[k].data == NULL,
                    psb_misuse(error, "plots are of matrices, not of features or lists"));
    }
    PSB_THEN(status, read_classes(&all->cla, &r, error));
    PSB_THEN(status, check_outputs(all, &r, error));
    PSB_THEN(status, psb_methods_need_queries(all, error));
    if (status == PSB_OK) {
        const struct kind *kind = &kinds[options->kind];
        if (kind->plot != plot_image && kind->plot != plot_map && kind->plot != plot_tree) {
            status = psb_methods_evaluate(all, false, &e, error);
        }
        PSB_THEN(status, kind->plot(all, &e, &r, kind->variant, error));
    }
    return status;
}
