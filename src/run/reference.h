/*
 * The reference of a run: another run's folder, over models that are not scored (a training set),
 * whose features are what cohorts are made of (eval/cohort.h). It may be the run itself; then a
 * model's cohort is all others.
 */
#ifndef PSB_RUN_REFERENCE_H
#define PSB_RUN_REFERENCE_H

#include "run/plan.h"

struct psb_reference {
    psb_results results;
    psb_classification cla; /* its models */
    /* Where it is the run itself, in work: that run's, which take the place of those above. */
    const psb_ledger *own_ledger;
    const psb_classification *own_cla;
};

/*
 * Opens the reference of the run that `own` and `cla` are of, which have to outlive it.
 * PSB_ERROR_INPUT where the folder is no finished run of one set of models. Close it in any case.
 */
psb_status psb_reference_open(const char *folder, const psb_ledger *own,
                              const psb_classification *cla, psb_reference *reference,
                              psb_error *error);
void psb_reference_close(psb_reference *reference);

/* Adds to *key the reference's models and features that `of`, described or a sum, is compared by.
 */
psb_status psb_reference_key(const psb_reference *reference, const psb_run_method *of,
                             uint64_t *key, psb_error *error);

/*
 * level[i]: psb_cohort_level of model i of the run by the distances of `of` to all models of the
 * reference but the one of i's name. The features of both are in their folders; PSB_ERROR_INPUT
 * where they are not, or were made by other revisions.
 */
psb_status psb_reference_levels(const psb_reference *reference, const psb_run_method *of,
                                const psb_run_method_inputs *run, double *level, psb_error *error);

#endif
