/* Defines the structs behind the public header's opaque types, for the library's own files. */
#ifndef PSB_LIBRARY_PARTS_H
#define PSB_LIBRARY_PARTS_H

#include "core/observer.h"
#include "descriptors/descriptor.h"
#include "io/dataset.h"
#include "io/ids.h"
#include "io/matrix.h"
#include "io/npy.h"

struct psb_context {
    int threads;
    psb_observer observer;
    psb_tables *tables; /* NULL until the first shape */
    psb_added added;
    struct own_unit *units; /* descriptors and metrics of the client, the last one first */
};

struct psb_collection {
    char *name; /* of the classification, for messages */
    psb_dataset set;
};

struct psb_rows {
    char *path; /* NULL: not from a file */
    psb_npy npy;
    psb_ids ids;
    const psb_metric *metric; /* of the descriptor that made them, or NULL */
    size_t *model;            /* see psb_rows_model; or NULL */
};

/* Frees all units that a client added. */
void psb_units_free(psb_context *psb);

/*
 * The metric of that name, built in or the client's; for NULL `preset` or, where that is NULL, l2.
 * PSB_ERROR_USAGE, which names all, for an unknown name.
 */
psb_status psb_metric_named(const psb_context *psb, const char *name, const psb_metric *preset,
                            const psb_metric **metric, psb_error *error);

/* PSB_ERROR_USAGE for a name that is NULL, there already, or no line of text. */
psb_status psb_check_names(const char *const *names, size_t count, psb_error *error);

/* Where rows were read from, or what to call them in messages. */
const char *psb_rows_place(const psb_rows *rows);
psb_row_view psb_rows_view(const psb_rows *rows);

/*
 * The rows of the reference that `reference` names (a file, RUN/NAME, or the folder of a run, of
 * which the features of the name of the file `features`), which are such as those of that file.
 */
psb_status psb_rows_of_reference(psb_context *psb, const char *reference, const char *features,
                                 psb_rows **rows, psb_error *error);

/* psb_run_check_alike of rows that were read from files. */
psb_status psb_rows_check_alike(const psb_rows *one, const psb_rows *other, psb_error *error);

/* psb_distances_write with at most so many bytes of distances at a time, but PSB_TILE lines. */
psb_status psb_distances_write_in(psb_context *psb, const psb_rows *queries,
                                  const psb_rows *targets, const char *metric, size_t most,
                                  const char *path, psb_error *error);

/* Writes `what` to `path` and the names beside it; in between no file there has others' names. */
psb_status psb_write_named(const char *path, const psb_ids *ids,
                           psb_status (*write)(const char *path, const void *what,
                                               psb_error *error),
                           const void *what, psb_error *error);

/* Where `path` is the folder of a run: whether its classes are as the run left them. */
psb_status psb_check_classes(const char *path, psb_error *error);

/* The error that an argument may not be NULL or does not fit. */
psb_status psb_misuse(psb_error *error, const char *what);

#endif
