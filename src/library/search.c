/* Search between rows of files or of memory. */
#include "pipeline/search.h"

#include "core/linear.h"
#include "library/parts.h"

enum { NEIGHBORS = 100 };
static const size_t preset_memory = (size_t)2 << 30;

psb_status psb_search(psb_context *psb, const psb_rows *queries, const psb_rows *database,
                      const psb_search_options *options, const char *path, psb_error *error) {
    static const psb_search_options presets;
    const psb_search_options *o = options != NULL ? options : &presets;
    bool files = queries->path != NULL && database->path != NULL;
    bool same = queries == database || (files && psb_is_same_file(queries->path, database->path));
    psb_search_job job = {
        .queries = {psb_rows_place(queries), &queries->npy, queries->ids.names},
        .database = {psb_rows_place(database), same ? &queries->npy : &database->npy,
                     database->ids.names},
        .same = same,
        .self = o->self,
        .k = o->neighbors > 0 ? o->neighbors : NEIGHBORS,
        .part = {o->part, o->parts},
        .memory = o->memory > 0 ? o->memory : preset_memory,
        .threads = psb->threads,
        .observer = psb->observer,
    };
    if (o->parts > 0 && o->part >= o->parts) {
        return psb_misuse(error, "a part is one of `parts`");
    }
    psb_memory_plan plan;
    psb_status status = psb_metric_named(psb, o->metric, queries->metric, &job.metric, error);
    PSB_THEN(status, psb_linear_enter(error));
    if (status == PSB_OK) {
        status = psb_search_lists(&job, path, &plan, error);
        psb_linear_leave();
    }
    if (status == PSB_OK) {
        psb_memory_plan_say(&plan, &psb->observer);
    }
    return status;
}
