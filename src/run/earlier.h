/*
 * The methods that earlier commands left in the folder of a run: run.json lists all methods of the
 * folder, and a command that asks for others leaves them in the list and in the table, as long as
 * they are about the same models and made of what there is now.
 */
#ifndef PSB_RUN_EARLIER_H
#define PSB_RUN_EARLIER_H

#include "run/record.h"
#include "run/stages.h"

/*
 * Adds to the facts of the run at work, whose ledger is about its set already, the methods of the
 * run.json that is there and that the run does not make itself. Their texts are those of `older`,
 * which starts zeroed and is freed behind the facts.
 */
psb_status psb_earlier_recall(const psb_ledger *ledger, psb_run_facts *facts, psb_run_facts *older,
                              psb_error *error);

/*
 * When all that the run makes is there: ranks method `first` and those behind it. The observer is
 * told which stay, and which leave the record and why.
 */
psb_status psb_earlier_keep(const psb_run_method_stages *stages, psb_run_record *record,
                            size_t first, psb_error *error);

#endif
