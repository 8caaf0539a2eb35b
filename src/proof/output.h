/*
 * The one way in which a file gets into a run's folder: look whether it is there for the same
 * inputs, and only otherwise make it, check it, write it, write the names of its rows beside it,
 * and enter all of them in the ledger.
 */
#ifndef PSB_PROOF_OUTPUT_H
#define PSB_PROOF_OUTPUT_H

#include "core/observer.h"
#include "io/cla.h"
#include "proof/ledger.h"

typedef struct psb_output_of psb_output_of;
struct psb_output_of {
    const char *name; /* below RUN: "matrices/SHD.matrix" */
    uint64_t key;     /* hash of all that it depends on, beside `parts` */
    /* Whose ids stand beside it, NAME.ids and NAME.columns.ids; NULL: none do. */
    const psb_classification *rows, *columns;
    const char *const *parts; /* files of the run that it is made of */
    size_t nparts;
    /* Makes the contents and checks them, while an older file and its names are still there. */
    psb_status (*make)(psb_output_of *output, const char *path, psb_error *error);
    /* Writes them to `path`. */
    psb_status (*write)(psb_output_of *output, const char *path, psb_error *error);
    void *context; /* of both */
    /* What making it took: `make` says so, or the ledger of an earlier time. */
    double wall_seconds, cpu_seconds;
    bool made; /* set: it was not there */
};

/* The observer is told where a file is made again since somebody changed it. */
psb_status psb_output_make(psb_ledger *ledger, const psb_observer *observer, psb_output_of *output,
                           psb_error *error);

#endif
