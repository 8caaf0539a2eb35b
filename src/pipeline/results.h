/*
 * The folder of a run for those who read it: which outputs are as the run left them and belong
 * together. Everything that takes a file out of a run's folder asks here first.
 */
#ifndef PSB_PIPELINE_RESULTS_H
#define PSB_PIPELINE_RESULTS_H

#include "core/text.h"
#include "pipeline/ledger.h"
#include "pipeline/observer.h"

typedef enum psb_output_state {
    PSB_OUTPUT_OK,
    PSB_OUTPUT_STALE,   /* made from other models, classes or files than the run's last */
    PSB_OUTPUT_DAMAGED, /* not the bytes that were written */
    PSB_OUTPUT_MISSING, /* made, but not there */
    PSB_OUTPUT_UNKNOWN, /* nothing says what it was made from */
    PSB_OUTPUT_NONE,    /* not made, and not there */
} psb_output_state;

/* "ok", "stale", ... */
const char *psb_output_state_name(psb_output_state state);
/* "made from other models, ...": for the end of a message. */
const char *psb_output_state_reason(psb_output_state state);

typedef struct psb_results {
    psb_ledger ledger;
    bool whole; /* large files are read whole to check them, see psb_ledger_holds */
} psb_results;

/* PSB_ERROR_INPUT for a folder without a ledger, or without a result. Free it also on failure. */
psb_status psb_results_open(const char *run, bool whole, psb_results *results, psb_error *error);
void psb_results_free(psb_results *results);

/* Of RUN/name. */
psb_output_state psb_results_state(const psb_results *results, const char *name);

/*
 * PSB_ERROR_INPUT, with the command that makes it again, where it is not PSB_OUTPUT_OK. Of what
 * earlier versions did not enter in their ledgers nothing can be said: it passes.
 */
psb_status psb_results_need(const psb_results *results, const char *name, psb_error *error);

/* PSB_ERROR_INPUT: the run has no matrix of that name, but those that the message lists. */
psb_status psb_results_fail_matrix(const psb_results *results, const char *name, psb_error *error);

/*
 * The same for a file DIR/x/FILE by its path, where DIR has a ledger, and for its models.cla. What
 * the ledger does not know passes: anybody may put files there.
 */
psb_status psb_results_check_file(const char *path, bool whole, psb_error *error);

/*
 * Calls for every output that is entered, and then for those in features, matrices and scores that
 * are not. `command` is the command line that makes it again, NULL where that is not known.
 */
psb_status psb_results_each(const psb_results *results,
                            void (*each)(void *context, const char *name, psb_output_state state,
                                         const char *command),
                            void *context, psb_error *error);

/*
 * Enters files that were written into a finished run's folder, with a key (pages: psb_ledger_digest
 * from before they were made). Takes the folder's lock for it.
 */
psb_status psb_results_enter(const char *run, const char *const *names, size_t count, uint64_t key,
                             const char *command_line, psb_error *error);

/* Writes a text to RUN/name and enters it so; what RUN has no ledger for is written only. */
psb_status psb_results_save(const char *run, const char *name, const psb_text *text,
                            const char *command_line, psb_error *error);

#endif
