/*
 * What a user names by RUN, RUN/NAME, FILE.npy or FILE.npz/NAME: the rows of models, with their
 * ids, the metric that they were made for, and the proof of their run. Every command that takes
 * rows finds them here.
 */
#pragma once

#include "io/ids.h"
#include "io/npy.h"
#include "run/record.h"

typedef struct psb_subject {
    char *path;          /* of the rows */
    char *name;          /* of the method whose rows they are, as its run has it; NULL: of no run */
    char *metric;        /* what the rows are compared by; NULL: nothing says so */
    bool chosen;         /* the user named a run alone, and psb_subject_find chose `name` */
    psb_npy rows;        /* psb_subject_open only, as are the ids */
    psb_ids ids;         /* count 0: no names */
    psb_results results; /* ledger.run is NULL for rows of no run */
    psb_run_facts facts; /* of that run, as far as it has them */
} psb_subject;

/*
 * Splits RUN/NAME, which is no file: sets *run to a new text (free() it) and *name to the end of
 * `text`, or both to NULL if it is something else.
 */
psb_status psb_subject_split(const char *text, char **run, const char **name, psb_error *error);

/*
 * Finds the rows that `text` names; `name` is the method of RUN and may be NULL: then it is LFD,
 * which tells models apart best, or else the run's first descriptor. Checks that the rows are as
 * their run left them (`whole`: all bytes of large files). PSB_ERROR_INPUT for a name that the run
 * does not have, with the nearest that it has. Close the subject in any case.
 */
psb_status psb_subject_find(const char *text, const char *name, bool whole, psb_subject *subject,
                            psb_error *error);
/* The same, and reads rows and ids. */
psb_status psb_subject_open(const char *text, const char *name, bool whole, psb_subject *subject,
                            psb_error *error);
void psb_subject_close(psb_subject *subject);
