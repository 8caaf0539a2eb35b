/* A data set: models, their classes, and each model's file. The classes come from a classification,
 * a table, or the folders that hold the models. */
#pragma once

#include "core/observer.h"
#include "io/archive.h"
#include "io/listing.h"

/* The queries or the targets, if these are two sets. */
typedef struct psb_side {
    psb_classification cla; /* classes of this side */
    size_t *model;          /* number in psb_dataset.cla of each model of this side */
} psb_side;

typedef enum psb_which_side { PSB_QUERIES, PSB_TARGETS, PSB_SIDES } psb_which_side;

typedef struct psb_dataset {
    psb_classification cla; /* models in use; with two sides those of both, classless */
    size_t nsides;          /* PSB_SIDES, or 0 if there is one set */
    psb_side sides[PSB_SIDES];
    char **paths;         /* the file of each model in use */
    psb_archive *archive; /* the archive that the paths lead into; NULL: ordinary files */
    size_t listed;        /* number of models in the classification */
    size_t nmissing;      /* how many of the listed models have no file */
    char **missing;       /* ids of the models without a file */
    char *notes;          /* what was left out of a folder, one line each; or NULL */
    uint64_t list;        /* a hash of all listed models and classes */
    const uint64_t *turn; /* seed of the random rotation of each model, or NULL */
} psb_dataset;

/* True if the folder is that of a run: it holds the run's models or its ledger. */
bool psb_is_run(const char *path);

/* Reports that the run was ended before it had results. */
psb_status psb_run_fail_empty(const char *run, psb_error *error);

/*
 * Reads RUN/SIDE.cla; SIDE is models, queries or targets. If RUN/SIDE.ids exists, which has the
 * order of the list that the run was made from, cla->other is RUN/SIDE. The caller checks that both
 * files are as the run left them (proof/results.h).
 */
psb_status psb_run_cla_read(const char *run, const char *side, psb_classification *cla,
                            psb_error *error);

/* Returns the path that the classes come from: classification, table, or folder of models. */
const char *psb_dataset_source(const psb_collection_options *options);

/* Returns psb_dataset.list of a classification. Chain several: `hash` is that of the one before, or
 * 0. */
uint64_t psb_list_hash(const psb_classification *cla, uint64_t hash);

/*
 * Lists the models and classes of a .cla, a table or a folder, in the order of *cla, without
 * looking for files. If the folder is in an archive, *archive stays open. Free all three in every
 * case.
 */
psb_status psb_dataset_list(const psb_collection_options *options, psb_archive **archive,
                            psb_classification *cla, psb_listing *listing, psb_error *error);

/*
 * Finds the file of a model by its name; *path is NULL if there is none, else free() it. Tries
 * `folder`/<id div 100>/m<id>/m<id>.off (the benchmark's layout), `folder`/m<id>.off and
 * `folder`/<id>.off, then the same in upper case and with the other endings of meshes; then all of
 * these for the bytes that the name encodes (io/name.h). Folders in the name are below `folder`.
 */
psb_status psb_dataset_find(const psb_archive *archive, const char *folder, const char *id,
                            char **path, psb_error *error);

/*
 * Opens a data set; with options->targets it has two sides. Looks for every file before it returns.
 * A missing file is an error that counts and names all of them or, with skip_missing, is left out
 * and listed. A table's id may also be the name of a file, or of a folder with one file, anywhere
 * below the models' folder. Free the data set in every case: after a failure it still has its
 * counts.
 */
psb_status psb_dataset_open(const psb_collection_options *options, psb_dataset *dataset,
                            psb_error *error);

/* Reports as warnings what was left out of a folder. */
void psb_dataset_tell(const psb_dataset *dataset, const psb_observer *observer);

/* From now on each model is turned at random, see normalize/turn.h. So this is another data set. */
void psb_dataset_turn(psb_dataset *dataset, const uint64_t *seed);

/* Removes the models i without keep[i], from the sides too; `listed` and `missing` stay. */
psb_status psb_dataset_keep(psb_dataset *dataset, const bool *keep, psb_error *error);

void psb_dataset_free(psb_dataset *dataset);
