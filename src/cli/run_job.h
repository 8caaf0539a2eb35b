/* Runs that a command makes for itself: what table4 and run do, without their options and table. */
#ifndef PSB_CLI_RUN_JOB_H
#define PSB_CLI_RUN_JOB_H

#include "cli/context.h"
#include "library/methods.h"
#include "run/derived.h"
#include "run/run.h"

/*
 * What a command that adds methods to the run that is its first argument makes them of: methods of
 * that run, and any others, which then become methods of it as well. Starts zeroed; close it in any
 * case.
 */
typedef struct cli_parts {
    cli_stages stages;
    psb_context *psb;
    psb_methods *all;         /* in the order of the run's models */
    char **names;             /* of these, in the run */
    psb_run_method **methods; /* to be made: those that the run has not; room for as many again */
    size_t nmethods;
} cli_parts;

psb_status cli_parts_open(const cli_values *values, int threads, const char *const *texts,
                          size_t count, cli_parts *parts, psb_error *error);
void cli_parts_close(cli_parts *parts);

/* Adds methods to the run that is the command's first argument, see psb_derived_make; `reference`
   may be NULL. */
psb_status cli_derive(const cli_values *values, int threads, const char *reference,
                      psb_run_method *const *methods, size_t count, psb_text *table,
                      psb_error *error);

#endif
