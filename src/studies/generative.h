/*
 * A set of generated models beside a set of references: features, distances that stream by, and
 * the figures of eval/two_sets.h. Nothing has as many numbers as there are pairs.
 */
#ifndef PSB_STUDIES_GENERATIVE_H
#define PSB_STUDIES_GENERATIVE_H

#include "core/observer.h"
#include "descriptors/descriptor.h"
#include "distance/metric.h"
#include "eval/two_sets.h"
#include "io/archive.h"

/* What was compared by one spec, as long as it is shown. */
typedef struct psb_set_shapes {
    const char *label;
    const psb_set_distances *distances;
    const psb_set_value *figures;
    char *const *ids[PSB_SETS];   /* of the shapes; NULL: files of features without names */
    char *const *paths[PSB_SETS]; /* of their files; NULL: of features */
    const psb_archive *archives[PSB_SETS];
} psb_set_shapes;

/*
 * The folder's provenance.tsv says what it is of, as in a run's. Finished rows stay below
 * `generated` and `reference`, with a failures.tsv. Without a folder those of folders go to a
 * temporary one that is removed in the end.
 */
typedef struct psb_generative_job {
    psb_generative_options options; /* of which 0 faces, seconds and bytes are no limit */
    psb_spec *const *specs;         /* of folders; each is compared by its own metric */
    size_t nspecs;
    const psb_metric *metric; /* of files; NULL where the sets are folders */
    int threads;
    psb_observer observer;
    /* Behind each comparison: the shapes that its figures come from. May be NULL. */
    psb_status (*show)(void *context, const psb_set_shapes *shapes, psb_error *error);
    void *context;
} psb_generative_job;

typedef struct psb_generative_row {
    const char *label; /* the spec's, or the metric's name */
    bool floor;        /* every other reference, from the second on, beside the rest */
    size_t count[PSB_SETS];
    psb_set_value figures[PSB_SET_FIGURES];
    double divergence;                    /* eval/occupancy.h, of points; else NAN */
    double frechet, kernel, kernel_error; /* eval/distributions.h, where asked for; else NAN */
} psb_generative_row;

/*
 * rows[] has one for each spec, or one for files; with options.floor a second one behind each.
 * PSB_ERROR_USAGE for distributions of rows that are bits or made of others. Models that cannot be
 * used are told to the observer, left out, and counted in *failures. The bytes do not depend on
 * `threads` and `memory`.
 */
psb_status psb_generative_compare(const psb_generative_job *job, psb_generative_row *rows,
                                  size_t *failures, psb_error *error);

#endif
