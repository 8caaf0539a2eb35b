/* The feature stage: computes every descriptor of every model. Each model is read and normalized
 * once, and no row is computed again that an earlier run left. */
#pragma once

#include "core/names.h"
#include "proof/store.h"
#include "run/album.h"

typedef struct psb_failure {
    size_t model; /* number in the data set before models were left out */
    char *id, *path;
    psb_error error;
} psb_failure;

typedef struct psb_features_options {
    int threads;
    bool verify;        /* compare models with an earlier run's by their bytes */
    size_t max_faces;   /* limit of psb_mesh_faces; 0: no limit */
    size_t max_bytes;   /* limit of a model's file, packed and unpacked; 0: what max_faces allows */
    double max_seconds; /* limit of a model's CPU time over all specs; 0: no limit */
    psb_store_others others; /* folders with rows of the same models, see psb_store_join */
    uint64_t side;           /* of a comparison: see psb_shape_set_side */
    bool part;               /* the data set may be empty, or have no usable model */
    const psb_names *failed; /* NULL, or the only models to compute: see below */
    psb_album *album;        /* receives a portrait of each model that is read; or NULL */
    const psb_observer *observer;
} psb_features_options;

typedef struct psb_features {
    psb_store store;
    size_t nmodels;    /* models that could be used */
    size_t *models;    /* their numbers in the store, which are those before models were left out */
    uint64_t checksum; /* XXH64 of the files of all models in use, in the data set's order */
    size_t computed;   /* models that this run had to work on */
    size_t nfailures;
    psb_failure *failures; /* models that could not be used, in the data set's order */
} psb_features;

/*
 * Computes all specs for all models, into the chunk files of `folder`. OpenMP threads take one
 * model at a time; the rows do not depend on the number of threads. A model that cannot be used
 * because of its bytes (psb_is_of_bytes) is reported and left out of the data set; that is never
 * remembered, so the next run tries it again. Any other failure, such as a disk that fails or
 * memory that runs out, ends the stage.
 *
 * A model's CPU time is that of all its rows, whichever run made them. It is checked after
 * each descriptor, so a model may exceed max_seconds by the time of one descriptor.
 *
 * With options->failed, only those models are computed. Every other model must have all its rows:
 * models without some are reported to the observer, and the result is PSB_ERROR_IO.
 *
 * On failure, and when the observer asks to stop, `failures` has what is known so far, and all
 * finished rows are in the files. Free the features in every case.
 */
psb_status psb_features_compute(const char *folder, psb_dataset *dataset, psb_spec *const *specs,
                                size_t nspecs, const psb_features_options *options,
                                psb_features *features, psb_error *error);

/*
 * Sets *order to the numbers 0 ... n - 1, sorted by file size, the largest first; equal sizes in
 * the order of `paths`, unreadable files last. A model's cost grows with its file, so that small
 * models are left when the first thread runs out of work. free(*order).
 */
psb_status psb_largest_first(const psb_archive *archive, char *const *paths, size_t n,
                             size_t **order, psb_error *error);

/* Loads the rows of one spec for the models in use, ids[nmodels], into new memory; free(data). */
psb_status psb_features_load(const psb_features *features, size_t spec, char *const *ids,
                             int threads, psb_row_view *rows, psb_error *error);

/* Makes the .npy file of these rows: where it can, a second name of the store's table. */
psb_status psb_features_write(const psb_features *features, size_t spec, const psb_row_view *rows,
                              const char *path, psb_error *error);

/* CPU seconds over all models in use: of one spec alone, with all fields that it needs; of
 * all specs together, which share fields; and of reading. */
double psb_features_alone_seconds(const psb_features *features, size_t spec);
double psb_features_together_seconds(const psb_features *features);
double psb_features_read_seconds(const psb_features *features);

/* Computes a hash of all that the rows of one spec depend on. */
psb_status psb_features_key(const psb_features *features, size_t spec, char *const *ids,
                            uint64_t *key, psb_error *error);

void psb_features_free(psb_features *features);
