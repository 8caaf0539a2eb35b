/*
 * The folder of a run for those who read it: which outputs are as the run left them and belong
 * together. Everything that takes a file out of a run's folder asks here first.
 */
#ifndef PSB_PROOF_RESULTS_H
#define PSB_PROOF_RESULTS_H

#include "core/observer.h"
#include "core/text.h"
#include "io/cla.h"
#include "proof/ledger.h"

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

/* What a look at an output found; the reason is for the end of a message. */
typedef struct psb_finding {
    psb_output_state state;
    char reason[320];
} psb_finding;

typedef struct psb_results {
    psb_ledger ledger;
    int held;   /* the run's folder, core/beneath.h: below it nothing is written through a link */
    bool whole; /* large files are read whole to check them, see psb_ledger_holds */
} psb_results;

/* PSB_ERROR_INPUT for a folder without a ledger, or without a result. Free it also on failure. */
psb_status psb_results_open(const char *run, bool whole, psb_results *results, psb_error *error);
void psb_results_free(psb_results *results);

/*
 * The one look at RUN/name and at all that says what its rows and columns are: the names beside it
 * and the classifications of the run. It is PSB_OUTPUT_OK only where all of them are. A status
 * other than PSB_OK (PSB_ERROR_IO, PSB_ERROR_MEMORY) says that the machine did not let them be
 * seen, which is no state of a file.
 */
psb_status psb_results_look(const psb_results *results, const char *name, psb_finding *found,
                            psb_error *error);

/* PSB_ERROR_INPUT, with the command that makes it again, where that finds anything else. */
psb_status psb_results_need(const psb_results *results, const char *name, psb_error *error);

/* PSB_ERROR_INPUT: the run has no matrix, or features, of that name, but those that the message
   lists. */
psb_status psb_results_fail_absent(const psb_results *results, bool features, const char *name,
                                   psb_error *error);

/*
 * The run whose ledger knows the file DIR/FILE or DIR/x/FILE, with the file's name in that run,
 * which is the caller's; *name is NULL where there is none. Free the results in any case.
 */
psb_status psb_results_of_file(const char *path, psb_results *results, char **name,
                               psb_error *error);

/*
 * psb_results_need for a file DIR/FILE or DIR/x/FILE by its path, where DIR has a ledger. What it
 * does not know passes: anybody may put files there.
 */
psb_status psb_results_check_file(const char *path, bool whole, psb_error *error);

/* Reads a classification that somebody names, proven where it is a run's. */
psb_status psb_results_read_cla(const char *path, psb_classification *cla, psb_error *error);

/*
 * Calls for every output that is entered, with the state of that file alone, and then for those in
 * features, matrices and scores that are not. `command` is the command line that makes it again,
 * NULL where that is not known.
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
