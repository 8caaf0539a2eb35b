/* Reports of a run on single models: failures.tsv, times.tsv, and the slowest in the log. */
#pragma once

#include "proof/ledger.h"
#include "run/features.h"

/* Writes RUN/failures.tsv and enters it: id, file, line (or nothing) and reason of each failed
 * model, then those that are listed and have no file. */
psb_status psb_failures_write(psb_ledger *ledger, const psb_features *features, psb_error *error);

/*
 * Writes RUN/times.tsv and enters it: for each model in use, ids[], the CPU seconds of
 * reading, of each descriptor alone, of all descriptors together (which share fields), and of
 * reading and all together, from this run or from the earlier one that did the work.
 */
psb_status psb_times_write(psb_ledger *ledger, const psb_features *features, char *const *ids,
                           psb_error *error);

/* Tells the observer, as details, which ten models took longest. */
void psb_report_slowest(const psb_features *features, char *const *ids,
                        const psb_observer *observer);
