/*
 * A whole run: data set -> features -> matrices -> scores -> table, into one folder.
 *
 *   models.cla            the models really used, in the order of features and matrices
 *   features/SPEC.npy     a row per model
 *   matrices/SPEC.matrix  distances, the benchmark's format
 *   scores/SPEC.tsv       a row per query; SPEC.json: averages
 *   NAME.txt .tsv .json .md .tex  the table; NAME is table4 for the paper's own data set, else
 * table run.json              what was run, on what, with which parameters, and what it cost
 *
 * Every file appears whole or not at all. All but the costs (run.json, and the table's columns of
 * seconds) are the same bytes for any number of threads.
 */
#ifndef PSB_PIPELINE_RUN_H
#define PSB_PIPELINE_RUN_H

#include "core/text.h"
#include "descriptors/descriptor.h"
#include "pipeline/observer.h"

typedef struct psb_run_options {
    const char *classification; /* .cla file */
    const char *models;         /* folder, see psb_dataset_open */
    bool skip_missing;
    psb_spec *const *specs;
    size_t nspecs;
    const char *folder; /* made where it does not exist */
    const char *title;  /* of the table */
    bool published;     /* the paper's data set: its figures stand beside the measured ones */
    bool times;         /* the table has columns of seconds */
    int threads;
    const char *command_line; /* for the manifest */
    psb_observer observer;
} psb_run_options;

typedef struct psb_run_result {
    size_t models_listed, models_used, models_missing, models_failed;
    psb_text table; /* as text, for people */
} psb_run_result;

/* Models that fail are reported through the observer and counted; that is not an error. */
psb_status psb_run(const psb_run_options *options, psb_run_result *result, psb_error *error);
void psb_run_result_free(psb_run_result *result);

#endif
