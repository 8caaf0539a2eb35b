/*
 * The interface of a shape descriptor, and the table of all descriptors.
 *
 * A descriptor is one psb_descriptor in a file of its own, with its parameters, and a line in
 * descriptors/table.c. Help, runs, tests, benchmarks and reports iterate over the table.
 */
#pragma once

#include "core/text.h"
#include "descriptors/params.h"
#include "distance/metric.h"
#include "fields/shape.h"
#include "io/label.h"
#include "normalize/pose.h"

/* How the numbers of a row are arranged; decides how descriptors/glimpse.h draws them. */
typedef enum psb_row_kind {
    PSB_ROW_OTHER,   /* not drawn */
    PSB_ROW_BINS,    /* a histogram of distances */
    PSB_ROW_SPHERES, /* functions on spheres, in the form that parameter "form" chooses */
    PSB_ROW_LINES,   /* `lines` lines of numbers, drawn one below the other */
} psb_row_kind;

/* What may be done to a model. */
enum {
    PSB_UNDER_TRANSLATION = 1,
    PSB_UNDER_SCALE = 2,
    PSB_UNDER_ROTATION = 4,
    PSB_UNDER_REFLECTION = 8,
    PSB_UNDER_ALL = 15
};

struct psb_descriptor {
    const char *name;    /* as in the paper's tables: "GEDT" */
    const char *title;   /* "Gaussian Euclidean distance transform" */
    const char *source;  /* publication that defines it */
    const char *bibtex;  /* the same as BibTeX; shared entries: citations.h */
    const char *formula; /* one line for reports */
    psb_pose_kind pose;
    /* PSB_UNDER_...: what leaves the default's row as it is, up to rounding, of a model with
     * distinct axes; and what only the random points, the views or the grid answer. */
    unsigned invariant, nearly;
    const psb_metric *metric; /* the default's; for a spec see psb_spec_metric */
    /* Returns the metric for rows with these parameters; NULL: always `metric`. */
    const psb_metric *(*metric_of)(const psb_params *params);
    bool clouds; /* takes point clouds, too; all others need a surface */
    bool beyond; /* not one of the paper's twelve: "all" leaves it out */
    /*
     * Raised by hand when the numbers change: runs then compute rows of the older revision again.
     * All other rows stay valid, whatever else changes in the program. tests/unit/test_revisions.c
     * holds a print of each revision's numbers.
     */
    unsigned revision;
    const psb_param *params; /* set by PSB_PARAMS, with nparams */
    size_t nparams;
    psb_row_kind row_kind;
    size_t lines;            /* number of lines of a PSB_ROW_LINES */
    const char *lines_title; /* caption of their picture */

    /* How many numbers a row has or, for PSB_ROW_SPHERES, how many functions. */
    size_t size;
    /* Returns how many numbers a row with these parameters has; NULL: by `size`. */
    size_t (*length)(const psb_params *params);

    /*
     * Computes the descriptor of the loaded shape into row[length]. Must not depend on any earlier
     * model, nor allocate once the shape's buffers have reached their size.
     */
    psb_status (*compute)(psb_shape *shape, const psb_params *params, void *row, psb_error *error);
};

/* Initializes the members `params` and `nparams` from a table of parameters. */
#define PSB_PARAMS(table) .params = (table), .nparams = sizeof(table) / sizeof(table)[0]

struct psb_spec {
    const psb_descriptor *descriptor;
    psb_params params;
    psb_label label; /* its canonical text */
};

/* Descriptors that a client added to those of the table. */
typedef struct psb_added {
    const psb_descriptor *const *descriptors;
    size_t count;
} psb_added;

/* Does psb_spec_open's work; `added` may be NULL. */
psb_status psb_spec_parse(const psb_added *added, const char *text, psb_spec **spec,
                          psb_error *error);

/* Appends the names of all descriptors to a list. */
void psb_spec_names(const psb_added *added, psb_text *names);
/* Returns whether a spec begins with the name of a descriptor. */
bool psb_spec_is_known(const psb_added *added, const char *text);
/* Returns the revision of the descriptor that a spec or its file name begins with; 0 if it is
 * neither of this program nor added: then nothing says that rows of it are of another. */
unsigned psb_spec_revision(const psb_added *added, const char *text);

/*
 * Splits a list such as "SHD,CEGI:phase=2,smooth=0.02,D2" and passes each item to `item`. A comma
 * starts a new item unless `parameter=value` follows it. "all" stands for the paper's twelve in the
 * table's order; "GEDT:width={1,2},form={full,magnitude}" for the four variants.
 */
typedef psb_status psb_spec_item(void *context, const char *text, psb_error *error);
psb_status psb_spec_each(const char *list, psb_spec_item *item, void *context, psb_error *error);

/* Splits a list whose items end in a weight: "SHD=1,CEGI:phase=2,smooth=0.02=0.5,D2:l1=1". */
psb_status psb_term_each(const char *list, psb_spec_item *item, void *context, psb_error *error);

/*
 * Parses a list like psb_spec_each's; no spec may occur twice. On success *specs has *count
 * entries: free each, then the array.
 */
psb_status psb_spec_parse_list(const psb_added *added, const char *text, psb_spec ***specs,
                               size_t *count, psb_error *error);

/* Does psb_describe's work, for rows of the right length. */
psb_status psb_shape_describe(psb_shape *shape, const psb_spec *spec, void *row, psb_error *error);

/* Returns the value of the parameter with these choices, or `otherwise` if there is none. */
int psb_spec_choice(const psb_spec *spec, const char *const *choices, int otherwise);

/*
 * Returns the metric of the spec's rows: the one that parameter "metric" names if the descriptor
 * has that parameter, else the descriptor's.
 */
const psb_metric *psb_spec_metric(const psb_spec *spec);

/*
 * Returns whether a row is all zeros: the descriptor sees nothing of the model, for example if all
 * of it is smaller than a pixel. Such rows would be at distance 0 from each other, which means
 * nothing, so psb_shape_describe refuses them.
 */
bool psb_row_is_empty(const psb_spec *spec, const void *row);
