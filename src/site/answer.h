/* Writes the page of one query that is not in the set: a single file with all its pictures. */
#pragma once

#include "io/cla.h"

typedef struct psb_answer_match {
    const char *id;
    const psb_classification *cla; /* the classification of class_number */
    size_t class_number;
    const char *path; /* the model's file; NULL: no picture */
    double distance;
} psb_answer_match;

typedef struct psb_answer {
    const char *query, *descriptor, *run; /* names, for headings; run may be NULL */
    const psb_mesh *mesh;                 /* the query's mesh */
    const psb_answer_match *matches;      /* nearest first */
    size_t nmatches, of;                  /* `of`: how many models were searched */
} psb_answer;

/* Writes the page; a model that cannot be drawn has no picture. */
psb_status psb_answer_write(const psb_answer *answer, const char *path, psb_error *error);
