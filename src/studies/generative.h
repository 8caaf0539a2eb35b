/*
 * Compares a set of generated models with a set of references: computes features, streams the
 * distances, and makes the figures of eval/two_sets.h. No array has as many numbers as there are
 * pairs.
 */
#pragma once

#include "core/observer.h"
#include "descriptors/descriptor.h"
#include "eval/two_sets.h"
#include "io/archive.h"

/* The shapes compared by one spec, valid during `show`. */
typedef struct psb_set_shapes {
    const char *label;
    const psb_set_distances *distances;
    const psb_set_value *figures;
    char *const *ids[PSB_SETS];   /* ids of the shapes; NULL: files of features without names */
    char *const *paths[PSB_SETS]; /* files of the shapes; NULL: the sets are files of features */
    const psb_archive *archives[PSB_SETS];
} psb_set_shapes;

/*
 * The folder's provenance.tsv tells what it is about, as in a run. Finished rows stay below
 * `generated` and `reference`, with a failures.tsv. Without a folder, rows of folders go to a
 * temporary one that is removed at the end.
 */
typedef struct psb_generative_job {
    psb_generative_options options; /* 0 faces, seconds and bytes mean no limit */
    psb_spec *const *specs;         /* for folders; each spec compares by its own metric */
    size_t nspecs;
    const psb_metric *const *metrics; /* for files, and for folders of points */
    size_t nmetrics;                  /* 0 if the sets are described by specs */
    int threads;
    psb_observer observer;
    /* Called after each comparison with the shapes behind its figures. May be NULL. */
    psb_status (*show)(void *context, const psb_set_shapes *shapes, psb_error *error);
    void *context;
} psb_generative_job;

typedef struct psb_generative_row {
    const char *label; /* label of the spec, or name of the metric */
    bool floor;        /* compares every other reference, from the second on, with the rest */
    size_t count[PSB_SETS];
    psb_set_value figures[PSB_SET_FIGURES];
    double divergence;    /* eval/occupancy.h, for points; else NAN */
    double gap, most_gap; /* psb_emd_gap of references and their nearest; else NAN */
    double frechet, kernel, kernel_error; /* eval/distributions.h, if asked for; else NAN */
} psb_generative_row;

/*
 * rows[] gets one row for each spec or metric; with options.floor a second one after each.
 * PSB_ERROR_USAGE for distributions of rows that are bits or made from others. Reports models that
 * cannot be used to the observer, leaves them out, and counts them in *failures. The bytes do not
 * depend on `threads` and `memory`.
 */
psb_status psb_generative_compare(const psb_generative_job *job, psb_generative_row *rows,
                                  size_t *failures, psb_error *error);
