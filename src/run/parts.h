/*
 * Parts of a run: processes, on one machine or many, that compute rows side by side. A part shares
 * RUN/.lock with the others and writes only to RUN/work/part-I-of-N:
 *
 *   .lock          its own, so that no two processes are the same part at once
 *   part.tsv       lines of a key, a tab and a value: program, models (of this part),
 *                  listed (models of all parts)
 *   SPEC.rows      as in RUN/work
 *   failures.tsv   as RUN/failures.tsv
 *
 * The run itself, which takes RUN/.lock exclusively, takes over what the parts left and computes
 * what is missing: losing a part costs time and nothing else.
 */
#pragma once

#include "core/lock.h"
#include "core/names.h"
#include "core/part.h"
#include "descriptors/descriptor.h"
#include "io/dataset.h"

/* The two locks that a part holds, and its folder. Starts zeroed, with locks of PSB_LOCK_NONE. */
typedef struct psb_part_home {
    psb_lock shared, own;
    psb_text folder;
} psb_part_home;

/* Takes the locks, makes the folder, writes part.tsv. PSB_ERROR_IO, which names the other process,
 * if that is the same part or works in RUN exclusively. */
psb_status psb_part_begin(const char *run, const psb_part *part, size_t models, size_t listed,
                          const psb_observer *observer, psb_part_home *home, psb_error *error);
void psb_part_end(psb_part_home *home);

/* What a part left. */
typedef struct psb_part_left {
    psb_part part;
    char *folder;
    char program[64]; /* "" if unknown */
    size_t models, listed;
    char **failed; /* names of failed models */
    size_t nfailed;
} psb_part_left;

typedef struct psb_parts {
    psb_part_left *list; /* sorted by count, then index */
    char **folders;      /* folder of each part */
    size_t count;
} psb_parts;

/* Finds all parts below RUN/work, which may be absent. Free them even after a failure. */
psb_status psb_parts_open(const char *run, psb_parts *parts, psb_error *error);
void psb_parts_free(psb_parts *parts);

/* Collects the names that any part lists as failed; the texts belong to `parts`. */
psb_status psb_parts_failed(const psb_parts *parts, psb_names *names, psb_error *error);

/* Removes the rows of these specs, and folders without any other rows. */
psb_status psb_parts_remove(const psb_parts *parts, psb_spec *const *specs, size_t nspecs,
                            psb_error *error);

/* Reads the names in a failures.tsv, which may be absent: of models that could not be used or, with
 * `no_file`, of those that have no file. */
psb_status psb_failed_names(const char *folder, bool no_file, char ***names, size_t *count,
                            psb_error *error);
