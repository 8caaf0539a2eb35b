/*
 * Rows that were made of a run's others (pipeline/derived.h), when the run's command is given
 * again: those stay that are made of what there is now.
 */
#ifndef PSB_PIPELINE_DERIVED_KEPT_H
#define PSB_PIPELINE_DERIVED_KEPT_H

#include "pipeline/run_record.h"

/*
 * Adds the derived rows of the run.json that is there to the facts of the run at work, whose ledger
 * is about its set already. Their texts are those of `older`, which starts zeroed and is freed
 * behind the facts.
 */
psb_status psb_derived_recall(const psb_ledger *ledger, psb_run_facts *facts, psb_run_facts *older,
                              psb_error *error);

/*
 * When all other rows are there: ranks derived row `first` and those behind it. What is not as its
 * parts are now is told and leaves the record.
 */
psb_status psb_derived_keep(const psb_ledger *ledger, psb_run_record *record, size_t first,
                            int threads, const psb_observer *observer, psb_error *error);

#endif
