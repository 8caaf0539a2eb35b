/*
 * The methods that earlier commands left in a run's folder. run.json lists all methods of the
 * folder. A command for other methods keeps those in the list and in the table, as long as they are
 * about the same models and were made from the files that are there now.
 */
#pragma once

#include "run/record.h"
#include "run/stages.h"

/*
 * Adds methods of the existing run.json that this run does not make itself to `facts`. The run's
 * ledger must already be about this run's set. The added texts belong to `older`, which starts
 * zeroed and must be freed after `facts`.
 */
psb_status psb_earlier_recall(const psb_ledger *ledger, psb_run_facts *facts, psb_run_facts *older,
                              psb_error *error);

/* After the run has made all its own methods: ranks method `first` and all later ones. Tells the
 * observer which of them stay, and which leave the record and why. */
psb_status psb_earlier_keep(const psb_run_method_stages *stages, psb_run_record *record,
                            size_t first, psb_error *error);
