/* What combine, rerank and signature share: adding methods to a finished run. */
#pragma once

#include "library/methods.h"
#include "run/derived.h"

/* The methods from which new ones are made. Some may come from elsewhere; they are then added to
 * the run as well. Starts zeroed; close it in any case. */
typedef struct psb_run_parts {
    psb_methods *all;         /* all methods, with rows in the order of the run's models */
    char **names;             /* name of each method in the run */
    psb_run_method **methods; /* those not in the run, which must be made; room for as many again */
    size_t nmethods;
} psb_run_parts;

psb_status psb_run_parts_open(psb_context *psb, const char *run, const char *const *texts,
                              size_t count, psb_run_parts *parts, psb_error *error);
void psb_run_parts_close(psb_run_parts *parts);

/* Like psb_derived_open, with the context's threads and observer. */
psb_status psb_derive_open(psb_context *psb, const char *run, const char *command_line,
                           psb_derived *d, psb_error *error);

/* Adds methods to the run, see psb_derived_make; `reference` and `command_line` may be NULL. */
psb_status psb_derive(psb_context *psb, const char *run, const char *command_line,
                      const char *reference, psb_run_method *const *methods, size_t count,
                      psb_table **table, psb_error *error);
