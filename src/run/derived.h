/*
 * Adds methods to a finished run, made from methods that it has, with the engine of the run itself.
 * The new methods get matrix, names and scores like all others, and rows in run.json and in the
 * table, which are marked with what they use.
 */
#pragma once

#include "core/lock.h"
#include "run/record.h"

/* A run's folder, opened to add methods to it. Starts zeroed; close it in any case. */
typedef struct psb_derived {
    const char *run;
    int threads;
    psb_observer observer;
    const char *reference; /* folder of a run by which methods are normalized; or NULL */
    psb_lock lock;
    psb_results results;
    psb_classification cla;
} psb_derived;

/* Takes the folder's lock. PSB_ERROR_INPUT if it is not the folder of a finished run. */
psb_status psb_derived_open(psb_derived *d, const char *run, const char *command_line, int threads,
                            psb_error *error);
void psb_derived_close(psb_derived *d);

/*
 * Makes methods whose parts are methods of the run or earlier ones in `methods`, then the run's
 * table, which goes to *table (psb_table_free it in any case). PSB_ERROR_USAGE if one has the label
 * of a described method.
 */
psb_status psb_derived_make(psb_derived *d, psb_run_method *const *methods, size_t count,
                            psb_table **table, psb_error *error);
