/*
 * The results of a run for readers: which files are as the run left them and belong together. Every
 * reader of a file in a run's folder asks here first, since a folder may have been edited, or made
 * by several runs.
 */
#pragma once

#include "core/observer.h"
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

/* The state of an output, and the reason as the end of a message. */
typedef struct psb_finding {
    psb_output_state state;
    char reason[320];
} psb_finding;

typedef struct psb_results {
    psb_ledger ledger;
    int held; /* the run's folder, held (core/beneath.h): nothing is written through a link below it
               */
    bool whole; /* check large files whole, see psb_ledger_look */
} psb_results;

/*
 * Opens the results of a run. PSB_ERROR_INPUT for a folder without a ledger, or without a result.
 * Free it also on failure.
 */
psb_status psb_results_open(const char *run, bool whole, psb_results *results, psb_error *error);
void psb_results_free(psb_results *results);

/*
 * Checks RUN/name and everything that says what its rows and columns are: the names beside it and
 * the run's classifications. *found is PSB_OUTPUT_OK only if all of them are. PSB_ERROR_IO and
 * PSB_ERROR_MEMORY mean that they could not be examined.
 */
psb_status psb_results_look(const psb_results *results, const char *name, psb_finding *found,
                            psb_error *error);

/*
 * The same; PSB_ERROR_INPUT, naming the command that makes the file again, for any state but
 * PSB_OUTPUT_OK.
 */
psb_status psb_results_need(const psb_results *results, const char *name, psb_error *error);

/*
 * PSB_ERROR_INPUT: the run has no matrix, or features, of that name; the message lists those that
 * it has, and says which was probably meant.
 */
psb_status psb_results_fail_absent(const psb_results *results, bool features, const char *name,
                                   psb_error *error);

/* Finds a model of the run by its id; PSB_ERROR_INPUT, with the nearest id, if there is none. */
psb_status psb_results_find_model(const psb_results *results, const psb_classification *cla,
                                  const char *name, size_t *model, psb_error *error);

/*
 * Finds the run whose ledger has the file DIR/FILE or DIR/x/FILE, and its name in that run, which
 * the caller frees; *name is NULL if no run has it. Free the results in any case.
 */
psb_status psb_results_of_file(const char *path, psb_results *results, char **name,
                               psb_error *error);

/* Returns how many characters of such a path stand before that name, as "DIR/"; 0 if the path leads
 * there by a link. */
int psb_results_before(const char *path, const char *name);

/*
 * psb_results_need for a file DIR/FILE or DIR/x/FILE by its path. A file without an entry, or
 * without a ledger in DIR, passes: anybody may put files there.
 */
psb_status psb_results_check_file(const char *path, bool whole, psb_error *error);

/* Reads a classification by its path, after checking it if it is a run's. */
psb_status psb_results_read_cla(const char *path, psb_classification *cla, psb_error *error);

/*
 * Calls `each` for every entered output, with the state of that file alone, then for files in
 * features, matrices and scores without an entry. `command` is the command line that makes the file
 * again; NULL: unknown.
 */
psb_status psb_results_each(const psb_results *results, int threads,
                            void (*each)(void *context, const char *name, psb_output_state state,
                                         const char *command),
                            void *context, psb_error *error);

/*
 * Enters files that were written into a finished run's folder, with their keys (for pages the
 * psb_ledger_digest from before they were made); NULL: all 0. Takes the folder's lock meanwhile.
 */
psb_status psb_results_enter(const char *run, const char *const *names, const uint64_t *keys,
                             size_t count, const char *command_line, psb_error *error);

/* Writes a text to RUN/name and enters it; without a ledger it only writes. */
psb_status psb_results_save(const char *run, const char *name, const psb_text *text,
                            const char *command_line, psb_error *error);
