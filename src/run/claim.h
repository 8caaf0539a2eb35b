/* Whose a folder is: a run's folder is for one list of models and one set of their files. */
#ifndef PSB_RUN_CLAIM_H
#define PSB_RUN_CLAIM_H

#include "io/dataset.h"
#include "proof/ledger.h"

/*
 * Whether a run over this data set, which these options opened, may work in a folder with this
 * ledger: reads only. PSB_ERROR_USAGE where RUN/models.cla or one of its sisters would overwrite
 * a classification that they name; PSB_ERROR_IO where there is a models.cla that no run left. Where
 * the folder is for another list, or for other files of all models that are looked at (where they
 * are enough to tell), *other is true and that is PSB_ERROR_IO unless `replace`.
 */
psb_status psb_run_claim(const psb_ledger *ledger, const psb_dataset *dataset,
                         const psb_collection_options *data, bool replace, bool *other,
                         psb_error *error);

#endif
