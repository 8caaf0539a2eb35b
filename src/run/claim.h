/* A run's folder is for one list of models and one set of their files: checks that a run fits its
 * folder. */
#pragma once

#include "io/dataset.h"
#include "proof/ledger.h"

/*
 * Checks whether a run over this data set, opened with these options, may work in the folder with
 * this ledger; only reads. PSB_ERROR_USAGE if RUN/models.cla or one of its sisters would overwrite
 * a classification that the options name; PSB_ERROR_IO if the folder has a models.cla that no run
 * wrote. *other is true if the folder is for another list, or for other files of all sampled models
 * (if enough were sampled); that is PSB_ERROR_IO unless `replace`.
 */
psb_status psb_run_claim(const psb_ledger *ledger, const psb_dataset *dataset,
                         const psb_collection_options *data, bool replace, bool *other,
                         psb_error *error);
