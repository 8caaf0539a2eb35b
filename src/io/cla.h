/*
 * Classification files of the Princeton Shape Benchmark (.cla): a hierarchy of classes and the
 * models in each. Two orders belong to a classification: models stand class by class, as in a .cla,
 * and `row` says where the file listed them, which is another order in a table or a list. Rows
 * without names, of features or distances, are always in the order of the file. Those of a run may
 * have two files behind them, RUN/models.cla and the list that it was made from; where these are in
 * different orders nobody knows which of the two rows without names are in, and they are refused.
 */
#ifndef PSB_IO_CLA_H
#define PSB_IO_CLA_H

#include "psbench.h"

#include <stdbool.h>

/* Index of the parent of a top-level class. */
#define PSB_NO_CLASS SIZE_MAX

typedef struct psb_class {
    char *name;      /* as in the file */
    char *full_name; /* levels joined with "___", from the top: "aircraft___airplane___biplane" */
    size_t parent;   /* index of a class above in the file, or PSB_NO_CLASS */
    size_t first;    /* its models are first ... first + count - 1 */
    size_t count;
    bool miscellaneous; /* named "-1": its models are never queries */
} psb_class;

typedef struct psb_classification {
    size_t nclasses;
    psb_class *classes; /* file order */
    size_t nmodels;
    char **models;    /* ids, file order */
    size_t *class_of; /* index of each model's class */
    size_t *row;      /* of each model: where its file lists it, from 0; NULL: in this order */
    char *other;      /* RUN/models, whose .ids is the other order that rows without names may be
                         in; NULL: there is one order */
} psb_classification;

/*
 * Errors name file, line, value and limit: a missing header, counts that do not add up, a class
 * that occurs twice under one parent, an id that occurs twice or leads out of its folder, an
 * unknown parent, a name of more than 255 bytes (511 with its parents' names). Where several
 * classes above have the name of a parent the nearest is meant. On failure *cla is empty.
 */
psb_status psb_cla_read(const char *path, psb_classification *cla, psb_error *error);

/* The same for a file that is in memory; `path` is for messages. */
psb_status psb_cla_parse(const char *path, const char *data, size_t size, psb_classification *cla,
                         psb_error *error);

/* Refuses what psb_cla_read would not read back as it is, such as names with blanks. */
psb_status psb_cla_write(const char *path, const psb_classification *cla, psb_error *error);
void psb_cla_free(psb_classification *cla);

/* Models that are relevant for a query: the others of its class; none where it is miscellaneous. */
size_t psb_cla_relevant(const psb_classification *cla, size_t query);

/* PSB_ERROR_INPUT where the rows of the file `path`, which have no names, may be in two orders.
   `named`: such a file may have names beside it. */
psb_status psb_cla_one_order(const psb_classification *cla, const char *path, bool named,
                             psb_error *error);

/* (*at)[row] is the model that the file lists there: the inverse of cla->row, for free(). */
psb_status psb_cla_listed(const psb_classification *cla, size_t **at, psb_error *error);

/* A copy with only the models i where keep[i]; classes stay, also those that become empty. */
psb_status psb_cla_subset(const psb_classification *cla, const bool *keep,
                          psb_classification *subset, psb_error *error);

#endif
