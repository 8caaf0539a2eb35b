/* Shows samples beside their nearest references, copies, and what is badly covered. */
#include "site/generative_page.h"

#include "io/label.h"
#include "io/mesh.h"
#include "io/png.h"
#include "render/render.h"
#include "site/parts.h"
#include "site/policy.h"

#include <math.h>

enum { SHOWN = 24, WIDTH = 240, HEIGHT = 180 };

static const char *const marks[] = {".generative.lock", "generative.css", NULL};

/* The section of one descriptor. */
typedef struct section {
    const psb_generative_page *page;
    const psb_set_distances *d;
    const psb_shown_set *sets;
    psb_text *out;
    psb_renderer renderer;
    psb_mesh_buffer mesh;
    uint8_t pixels[WIDTH * HEIGHT * 2];
} section;

/* ---- shapes ----------------------------------------------------------------------------- */

/*
 * The distance of a sample to its nearest reference, over the distance of that to its nearest other
 * reference. Below one half, or in its very place, a sample is suspected.
 */
static double way_of(const psb_set_distances *d, size_t sample) {
    double own = d->own[PSB_REFERENCE][d->nearest[PSB_GENERATED][sample]];
    double distance = d->other[PSB_GENERATED][sample];
    return distance == 0 ? 0 : own > 0 ? distance / own : (double)INFINITY;
}

static bool is_suspected(const psb_set_distances *d, size_t sample) {
    double way = way_of(d, sample);
    return way < 0.5 &&
           (way == 0 || isfinite(d->own[PSB_REFERENCE][d->nearest[PSB_GENERATED][sample]]));
}

static void add_name(psb_text *out, const psb_shown_set *set, size_t shape) {
    if (set->ids != NULL) {
        psb_markup_text(out, set->ids[shape]);
    } else {
        psb_text_printf(out, "row %zu", shape);
    }
}

/* Draws pictures/SET-N.png; `name` becomes "" if the model cannot be drawn. */
static psb_status draw(section *s, psb_set set, size_t shape, char name[64], psb_error *error) {
    const psb_shown_set *of = &s->sets[set];
    psb_status status = PSB_OK;
    psb_error unseen;
    snprintf(name, 64, "pictures/%s-%zu.png", set == PSB_GENERATED ? "generated" : "reference",
             shape);
    psb_view view = psb_view_make(WIDTH, HEIGHT);
    psb_status drawn = psb_mesh_load(of->archive, of->paths[shape], &s->mesh, &unseen);
    PSB_THEN(drawn, psb_render(&s->renderer, &s->mesh.mesh, &view, s->pixels, &unseen));
    if (drawn != PSB_OK) {
        name[0] = '\0';
        return drawn == PSB_ERROR_MEMORY ? psb_fail(error, drawn, "%s", unseen.message) : PSB_OK;
    }
    PSB_FREED char *path = psb_new_format(&status, error, "%s/%s", s->page->folder, name);
    bool before = psb_outputs_gather(true);
    PSB_THEN(status, psb_png_write(path, WIDTH, HEIGHT, PSB_GRAY_ALPHA, s->pixels, error));
    psb_outputs_gather(before);
    return status;
}

static psb_status add_shape(section *s, psb_set set, size_t shape, psb_error *error) {
    char picture[64] = "";
    psb_status status = s->sets[set].paths != NULL ? draw(s, set, shape, picture, error) : PSB_OK;
    if (picture[0] != '\0') {
        psb_text_printf(s->out,
                        "<img src=\"%s\" alt=\"\" width=\"%d\" height=\"%d\" loading=\"lazy\">",
                        picture, WIDTH, HEIGHT);
    } else if (s->sets[set].paths != NULL) {
        psb_text_add(s->out, "<span class=\"no-picture\">no picture</span>");
    }
    psb_text_add(s->out, "<span class=\"id\">");
    add_name(s->out, &s->sets[set], shape);
    psb_text_printf(s->out, "</span><span class=\"line\">%s</span>",
                    set == PSB_GENERATED ? "generated" : "reference");
    return status;
}

/* ---- which are shown -------------------------------------------------------------------- */

