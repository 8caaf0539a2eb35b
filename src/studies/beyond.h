/* Runs three sets with the methods of the second table, below one folder: RUN/train, test,
 * turned. */
#pragma once

#include "report/beyond_table.h"
#include "run/run.h"

/*
 * Makes the three runs from the benchmark's folder, as psb_run_stages does with the rest of `job`;
 * the plan has the table's rows. *last starts zeroed and becomes the outcome of the last run begun,
 * with the failed models of all runs.
 */
psb_status psb_beyond_run(const psb_run_job *job, const char *psb, psb_run_outcome *last,
                          psb_error *error);

/* Reads the table's numbers from the three runs, all of which must be as they were left. RUN/test
 * must be about `list` (psb_dataset.list) unless that is 0. */
psb_status psb_beyond_read(const char *run, uint64_t list, int threads, psb_beyond *beyond,
                           psb_error *error);

/* Sets *there if the three runs exist; PSB_ERROR_IO or PSB_ERROR_MEMORY if the system cannot
 * tell. */
psb_status psb_beyond_is_there(const char *run, bool *there, psb_error *error);
