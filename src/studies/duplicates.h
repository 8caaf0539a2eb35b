/*
 * Models of a set that are the same, or nearly: groups by four kinds of evidence, each a relation
 * of pairs, joined wherever two of them meet.
 */
#ifndef PSB_STUDIES_DUPLICATES_H
#define PSB_STUDIES_DUPLICATES_H

#include "core/observer.h"
#include "io/archive.h"
#include "normalize/congruence.h"
#include "stream/memory_plan.h"

/* The strongest first. */
typedef enum psb_evidence {
    PSB_SAME_BYTES,
    PSB_SAME_TRIANGLES,
    PSB_REMESHED, /* psb_same_surface, of models with near rows */
    PSB_NEAR_ROWS,
} psb_evidence;

typedef struct psb_duplicate {
    size_t model, group;       /* groups count from 0, those with the strongest evidence first */
    psb_evidence evidence;     /* the strongest that there is for this model */
    size_t like;               /* the model that it is like by that */
    double distance;           /* of their rows */
    psb_congruence congruence; /* of `like` to the model, for triangles and surfaces */
} psb_duplicate;

typedef struct psb_duplicates_job {
    const char *path; /* of the rows, for messages */
    const psb_npy *rows;
    const psb_metric *metric;
    char *const *files;         /* of each row's model, NULL where it has none; NULL: rows alone */
    const psb_archive *archive; /* that they are in, or NULL */
    size_t known; /* the models before this one are not asked about: what the others are like */
    psb_duplicates_options options; /* quantile, max_faces and memory, of which 0 is no limit */
    int threads;
    psb_observer observer;
} psb_duplicates_job;

typedef struct psb_duplicates_found {
    size_t count, groups;
    psb_duplicate *members; /* by group, then by number */
    double threshold;       /* NAN for no quantile */
    size_t failures;        /* models that could not be read; the observer was told of each */
    psb_memory_plan plan;
} psb_duplicates_found;

/*
 * The same bytes for any number of threads. Two passes over the distances, which are not kept.
 * Errors as of psb_stream_run and psb_memory_plan_make. Free it in either case.
 */
psb_status psb_duplicates_find(const psb_duplicates_job *job, psb_duplicates_found *out,
                               psb_error *error);
void psb_duplicates_free(psb_duplicates_found *out);

#endif