typedef struct ranked {
    double value; /* smaller ones first */
    size_t shape;
} ranked;

static int compare(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    return x->value != y->value ? (x->value < y->value ? -1 : 1)
                                : (x->shape > y->shape) - (x->shape < y->shape);
}

typedef enum kind { BESIDE, COPIES, UNCOVERED, OFTEN, KINDS } kind;

static const struct {
    const char *title, *note;
    psb_set set;
} kinds[KINDS] = {
    [BESIDE] = {"Samples beside their nearest references",
                "Evenly spaced over all samples, the nearest first.", PSB_GENERATED},
    [COPIES] = {"Suspected copies",
                "Samples nearer to a reference than half the distance from that reference to its "
                "nearest other reference.",
                PSB_GENERATED},
    [UNCOVERED] = {"Uncovered references: nearest to no sample",
                   "The farthest from any sample first, each with its nearest sample.",
                   PSB_REFERENCE},
    [OFTEN] = {"References matched most often",
               "Sorted by the number of samples they are nearest to.", PSB_REFERENCE},
};

/* The value by which a kind ranks a shape, or NAN if the shape is none of the kind. */
static double value_of(const psb_set_distances *d, kind which, size_t shape) {
    switch (which) {
    case BESIDE:
        return d->other[PSB_GENERATED][shape];
    case COPIES:
        return is_suspected(d, shape) ? way_of(d, shape) : (double)NAN;
    case UNCOVERED:
        return d->covered[shape] ? (double)NAN : -(double)d->other[PSB_REFERENCE][shape];
    case OFTEN:
    default:
        return d->chosen[shape] > 1 ? -(double)d->chosen[shape] : (double)NAN;
    }
}

static psb_status add_card(section *s, kind which, size_t shape, psb_error *error) {
    const psb_set_distances *d = s->d;
    psb_set set = kinds[which].set;
    size_t other = d->nearest[set][shape];
    psb_text_add(s->out, "<li class=\"model\">");
    psb_status status = add_shape(s, set, shape, error);
    if (which == OFTEN) {
        psb_text_printf(s->out, "<span class=\"line\">nearest to %u samples</span>",
                        d->chosen[shape]);
    } else {
        PSB_THEN(status,
                 add_shape(s, set == PSB_GENERATED ? PSB_REFERENCE : PSB_GENERATED, other, error));
        psb_text_printf(s->out, "<span class=\"line\">distance %.4g</span>",
                        (double)d->other[set][shape]);
    }
    if (which == COPIES) {
        psb_text_printf(s->out, "<span class=\"line\">ratio %.2f</span>", way_of(d, shape));
    }
    psb_text_add(s->out, "</li>\n");
    return status;
}

static psb_status add_kind(section *s, kind which, psb_error *error) {
    size_t n = s->d->count[kinds[which].set], count = 0;
    psb_status status = PSB_OK;
    PSB_FREED ranked *all = psb_new(&status, n, sizeof *all, "shapes", error);
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        double value = value_of(s->d, which, i);
        if (!isnan(value)) {
            all[count++] = (ranked){value, i};
        }
    }
    if (status == PSB_OK) {
        qsort(all, count, sizeof *all, compare);
        psb_text_printf(s->out, "<h3>%s</h3>\n<p class=\"note\">%s", kinds[which].title,
                        count > 0 ? kinds[which].note : "None.");
        size_t shown = count < SHOWN ? count : SHOWN;
        if (count > shown) {
            psb_text_printf(s->out, " %zu of %zu.", shown, count);
        }
        psb_text_printf(s->out, "</p>\n<ul class=\"models\">\n");
        for (size_t k = 0; k < shown && status == PSB_OK; k++) {
            size_t at = which == BESIDE && shown > 1 ? k * (count - 1) / (shown - 1) : k;
            status = add_card(s, which, all[at].shape, error);
        }
        psb_text_add(s->out, "</ul>\n");
    }
    return status;
}

/* ---- figures ---------------------------------------------------------------------------- */

