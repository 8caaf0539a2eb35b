/*
 * A whole run: data set -> features -> matrices -> scores -> table, into one folder.
 *
 *   models.cla            the models really used, in the order of features and matrices; also
 *                         where their classes come from folders or a table
 *   queries.cla, targets.cla  where these are two sets: the models of each, with their classes, in
 *                         the order of rows and columns; models.cla then has those of both
 *   models.ids            the models in the order of the list that the run was made from, a line
 *                         each, where that is another; queries.ids, targets.ids
 *   features/SPEC.npy     a row per model
 *   matrices/SPEC.matrix  distances, the benchmark's format, where they are wanted; of two sets
 *                         SPEC.npy, from each query to each target
 *   scores/SPEC.tsv       a row per query; SPEC.json: averages; where no matrix is kept,
 *                         SPEC.values: the same rows with all digits
 *   NAME.txt .tsv .json .md .tex  the table; NAME is table4 for the paper's own data set, else
 *                         table
 *   failures.tsv          the models that could not be used, and why
 *   times.tsv             processor seconds for each model
 *   run.json              what was run, on what, with which parameters, and what it cost
 *   provenance.tsv        what each file was made from, and its bytes; see proof/ledger.h
 *   work/                 what a later run of the same folder goes on from
 *
 * A folder is for one list of models: their names, classes and order. What is in use of it may
 * change as models are mended; outputs that were made before that are then stale, which their
 * readers see (proof/results.h).
 *
 * run.json lists all methods of the folder. Those that are not in a run's plan stay there and in
 * the table as long as they are about the same models and made of what there is now
 * (run/earlier.h).
 *
 * Every file but those in work/ appears whole or not at all. A run goes on where an earlier one in
 * the folder ended, however it ended: finished rows and files are taken over as long as what they
 * were made from is the same. All but the costs (run.json, times.tsv, provenance.tsv, and the
 * table's columns of seconds) are the same bytes for any number of threads and interruptions.
 */
#ifndef PSB_RUN_RUN_H
#define PSB_RUN_RUN_H

#include "core/text.h"
#include "run/parts.h"
#include "run/plan.h"
#include "site/site.h"

enum { PSB_MATRICES_MODELS = 16384 }; /* of which a matrix is kept at most: 1 GiB */

enum { PSB_MAX_FACES = 10000000 }; /* of a model, unless options say otherwise */

/* A run to be made: its options, and what they became. */
typedef struct psb_run_job {
    psb_run_options options; /* `descriptors` and the two of the part say what stands below */
    const psb_plan *plan;    /* what is made, see psb_plan_make */
    uint64_t titled; /* the list (psb_list_hash) that title and published figures are of, any
                        other is called by its source; 0: title is of any */
    psb_part part;   /* its rows only, below RUN/work; see run/parts.h */
    int threads;
    psb_observer observer;
} psb_run_job;

typedef struct psb_run_outcome {
    bool begun;      /* the folder is this run's: what it leaves there is of use to the next */
    bool other_list; /* the folder is refused since it is for another list, see `replace` */
    size_t models_listed, models_used, models_missing, models_failed;
    size_t queries; /* that figures are averages of */
    psb_table *table;
    const psb_report *report;  /* for the pages, where they are wanted; refers to the options */
    struct psb_run_work *work; /* what the report refers to; NULL without one */
} psb_run_outcome;

/*
 * A part leaves RUN as it is, but for its own folder, and its result has no table.
 *
 * Models that fail are reported through the observer and counted; that is not an error.
 * PSB_ERROR_IO where another process works in the folder, and, before anything is written, where
 * the folder is for another list or holds a models.cla that is no run's. PSB_ERROR_USAGE where an
 * output would overwrite the classification.
 */
psb_status psb_run_stages(const psb_run_job *job, psb_run_outcome *result, psb_error *error);
void psb_run_outcome_free(psb_run_outcome *result);

#endif
