/*
 * Further methods for a finished run, made of those that it has: the run's own engine, on a folder
 * that is there. The new lines have matrix, names and scores as any other and stand in run.json and
 * in the table, marked with what they use.
 */
#ifndef PSB_RUN_DERIVED_H
#define PSB_RUN_DERIVED_H

#include "core/lock.h"
#include "run/record.h"

/* A run's folder, opened to add methods to it. Starts zeroed; close it in any case. */
typedef struct psb_derived {
    const char *run;
    int threads;
    psb_observer observer;
    const char *reference; /* folder of a run, for methods that are normalised by it; or NULL */
    psb_lock lock;
    psb_results results;
    psb_classification cla;
} psb_derived;

/* Takes the folder's lock. PSB_ERROR_INPUT where it is not the folder of a finished run. */
psb_status psb_derived_open(psb_derived *d, const char *run, const char *command_line, int threads,
                            psb_error *error);
void psb_derived_close(psb_derived *d);

/*
 * Makes methods whose parts are methods of the run, or of these before them, and the run's table
 * anew, which *table becomes, for psb_table_free in any case. PSB_ERROR_USAGE where one has the
 * label of a described method.
 */
psb_status psb_derived_make(psb_derived *d, psb_run_method *const *methods, size_t count,
                            psb_table **table, psb_error *error);

#endif
