/* Runs three sets with the rows of the second table, below one folder: RUN/train, test, turned. */
#ifndef PSB_STUDIES_BEYOND_H
#define PSB_STUDIES_BEYOND_H

#include "report/beyond_table.h"
#include "run/run.h"

/*
 * Makes the three runs from the benchmark's folder, as psb_run_stages does with the rest of `job`;
 * the plan is the table's rows. *last, zeroed, becomes the outcome of the last
 * run begun, but that it has the failed models of all.
 */
psb_status psb_beyond_run(const psb_run_job *job, const char *psb, psb_run_outcome *last,
                          psb_error *error);

/*
 * The table's numbers from the three runs, all of which have to be as they were left, and RUN/test
 * for `list` models (psb_dataset.list) where that is not 0.
 */
psb_status psb_beyond_read(const char *run, uint64_t list, int threads, psb_beyond *beyond,
                           psb_error *error);

/* Whether the three runs are there; PSB_ERROR_IO or PSB_ERROR_MEMORY where that cannot be said. */
psb_status psb_beyond_is_there(const char *run, bool *there, psb_error *error);

#endif
