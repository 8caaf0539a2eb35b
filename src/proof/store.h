/*
 * Finished rows of a run: a chunk file (proof/chunk.h) and a table (proof/row_table.h) for each
 * spec, below RUN/work, and which of their rows still count for the models as they are now.
 */
#pragma once

#include "descriptors/descriptor.h"
#include "io/dataset.h"
#include "proof/chunk.h"

/* The place of one model's row for one spec. */
typedef struct psb_stored {
    uint64_t offset; /* of its record in the spec's file; 0: still to be computed */
    bool in_place;   /* it stands in the table, where the model's row belongs */
    psb_cost cost;
} psb_stored;
#define PSB_STORED_ELSEWHERE UINT64_MAX /* offset of a row that is in another folder */

/* What the store knows about one model. */
typedef struct psb_stored_model {
    uint64_t hash; /* of the file that the rows were made from; undefined without rows */
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
    char *folder;  /* of the files */
    bool dirty;    /* not all of them is on the disk */
    double synced; /* when they were last forced to it */
} psb_store;

/*
 * Opens or makes `folder`/SPEC.rows for each spec and looks up every model of the data set, which
 * must not change until the last row is appended. Damaged rows, and rows of other parameters,
 * another revision or another file of a model do not count; the observer is told why. New rows
 * stand in tables, or, with `is_part`, in the chunk files, for another store to take them. Close
 * the store also on failure.
 */
psb_status psb_store_open(const char *folder, const psb_dataset *dataset, psb_spec *const *specs,
                          size_t nspecs, bool verify, bool is_part, const psb_observer *observer,
                          psb_store *store, psb_error *error);

/* Folders with chunk files of the same descriptors. */
typedef struct psb_store_others {
    char **folders;
    size_t count;
    bool copy; /* copy their rows into this store; else they only count as present */
} psb_store_others;

/*
 * Takes the rows that count, and that are missing in the store, from other folders. With `copy` it
 * also takes rows of models that are not in the data set, for later runs.
 */
psb_status psb_store_join(psb_store *store, const psb_store_others *others, bool verify,
                          const psb_observer *observer, psb_error *error);

static inline psb_stored *psb_store_at(const psb_store *store, size_t spec, size_t model) {
    return &store->rows[spec * store->nmodels + model];
}

/*
 * CPU seconds of a model: reading it and making its rows together, counting each shared field
 * once, even if several runs computed it.
 */
double psb_store_seconds(const psb_store *store, size_t model);

/*
 * Appends a row that was made from a file with this stamp; models[model] must be set. For one
 * thread at a time.
 */
psb_status psb_store_append(psb_store *store, size_t spec, size_t model, const psb_stamp *stamp,
                            const psb_cost *cost, const void *row, psb_error *error);

/*
 * Whether the rows are to be forced to the disk, as every few seconds: asked by one thread at a
 * time, which then does it by psb_store_force while others append. psb_store_sync forces all that
 * is not there, and is for one thread.
 */
bool psb_store_is_due(psb_store *store);
psb_status psb_store_force(const psb_store *store, psb_error *error);
psb_status psb_store_sync(psb_store *store, psb_error *error);

/*
 * Copies the rows of models[count] to out, in that order, in so many threads. ids[count] are their
 * names, since the data set may have lost models after the store was opened.
 */
psb_status psb_store_load(const psb_store *store, size_t spec, const size_t *models,
                          char *const *ids, size_t count, int threads, void *out, psb_error *error);

/*
 * Makes `path` a second name of the spec's table where that is the rows of models[count] in that
 * order and nothing else; *linked: whether it is.
 */
psb_status psb_store_link(const psb_store *store, size_t spec, const size_t *models, size_t count,
                          const char *path, bool *linked, psb_error *error);

/*
 * The text of a chunk file's first record: program, descriptor, revision and every parameter;
 * `turn` is the data set's.
 */
void psb_store_describe(const psb_spec *spec, const uint64_t *turn, psb_text *text);

void psb_store_close(psb_store *store);
