/* What a run tells about single models: failures.tsv, times.tsv, and the slowest in the log. */
#ifndef PSB_RUN_MODEL_REPORTS_H
#define PSB_RUN_MODEL_REPORTS_H

#include "proof/ledger.h"
#include "run/features.h"

/* Enters RUN/failures.tsv: id, file, line (empty where there is none) and reason of each failed
 * model. */
psb_status psb_failures_write(psb_ledger *ledger, const psb_features *features, psb_error *error);

/*
 * Enters RUN/times.tsv: for each model in use, ids[], the processor seconds for reading it, for
 * each descriptor, and their sum, from this run or from the earlier one that did the work.
 */
psb_status psb_times_write(psb_ledger *ledger, const psb_features *features, char *const *ids,
                           psb_error *error);

/* Tells the observer, as details, the ten models that took longest. */
void psb_report_slowest(const psb_features *features, char *const *ids,
                        const psb_observer *observer);

#endif
