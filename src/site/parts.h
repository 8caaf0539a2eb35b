/* What the files of this room share: the run as it was read, and the pieces of pages. */
#pragma once

#include "eval/curve.h"
#include "eval/significance.h"
#include "report/markup.h"
#include "site/site.h"

/* The style sheet and the script of the pages; the build embeds them. */
extern const unsigned char psb_data_report_style[];
extern const unsigned long psb_data_report_style_size;
extern const unsigned char psb_data_report_script[];
extern const unsigned long psb_data_report_script_size;

enum {
    SITE_CHUNK = 32,   /* queries in one file of ranked lists, at least */
    SITE_FILES = 900,  /* files of ranked lists, at most, unless they are too long for it */
    SITE_MOST = 51200, /* matches in one file, at most */
    SITE_LISTED = 100, /* matches listed for each query, at most; in a large set at least: */
    SITE_LISTED_LEAST = 20,
    SITE_ENTRIES = 2000000, /* about so many matches of a descriptor are listed */
    SITE_IMAGE = 1600,      /* longest side of an image */
    SITE_SHEET = 16, /* pictures on a sheet, in SITE_SHEET_COLUMNS columns; of a larger sheet a
                        query would load many more than it shows */
    SITE_SHEET_COLUMNS = 4,
    SITE_PICTURE_WIDTH = 160, /* two thirds of a portrait's width */
    SITE_SOLIDS = 8,   /* models in a data file; in that of a large set, whose models are coarser,
                          twice as many. A sheet's models fill whole files */
    SITE_LARGE = 4000, /* a set of more models is large */
    SITE_HEATS = 20,   /* classes v0 ... v20 are the shades of a cell: the style sheet has them */
};

typedef struct site {
    const psb_site_options *options;
    const psb_run_facts *facts;
    const psb_evaluation *evaluation;
    const psb_classification *cla;           /* classification of the evaluation */
    const psb_descriptor_facts *descriptors; /* descriptors of the facts */
    size_t ndescriptors;
    psb_table4_comparison table;
    double (*precision)[PSB_RECALL_LEVELS]; /* curve of each descriptor */
    psb_comparison *pairs;  /* comparisons of all pairs by DCG; NULL if there is no query */
    char *picture;          /* of each model: 'p' on its sheet, 'j' a JPEG of its own, '-' none */
    char (*sheet)[128];     /* name of each sheet of pictures */
    bool solids;            /* models can be turned */
    struct site_maps *maps; /* NULL: a set too small or too large for one */
    struct site_agreement *agreement; /* NULL if there is a single descriptor, or no query */
    size_t *by_score;                 /* descriptors, the largest DCG first */
    bool *equal; /* descriptors x figures: true of the best and of what does not differ
                    significantly; NULL if there is no query */
    psb_comparison *with_best; /* best against others by DCG, corrected for these alone */
} site;

/* Names a stage of the report, as the context of psb_site_progress. */
typedef struct site_stage {
    const psb_site_options *options;
    const char *name;
} site_stage;
int psb_site_progress(size_t done, size_t total, void *stage);

/* Writes FOLDER/name, one of many files, unless it has these bytes already. */
psb_status psb_site_write_bytes(const site *s, const char *name, const void *data, size_t size,
                                psb_error *error);
/* Writes a text in this way, unless it failed, and frees it. */
psb_status psb_site_write(const site *s, const char *name, psb_text *text, psb_error *error);

/* Begins a page. `title` is escaped; `current` is its file name, marked in the navigation. */
void psb_site_page_begin(const site *s, psb_text *out, const char *title, const char *current);
/* Ends a page; `s` is NULL if the page has no report. */
void psb_site_page_end(const site *s, psb_text *out);
/* Adds the address of a query, by its id, or by its number if the id is not plain letters. */
void psb_site_query_link(const site *s, psb_text *out, size_t model);
/* Adds the class's own name, linked to its page. */
void psb_site_class_link(const site *s, psb_text *out, size_t which);
/* Adds a link to a descriptor's page; the second begins a row of a table with it. */
void psb_site_descriptor_link(const site *s, psb_text *out, size_t which, const char *attribute);
void psb_site_descriptor_heading(const site *s, psb_text *out, size_t which);
/* Adds a list of the facts that have a term and are known. */
void psb_site_facts(psb_text *out, const psb_fact_table *table, const void *facts);
/* Begins a table that scrolls on its own; end it with psb_site_table_end. */
void psb_site_table_begin(psb_text *out, const char *id, const char *caption);
void psb_site_table_end(psb_text *out);
/* Adds a column heading that sorts; `text` is not escaped. */
void psb_site_sort_heading(psb_text *out, const char *text, bool numbers);
/* Adds a number, nothing for NAN. With `sign` it has one unless it rounds to 0. */
void psb_site_number(psb_text *out, double number, int decimals, bool sign);
/* Adds a cell with a number, by which the table sorts. */
void psb_site_cell(psb_text *out, double number, int decimals, bool sign);
/* Adds the class's names from the top, " / " between; without its own if `own` is false. */
void psb_site_class_path(psb_text *out, const psb_classification *cla, size_t which, bool own);
/* Adds the picture of a model at its small size. */
void psb_site_thumbnail(const site *s, psb_text *out, size_t model);

