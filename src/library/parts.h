/* Defines the structs behind the public header's opaque types, for the library's own files. */
#pragma once

#include "descriptors/descriptor.h"
#include "io/dataset.h"
#include "io/matrix.h"
#include "run/subject.h"

struct psb_context {
    int threads;
    psb_observer observer;
    psb_tables *tables; /* made with the first shape */
    psb_added added;
    struct own_unit *units; /* descriptors and metrics that the client added, latest first */
};

struct psb_collection {
    char *name; /* path of the classification, for messages */
    psb_dataset set;
};

struct psb_rows {
    char *path; /* NULL: not from a file */
    psb_npy npy;
    psb_ids ids;
    const psb_metric *metric; /* what the rows were made to be compared by, or NULL */
    char *unknown; /* the name of that metric, if it is a client's that the context does not have */
    size_t *model; /* see psb_rows_model; or NULL */
};

/* Frees all descriptors and metrics that a client added. */
void psb_units_free(psb_context *psb);

/* Finds a metric by name, built in or the client's. PSB_ERROR_USAGE, which lists all, for an
 * unknown name. */
psb_status psb_metric_named(const psb_context *psb, const char *name, const psb_metric **metric,
                            psb_error *error);

/* Finds what rows are compared by: the metric of this name or, if that is NULL, the one that they
 * were made for. PSB_ERROR_USAGE if that is unknown, or not the same for both. */
psb_status psb_rows_metric(const psb_context *psb, const psb_rows *one, const psb_rows *other,
                           const char *name, const psb_metric **metric, psb_error *error);

/* PSB_ERROR_USAGE if a name is NULL, occurs twice, or is no single line of text. */
psb_status psb_check_names(const char *const *names, size_t count, psb_error *error);

/* Tells the observer which method was chosen for a run that the user named alone. */
void psb_subject_tell(psb_context *psb, const char *text, const psb_subject *subject);
/* Opens what the user named, and tells the observer which method of a run was chosen. Close it. */
psb_status psb_subject_choose(psb_context *psb, const char *text, const char *name, bool whole,
                              psb_subject *subject, psb_error *error);
/* Makes rows of an opened subject, whose path, rows and ids they take over. */
psb_status psb_rows_take(const psb_context *psb, psb_subject *subject, psb_rows **rows,
                         psb_error *error);

/* Returns the path that rows were read from, or a name for them in messages. */
const char *psb_rows_place(const psb_rows *rows);
/* Sets *npy to the rows as the metric takes them: theirs, or uint8 rows as float32. Close it. */
psb_status psb_rows_fit(const psb_rows *rows, const psb_metric *metric, psb_npy *npy,
                        psb_error *error);

/* Reads the rows of a reference: a file, RUN/NAME, or a run's folder, in which the features have
 * the name of the file `features`. They must fit the rows of that file. */
psb_status psb_rows_of_reference(psb_context *psb, const char *reference, const char *features,
                                 psb_rows **rows, psb_error *error);

/* Like psb_run_check_alike, for rows that were read from files. */
psb_status psb_rows_check_alike(const psb_rows *one, const psb_rows *other, psb_error *error);

/* Like psb_distances_write, with at most `most` bytes of distances in memory, but at least PSB_TILE
 * lines. */
psb_status psb_distances_write_in(psb_context *psb, const psb_rows *queries,
                                  const psb_rows *targets, const char *metric, size_t most,
                                  const char *path, psb_error *error);

/* Writes `what` to `path` and its names beside it, so that at no moment the file has another's
 * names. */
psb_status psb_write_named(const char *path, const psb_ids *ids,
                           psb_status (*write)(const char *path, const void *what,
                                               psb_error *error),
                           const void *what, psb_error *error);

/* If `path` is the folder of a run, checks that its classes are as the run left them. */
psb_status psb_check_classes(const char *path, psb_error *error);

/* Reports that an argument is NULL or does not fit. */
psb_status psb_misuse(psb_error *error, const char *what);
