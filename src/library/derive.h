/* Shares what combine, rerank and signature need to add methods to a finished run. */
#ifndef PSB_LIBRARY_DERIVE_H
#define PSB_LIBRARY_DERIVE_H

#include "library/methods.h"
#include "run/derived.h"

/*
 * What the new methods are made of: methods of the run, and any others, which then become methods
 * of it as well. Starts zeroed; close it in any case.
 */
typedef struct psb_run_parts {
    psb_methods *all;         /* in the order of the run's models */
    char **names;             /* of these, in the run */
    psb_run_method **methods; /* to be made: those that the run has not; room for as many again */
    size_t nmethods;
} psb_run_parts;

psb_status psb_run_parts_open(psb_context *psb, const char *run, const char *const *texts,
                              size_t count, psb_run_parts *parts, psb_error *error);
void psb_run_parts_close(psb_run_parts *parts);

/* psb_derived_open with the context's threads and observer. */
psb_status psb_derive_open(psb_context *psb, const char *run, const char *command_line,
                           psb_derived *d, psb_error *error);

/* Adds methods to the run, see psb_derived_make; `reference` and `command_line` may be NULL. */
psb_status psb_derive(psb_context *psb, const char *run, const char *command_line,
                      const char *reference, psb_run_method *const *methods, size_t count,
                      psb_table **table, psb_error *error);

#endif