/* Begins the card of a query, up to its id; `which`: the descriptor whose list the card leads to,
 * or PSB_NONE. The caller ends the id's span and the card. */
void psb_site_card_begin(const site *s, psb_text *out, size_t query, size_t which);
/* Begins a table's head of columns that sort; a name that begins with '#' is one of numbers. */
void psb_site_columns(psb_text *out, const char *const *names, size_t count);

/* The few with the largest scores, ties in the order in which they are added; start with `most`, at
 * most SITE_FEW, and zeros. */
enum { SITE_FEW = 12 };
typedef struct site_few {
    size_t most, count, all;              /* how many are wanted, there, and were added */
    size_t which[SITE_FEW], by[SITE_FEW]; /* a query or class; the descriptor it is shown for */
    double score[SITE_FEW];
} site_few;
void psb_site_few_add(site_few *few, size_t which, size_t by, double score);

/* The pages; each writes its files. */
psb_status psb_site_write_front(const site *s, psb_error *error);
psb_status psb_site_write_descriptor(const site *s, size_t which, psb_error *error);
psb_status psb_site_write_models(const site *s, psb_error *error);
/* The page of what changed since another run, if one was given. */
psb_status psb_site_write_since(const site *s, psb_error *error);
/* The pages that their script fills: a query, a class, two descriptors; and their data files. */
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
/* True if the descriptor has no matrix, and its distances stream by. */
static inline bool psb_site_streams(const site *s, size_t which) {
    const bool *streamed = s->options->report->streamed;
    return streamed != NULL && streamed[which];
}
/* Models in one data file of those that can be turned. */
static inline size_t psb_site_solids(const site *s) {
    return s->cla->nmodels > SITE_LARGE ? 2 * SITE_SOLIDS : SITE_SOLIDS;
}
/* Images show every step-th model, so that none is too large. */
static inline size_t psb_site_image_step(const site *s) {
    return (s->cla->nmodels + SITE_IMAGE - 1) / SITE_IMAGE;
}
/* Writes ranked lists and images of a descriptor, and finds its curve, from its distances. */
psb_status psb_site_write_queries(site *s, size_t which, psb_error *error);

/*
 * Maps are begun before the lists pass by, note the nearest of each list, and are made when all
 * have passed. The front page shows that of the best descriptor and lets the reader choose others.
 */
enum { SITE_MAP = 560, SITE_MAP_HALF = 268 }; /* side of the picture; length of 1 on the map */
psb_status psb_site_maps_begin(site *s, psb_error *error);
/* How many of a list's keys are noted, the first ones; 0: there is no map. */
size_t psb_site_map_neighbors(const site *s);
void psb_site_map_note(const site *s, size_t which, size_t query, const uint64_t *keys);
psb_status psb_site_maps_make(site *s, psb_error *error);
psb_status psb_site_add_map(const site *s, psb_text *out, psb_error *error);
void psb_site_maps_free(site *s);

/*
 * Which of two or more descriptors rank alike: begun and noted as maps are. `list` has the nearest
 * models first, at least all of the first tier.
 */
psb_status psb_site_agreement_begin(site *s, psb_error *error);
void psb_site_agreement_note(const site *s, size_t which, size_t query, const uint32_t *list);
void psb_site_agreement_free(site *s);
psb_status psb_site_write_methods(const site *s, psb_error *error);
/* True if there is a page of methods. */
static inline bool psb_site_has_methods(const site *s) {
    return s->agreement != NULL;
}

/* Orders the descriptors, finds which are best, and adds the sentence that says so. */
psb_status psb_site_order(site *s, psb_error *error);
psb_status psb_site_judge_best(site *s, psb_error *error);
void psb_site_add_answer(const site *s, psb_text *out);

/* Adds the queries that no descriptor finds, or only one. */
void psb_site_add_failures(const site *s, psb_text *out);
/* Adds classes where descriptors stand the other way round; queries that one is worst at. */
void psb_site_add_turned(const site *s, psb_text *out);
void psb_site_add_worst(const site *s, psb_text *out, size_t which);

/* The plots, as SVG; descriptor `which` has the line and marker of psb_set_line_style. */
enum { SITE_COLOURS = 12, SITE_DASHES = 4 };
/* Adds a marker's outline to a path. */
void psb_site_plot_shape(psb_text *out, size_t which, double x, double y);
/* Both begin an element; the caller adds other attributes, or the path, and the end. */
void psb_site_plot_marker(psb_text *out, size_t which, double x, double y);
void psb_site_plot_line(psb_text *out, size_t which);
/* Plots the curves of the descriptors first ... end - 1. */
void psb_site_plot_curves(const site *s, psb_text *out, size_t first, size_t end);
/* Plots DCG against a cost on a logarithmic axis; cost[i] of each descriptor, NAN if unknown. */
void psb_site_plot_costs(const site *s, psb_text *out, const char *title, const char *axis,
                         const double *cost);
