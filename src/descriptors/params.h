/*
 * Every tunable of every descriptor in one struct, and the tables that describe them.
 *
 * The values of the preset psb2004, with which the paper's Table 4 is regenerated, stand in each
 * descriptor's own table (psb_param) together with where they come from; psb_params_preset
 * gathers them. So there is one place to read a value, its range, its meaning and its provenance.
 */
#ifndef PSB_DESCRIPTORS_PARAMS_H
#define PSB_DESCRIPTORS_PARAMS_H

#include "core/text.h"

/* How a function on the sphere is stored: see descriptors/harmonics.h. */
typedef enum psb_form { PSB_FORM_FULL, PSB_FORM_MAGNITUDE, PSB_FORM_SUM } psb_form;

struct psb_params {
    struct {
        double smooth;
        double phase;
        int normals; /* psb_normals */
        int form;    /* psb_form */
    } cegi;
    struct {
        int points;
        int seed;
    } d2;
    struct {
        double smooth;
        int normals; /* psb_normals */
        int form;    /* psb_form */
    } egi;
    struct {
        int points;
        int pole; /* psb_extent_pole */
        int form; /* psb_form */
    } ext, rext;
    struct {
        double width;
        int form; /* psb_form */
    } gedt;
    struct {
        int moments; /* psb_moment_kind */
    } lfd;
    struct {
        double power;
        double smooth;
        int form; /* psb_form */
    } secshel;
    struct {
        double smooth;
        int form; /* psb_form */
    } sectors;
    struct {
        double width;
        int scale; /* psb_scale */
        int norms; /* 0: principal second order, 1: plain */
    } shd;
    struct {
        int sampling; /* 0: nearest voxel, 1: trilinear */
        int form;     /* psb_form */
    } voxel;
};

typedef enum psb_param_type { PSB_PARAM_REAL, PSB_PARAM_INT, PSB_PARAM_CHOICE } psb_param_type;

typedef enum psb_provenance {
    PSB_FROM_PAPER, /* the paper states it */
    PSB_SETTLED,    /* the paper is silent; reproducing published figures settles it */
    PSB_FITTED,     /* chosen because it comes closest to the published row */
} psb_provenance;

/* One tunable: where it lies in psb_params, what it may be, what Table 4 uses. */
typedef struct psb_param {
    const char *name;
    size_t offset; /* offsetof(psb_params, ...): a double, or an int for the other two types */
    psb_param_type type;
    double preset;              /* for a choice: the index */
    double low, high;           /* inclusive; unused for a choice */
    const char *const *choices; /* NULL-terminated names of a choice's values 0, 1, ... */
    psb_provenance provenance;
    const char *help; /* a short phrase with the unit */
} psb_param;

struct psb_descriptor;

/* The preset psb2004 for all descriptors. */
void psb_params_preset(psb_params *params);

/*
 * Sets one parameter of one descriptor from text. PSB_ERROR_USAGE names the descriptor's
 * parameters, or the range or the choices, where the text does not fit.
 */
psb_status psb_params_set(psb_params *params, const struct psb_descriptor *descriptor,
                          const char *name, const char *value, psb_error *error);

/* The value as a number; of a choice, its index. */
double psb_param_value(const psb_param *param, const psb_params *params);

/* The value as the user would write it ("0.0085", "4", "magnitude"). */
void psb_param_format(const psb_param *param, const psb_params *params, psb_text *text);

/* "from the paper", "settled by reproduction", "fitted to the published row". */
const char *psb_provenance_text(psb_provenance provenance);

#endif
