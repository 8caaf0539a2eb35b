/*
 * Parts of a run: processes, on one machine or many, that compute rows beside each other. A part
 * shares RUN/.lock with the others and writes nothing but RUN/work/part-I-of-N:
 *
 *   .lock          its own: two processes are never the same part at once
 *   part.tsv       lines of a key, a tab and a value: program, models (that fall to the
 *                  part), listed (of all parts)
 *   SPEC.rows      as in RUN/work
 *   failures.tsv   as RUN/failures.tsv
 *
 * The run itself, which takes RUN/.lock alone, takes over what parts have left, and computes what
 * is missing: a part that was lost costs time and nothing else.
 */
#ifndef PSB_RUN_PARTS_H
#define PSB_RUN_PARTS_H

#include "core/lock.h"
#include "core/names.h"
#include "core/observer.h"
#include "core/part.h"
#include "core/text.h"
#include "descriptors/descriptor.h"
#include "io/dataset.h"

/* The two locks that a part holds, and its folder. Starts zeroed with locks of PSB_LOCK_NONE. */
typedef struct psb_part_home {
    psb_lock shared, own;
    psb_text folder;
} psb_part_home;

/*
 * Takes the locks, makes the folder, writes part.tsv. PSB_ERROR_IO that names who is at work where
 * another process is the same part or works in RUN alone.
 */
psb_status psb_part_begin(const char *run, const psb_part *part, size_t models, size_t listed,
                          const psb_observer *observer, psb_part_home *home, psb_error *error);
void psb_part_end(psb_part_home *home);

/* What a part has left. */
typedef struct psb_part_left {
    psb_part part;
    char *folder;
    char program[64]; /* "" where it is not known */
    size_t models, listed;
    char **failed; /* names */
    size_t nfailed;
} psb_part_left;

typedef struct psb_parts {
    psb_part_left *list; /* by count, then index */
    char **folders;      /* of each */
    size_t count;
} psb_parts;

/* All parts below RUN/work, which may be absent. Free them also on failure. */
psb_status psb_parts_open(const char *run, psb_parts *parts, psb_error *error);
void psb_parts_free(psb_parts *parts);

/* The names that any part lists as failed; they are the parts'. */
psb_status psb_parts_failed(const psb_parts *parts, psb_names *names, psb_error *error);

/* Removes the rows of these specs, and folders that have no others. */
psb_status psb_parts_remove(const psb_parts *parts, psb_spec *const *specs, size_t nspecs,
                            psb_error *error);

/* The names in a failures.tsv, which may be absent. */
psb_status psb_failed_names(const char *folder, char ***names, size_t *count, psb_error *error);

#endif
