/*
 * The rows of a run that are finished: a chunk file (proof/chunk.h) for each descriptor, below
 * RUN/work, and what of it still counts for the models as they are today.
 */
#ifndef PSB_PROOF_STORE_H
#define PSB_PROOF_STORE_H

#include "core/observer.h"
#include "descriptors/descriptor.h"
#include "distance/metric.h"
#include "io/dataset.h"
#include "proof/chunk.h"

/* Where the row of one model for one descriptor is. */
typedef struct psb_stored {
    uint64_t offset; /* of its record in the descriptor's file; 0: still to be computed */
    psb_cost cost;
} psb_stored;
#define PSB_STORED_ELSEWHERE UINT64_MAX /* offset of a row that is in another folder */

/* What is known of one model. */
typedef struct psb_stored_model {
    uint64_t hash; /* of the file that the rows were made from; meaningless where there are none */
    uint64_t faces;
    double read_seconds;
} psb_stored_model;

typedef struct psb_store {
    size_t nspecs, nmodels;
    psb_spec *const *specs;
    const psb_dataset *dataset;
    struct psb_store_file *files;
    psb_stored *rows;         /* nspecs x nmodels */
    psb_stored_model *models; /* nmodels */
    psb_buffer record;
    double synced; /* when the files were last forced to the disk */
} psb_store;

/*
 * Opens or makes `folder`/SPEC.rows for each spec and looks up every model of the data set, which
 * must stay as it is until the last row is appended. What was damaged, or belongs to other
 * parameters, another version of the program or another file of a model, is left out, and the
 * observer is told why. Close the store also on failure.
 */
psb_status psb_store_open(const char *folder, const psb_dataset *dataset, psb_spec *const *specs,
                          size_t nspecs, bool verify, const psb_observer *observer,
                          psb_store *store, psb_error *error);

/* Folders with chunk files of the same descriptors. */
typedef struct psb_store_others {
    char **folders;
    size_t count;
    bool copy; /* their rows come into this store; else they only count as there */
} psb_store_others;

/*
 * Takes the rows that count and are not in the store from other folders. With `copy` rows of models
 * that the data set does not have come along, for the next one.
 */
psb_status psb_store_join(psb_store *store, const psb_store_others *others, bool verify,
                          const psb_observer *observer, psb_error *error);

static inline psb_stored *psb_store_at(const psb_store *store, size_t spec, size_t model) {
    return &store->rows[spec * store->nmodels + model];
}

/*
 * Processor seconds of a model: reading it, and the rows that are there, made together: each field
 * that several of them need counts once, also where they come from several runs.
 */
double psb_store_seconds(const psb_store *store, size_t model);

/*
 * Appends a row, made of a file as in `stamp`; models[model] must be
 * filled in. Every few seconds what was appended is forced to the disk. One thread at a time.
 */
psb_status psb_store_append(psb_store *store, size_t spec, size_t model, const psb_stamp *stamp,
                            const psb_cost *cost, const void *row, psb_error *error);

/* Forces everything to the disk. */
psb_status psb_store_sync(psb_store *store, psb_error *error);

/*
 * Copies the rows of the models numbered models[count] to out, in that order. ids[count] are their
 * names: the data set itself may have lost models since the store was opened.
 */
psb_status psb_store_load(const psb_store *store, size_t spec, const size_t *models,
                          char *const *ids, size_t count, void *out, psb_error *error);

/*
 * The text that says what the rows of a spec are made by, as in the file's first record; `turn` is
 * the data set's.
 */
void psb_store_describe(const psb_spec *spec, const uint64_t *turn, psb_text *text);

void psb_store_close(psb_store *store);

#endif
