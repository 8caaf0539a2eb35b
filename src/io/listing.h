/* Models with their classes from folders, tables or a classification, in any order; and the
 * classification that they make. */
#pragma once

#include "core/text.h"
#include "io/cla.h"

typedef struct psb_listed {
    char *name;         /* see io/name.h */
    char *path;         /* the model's file; NULL: not known */
    char *classes;      /* names from the top: "aircraft/airplane/biplane"; "" for none */
    unsigned long line; /* the line of the table that lists it */
} psb_listed;

typedef struct psb_listing {
    size_t count, capacity;
    psb_listed *models;
    bool aligned;   /* models are rows of features in their order, and named by their numbers */
    psb_text notes; /* what was left out or taken, and why, one line each, for the user */
} psb_listing;

/* Adds a model; the listing starts zeroed. Takes over the three strings, even on failure. */
psb_status psb_listing_add(psb_listing *listing, psb_listed model, psb_error *error);
/* Adds the models in the order of the classification's file. */
psb_status psb_listing_add_cla(psb_listing *listing, const psb_classification *cla,
                               psb_error *error);
void psb_listing_free(psb_listing *listing);

/*
 * Makes the models' classification: depth first, otherwise in the order in which models and classes
 * first occur. Classes deeper than `level` are merged into their ancestor at that level (0: none
 * is). Sorts the listing the same way; cla->row keeps its old order. PSB_ERROR_INPUT, which names
 * `source`, for a model without a class or listed twice, and for classes that a .cla cannot hold.
 */
psb_status psb_listing_classify(psb_listing *listing, const char *source, size_t level,
                                psb_classification *cla, psb_error *error);

/* Cuts a classification at `level` in the same way; rows without names stay in the order of its
 * file. */
psb_status psb_listing_cut(psb_classification *cla, const char *source, size_t level,
                           psb_error *error);
