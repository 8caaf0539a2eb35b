/* Shares among the parts of the report the run as it was read, and how a page begins and ends. */
#ifndef PSB_SITE_PARTS_H
#define PSB_SITE_PARTS_H

#include "core/text.h"
#include "eval/curve.h"
#include "eval/significance.h"
#include "report/markup.h"
#include "site/site.h"

/* What does not depend on the run; the build embeds it. */
extern const unsigned char psb_data_report_style[];
extern const unsigned long psb_data_report_style_size;
extern const unsigned char psb_data_report_script[];
extern const unsigned long psb_data_report_script_size;

enum {
    SITE_CHUNK = 32,   /* queries in one file of ranked lists, at least */
    SITE_FILES = 900,  /* of ranked lists, at most, where these are not too long for it */
    SITE_MOST = 51200, /* matches in one file, at most */
    SITE_LISTED = 100, /* matches listed for each query, at most, and of a large set at least: */
    SITE_LISTED_LEAST = 20,
    SITE_ENTRIES = 2000000, /* matches of a descriptor that are listed, about */
    SITE_IMAGE = 1600,      /* longest side of an image */
    SITE_SHEET = 16, /* pictures of a sheet: of a large one a query would load many more than it
                        shows. In so many columns: */
    SITE_SHEET_COLUMNS = 4,
    SITE_PICTURE_WIDTH = 160, /* two thirds of a portrait's */
    SITE_SOLIDS = 8,   /* models of a data file; of a large set, whose models are coarser, twice as
                          many. Whole files make a sheet */
    SITE_LARGE = 4000, /* models */
};

typedef struct site {
    const psb_site_options *options;
    const psb_run_facts *facts;
    const psb_evaluation *evaluation;
    const psb_classification *cla;           /* of the evaluation */
    const psb_descriptor_facts *descriptors; /* of the facts */
    size_t ndescriptors;
    psb_table4_comparison table;
    double (*precision)[PSB_RECALL_LEVELS]; /* of each descriptor */
    psb_comparison *pairs;                  /* all of them, by DCG; NULL where there is no query */
    char *picture;          /* of each model: 'p' on its sheet, 'j' a JPEG of its own, '-' none */
    char (*sheet)[128];     /* name of each sheet of pictures */
    bool solids;            /* models can be turned */
    struct site_maps *maps; /* NULL: a set too small or too large for one */
    struct site_agreement *agreement; /* NULL: of a single descriptor, or without queries */
    size_t *by_score;                 /* descriptors, the largest DCG first */
    bool *equal;               /* descriptors x figures: the best, or not to be told from it; NULL
                                  where there is no query */
    psb_comparison *with_best; /* by DCG, corrected for these comparisons alone */
} site;

/* A stage of the report, as psb_progress wants it. */
typedef struct site_stage {
    const psb_site_options *options;
    const char *name;
} site_stage;
int psb_site_progress(size_t done, size_t total, void *stage);

/* Writes FOLDER/name, one of many files, unless it has these bytes already. */
psb_status psb_site_write_bytes(const site *s, const char *name, const void *data, size_t size,
                                psb_error *error);
/* The same, unless the text failed; frees the text. */
psb_status psb_site_write(const site *s, const char *name, psb_text *text, psb_error *error);

/* `title` is escaped; `current` is the page's file name, marked in the navigation. */
void psb_site_page_begin(const site *s, psb_text *out, const char *title, const char *current);
/* Of a page without a report `s` is NULL. */
void psb_site_page_end(const site *s, psb_text *out);
/* The address of a query, by its id; its number stands for one that is not plain letters. */
void psb_site_query_link(const site *s, psb_text *out, size_t model);
/* The class's own name, linked to its page. */
void psb_site_class_link(const site *s, psb_text *out, size_t which);
/* Link to a descriptor's page; the same as its row's heading. */
void psb_site_descriptor_link(const site *s, psb_text *out, size_t which, const char *attribute);
void psb_site_descriptor_heading(const site *s, psb_text *out, size_t which);
/* What is known of the members that have a term, as a list. */
void psb_site_facts(psb_text *out, const psb_fact_table *table, const void *facts);
/* A table that scrolls on its own, with what begins it; end with psb_site_table_end. */
void psb_site_table_begin(psb_text *out, const char *id, const char *caption);
void psb_site_table_end(psb_text *out);
/* A column heading that sorts; `text` is not escaped. */
void psb_site_sort_heading(psb_text *out, const char *text, bool numbers);
/* A number, nothing for NAN. With a sign: what rounds to 0 has none. */
void psb_site_number(psb_text *out, double number, int decimals, bool sign);
/* A cell with a number; sorts by it. */
void psb_site_cell(psb_text *out, double number, int decimals, bool sign);
/* The class's names from the top, " / " between; its own is left out where own is false. */
void psb_site_class_path(psb_text *out, const psb_classification *cla, size_t which, bool own);
/* The picture of a model at its small size. */
void psb_site_thumbnail(const site *s, psb_text *out, size_t model);

