/*
 * A whole run: data set -> features -> matrices -> scores -> table, into one folder.
 *
 *   models.cla            the models really used, in the order of features and matrices; also
 *                         if their classes come from folders or a table
 *   queries.cla, targets.cla  if these are two sets: the models of each, with their classes, in
 *                         the order of rows and columns; models.cla then has those of both
 *   models.ids            the models in the order of the list that the run was made from, one a
 *                         line, if that differs from models.cla; queries.ids, targets.ids
 *   features/SPEC.npy     a row per model
 *   matrices/SPEC.matrix  distances, in the benchmark's format, if they are wanted; for two
 *                         sets SPEC.npy, from each query to each target
 *   scores/SPEC.tsv       a row per query; SPEC.json: averages; if no matrix is kept,
 *                         SPEC.values: the same rows with all digits
 *   NAME.txt .tsv .json .md .tex  the table; NAME is table4 for the paper's own data set, else
 *                         table
 *   failures.tsv          the models that could not be used, and why
 *   times.tsv             CPU seconds for each model
 *   run.json              what was run, on what, with which parameters, and what it cost
 *   provenance.tsv        what each file was made from, and its bytes; see proof/ledger.h
 *   work/                 what a later run of the same folder continues from
 *
 * A folder is for one list of models: their names, classes and order. Which of them are in use may
 * change as models are mended; outputs made before are then stale, and their readers notice that
 * (proof/results.h).
 *
 * run.json lists all methods of the folder. Methods that are not in a run's plan stay there and in
 * the table as long as they are about the same models and were made from the files that are there
 * now (run/earlier.h).
 *
 * Every file but those in work/ appears complete or not at all. A run continues where an earlier
 * one in the folder ended, however it ended: it takes over finished rows and files as long as their
 * inputs are the same. All but the costs (run.json, times.tsv, provenance.tsv, and the table's
 * columns of seconds) are the same bytes for any number of threads and interruptions.
 */
#pragma once

#include "run/parts.h"
#include "run/plan.h"
#include "site/site.h"

enum { PSB_MATRICES_MODELS = 16384 }; /* most models of which a matrix is kept: 1 GiB */

enum { PSB_MAX_FACES = 10000000 }; /* default limit of a model's faces */

/* A run to be made: its options, and what was derived from them. */
typedef struct psb_run_job {
    psb_run_options options; /* its descriptors and part are parsed into the fields below */
    const psb_plan *plan;    /* the methods to make, see psb_plan_make */
    uint64_t titled; /* the list (psb_list_hash) that title and published figures belong to; another
                        list is called by its source; 0: the title fits any list */
    psb_part part;   /* the part to compute, below RUN/work; see run/parts.h */
    int threads;
    psb_observer observer;
} psb_run_job;

typedef struct psb_run_outcome {
    bool begun;      /* the folder is this run's, and the next run can use what is in it */
    bool other_list; /* the folder was refused because it is for another list, see `replace` */
    size_t models_listed, models_used, models_missing, models_failed;
    size_t queries; /* number of queries in averages */
    psb_table *table;
    const psb_report *report;  /* for the pages, if they are wanted; points to the options */
    struct psb_run_work *work; /* the report points into it; NULL without a report */
} psb_run_outcome;

/*
 * A part writes only to its own folder in RUN, and its result has no table.
 *
 * Models that fail are reported through the observer and counted; that is not an error.
 * PSB_ERROR_IO if another process works in the folder and, before anything is written, if the
 * folder is for another list or holds a models.cla that no run wrote. PSB_ERROR_USAGE if an output
 * would overwrite the classification.
 */
psb_status psb_run_stages(const psb_run_job *job, psb_run_outcome *result, psb_error *error);
void psb_run_outcome_free(psb_run_outcome *result);
