/*
 * Variants of descriptors over a training list: which one is best there, as a table, a plot for
 * each parameter, and a note in the run's run.json.
 */
#ifndef PSB_STUDIES_SWEEP_H
#define PSB_STUDIES_SWEEP_H

#include "descriptors/descriptor.h"
#include "eval/evaluation.h"
#include "report/table.h"

typedef struct psb_sweep {
    const char *run;         /* of the training list, finished */
    const psb_evaluation *e; /* of the five figures; the specs are the first of its methods */
    psb_spec *const *specs;
    size_t nspecs;
    const char *command_line;
    const char *when;        /* the choice was made, for run.json */
    const psb_average *test; /* of the chosen variant on the test list, or NULL */
} psb_sweep;

/* Of the first `variants` methods the one with the best mean DCG, the first of equals. */
size_t psb_sweep_best(const psb_evaluation *e, size_t variants);

/* Notes in RUN/run.json what was chosen; a note that is there and says the same stays as it is. */
psb_status psb_sweep_note(const psb_sweep *sweep, psb_error *error);

/*
 * Leaves RUN/sweep.txt .tsv .json .md .tex, the best first, and RUN/sweep-NAME-PARAMETER.svg for
 * each parameter with several values. *made is the table, for psb_table_free.
 */
psb_status psb_sweep_write(const psb_sweep *sweep, psb_table **made, psb_error *error);

/* PSB_ERROR_USAGE where models of the one are among the other's; `name` is the one's, for it. */
psb_status psb_check_apart(const psb_classification *one, const char *name,
                           const psb_classification *other, psb_error *error);

/*
 * PSB_ERROR_USAGE where the run of a test list has scored another variant than this one: a test
 * list is scored once.
 */
psb_status psb_sweep_check_test(const char *run, const psb_spec *chosen, psb_error *error);

#endif
