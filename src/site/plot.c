/* Draws plots as SVG, with classes whose colors the style sheet knows for light and dark. */
#include "core/memory.h"
#include "site/parts.h"

#include <math.h>

/* The drawing's units; pages scale it. */
enum {
    WIDTH = 560,
    HEIGHT = 400,
    LEFT = 52,
    RIGHT = 16,
    TOP = 14,
    BOTTOM = 48,
    LETTER = 8, /* about the width of a letter */
    LINE = 15,  /* height of a label */
};

typedef struct scale {
    double low, high; /* values */
    double from, to;  /* units */
} scale;

static double place(const scale *s, double value) {
    return s->from + (value - s->low) / (s->high - s->low) * (s->to - s->from);
}

static const scale across = {0, 1, LEFT, WIDTH - RIGHT};
static const scale upward = {0, 1, HEIGHT - BOTTOM, TOP};

static void begin(psb_text *out, const char *title) {
    psb_text_printf(out,
                    "<svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n",
                    WIDTH, HEIGHT, title);
}

static void add_tick_x(psb_text *out, double x, const char *label) {
    psb_text_printf(out,
                    "<path class=\"grid\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" "
                    "text-anchor=\"middle\">%s</text>\n",
                    x, TOP, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 18, label);
}

static void add_tick_y(psb_text *out, double y, const char *label) {
    psb_text_printf(out,
                    "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" "
                    "text-anchor=\"end\">%s</text>\n",
                    LEFT, y, WIDTH - RIGHT, LEFT - 7, y + 4.5, label);
}

static void add_axis_names(psb_text *out, const char *x, const char *y) {
    psb_text_printf(out,
                    "<text class=\"axis\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n"
                    "<text class=\"axis\" transform=\"translate(14 %d) rotate(-90)\" "
                    "text-anchor=\"middle\">%s</text>\n",
                    (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, x, (TOP + HEIGHT - BOTTOM) / 2, y);
}

void psb_site_plot_shape(psb_text *out, size_t which, double x, double y) {
    static const char *const shapes[] = {"m-3-3h6v6h-6z", "m0-4l3.5 7h-7z",
                                         "m0-4.2l4.2 4.2l-4.2 4.2l-4.2-4.2z", "m0 4l3.5-7h-7z",
                                         "m-3.3 0a3.3 3.3 0 1 0 6.6 0a3.3 3.3 0 1 0-6.6 0z"};
    psb_text_printf(out, "M%.1f %.1f%s", x, y, shapes[which % (sizeof shapes / sizeof shapes[0])]);
}

void psb_site_plot_marker(psb_text *out, size_t which, double x, double y) {
    psb_text_printf(out, "<path class=\"point colour-%zu\" d=\"", which % SITE_COLOURS);
    psb_site_plot_shape(out, which, x, y);
    psb_text_add(out, "\"");
}

void psb_site_plot_line(psb_text *out, size_t which) {
    psb_text_printf(out, "<path class=\"curve colour-%zu dash-%zu\" d=\"", which % SITE_COLOURS,
                    which % SITE_DASHES);
}

/* Adds the line, and a marker at each level that says its values if touched; few are drawn. */
static void add_curve(psb_text *out, size_t which, const char *label,
                      const double precision[PSB_RECALL_LEVELS]) {
    enum { APART = 5 }; /* levels between markers that are drawn */
    psb_text_printf(out, "<g data-curve=\"%zu\">", which);
    psb_site_plot_line(out, which);
    char command = 'M';
    for (int level = 0; level < PSB_RECALL_LEVELS; level++) {
        if (!isnan(precision[level])) {
            psb_text_printf(out, "%c%.1f %.1f", command,
                            place(&across, (level + 1.0) / PSB_RECALL_LEVELS),
                            place(&upward, precision[level]));
            command = 'L';
        }
    }
    psb_text_add(out, "\"/>\n");
    for (size_t level = 0; level < PSB_RECALL_LEVELS; level++) {
        if (isnan(precision[level])) {
            continue;
        }
        double recall = ((double)level + 1) / PSB_RECALL_LEVELS;
        psb_site_plot_marker(out, which, place(&across, recall), place(&upward, precision[level]));
        psb_text_add(out, level % APART == which % APART ? "" : " opacity=\"0\"");
        psb_markup_within(out, " data-say=\"", label, "");
        psb_text_printf(out, ": precision %.1f %% at recall %.2f\"/>\n", 100 * precision[level],
                        recall);
    }
    psb_text_add(out, "</g>\n");
}

void psb_site_plot_curves(const site *s, psb_text *out, size_t first, size_t end) {
    static const char *const labels[] = {"0", "0.2", "0.4", "0.6", "0.8", "1"};
    begin(out, "Precision against recall, one curve for each descriptor");
    for (int t = 0; t <= 5; t++) {
        add_tick_x(out, place(&across, t / 5.0), labels[t]);
        add_tick_y(out, place(&upward, t / 5.0), labels[t]);
    }
    add_axis_names(out, "Recall", "Precision");
    for (size_t d = first; d < end; d++) {
        add_curve(out, d, s->descriptors[d].label, s->precision[d]);
    }
    psb_text_add(out, "</svg>\n");
}

/* ---- cost against quality -------------------------------------------------------------- */

typedef struct box {
    double left, top, width, height;
} box;

static bool overlap(const box *a, const box *b) {
    return a->left < b->left + b->width && b->left < a->left + a->width &&
           a->top < b->top + b->height && b->top < a->top + a->height;
}

static bool is_free(const box *candidate, const box *taken, size_t count) {
    if (candidate->left < LEFT || candidate->left + candidate->width > WIDTH) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (overlap(candidate, &taken[i])) {
            return false;
        }
    }
    return true;
}

