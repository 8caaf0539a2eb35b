/*
 * The ledger of a run: which output files were made from which inputs, so that a stage whose
 * outputs are there for the same inputs is skipped.
 *
 * RUN/work/ledger is text, a line for each file: its name below RUN, a hash of everything it
 * depends on, its size, time of last change and XXH64, two costs, and the XXH64 of the line so far,
 * separated by tabs. A line that does not fit its own hash counts as absent.
 */
#ifndef PSB_PIPELINE_LEDGER_H
#define PSB_PIPELINE_LEDGER_H

#include "pipeline/stamp.h"

typedef struct psb_ledger_entry {
    char *name; /* "matrices/SHD.matrix" */
    uint64_t key;
    psb_stamp stamp;
    double wall_seconds, cpu_seconds; /* that it took to compute */
} psb_ledger_entry;

typedef struct psb_ledger {
    char *run, *path;
    bool verify;
    bool changed;                    /* entries came since it was read or written */
    size_t count, capacity, damaged; /* damaged: lines that were not understood */
    psb_ledger_entry *entries;
} psb_ledger;

/* Reads RUN/work/ledger, which may be absent. Free the ledger also on failure. */
psb_status psb_ledger_open(const char *run, bool verify, psb_ledger *ledger, psb_error *error);

/*
 * The entries in a ledger's text, appended to ledger->entries. Takes any bytes; PSB_ERROR_MEMORY is
 * its only failure.
 */
psb_status psb_ledger_parse(const char *data, size_t size, psb_ledger *ledger, psb_error *error);

/*
 * The entry of a file that was made for this key and is as it was then; else NULL. *altered says
 * that it was made for this key but is there with other bytes.
 */
const psb_ledger_entry *psb_ledger_current(const psb_ledger *ledger, const char *name, uint64_t key,
                                           bool *altered);

/* Enters a file that was just written, in the place of an older entry. */
psb_status psb_ledger_enter(psb_ledger *ledger, const char *name, uint64_t key, double wall_seconds,
                            double cpu_seconds, psb_error *error);

/* Writes RUN/work/ledger where anything was entered. */
psb_status psb_ledger_write(psb_ledger *ledger, psb_error *error);
void psb_ledger_free(psb_ledger *ledger);

#endif
