/* Prints the five figures as psbTable does, to the character. */
#include "report/figures.h"

#include <math.h>

/* Adds a name, which tells several matrices apart in the manner of psbTable's README. */
static void add_name(psb_text *out, const char *name) {
    if (name != NULL) {
        size_t width = 30, length = strlen(name);
        psb_text_add_plain(out, name);
        psb_text_printf(out, "%*s ", length < width ? (int)(width - length) : 0, "");
    }
}

static void add_figure(psb_text *out, size_t f, double figure) {
    char end = f + 1 < PSB_FIGURES ? ' ' : '\n';
    if (isnan(figure)) {
        psb_text_printf(out, "%12s%c", "-", end);
    } else {
        psb_text_printf(out, "%12.3f%c", figure, end);
    }
}

static void add_groups(psb_text *out, const psb_evaluation *e, size_t k, psb_grouping grouping,
                       const char *name) {
    for (psb_group group = psb_groups(grouping); psb_group_next(e, &group);) {
        add_name(out, name);
        if (grouping == PSB_PER_CLASS) {
            psb_text_printf(out, "%-50s ", e->cla->classes[group.which].full_name);
        }
        for (size_t f = 0; f < PSB_FIGURES; f++) {
            add_figure(out, f, psb_evaluation_mean(e, k, f, group).value);
        }
    }
}

static void add_models(psb_text *out, const psb_evaluation *e, size_t k, const char *name) {
    const double *values = psb_evaluation_values(e, k);
    for (size_t i = 0; i < e->cla->nmodels; i++) {
        const psb_class *class = &e->cla->classes[e->cla->class_of[i]];
        if (!class->miscellaneous) {
            add_name(out, name);
            psb_text_printf(out, "%-50s %s ", class->full_name, e->cla->models[i]);
            for (size_t f = 0; f < PSB_FIGURES; f++) {
                add_figure(out, f, values[i * e->nmeasures + f]);
            }
        }
    }
}

bool psb_figures_render(const psb_evaluation *e, char *const *names, psb_grouping grouping,
                        psb_text *out) {
    bool averages = grouping != PSB_PER_MODEL;
    for (size_t k = 0; k < e->nmethods; k++) {
        const char *name = e->nmethods > 1 ? names[k] : NULL;
        if (!averages) {
            add_models(out, e, k, name);
        } else if (psb_group_count(e, PSB_MICRO) > 0) {
            add_groups(out, e, k, grouping, name);
        }
    }
    return out->length > 0 || out->failed;
}
