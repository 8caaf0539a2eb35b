/* Creates contexts, and shapes and single rows in them. */
#include "core/cpu.h"
#include "core/memory.h"
#include "library/call.h"
#include "library/parts.h"

#include <omp.h>

const char *psb_version(void) {
    return PSB_VERSION;
}

psb_status psb_misuse(psb_error *error, const char *what) {
    return psb_fail(error, PSB_ERROR_USAGE, "%s", what);
}

psb_status psb_context_new(const psb_context_options *options, psb_context **psb,
                           psb_error *error) {
    static const psb_context_options defaults;
    const psb_context_options *o = options != NULL ? options : &defaults;
    *psb = NULL;
    if (o->threads < 0 || o->threads > PSB_MOST_THREADS) {
        return psb_fail(error, PSB_ERROR_USAGE, "%d threads: want 0 ... %d", o->threads,
                        PSB_MOST_THREADS);
    }
    psb_status status = psb_cpu_check(error);
    *psb = psb_new_zero(&status, 1, sizeof **psb, "a context", error);
    if (status == PSB_OK) {
        (*psb)->threads = o->threads > 0 ? o->threads : omp_get_num_procs();
        (*psb)->observer = o->observer;
    }
    return status;
}

void psb_context_free(psb_context *psb) {
    if (psb != NULL) {
        psb_tables_free(psb->tables);
        psb_units_free(psb);
        free(psb);
    }
}

psb_status psb_spec_open(const psb_context *psb, const char *text, psb_spec **spec,
                         psb_error *error) {
    *spec = NULL;
    psb_status status = text != NULL ? psb_spec_parse(&psb->added, text, spec, error)
                                     : psb_misuse(error, "no spec");
    const size_t most = (size_t)1 << 24;
    if (status == PSB_OK && (psb_spec_length(*spec) == 0 || psb_spec_length(*spec) > most)) {
        status = psb_fail(error, PSB_ERROR_USAGE, "%s: rows of %zu numbers: want 1 ... %zu",
                          psb_spec_label(*spec), psb_spec_length(*spec), most);
        psb_spec_free(*spec);
        *spec = NULL;
    }
    return status;
}

psb_status psb_shape_open(psb_context *psb, psb_shape **shape, psb_error *error) {
    *shape = NULL;
    PSB_AT_END(psb_call_end) psb_call call = {0};
    psb_status status = psb_call_begin(&call, &psb->observer, error);
    if (status != PSB_OK) {
        return status;
    }
#pragma omp critical(psb_shape_open)
    if (psb->tables == NULL) {
        status = psb_tables_new(&psb->tables, error);
    }
    PSB_THEN(status, psb_shape_new(psb->tables, shape, error));
    if (status == PSB_OK) {
        psb_shape_set_observer(*shape, &psb->observer);
    }
    return status;
}

typedef struct single {
    psb_shape *shape;
    const psb_spec *spec;
    void *row;
} single;

static psb_status describe(void *job, void *own PSB_UNUSED, size_t i PSB_UNUSED, psb_error *error) {
    const single *work = job;
    return psb_shape_describe(work->shape, work->spec, work->row, error);
}

psb_status psb_describe(psb_shape *shape, const psb_spec *spec, void *row, size_t bytes,
                        psb_error *error) {
    if (bytes != psb_spec_row_bytes(spec)) {
        return psb_fail(error, PSB_ERROR_USAGE, "a row of %zu bytes, but one of %s has %zu", bytes,
                        psb_spec_label(spec), psb_spec_row_bytes(spec));
    }
    PSB_AT_END(psb_call_end) psb_call call = {0};
    psb_status status = psb_call_begin(&call, psb_shape_observer(shape), error);
    if (status == PSB_OK) {
        single work = {shape, spec, row};
        psb_stage stage = {.observer = psb_shape_observer(shape), .name = psb_spec_label(spec)};
        const psb_loop loop = {.count = 1,
                               .item = describe,
                               .job = &work,
                               .progress = psb_stage_progress,
                               .context = &stage};
        status = psb_parallel(&loop, error);
    }
    return status;
}
