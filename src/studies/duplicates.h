/* Finds groups of models that are the same, or nearly, by four kinds of evidence. Each is a
 * relation of pairs; pairs that share a model are joined. */
#pragma once

#include "io/archive.h"
#include "normalize/congruence.h"
#include "stream/memory_plan.h"

/* Kinds of evidence, the strongest first. */
typedef enum psb_evidence {
    PSB_SAME_BYTES,
    PSB_SAME_TRIANGLES,
    PSB_REMESHED, /* psb_same_surface, for models with near rows */
    PSB_NEAR_ROWS,
} psb_evidence;

typedef struct psb_duplicate {
    size_t model, group;       /* groups count from 0, in the order of their strongest evidence */
    psb_evidence evidence;     /* the strongest evidence for this model */
    size_t like;               /* the model that it is like by this evidence */
    double distance;           /* distance between their rows */
    psb_congruence congruence; /* from `like` to the model, for triangles and surfaces */
} psb_duplicate;

typedef struct psb_duplicates_job {
    const char *path; /* path of the rows, for messages */
    const psb_npy *rows;
    const psb_metric *metric;
    char *const *files; /* each row's model file, NULL if missing; NULL: compare rows only */
    const psb_archive *archive; /* the archive that holds the files, or NULL */
    size_t known; /* models before this one are not asked about, but others may be like them */
    psb_duplicates_options options; /* uses quantile, max_faces and memory; 0 means no limit */
    int threads;
    psb_observer observer;
} psb_duplicates_job;

typedef struct psb_duplicates_found {
    size_t count, groups;
    psb_duplicate *members; /* sorted by group, then by number */
    double threshold;       /* NAN without a quantile */
    size_t failures;        /* models that could not be read, each reported to the observer */
    psb_memory_plan plan;
} psb_duplicates_found;

/*
 * The bytes of *out are the same for any number of threads. Makes two passes over the distances,
 * which are not kept. Fails like psb_stream_run and psb_memory_plan_make. Free *out in either case.
 */
psb_status psb_duplicates_find(const psb_duplicates_job *job, psb_duplicates_found *out,
                               psb_error *error);
void psb_duplicates_free(psb_duplicates_found *out);
