/* Features of a finished run that are computed from its other features, model by model, without a
 * matrix: RUN/features/LABEL.npy. Like a derived row, they go stale when their parts do. */
#pragma once

#include "io/npy.h"
#include "run/derived.h"

/* A part: features of the run, with a row of `length` numbers for each model. */
typedef struct psb_row_part {
    const char *spec;
    size_t length;
    psb_element element;
} psb_row_part;

/* Opens the run's parts; close all of them in any case. */
psb_status psb_row_parts_open(const psb_results *results, size_t models, const psb_row_part *parts,
                              size_t count, psb_npy *npy, psb_error *error);

enum { PSB_DERIVED_BLOCK = 64 };

typedef struct psb_derived_rows {
    const char *label;
    const psb_row_part *parts;
    size_t nparts;
    size_t length; /* numbers in a new row */
    psb_element element;
    const char *metric; /* what the new rows are compared by */
    uint64_t key;       /* hash of everything but the parts that the rows depend on */
    /* Makes the rows first ... first + n - 1 (n at most PSB_DERIVED_BLOCK); several threads call
     * it. */
    psb_status (*make)(const void *context, const psb_npy *parts, size_t first, size_t n, void *out,
                       psb_error *error);
    const void *context;
} psb_derived_rows;

psb_status psb_derived_rows_add(psb_derived *d, const psb_derived_rows *rows, psb_error *error);

/* Adds rows for the metric "sum": the rows of a recipe's members, one after the other. */
psb_status psb_derived_recipe_rows(psb_derived *d, const psb_recipe *recipe, psb_error *error);
