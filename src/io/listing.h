/*
 * Models with their classes as they come from folders, tables or a classification, in any order;
 * and the classification that they make.
 */
#ifndef PSB_IO_LISTING_H
#define PSB_IO_LISTING_H

#include "core/text.h"
#include "io/cla.h"

typedef struct psb_listed {
    char *name;         /* see io/name.h */
    char *path;         /* its file; NULL where none is known */
    char *classes;      /* from the top: "aircraft/airplane/biplane"; "" for none */
    unsigned long line; /* of the table that it is from */
} psb_listed;

typedef struct psb_listing {
    size_t count, capacity;
    psb_listed *models;
    psb_text notes; /* what was left out and why, a line each, for people */
} psb_listing;

/* Starts from a zeroed listing; takes over the three strings, also where it fails. */
psb_status psb_listing_add(psb_listing *listing, psb_listed model, psb_error *error);
/* In the order of its file. */
psb_status psb_listing_add_cla(psb_listing *listing, const psb_classification *cla,
                               psb_error *error);
void psb_listing_free(psb_listing *listing);

/*
 * The classification of the models, depth first and else in the order in which they and their
 * classes come first; classes below `level` become parts of the class at that level (0: none does).
 * The listing gets the same order; cla->row keeps the one that it had. PSB_ERROR_INPUT, after
 * `source`, for a model without a class or twice there, and for what a .cla cannot hold.
 */
psb_status psb_listing_classify(psb_listing *listing, const char *source, size_t level,
                                psb_classification *cla, psb_error *error);

/* Cuts a classification at `level`, as above; rows without names stay in the order of its file. */
psb_status psb_listing_cut(psb_classification *cla, const char *source, size_t level,
                           psb_error *error);

#endif