static void add_figures(const section *s, const char *id,
                        const psb_set_value figures[PSB_SET_FIGURES]) {
    static const struct {
        const char *name, *better;
        double unit;
        int decimals;
    } rows[PSB_SET_FIGURES] = {[PSB_MATCHING_DISTANCE] = {"Matching distance", "low", 1, 4},
                               [PSB_COVERAGE] = {"Coverage, percent", "high", 100, 2},
                               [PSB_ONE_NEAREST_NEIGHBOR] = {"1-NNA, percent", "50", 100, 2}};
    psb_site_table_begin(s->out, id, "Figures, with 95 % intervals");
    psb_text_add(s->out, "<thead><tr>");
    psb_site_sort_heading(s->out, "Figure", false);
    psb_site_sort_heading(s->out, "value", true);
    psb_site_sort_heading(s->out, "low", true);
    psb_site_sort_heading(s->out, "high", true);
    psb_site_sort_heading(s->out, "best", false);
    psb_text_add(s->out, "</tr></thead>\n<tbody>\n");
    for (size_t f = 0; f < PSB_SET_FIGURES; f++) {
        const double values[] = {figures[f].value, figures[f].low, figures[f].high};
        psb_text_printf(s->out, "<tr><th scope=\"row\">%s</th>", rows[f].name);
        for (size_t v = 0; v < 3; v++) {
            psb_site_cell(s->out, rows[f].unit * values[v], rows[f].decimals, false);
        }
        psb_text_printf(s->out, "<td>%s</td></tr>\n", rows[f].better);
    }
    psb_site_table_end(s->out);
}

static void add_summary(const section *s) {
    const psb_set_distances *d = s->d;
    size_t copies = 0, uncovered = 0;
    for (size_t i = 0; i < d->count[PSB_GENERATED]; i++) {
        copies += is_suspected(d, i);
    }
    for (size_t i = 0; i < d->count[PSB_REFERENCE]; i++) {
        uncovered += !d->covered[i];
    }
    psb_text_printf(s->out,
                    "<p class=\"summary\">%zu of %zu references are nearest to no sample; %zu of "
                    "%zu samples are suspected copies.</p>\n",
                    uncovered, d->count[PSB_REFERENCE], copies, d->count[PSB_GENERATED]);
}

/* ---- the table of shapes ---------------------------------------------------------------- */

/* Adds a shape's name without characters that would end its cell. */
static void add_cell(psb_text *out, const psb_shown_set *set, size_t shape) {
    if (set->ids != NULL) {
        psb_text_add_plain(out, set->ids[shape]);
    } else {
        psb_text_printf(out, "%zu", shape);
    }
}

static void add_number(psb_text *out, double number) {
    psb_text_add(out, "\t");
    if (isfinite(number)) {
        psb_text_printf(out, "%.9g", number);
    }
}

static psb_status write_shapes(const section *s, const char *name, psb_error *error) {
    static const char *const names[PSB_SETS] = {"generated", "reference"};
    const psb_set_distances *d = s->d;
    PSB_AT_END(psb_text_free) psb_text out = {0};
    psb_status status = PSB_OK;
    psb_text_add(&out, "set\tshape\tnearest_of_other_set\tdistance\tdistance_within_set\tnearest_"
                       "of\tsuspected_copy\n");
    for (psb_set set = 0; set < PSB_SETS; set++) {
        psb_set other = set == PSB_GENERATED ? PSB_REFERENCE : PSB_GENERATED;
        for (size_t i = 0; i < d->count[set]; i++) {
            psb_text_printf(&out, "%s\t", names[set]);
            add_cell(&out, &s->sets[set], i);
            psb_text_add(&out, "\t");
            add_cell(&out, &s->sets[other], d->nearest[set][i]);
            add_number(&out, (double)d->other[set][i]);
            add_number(&out, (double)d->own[set][i]);
            if (set == PSB_REFERENCE) {
                psb_text_printf(&out, "\t%u\t\n", d->chosen[i]);
            } else {
                psb_text_printf(&out, "\t\t%s\n", is_suspected(d, i) ? "yes" : "no");
            }
        }
    }
    PSB_FREED char *path = psb_new_format(&status, error, "%s/%s", s->page->folder, name);
    PSB_THEN(status, psb_text_status(&out, error));
    return PSB_THEN(status, psb_write_one_of_many(path, out.data, out.length, error));
}

