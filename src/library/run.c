/* Runs all stages for clients, and keeps what their results point to. */
#include "library/run.h"

#include "library/call.h"
#include "library/parts.h"
#include "report/published.h"

psb_status psb_check_descriptors(const psb_context *psb, const char *list, psb_error *error) {
    PSB_AT_END(psb_plan_free) psb_plan plan = {0};
    return psb_plan_make(&psb->added, list, &plan, error);
}

psb_run_job psb_run_job_of(const psb_context *psb, const psb_run_options *o, const psb_plan *plan) {
    psb_run_job job = {.options = *o,
                       .plan = plan,
                       .titled = o->published ? PSB_TEST_LIST : 0,
                       .part = {o->part, o->parts},
                       .threads = psb->threads,
                       .observer = psb->observer};
    psb_run_options *own = &job.options;
    own->title = o->title != NULL ? o->title : psb_dataset_source(&o->data);
    own->max_faces = o->max_faces > 0 ? o->max_faces : PSB_MAX_FACES;
    own->command_line = o->command_line != NULL ? o->command_line : "";
    return job;
}

psb_run_result psb_run_result_of(const psb_run_outcome *o, psb_run_kept *kept) {
    return (psb_run_result){o->begun,
                            o->other_list,
                            o->models_listed,
                            o->models_used,
                            o->models_missing,
                            o->models_failed,
                            o->queries,
                            kept != NULL ? o->table : NULL,
                            kept};
}

static psb_status run(psb_context *psb, const psb_run_options *o, psb_run_kept *kept,
                      psb_error *error) {
    const char *list = o->descriptors != NULL ? o->descriptors : "all";
    psb_status status = psb_plan_make(&psb->added, list, &kept->plan, error);
    kept->job = psb_run_job_of(psb, o, &kept->plan);
    PSB_AT_END(psb_call_end) psb_call call = {0};
    PSB_THEN(status, psb_call_begin(&call, &psb->observer, error));
    return PSB_THEN(status, psb_run_stages(&kept->job, &kept->outcome, error));
}

psb_status psb_run(psb_context *psb, const psb_run_options *options, psb_run_result *result,
                   psb_error *error) {
    *result = (psb_run_result){.kept = NULL};
    if (options == NULL || options->data.models == NULL || options->data.files != NULL ||
        options->folder == NULL || !(options->max_seconds >= 0) ||
        (options->data.targets != NULL &&
         (options->data.cla == NULL || options->data.unlabelled)) ||
        (options->parts > 0 && (options->part >= options->parts || options->replace))) {
        return psb_misuse(error, "a run needs a folder of models, one for its results, and no "
                                 "negative time; targets have queries (cla) with classes; a part "
                                 "is one of `parts` and replaces nothing");
    }
    psb_status status = PSB_OK;
    psb_run_kept *kept = psb_new_zero(&status, 1, sizeof *kept, "a run", error);
    if (status != PSB_OK) {
        return status;
    }
    status = run(psb, options, kept, error);
    *result = psb_run_result_of(&kept->outcome, kept);
    return status;
}

void psb_run_free(psb_run_result *result) {
    if (result != NULL && result->kept != NULL) {
        psb_run_kept *kept = result->kept;
        psb_run_outcome_free(&kept->outcome);
        psb_plan_free(&kept->plan);
        free(kept);
        *result = (psb_run_result){.kept = NULL};
    }
}
