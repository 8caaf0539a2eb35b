/* What the parts of the report share: the run as it was read, and how a page begins and ends. */
#ifndef PSB_REPORT_SITE_PARTS_H
#define PSB_REPORT_SITE_PARTS_H

#include "core/text.h"
#include "eval/scores.h"
#include "report/markup.h"
#include "report/site.h"

#include <cJSON.h>

enum {
    SITE_CHUNK = 32,   /* queries in one file of ranked lists */
    SITE_LISTED = 100, /* matches listed for each query, at most */
    SITE_LEVELS = 20,  /* recall levels of a curve */
};

typedef struct site_descriptor {
    const char *label;
    char stem[256];           /* in file names */
    const cJSON *facts;       /* its entry in run.json */
    const cJSON *row;         /* its row of the table */
    psb_query_scores *scores; /* of each model */
    psb_average micro, macro;
    double error[PSB_FIGURES];     /* standard errors of the micro averages */
    double precision[SITE_LEVELS]; /* at recall (i + 1) / SITE_LEVELS */
} site_descriptor;

typedef struct site {
    const psb_site_options *options;
    psb_classification cla; /* of RUN/models.cla */
    cJSON *run, *table;     /* run.json, and the table's JSON */
    bool published;         /* the table has the paper's figures */
    size_t ndescriptors;
    site_descriptor *descriptors;
    char *picture; /* of each model: 'p' PNG, 'j' JPEG, '-' none */
} site;

typedef struct site_figure {
    const char *name; /* in JSON */
    const char *heading;
} site_figure;
extern const site_figure psb_site_figures[PSB_FIGURES];

/* "" and NAN where there is no such entry. */
const char *psb_site_string(const cJSON *object, const char *name);
double psb_site_number(const cJSON *object, const char *name);

/* Writes FOLDER/name unless the text failed; frees the text. */
psb_status psb_site_write(const site *s, const char *name, psb_text *text, psb_error *error);
/* FOLDER/name as a path, for others to write. */
psb_status psb_site_path(const site *s, const char *name, psb_text *path, psb_error *error);

/* `title` is escaped; `current` is the page's file name, marked in the navigation. */
void psb_site_page_begin(const site *s, psb_text *out, const char *title, const char *current);
void psb_site_page_end(psb_text *out);
/* A table that scrolls on its own, with what begins it; end with psb_site_table_end. */
void psb_site_table_begin(psb_text *out, const char *id, const char *caption);
void psb_site_table_end(psb_text *out);
/* A column heading that sorts; `text` is not escaped. */
void psb_site_sort_heading(psb_text *out, const char *text, bool numbers);
/* A cell with a number, or an empty one for NAN; sorts by the number. */
void psb_site_cell(psb_text *out, double number, int decimals, bool sign);
/* The class's names from the top, " / " between; its own is left out where own is false. */
void psb_site_class_path(psb_text *out, const psb_classification *cla, size_t which, bool own);
/* The picture of a model at its small size. */
void psb_site_thumbnail(const site *s, psb_text *out, size_t model);

/* The pages; each writes its files. */
psb_status psb_site_write_front(const site *s, psb_error *error);
psb_status psb_site_write_descriptor(const site *s, size_t which, psb_error *error);
psb_status psb_site_write_models(const site *s, psb_error *error);
psb_status psb_site_write_matches(const site *s, psb_error *error);
psb_status psb_site_write_thumbnails(site *s, size_t *without_picture, psb_error *error);
/* Ranked lists, images, scores and curve of one descriptor, from its matrix. */
psb_status psb_site_write_queries(const site *s, site_descriptor *d, psb_error *error);

/* The plots, as SVG. */
void psb_site_plot_curves(const site *s, psb_text *out);
/* Cost on a logarithmic axis against DCG; cost[i] of each descriptor, NAN where unknown. */
void psb_site_plot_costs(const site *s, psb_text *out, const char *title, const char *axis,
                         const double *cost);

#endif
