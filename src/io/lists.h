/*
 * Ranked lists of other programs, and our own, in any of these forms:
 *
 * - search: what psbench search writes (io/neighbors.h), of the whole database of targets. Row
 * numbers count models in the order of their files. No query is in its own list.
 * - trec: a TREC run, "QUERY Q0 MODEL RANK SCORE TAG" a line, in any order; some write 0 for Q0. As
 * in trec_eval, a list is in descending order of scores (in single precision), and equal scores in
 * descending order of names; RANK is ignored.
 * - shrec: a folder with a file for each query, named after it: the models, nearest first, one a
 *   line; the distance may stand after each model, or before it in all lines. A list with distances
 *   may begin with a line of the query's name alone.
 * - shapenet: as shrec, read as the evaluator of SHREC'16 and '17 does: it reads 1,000
 *   lines and skips unknown and repeated models; a distance may only follow the model.
 * - rows: text with a line for each query, in their order: the models, nearest first.
 *
 * In shrec, shapenet and rows, commas and semicolons separate as well, and lines that begin with
 * '#' or '%' are skipped. Names that are numbers may have more or fewer leading zeros, if this fits
 * one model only. A list may have fewer models than there are targets.
 */
#pragma once

#include "io/cla.h"

typedef enum psb_list_form {
    PSB_LISTS_NONE,
    PSB_LISTS_SEARCH,
    PSB_LISTS_TREC,
    PSB_LISTS_SHREC,
    PSB_LISTS_SHAPENET,
    PSB_LISTS_ROWS,
} psb_list_form;

/* Receives the lists in the order of the file; the distance is NAN in forms other than search. */
typedef void psb_lists_take(void *context, size_t query, size_t rank, size_t target,
                            double distance);
/* Receives one fault of the lists. */
typedef void psb_lists_fault(void *context, const psb_error *fault);

typedef struct psb_lists {
    psb_list_form form;
    const psb_classification *queries, *targets; /* equal pointers if there is one set */
    bool with_query; /* keep a query that is also a target in its own list; else skip it */
    psb_lists_take *take;
    /* Called when a query's list, which may be empty, begins; may be NULL. */
    void (*begin)(void *context, size_t query);
    /* NULL: reading ends at the first fault, which is the error; so it does in the form search. */
    psb_lists_fault *fault;
    void *context; /* passed to all three functions */
} psb_lists;

/* Returns the form of this name in the list above, or PSB_LISTS_NONE. */
psb_list_form psb_lists_form(const char *name);
/* Recognizes search and trec by content, shrec as a folder, rows by a first name that is no number;
 * else returns PSB_LISTS_NONE. */
psb_list_form psb_lists_detect(const char *path);

/* Calls `take` query by query, with ranks 1, 2, 3 ... PSB_ERROR_INPUT with file and line for
 * unknown models, models twice in a list, queries with two lists, and lines of another form. */
psb_status psb_lists_read(const psb_lists *lists, const char *path, psb_error *error);
/* Parses a file in memory. In the forms shrec and shapenet it is the list of the query that `path`
 * is named after. */
psb_status psb_lists_parse(const psb_lists *lists, const char *path, const char *data, size_t size,
                           psb_error *error);
