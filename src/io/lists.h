/*
 * Ranked lists of other programs, and our own, whatever file they come in:
 *
 * - search: what psbench search writes (io/neighbors.h).
 * - trec: a TREC run, "QUERY Q0 MODEL RANK SCORE TAG" a line, in any order. As trec_eval has it, a
 *   list is in the order of descending scores (in single precision), equal ones in descending order
 *   of names, whatever RANK says.
 * - shrec: a folder with a file for each query, by its name: the models, nearest first, one a line,
 *   with a distance behind it, or in front of it in all lines, or without. The query's name may
 *   stand alone in front of a list with distances.
 * - shapenet: the same, read as the evaluator of SHREC'16 and '17 reads it: of the first 1,000
 *   lines those of models that are not known or were there before do not count; no distance in
 *   front.
 * - rows: text with a line for each query, in their order: the models, nearest first.
 *
 * In shrec, shapenet and rows commas and semicolons separate as well, and a line that begins with
 * '#' or '%' is skipped. Where names are numbers, zeros in front may be more or fewer, as long as
 * one model alone is meant. A list may be shorter than the targets are many.
 */
#ifndef PSB_IO_LISTS_H
#define PSB_IO_LISTS_H

#include "io/neighbors.h"

typedef enum psb_list_form {
    PSB_LISTS_NONE,
    PSB_LISTS_SEARCH,
    PSB_LISTS_TREC,
    PSB_LISTS_SHREC,
    PSB_LISTS_SHAPENET,
    PSB_LISTS_ROWS,
} psb_list_form;

/* What is wrong with lists, one by one. */
typedef void psb_lists_fault(void *context, const psb_error *fault);

typedef struct psb_lists {
    psb_list_form form;
    const psb_classification *queries, *targets; /* one pointer or two */
    bool with_query; /* a query that is a target stays in its own list, else it is passed by */
    psb_neighbors_take *take;
    /* A query's list begins, which may have nothing in it; may be NULL. */
    void (*begin)(void *context, size_t query);
    psb_lists_fault
        *fault;    /* where it is NULL the first fault is the error; else reading goes on */
    void *context; /* of both */
} psb_lists;

/* By the name of the list above; PSB_LISTS_NONE where there is none of that name. */
psb_list_form psb_lists_form(const char *name);
/* What a path holds: search, trec, shrec for a folder, rows that begin with a name that is no
   number, or none of these. */
psb_list_form psb_lists_detect(const char *path);

/*
 * Takes the lists query by query, ranks 1, 2, 3 ... PSB_ERROR_INPUT with file and line for models
 * that are not there or twice in a list, for queries that come twice, and lines of another form.
 */
psb_status psb_lists_read(const psb_lists *lists, const char *path, psb_error *error);
/* Parses a file that is in memory. In the forms shrec and shapenet it is the list of the query that
 * `path` is named for. */
psb_status psb_lists_parse(const psb_lists *lists, const char *path, const char *data, size_t size,
                           psb_error *error);

#endif
