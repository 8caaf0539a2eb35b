/* Finds out which list's results a folder holds: by its ledger or, without one, by models.cla. */
#include "run/claim.h"

#include "core/file.h"

#include <inttypes.h>

/* True if `part` is `whole` without some models, as a run writes to models.cla. */
static bool is_part(const psb_classification *part, const psb_classification *whole) {
    size_t i = 0;
    for (size_t k = 0; k < whole->nmodels && i < part->nmodels; k++) {
        if (strcmp(part->models[i], whole->models[k]) == 0 &&
            strcmp(part->classes[part->class_of[i]].full_name,
                   whole->classes[whole->class_of[k]].full_name) == 0) {
            i++;
        }
    }
    return i == part->nmodels;
}

static bool is_there(const char *run, const char *name) {
    PSB_AT_END(psb_text_free) psb_text path = {0};
    psb_text_printf(&path, "%s/%s", run, name);
    return !path.failed && (psb_is_file(path.data) || psb_is_folder(path.data));
}

/* Judges a folder that has a models.cla but no list in its ledger. */
static psb_status judge_models(const char *run, const char *path, const psb_dataset *dataset,
                               bool *other, psb_error *error) {
    if (!is_there(run, "work") && !is_there(run, "run.json")) {
        return psb_fail_at(error, PSB_ERROR_IO, path, 0,
                           "no run made this file, and one in this folder would overwrite it: give "
                           "another folder");
    }
    psb_classification own;
    psb_status status = psb_cla_read(path, &own, error);
    if (status == PSB_OK) {
        *other = !is_part(&own, &dataset->cla);
        psb_cla_free(&own);
    }
    return status;
}

/* *other is true if none of the sampled models still has the file that the ledger recorded: then
 * this is another data set with the same names. */
static psb_status look_at_files(const psb_ledger *ledger, const psb_dataset *dataset, bool *other,
                                psb_error *error) {
    enum { ENOUGH = 8 };
    size_t looked_at = 0;
    psb_status status = PSB_OK;
    psb_model_state state = PSB_MODEL_UNKNOWN;
    for (size_t i = 0; i < dataset->cla.nmodels && status == PSB_OK && state != PSB_MODEL_SAME;
         i++) {
        status = psb_ledger_model_state(ledger, dataset->archive, dataset->cla.models[i],
                                        dataset->paths[i], &state, error);
        looked_at += state == PSB_MODEL_OTHER;
    }
    *other = status == PSB_OK && state != PSB_MODEL_SAME && looked_at >= ENOUGH;
    return status;
}

/* Fails with a message that names both lists. */
static psb_status refuse(const psb_ledger *ledger, const psb_dataset *dataset, const char *cla_path,
                         psb_error *error) {
    const psb_ledger_list *list = &ledger->list;
    if (list->count == 0) {
        return psb_fail_at(error, PSB_ERROR_IO, ledger->run, 0,
                           "holds results of the models in its models.cla; %.160s (%zu models) is "
                           "another list",
                           psb_path_shown(cla_path), dataset->listed);
    }
    if (list->hash == dataset->list) {
        return psb_fail_at(error, PSB_ERROR_IO, ledger->run, 0,
                           "holds results of %.160s made from other files of the same models; none "
                           "of those looked at is as it was (%.160s)",
                           list->classification, psb_path_shown(dataset->paths[0]));
    }
    return psb_fail_at(error, PSB_ERROR_IO, ledger->run, 0,
                       "holds results of %.160s (%" PRIu64 " models); %.160s (%zu models) is "
                       "another list%s",
                       list->classification, list->count, psb_path_shown(cla_path), dataset->listed,
                       strcmp(list->classification, cla_path) != 0 ? ""
                       : dataset->nsides > 0                       ? " now, or has other targets"
                                             : " now, or has its models turned otherwise");
}

/* Checks that a run in this folder would not overwrite its own input. */
static psb_status check_inputs(const char *run, const psb_collection_options *data,
                               psb_error *error) {
    static const char *const outputs[] = {"models.cla",  "models.ids",  "queries.cla",
                                          "queries.ids", "targets.cla", "targets.ids"};
    enum { OUTPUTS = sizeof outputs / sizeof outputs[0] };
    const char *inputs[] = {psb_dataset_source(data), data->targets};
    psb_status status = PSB_OK;
    for (size_t i = 0; i < 2 * OUTPUTS && status == PSB_OK; i++) {
        const char *input = inputs[i / OUTPUTS];
        PSB_FREED char *path = psb_new_format(&status, error, "%s/%s", run, outputs[i % OUTPUTS]);
        PSB_THEN_IF(status, input != NULL && psb_is_same_file(path, input),
                    psb_fail_at(error, PSB_ERROR_USAGE, path, 0,
                                "this is the classification, which a run in this folder would "
                                "overwrite: give another folder"));
    }
    return status;
}

psb_status psb_run_claim(const psb_ledger *ledger, const psb_dataset *dataset,
                         const psb_collection_options *data, bool replace, bool *other,
                         psb_error *error) {
    const char *cla_path = psb_dataset_source(data);
    PSB_FREED char *path = NULL;
    *other = false;
    psb_status status = check_inputs(ledger->run, data, error);
    PSB_THEN(status, psb_path_join(&path, ledger->run, "models.cla", error));
    if (status == PSB_OK && ledger->list.count > 0) {
        *other = ledger->list.hash != dataset->list;
        status = *other ? PSB_OK : look_at_files(ledger, dataset, other, error);
    } else {
        bool there = false;
        PSB_THEN(status, psb_file_is_there(path, &there, error));
        if (there) {
            status = judge_models(ledger->run, path, dataset, other, error);
        }
    }
    return status == PSB_OK && *other && !replace ? refuse(ledger, dataset, cla_path, error)
                                                  : status;
}
