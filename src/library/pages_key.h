/*
 * Tells without making them whether the pages of a run would be the same again. Their key is a hash
 * of all that they are made from: the run's files, the models' times and sizes, the options and the
 * program's sources. RUN/work/pages holds the hash of the key and of the names, times and sizes of
 * the files in RUN/report, so that changed or missing pages are made anew, too.
 */
#pragma once

#include "library/parts.h"
#include "proof/results.h"

/*
 * Returns the key of the pages which these options ask for, or 0 if they are to be made in any
 * case: with methods from elsewhere, another run, units of the client or other tables beside the
 * run's own, or if a file is not there or not as it was made, which the making will report.
 */
uint64_t psb_pages_key(const psb_context *psb, const psb_pages_options *options,
                       const psb_results *results);

/* Sets *current to whether RUN/report has the pages of this key. */
psb_status psb_pages_are_current(const char *run, uint64_t key, bool *current, psb_error *error);

/* Notes that RUN/report has them now. */
psb_status psb_pages_keep_key(const char *run, uint64_t key, psb_error *error);
