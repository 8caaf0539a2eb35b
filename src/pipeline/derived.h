/*
 * Rows of a finished run that are made of its other rows: combinations, re-ranked distances. Such a
 * row has a matrix, names and scores as any other and stands in run.json and in the table, marked
 * with what it uses; the ledger knows what it was made of, so that it goes stale with its parts.
 */
#ifndef PSB_PIPELINE_DERIVED_H
#define PSB_PIPELINE_DERIVED_H

#include "core/lock.h"
#include "eval/combination.h"
#include "pipeline/results.h"

/* A run's folder, opened to add rows to it. Starts zeroed; close it in any case. */
typedef struct psb_derived {
    const char *run;
    int threads;
    psb_lock lock;
    psb_results results;
    psb_classification cla;
} psb_derived;

/* Takes the folder's lock. PSB_ERROR_INPUT where it is not the folder of a finished run. */
psb_status psb_derived_open(psb_derived *d, const char *run, const char *command_line, int threads,
                            psb_error *error);
void psb_derived_close(psb_derived *d);

/* The matrix of a row, which has to be as the run left it; `name` is a spec or a file's stem. */
psb_status psb_derived_matrix(const psb_results *results, const psb_classification *cla,
                              const char *name, psb_matrix *matrix, psb_error *error);

/* What a new row is, beside its distances. */
typedef struct psb_derived_row {
    const char *label, *title, *formula, *source, *metric, *uses;
    const char *const *parts; /* names as above */
    size_t nparts;
    double seconds; /* a pair, without the parts' */
} psb_derived_row;

/* Writes the row's files and enters it in run.json and the table; n x n distances. */
psb_status psb_derived_add(psb_derived *d, const psb_derived_row *row, const float *distances,
                           psb_text *table, psb_error *error);

/* The sum of a recipe over a run's matrices, n x n; free() it in any case. */
psb_status psb_combine_run(const psb_results *results, const psb_classification *cla,
                           const psb_recipe *recipe, int threads, float **out, psb_error *error);

#endif
