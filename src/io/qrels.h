/* TREC's qrels: "QUERY 0 MODEL GRADE" a line, in any order; BEIR's: "QUERY MODEL GRADE" below a
 * header "query-id corpus-id score". A model is relevant for a query if its grade is 1 or more; it
 * is not if its grade is 0 or less, or if it has no line. A grade is a whole number, maybe written
 * as 1.0. */
#pragma once

#include "io/cla.h"

enum { PSB_MAX_GRADE = 255 };

/* A relevant model of a query. */
typedef struct psb_judgement {
    uint32_t query, target;
    uint8_t grade;
} psb_judgement;

/*
 * Reads the relevant models, sorted by query, then target, into new memory. PSB_ERROR_INPUT, with
 * the line, for another form, a grade above 255 and unknown models; without a line for a pair that
 * occurs twice.
 */
psb_status psb_qrels_read(const char *path, const psb_classification *queries,
                          const psb_classification *targets, psb_judgement **judgements,
                          size_t *count, psb_error *error);
/* Like psb_qrels_read, for a file in memory. */
psb_status psb_qrels_parse(const char *path, const char *data, size_t size,
                           const psb_classification *queries, const psb_classification *targets,
                           psb_judgement **judgements, size_t *count, psb_error *error);