/* The pages; each writes its files. */
psb_status psb_site_write_front(const site *s, psb_error *error);
psb_status psb_site_write_descriptor(const site *s, size_t which, psb_error *error);
psb_status psb_site_write_models(const site *s, psb_error *error);
/* What changed since another run, where there is one. */
psb_status psb_site_write_since(const site *s, psb_error *error);
/* The pages that their script fills: a query, a class, two descriptors; and what these need. */
psb_status psb_site_write_scripted(const site *s, psb_error *error);
psb_status psb_site_write_thumbnails(site *s, size_t *without_picture, psb_error *error);
/* Matches listed for each query. */
static inline size_t psb_site_listed(const site *s) {
    size_t most = SITE_ENTRIES / (s->cla->nmodels + 1) + 1;
    return most > SITE_LISTED ? SITE_LISTED : most > SITE_LISTED_LEAST ? most : SITE_LISTED_LEAST;
}
/* Queries in one file of ranked lists. */
static inline size_t psb_site_chunk(const site *s) {
    size_t chunk = SITE_CHUNK;
    while (2 * chunk * psb_site_listed(s) <= SITE_MOST &&
           s->ndescriptors * (s->cla->nmodels / chunk + 1) > SITE_FILES) {
        chunk *= 2;
    }
    return chunk;
}
/* Whether the descriptor has no matrix, and its distances stream by. */
static inline bool psb_site_streams(const site *s, size_t which) {
    const bool *streamed = s->options->report->streamed;
    return streamed != NULL && streamed[which];
}
/* Models in one file of what is turned. */
static inline size_t psb_site_solids(const site *s) {
    return s->cla->nmodels > SITE_LARGE ? 2 * SITE_SOLIDS : SITE_SOLIDS;
}
/* Images show every so manieth model, so that none is too large. */
static inline size_t psb_site_image_step(const site *s) {
    return (s->cla->nmodels + SITE_IMAGE - 1) / SITE_IMAGE;
}
/* Ranked lists and images of one descriptor, and its curve, from its distances. */
psb_status psb_site_write_queries(site *s, size_t which, psb_error *error);

/*
 * Maps: begun before the lists pass by, of which the nearest are noted, and made behind them. The
 * front page shows that of the best descriptor and lets the reader choose others.
 */
enum { SITE_MAP = 560, SITE_MAP_HALF = 268 }; /* side of the picture, and what 1 is */
psb_status psb_site_maps_begin(site *s, psb_error *error);
/* How many of a list are noted, the first of these keys; 0: there is no map. */
size_t psb_site_map_neighbors(const site *s);
void psb_site_map_note(const site *s, size_t which, size_t query, const uint64_t *keys);
psb_status psb_site_maps_make(site *s, psb_error *error);
psb_status psb_site_add_map(const site *s, psb_text *out, psb_error *error);
void psb_site_maps_free(site *s);

/* Which descriptors rank alike, of two or more: begun and noted as maps are. A list has the nearest
   first, at least all of the first tier. */
psb_status psb_site_agreement_begin(site *s, psb_error *error);
void psb_site_agreement_note(const site *s, size_t which, size_t query, const uint32_t *list);
void psb_site_agreement_free(site *s);
psb_status psb_site_write_methods(const site *s, psb_error *error);
/* Whether there is such a page. */
static inline bool psb_site_has_methods(const site *s) {
    return s->agreement != NULL;
}

/* Which descriptors are best, and the sentence that says so. */
psb_status psb_site_order(site *s, psb_error *error);
psb_status psb_site_judge_best(site *s, psb_error *error);
void psb_site_add_answer(const site *s, psb_text *out);

/* Queries that no descriptor finds, or only one; those that a descriptor is worst at. */
void psb_site_add_failures(const site *s, psb_text *out);
/* Classes where descriptors stand the other way round. */
void psb_site_add_turned(const site *s, psb_text *out);
void psb_site_add_worst(const site *s, psb_text *out, size_t which);

/* The plots, as SVG; descriptor `which` has the line and marker of psb_set_line_style. */
enum { SITE_COLOURS = 7, SITE_DASHES = 4 };
/* The marker's outline, as a part of a path. */
void psb_site_plot_shape(psb_text *out, size_t which, double x, double y);
/* Both begin an element, whose other attributes, or path and end, follow. */
void psb_site_plot_marker(psb_text *out, size_t which, double x, double y);
void psb_site_plot_line(psb_text *out, size_t which);
/* Of the descriptors first ... end - 1. */
void psb_site_plot_curves(const site *s, psb_text *out, size_t first, size_t end);
/* Cost on a logarithmic axis against DCG; cost[i] of each descriptor, NAN where unknown. */
void psb_site_plot_costs(const site *s, psb_text *out, const char *title, const char *axis,
                         const double *cost);

#endif
