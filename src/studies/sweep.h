/* Compares variants of descriptors on a training list: a table of all, a plot for each parameter,
 * and a note of the best variant in the run's run.json. */
#pragma once

#include "descriptors/descriptor.h"
#include "eval/evaluation.h"
#include "report/table.h"

typedef struct psb_sweep {
    const char *run;         /* the finished run of the training list */
    const psb_evaluation *e; /* the five figures; its first methods are the specs */
    psb_spec *const *specs;
    size_t nspecs;
    const char *command_line;
    const char *when;        /* when the choice was made, for run.json */
    const psb_average *test; /* the chosen variant on the test list, or NULL */
} psb_sweep;

/* Returns the method with the best mean DCG among the first `variants`; of equals the first. */
size_t psb_sweep_best(const psb_evaluation *e, size_t variants);

/* Notes the choice in RUN/run.json; keeps an existing note of the same choice. */
psb_status psb_sweep_note(const psb_sweep *sweep, psb_error *error);

/*
 * Writes RUN/sweep.txt .tsv .json .md .tex, the best variant first, and
 * RUN/sweep-NAME-PARAMETER.svg for each parameter with several values. *made is the table;
 * psb_table_free it.
 */
psb_status psb_sweep_write(const psb_sweep *sweep, psb_table **made, psb_error *error);

/* PSB_ERROR_USAGE if models of `one` are among `other`; `name` stands for `one` in the message. */
psb_status psb_check_apart(const psb_classification *one, const char *name,
                           const psb_classification *other, psb_error *error);

/* PSB_ERROR_USAGE if the run of the test list has scored another variant than `chosen`: a test list
 * is scored only once. */
psb_status psb_sweep_check_test(const char *run, const psb_spec *chosen, psb_error *error);
