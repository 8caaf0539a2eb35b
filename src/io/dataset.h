/*
 * A data set: models, their classes, and the file of each. Classes come from a classification, a
 * table, or the folders that the models are in.
 */
#ifndef PSB_IO_DATASET_H
#define PSB_IO_DATASET_H

#include "core/observer.h"
#include "io/archive.h"
#include "io/listing.h"

/* The queries, or the targets, where these are two sets. */
typedef struct psb_side {
    psb_classification cla; /* in use */
    size_t *model;          /* of each, its number among the models of both */
} psb_side;

typedef enum psb_which_side { PSB_QUERIES, PSB_TARGETS, PSB_SIDES } psb_which_side;

typedef struct psb_dataset {
    psb_classification cla; /* the models in use; of two sets those of both, each once and without
                               a class */
    size_t nsides;          /* PSB_SIDES, or 0: one set */
    psb_side sides[PSB_SIDES];
    char **paths;         /* of each model in use */
    psb_archive *archive; /* that they lead into; NULL: files */
    size_t listed;        /* models that the classification lists */
    size_t nmissing;      /* of these, without a file */
    char **missing;       /* their ids */
    char *notes;          /* what was left out of a folder, a line each; or NULL */
    uint64_t list;        /* a hash of the classification's models and classes, all of them */
    const uint64_t *turn; /* seed of the rotation that each model is turned by, or NULL */
} psb_dataset;

/* Whether a folder is that of a run: it has the run's models or its ledger. */
bool psb_is_run(const char *path);

/* Fails, for a run that was ended before it had results. */
psb_status psb_run_fail_empty(const char *run, psb_error *error);

/*
 * RUN/SIDE.cla, where SIDE is models, queries or targets. Where RUN/SIDE.ids has the order of the
 * list that the run was made from, cla->other is RUN/SIDE. Whether both files are as the run left
 * them is for the caller to check (proof/results.h).
 */
psb_status psb_run_cla_read(const char *run, const char *side, psb_classification *cla,
                            psb_error *error);

/* What says the classes: the classification, the table, or the folder of models. */
const char *psb_dataset_source(const psb_collection_options *options);

/* psb_dataset.list of a classification; of several, with the hash of those before it, else 0. */
uint64_t psb_list_hash(const psb_classification *cla, uint64_t hash);

/*
 * The models and classes of a .cla, a table or a folder, in the order of *cla; no files are looked
 * for. Where that folder is in an archive, it stays open. Free all three in every case.
 */
psb_status psb_dataset_list(const psb_collection_options *options, psb_archive **archive,
                            psb_classification *cla, psb_listing *listing, psb_error *error);

/*
 * The file of one model by its name; *path is NULL where there is none, else freed with free(). It
 * is `folder`/<id div 100>/m<id>/m<id>.off (the benchmark's layout), `folder`/m<id>.off or
 * `folder`/<id>.off, and where there is none of these, in large letters or with the other endings
 * of meshes; or the same for what the name stands for (io/name.h). Folders in the name are those
 * below `folder`.
 */
psb_status psb_dataset_find(const psb_archive *archive, const char *folder, const char *id,
                            char **path, psb_error *error);

/*
 * Of `targets` as well the data set has both sides. Every file is looked for before this returns:
 * one that is not there is an error that counts and names them or, with skip_missing, left out and
 * listed. A table's id may also be the name of a file, or of a folder around one file, anywhere
 * below the models' folder. Free it in every case: of one that fails the counts stay.
 */
psb_status psb_dataset_open(const psb_collection_options *options, psb_dataset *dataset,
                            psb_error *error);

/* Tells what was left out of a folder, as warnings. */
void psb_dataset_tell(const psb_dataset *dataset, const psb_observer *observer);

/* From now on each model is turned at random, see normalize/turn.h: another set under its names. */
void psb_dataset_turn(psb_dataset *dataset, const uint64_t *seed);

/* Leaves out the models where keep[i] is false, also of the sides; `listed` and `missing` stay. */
psb_status psb_dataset_keep(psb_dataset *dataset, const bool *keep, psb_error *error);

void psb_dataset_free(psb_dataset *dataset);

#endif
