/*
 * The parameters of a descriptor: their values, and the table that describes them.
 *
 * Each descriptor's table has the values of the defaults psb2004, which regenerates the paper's
 * Table 4, with range, meaning and origin. No other place has them.
 */
#pragma once

#include "core/text.h"

/* The parameter values of one descriptor, in the order of its table; a choice by its index. */
enum { PSB_PARAMS_MOST = PSB_MOST_PARAMETERS };
typedef struct psb_params {
    const psb_descriptor *descriptor;
    double value[PSB_PARAMS_MOST];
} psb_params;

typedef enum psb_param_type { PSB_PARAM_REAL, PSB_PARAM_INT, PSB_PARAM_CHOICE } psb_param_type;

typedef enum psb_provenance {
    PSB_FROM_PAPER, /* the paper states it */
    PSB_SETTLED,    /* the paper is silent; reproducing the published figures settles it */
    PSB_FITTED,     /* chosen because it comes closest to the published row */
    PSB_BEYOND,     /* ours; its default leaves the paper's descriptors as they are */
} psb_provenance;

#define PSB_PARAM_INSTEAD (-1.0)

/* One parameter: its range and default. */
typedef struct psb_param {
    const char *name;
    psb_param_type type;
    double default_value; /* for a choice: the index */
    double low, high;     /* inclusive; unused for a choice */
    /*
     * For a choice, the names of values 0, 1, ..., NULL-terminated. For a number NULL, or one
     * word that a user may write instead of a number; its value is PSB_PARAM_INSTEAD, which is
     * below `low`.
     */
    const char *const *choices;
    psb_provenance provenance;
    const char *help; /* a short phrase with the unit */
} psb_param;

/* Entries for parameters that several descriptors have in their tables. */
#define PSB_PARAM_METRIC(default_value)                                                            \
    {                                                                                              \
        "metric", PSB_PARAM_CHOICE, default_value, 0, 0, psb_metric_names, PSB_BEYOND,             \
            "distance between two rows"                                                            \
    }
#define PSB_PARAM_FRAME                                                                            \
    {                                                                                              \
        "frame", PSB_PARAM_CHOICE, PSB_FRAME_SURFACE, 0, 0, psb_frame_names, PSB_BEYOND,           \
            "axes of the pose: of the surface, or of its normals"                                  \
    }
enum { PSB_METRIC_L2, PSB_METRIC_POSE48 = 4 };
extern const char *const psb_metric_names[];
extern const char *const psb_frame_names[];

/* The parameters of EXT and REXT. */
enum { PSB_EXTENT_POINTS, PSB_EXTENT_POLE, PSB_EXTENT_FORM, PSB_EXTENT_PARAMS = 5 };
extern const psb_param psb_extent_params[PSB_EXTENT_PARAMS];

/* Sets all parameters to the defaults psb2004. */
void psb_params_set_defaults(const psb_descriptor *descriptor, psb_params *params);

/*
 * Sets one parameter of a descriptor from text. PSB_ERROR_USAGE for an unknown name or value; the
 * message lists the descriptor's parameters, the range or the choices.
 */
psb_status psb_params_set(psb_params *params, const psb_descriptor *descriptor, const char *name,
                          const char *value, psb_error *error);

/* Appends a value as the user would write it ("0.004", "fejer", "magnitude"). */
void psb_param_format(const psb_param *param, double value, psb_text *text);

/* Returns the name of a choice's value, or the word that replaces a number; NULL for a number. */
const char *psb_param_word(const psb_param *param, double value);

/* Returns "from the paper", "settled by reproduction" and so on. */
const char *psb_provenance_text(psb_provenance provenance);
