/* Adds re-ranked distances to a run as further methods, and re-ranks lists. */
#include "core/memory.h"
#include "library/call.h"
#include "library/derive.h"
#include "stream/rerank_file.h"

static psb_status rerank_lists(psb_context *psb, const psb_rerank_options *o,
                               const psb_reranking *how, psb_error *error) {
    PSB_AT_END(psb_call_end) psb_call call = {0};
    PSB_AT_END(psb_cla_free) psb_classification cla = {0};
    psb_status status = psb_results_read_cla(o->classes, &cla, error);
    PSB_THEN(status, psb_call_begin(&call, &psb->observer, error));
    return PSB_THEN(status, psb_rerank_file(o->lists, &cla, o->mean, how, o->output, error));
}

static psb_status rerank_methods(psb_context *psb, const psb_rerank_options *o,
                                 const psb_reranking *how, psb_table **table, psb_error *error) {
    PSB_AT_END(psb_run_parts_close) psb_run_parts parts = {.nmethods = 0};
    psb_status status = psb_run_parts_open(psb, o->run, o->methods, o->nmethods, &parts, error);
    for (size_t k = 0; status == PSB_OK && k < parts.all->count; k++) {
        status =
            psb_run_method_reranked(parts.names[k], how, &parts.methods[parts.nmethods], error);
        parts.nmethods += parts.methods[parts.nmethods] != NULL;
    }
    return PSB_THEN(status, psb_derive(psb, o->run, o->command_line, NULL, parts.methods,
                                       parts.nmethods, table, error));
}

psb_status psb_rerank(psb_context *psb, const psb_rerank_options *o, psb_table **table,
                      psb_error *error) {
    *table = NULL;
    bool lists = o != NULL && o->lists != NULL;
    if (lists ? o->classes == NULL || o->output == NULL
              : o == NULL || o->run == NULL || o->nmethods == 0) {
        return psb_misuse(error, lists ? "--lists needs the classification of its models, and -o "
                                         "LISTS"
                                       : "needs the folder of a run and names of its methods");
    }
    if (o->k1 > PSB_RERANK_K_MOST || o->k2 > PSB_RERANK_K_MOST ||
        !(o->lambda >= 0 && o->lambda <= 1)) {
        return psb_misuse(error, "k1 and k2 are at most 1000, and lambda is 0 ... 1");
    }
    const psb_reranking defaults = PSB_RERANK_DEFAULTS;
    const psb_reranking how = {.k1 = o->k1 > 0 ? o->k1 : defaults.k1,
                               .k2 = o->k2 > 0 ? o->k2 : defaults.k2,
                               .lambda = o->lambda,
                               .threads = psb->threads,
                               .method = o->method};
    return lists ? rerank_lists(psb, o, &how, error) : rerank_methods(psb, o, &how, table, error);
}
