/*
 * The one way in which a file gets into a run's folder: psb_output_make checks whether the file is
 * there for the same inputs; only otherwise it makes, checks and writes the file, writes the ids of
 * its rows beside it, and enters all of them in the ledger.
 */
#pragma once

#include "core/observer.h"
#include "io/cla.h"
#include "proof/ledger.h"

typedef struct psb_output_of psb_output_of;
struct psb_output_of {
    const char *name; /* below RUN: "matrices/SHD.matrix" */
    uint64_t key;     /* hash of all that the file depends on, except `parts` */
    /* The models whose ids are written to NAME.ids and NAME.columns.ids; NULL: no such file. */
    const psb_classification *rows, *columns;
    const char *metric; /* what rows are compared by, written to NAME.metric; NULL: no such file */
    const char *const *parts; /* files of the run from which the file is made */
    size_t nparts;
    /* Makes the contents and checks them, while an older file and its ids are still there. */
    psb_status (*make)(psb_output_of *output, const char *path, psb_error *error);
    /* Writes the contents to `path`. */
    psb_status (*write)(psb_output_of *output, const char *path, psb_error *error);
    void *context; /* for `make` and `write` */
    /* What making the file took: set by `make`, or from the ledger if the file was there. */
    double wall_seconds, cpu_seconds;
    bool made; /* set: true if the file was made now */
};

/* Tells the observer if a file is made again because somebody changed it. */
psb_status psb_output_make(psb_ledger *ledger, const psb_observer *observer, psb_output_of *output,
                           psb_error *error);
