/*
 * Rows of a finished run that are made of its other rows: combinations, re-ranked distances. Such a
 * row has a matrix, names and scores as any other and stands in run.json and in the table, marked
 * with what it uses; the ledger knows what it was made of, so that it goes stale with its parts.
 */
#ifndef PSB_PIPELINE_DERIVED_H
#define PSB_PIPELINE_DERIVED_H

#include "core/lock.h"
#include "distance/recipe.h"
#include "eval/rerank.h"
#include "pipeline/run_record.h"

/* A run's folder, opened to add rows to it. Starts zeroed; close it in any case. */
typedef struct psb_derived {
    const char *run;
    int threads;
    size_t columns; /* that the table is shown in; 0: as many as it has */
    psb_lock lock;
    psb_results results;
    psb_classification cla;
    psb_text added; /* labels of new rows, a NUL behind each */
} psb_derived;

/* Takes the folder's lock. PSB_ERROR_INPUT where it is not the folder of a finished run. */
psb_status psb_derived_open(psb_derived *d, const char *run, const char *command_line, int threads,
                            psb_error *error);
void psb_derived_close(psb_derived *d);

/* The stem of a row's files by its name: that of a spec, written in any way, or of another label.
 */
void psb_derived_stem(const char *name, char stem[256]);
/* The matrix of a row of that name, which has to be as the run left it. */
psb_status psb_derived_matrix(const psb_results *results, const psb_classification *cla,
                              const char *name, psb_matrix *matrix, psb_error *error);

/* "features/STEM.npy" or "matrices/STEM.matrix" as a step of psb_new's kind; free() it. */
char *psb_derived_name(psb_status *status, bool features, const char *name, psb_error *error);
/* The path of that file, which has to be as the run left it; free() it in any case. */
psb_status psb_derived_path(const psb_results *results, bool features, const char *name,
                            char **path, psb_error *error);

/* What a new row is, beside its distances. */
typedef struct psb_derived_row {
    const char *label, *title, *formula, *source, *metric, *uses;
    const char *const *parts; /* names as above */
    size_t nparts;
    double seconds; /* a pair, without the parts' */
} psb_derived_row;

/* Writes the row's matrix, n x n distances, and enters it in run.json. */
psb_status psb_derived_add(psb_derived *d, const psb_derived_row *row, const float *distances,
                           psb_error *error);

/*
 * When all rows are there: their scores, and the run's table, whose text `table` becomes.
 * The record of the whole run is the caller's, who frees it in any case.
 */
psb_status psb_derived_finish(psb_derived *d, psb_run_record *record, psb_text *table,
                              psb_error *error);

/* A recipe of the table, and a row re-ranked by the preset or other options, as rows. */
psb_status psb_derived_combine(psb_derived *d, const psb_recipe *recipe, const char *source,
                               const char *uses, psb_error *error);
psb_status psb_derived_recipe(psb_derived *d, const psb_recipe *recipe, psb_error *error);
psb_status psb_derived_rerank(psb_derived *d, const char *name, const psb_rerank_options *options,
                              psb_error *error);

#endif
