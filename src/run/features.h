/*
 * The feature stage: every descriptor of every model, each model read and normalised once, and none
 * computed again whose row an earlier run left behind.
 */
#ifndef PSB_RUN_FEATURES_H
#define PSB_RUN_FEATURES_H

#include "core/names.h"
#include "proof/store.h"
#include "run/album.h"

typedef struct psb_failure {
    size_t model; /* number in the data set as it was */
    char *id, *path;
    psb_error error;
} psb_failure;

typedef struct psb_features_options {
    int threads;
    bool verify;             /* compare models with those of an earlier run by their bytes */
    size_t max_faces;        /* of a model, see psb_mesh_faces; 0: no limit */
    size_t max_bytes;        /* of a model's file, also unpacked; 0: what max_faces allows */
    double max_seconds;      /* processor seconds of a model, over all specs; 0: no limit */
    psb_store_others others; /* folders with rows of the same models, see psb_store_join */
    bool part;               /* the data set may be empty, or without any model that can be used */
    const psb_names *failed; /* NULL, or the only models to compute: see below */
    psb_album *album;        /* gets a portrait of each model that is read; or NULL */
    const psb_observer *observer;
} psb_features_options;

typedef struct psb_features {
    psb_store store;
    size_t nmodels;    /* that could be used */
    size_t *models;    /* their numbers in the data set as it was, which are those of the store */
    uint64_t checksum; /* of the files of all models in use, in the data set's order (XXH64) */
    size_t computed;   /* models that this run had to do something for */
    size_t nfailures;
    psb_failure *failures; /* models that could not be used, in the data set's order */
} psb_features;

/*
 * Computes all specs for all models, into the chunk files of `folder`; models are shared among
 * OpenMP threads one at a time, and the rows do not depend on their number. A model that cannot be
 * used because of its bytes (psb_is_of_bytes) is reported and left out of the data set; that is
 * never remembered, so the next run tries it again. Whatever else keeps a model from being used,
 * such as a disk that fails or memory that runs out, ends the stage.
 *
 * A model's processor time is that of all its rows, whichever run made them. It is looked at after
 * each descriptor, so a model may take longer than max_seconds by what one descriptor takes.
 *
 * With options->failed every other model that has not all its rows is told to the observer, and
 * that is PSB_ERROR_IO: the rows were to be there.
 *
 * On failure, and when the observer asks to stop, `failures` has what is known so far and all
 * finished rows are in the files. Free the features in every case.
 */
psb_status psb_features_compute(const char *folder, psb_dataset *dataset, psb_spec *const *specs,
                                size_t nspecs, const psb_features_options *options,
                                psb_features *features, psb_error *error);

/*
 * The numbers 0 ... n - 1, the largest file first; files of the same size in the order of `paths`,
 * those that cannot be looked at last. A model's cost grows with its file, so the work that is
 * left when one thread runs out of models is that of a small one. Free *order with free().
 */
psb_status psb_largest_first(const psb_archive *archive, char *const *paths, size_t n,
                             size_t **order, psb_error *error);

/*
 * Rows of one spec for the models in use, which are ids[nmodels], in fresh memory; free(data).
 */
psb_status psb_features_load(const psb_features *features, size_t spec, char *const *ids,
                             psb_row_view *rows, psb_error *error);

/*
 * Processor seconds over all models in use: what one spec takes alone, with all fields that it
 * needs; what all of them take together, where they share fields; and what reading took.
 */
double psb_features_alone_seconds(const psb_features *features, size_t spec);
double psb_features_together_seconds(const psb_features *features);
double psb_features_read_seconds(const psb_features *features);

/* A hash of all that the rows of one spec depend on. */
psb_status psb_features_key(const psb_features *features, size_t spec, char *const *ids,
                            uint64_t *key, psb_error *error);

void psb_features_free(psb_features *features);

#endif
