/*
 * Classification files of the Princeton Shape Benchmark (.cla): a hierarchy of classes and the
 * models in each. A classification has two orders: models stand class by class, as in a .cla, and
 * row[i] says where the file lists model i, which may differ in a table or a list. Rows of features
 * or distances that have no names are always in the order of the file. A run has two files:
 * RUN/models.cla and the list that it was made from. If their orders differ, rows without names
 * could be in either, so they are refused.
 */
#pragma once

#include "psbench.h"

/* The parent of a top-level class. */
#define PSB_NO_CLASS SIZE_MAX

typedef struct psb_class {
    char *name;      /* as the file has it */
    char *full_name; /* names from the top: "aircraft___airplane___biplane" */
    size_t parent;   /* index of a class above in the file, or PSB_NO_CLASS */
    size_t first;    /* models first ... first + count - 1 are in the class */
    size_t count;
    bool miscellaneous; /* the class is named "-1"; its models are never queries */
} psb_class;

typedef struct psb_classification {
    size_t nclasses;
    psb_class *classes; /* in the order of the file */
    size_t nmodels;
    char **models;    /* ids, class by class */
    size_t *class_of; /* index of each model's class */
    size_t *row;      /* where the file lists each model, from 0; NULL: in the order of `models` */
    char *other;  /* RUN/models if RUN/models.ids has another order that rows without names may be
                     in; else NULL */
    bool aligned; /* models are named by the numbers of rows: names of rows do not matter */
} psb_classification;

/*
 * Errors name file, line, value and limit: a missing header, counts that do not add up, a class
 * that occurs twice under one parent, an id that occurs twice or leads out of its folder, an
 * unknown parent, a name of more than 255 bytes (511 with its parents' names). A parent's name
 * means the nearest class above that has it. On failure *cla is empty.
 */
psb_status psb_cla_read(const char *path, psb_classification *cla, psb_error *error);

/* Like psb_cla_read, for a file in memory; `path` is for messages. */
psb_status psb_cla_parse(const char *path, const char *data, size_t size, psb_classification *cla,
                         psb_error *error);

/* Refuses a classification that psb_cla_read would read differently, such as names with blanks. */
psb_status psb_cla_write(const char *path, const psb_classification *cla, psb_error *error);
void psb_cla_free(psb_classification *cla);

/* Returns how many models are relevant for a query: the others of its class; 0 if it is
 * miscellaneous. */
size_t psb_cla_relevant(const psb_classification *cla, size_t query);

/* PSB_ERROR_INPUT if rows without names in the file `path` may be in two orders. `named`: a file of
 * this kind may have names beside it, and the message says so. */
psb_status psb_cla_one_order(const psb_classification *cla, const char *path, bool named,
                             psb_error *error);

/* Sets *at to the inverse of cla->row: (*at)[row] is the model in that row. free(*at). */
psb_status psb_cla_listed(const psb_classification *cla, size_t **at, psb_error *error);

/* Copies only the models i with keep[i]; keeps all classes, even if they become empty. */
psb_status psb_cla_subset(const psb_classification *cla, const bool *keep,
                          psb_classification *subset, psb_error *error);