/* ---- the page --------------------------------------------------------------------------- */

psb_status psb_generative_page_begin(psb_generative_page *page, const char *folder,
                                     psb_error *error) {
    *page = (psb_generative_page){.folder = folder, .lock = PSB_LOCK_NONE};
    psb_status status = psb_lock_take_folder(folder, marks, &page->lock, error);
    PSB_FREED char *path = psb_new_format(&status, error, "%s/pictures", folder);
    PSB_THEN(status, psb_remove_temporaries(folder, error));
    PSB_THEN(status, psb_make_folder(path, error));
    return PSB_THEN(status, psb_remove_temporaries(path, error));
}

psb_status psb_generative_page_add(psb_generative_page *page, const char *label,
                                   const psb_set_distances *distances,
                                   const psb_set_value figures[PSB_SET_FIGURES],
                                   const psb_shown_set sets[PSB_SETS], psb_error *error) {
    psb_status status = PSB_OK;
    psb_text *out = &page->body;
    psb_label file = {.stem = ""};
    char id[32], name[sizeof file.stem + 16];
    PSB_FREED section *s = psb_new_zero(&status, 1, sizeof *s, "a page", error);
    PSB_THEN(status, psb_label_make(label, &file, error));
    if (status == PSB_OK) {
        s->page = page;
        s->d = distances;
        s->sets = sets;
        s->out = out;
        if (page->sections == 0) {
            psb_markup_within(out, "<p>Shapes of ", sets[PSB_GENERATED].name, " and of ");
            psb_markup_within(out, "", sets[PSB_REFERENCE].name, ".</p>\n");
        }
        snprintf(id, sizeof id, "figures-%zu", page->sections++);
        snprintf(name, sizeof name, "%s.tsv", file.stem);
        psb_markup_within(out, "<section>\n<h2>", label, "</h2>\n");
        add_summary(s);
        add_figures(s, id, figures);
        psb_text_add(out,
                     "<p class=\"downloads\">All shapes with their nearest neighbors: <a href=\"");
        psb_markup_link(out, name);
        psb_markup_within(out, "\">", name, "</a></p>\n");
        status = write_shapes(s, name, error);
    }
    for (kind k = 0; k < KINDS && status == PSB_OK; k++) {
        status = add_kind(s, k, error);
    }
    psb_text_add(out, "</section>\n");
    if (s != NULL) {
        psb_renderer_free(&s->renderer);
        psb_mesh_buffer_free(&s->mesh);
    }
    return status;
}

static psb_status write_file(const psb_generative_page *page, const char *name, const void *bytes,
                             size_t size, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED char *path = psb_new_format(&status, error, "%s/%s", page->folder, name);
    return PSB_THEN(status, psb_write_one_of_many(path, bytes, size, error));
}

psb_status psb_generative_page_end(psb_generative_page *page, psb_status status, psb_error *error) {
    PSB_AT_END(psb_text_free) psb_text out = {0};
    psb_text_add(
        &out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" SITE_POLICY
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
              "<meta name=\"color-scheme\" content=\"light dark\">\n"
              "<link rel=\"icon\" href=\"data:,\">\n"
              "<link rel=\"stylesheet\" href=\"generative.css\">\n"
              "<script src=\"generative.js\" defer></script>\n"
              "<title>Generated and reference shapes · psbench</title>\n</head>\n<body>\n"
              "<main id=\"content\">\n<h1>Generated and reference shapes</h1>\n");
    psb_text_take(&out, &page->body);
    psb_site_page_end(NULL, &out);
    PSB_THEN(status, write_file(page, "generative.css", psb_data_report_style,
                                psb_data_report_style_size, error));
    PSB_THEN(status, write_file(page, "generative.js", psb_data_report_script,
                                psb_data_report_script_size, error));
    PSB_THEN(status, psb_text_status(&out, error));
    PSB_THEN(status, psb_force_to_disk(page->folder, error));
    PSB_THEN(status, write_file(page, "index.html", out.data, out.length, error));
    PSB_THEN(status, psb_force_to_disk(page->folder, error));
    psb_lock_release(&page->lock);
    return status;
}
