/*
 * The reference of a run: another run's folder, over models that are not scored (a training set),
 * whose features make cohorts (eval/cohort.h). It may be the run itself; then a model's cohort is
 * all other models.
 */
#pragma once

#include "run/plan.h"

struct psb_reference {
    psb_results results;
    psb_classification cla; /* the reference's models */
    /* If the reference is the run itself, which is at work: its ledger and models, used instead of
     * those above. */
    const psb_ledger *own_ledger;
    const psb_classification *own_cla;
};

/* Opens the reference of the run with the ledger `own` and the models `cla`, which must outlive it.
 * PSB_ERROR_INPUT if the folder is no finished run of one set of models. Close it in any case. */
psb_status psb_reference_open(const char *folder, const psb_ledger *own,
                              const psb_classification *cla, psb_reference *reference,
                              psb_error *error);
void psb_reference_close(psb_reference *reference);

/* Adds the reference's models and the features by which `of`, described or a sum, is compared to
 * *key. */
psb_status psb_reference_key(const psb_reference *reference, const psb_run_method *of,
                             uint64_t *key, psb_error *error);

/*
 * Sets level[i] to psb_cohort_level of model i of the run, by the distances of `of` to all models
 * of the reference except one with i's name. Both folders must have the features; PSB_ERROR_INPUT
 * if they do not, or if other revisions made them.
 */
psb_status psb_reference_levels(const psb_reference *reference, const psb_run_method *of,
                                const psb_run_method_inputs *run, double *level, psb_error *error);
