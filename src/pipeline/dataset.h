/* A data set: a classification and the file of each of its models. */
#ifndef PSB_PIPELINE_DATASET_H
#define PSB_PIPELINE_DATASET_H

#include "io/cla.h"

typedef struct psb_dataset {
    psb_classification cla; /* the models in use */
    char **paths;           /* of each model in use */
    size_t listed;          /* models that the classification lists */
    size_t nmissing;        /* of these, without a file */
    char **missing;         /* their ids */
    uint64_t list;          /* a hash of the classification's models and classes, all of them */
    const uint64_t *turn;   /* seed of the rotation that each model is turned by, or NULL */
} psb_dataset;

/* The file of one model, as below; *path is NULL where there is none, else freed with free(). */
psb_status psb_dataset_find(const char *folder, const char *id, char **path, psb_error *error);

/*
 * Finds each model as `folder`/<id div 100>/m<id>/m<id>.off (the benchmark's layout),
 * `folder`/m<id>.off or `folder`/<id>.off, and where there is none of these, in large letters
 * or with the other endings of meshes. Every file is looked for before this returns: one that is
 * not there is an error that counts and names them or, with skip_missing, left out and listed. Free
 * it in every case: of one that fails the counts stay.
 */
psb_status psb_dataset_open(const char *cla_path, const char *folder, bool skip_missing,
                            psb_dataset *dataset, psb_error *error);

/* From now on each model is turned at random, see normalize/turn.h: another set under its names. */
void psb_dataset_turn(psb_dataset *dataset, const uint64_t *seed);

/* Leaves out the models where keep[i] is false; `listed` and `missing` stay. */
psb_status psb_dataset_keep(psb_dataset *dataset, const bool *keep, psb_error *error);

void psb_dataset_free(psb_dataset *dataset);

#endif