/* The first free place for a label beside, above or below the point, else that at the right. */
static box place_label(double x, double y, size_t letters, const box *taken, size_t count) {
    double width = (double)(LETTER * letters), gap = 9;
    const box candidates[] = {{x + gap, y - LINE / 2.0, width, LINE},
                              {x - gap - width, y - LINE / 2.0, width, LINE},
                              {x - width / 2, y - gap - LINE, width, LINE},
                              {x - width / 2, y + gap, width, LINE},
                              {x + gap, y + 4, width, LINE},
                              {x + gap, y - 4 - LINE, width, LINE}};
    for (size_t c = 0; c < sizeof candidates / sizeof candidates[0]; c++) {
        if (is_free(&candidates[c], taken, count)) {
            return candidates[c];
        }
    }
    return candidates[0];
}

/* Adds ticks at the powers of ten within the scale, which holds logarithms. */
static void add_powers(psb_text *out, const scale *x) {
    for (int power = (int)ceil(x->low); power <= (int)floor(x->high); power++) {
        PSB_AT_END(psb_text_free) psb_text label = {0};
        if (power >= 0 && power <= 4) {
            psb_text_printf(&label, "%.0f", pow(10, power));
        } else if (power < 0 && power >= -2) {
            psb_text_printf(&label, "%.*f", -power, pow(10, power));
        } else {
            psb_text_printf(&label, "10<tspan dy=\"-6\" font-size=\"10\">%d</tspan>", power);
        }
        add_tick_x(out, place(x, power), label.data != NULL ? label.data : "");
        out->failed = out->failed || label.failed;
    }
}

/* DCG in percent; 0 if there is none. */
static double quality_of(const site *s, size_t d) {
    double dcg = psb_evaluation_mean(s->evaluation, d, PSB_DCG, (psb_group){PSB_MICRO, 0}).value;
    return isnan(dcg) ? 0 : 100 * dcg;
}

static void add_points(const site *s, psb_text *out, const char *axis, const double *cost,
                       const scale *x, const scale *y) {
    enum { MOST = 64 }; /* labels that are kept apart */
    box taken[2 * MOST];
    size_t count = 0;
    for (size_t d = 0; d < s->ndescriptors && count < MOST; d++) {
        if (cost[d] > 0) {
            double px = place(x, log10(cost[d]));
            double py = place(y, quality_of(s, d));
            taken[count++] = (box){px - 6, py - 6, 12, 12};
        }
    }
    for (size_t d = 0; d < s->ndescriptors; d++) {
        if (!(cost[d] > 0)) {
            continue;
        }
        const char *label = s->descriptors[d].label;
        double px = place(x, log10(cost[d]));
        double py = place(y, quality_of(s, d));
        box b = place_label(px, py, strlen(label), taken, count);
        if (count < sizeof taken / sizeof taken[0]) {
            taken[count++] = b;
        }
        psb_site_plot_marker(out, d, px, py);
        psb_markup_within(out, " data-say=\"", label, "");
        psb_text_printf(
            out, ": %s %.4g, DCG %.1f %%\"/><text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
            axis, cost[d], quality_of(s, d), b.left + b.width / 2, b.top + LINE - 3.5);
        psb_markup_within(out, "", label, "</text>\n");
    }
}

/* Adds a line through the descriptors that no other beats in both, from the cheapest on. */
static void add_frontier(const site *s, psb_text *out, const double *cost, const scale *x,
                         const scale *y) {
    char command = 'M';
    double quality = -INFINITY;
    psb_text_add(out, "<path class=\"frontier\" d=\"");
    for (double behind = -INFINITY;;) {
        size_t next = s->ndescriptors;
        for (size_t d = 0; d < s->ndescriptors; d++) {
            bool better = cost[d] > 0 && cost[d] > behind && quality_of(s, d) > quality;
            bool nearer = next == s->ndescriptors || cost[d] < cost[next] ||
                          (!(cost[d] > cost[next]) && quality_of(s, d) > quality_of(s, next));
            next = better && nearer ? d : next;
        }
        if (next == s->ndescriptors) {
            break;
        }
        psb_text_printf(out, "%c%.1f %.1f", command, place(x, log10(cost[next])),
                        place(y, quality_of(s, next)));
        behind = cost[next];
        quality = quality_of(s, next);
        command = 'L';
    }
    psb_text_add(out, "\"/>\n");
}

void psb_site_plot_costs(const site *s, psb_text *out, const char *title, const char *axis,
                         const double *cost) {
    scale x = {INFINITY, -INFINITY, LEFT, WIDTH - RIGHT};
    double best = 10, worst = 100;
    for (size_t d = 0; d < s->ndescriptors; d++) {
        double quality = quality_of(s, d);
        best = fmax(best, quality);
        worst = fmin(worst, quality);
        if (cost[d] > 0) {
            x.low = fmin(x.low, log10(cost[d]));
            x.high = fmax(x.high, log10(cost[d]));
        }
    }
    if (x.low > x.high) {
        return; /* nothing is known */
    }
    x.low = fmin(floor(x.low), x.low - 0.2);
    x.high = fmax(ceil(x.high), x.high + 0.2);
    scale y = {10 * floor(worst / 10 - 0.1), 10 * ceil(best / 10 + 0.1), HEIGHT - BOTTOM, TOP};
    begin(out, title);
    add_powers(out, &x);
    for (double tick = y.low; tick <= y.high; tick += 10) {
        char label[16];
        snprintf(label, sizeof label, "%.0f", tick);
        add_tick_y(out, place(&y, tick), label);
    }
    add_axis_names(out, axis, "DCG, percent");
    add_frontier(s, out, cost, &x, &y);
    add_points(s, out, axis, cost, &x, &y);
    psb_text_add(out, "</svg>\n");
}
