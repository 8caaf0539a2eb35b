/*
 * TREC's qrels: "QUERY 0 MODEL GRADE" a line, in any order. A model is relevant for a query where
 * its grade is 1 or more, and not where it is 0 or less or there is no line.
 */
#ifndef PSB_IO_QRELS_H
#define PSB_IO_QRELS_H

#include "io/cla.h"

enum { PSB_MAX_GRADE = 255 };

/* A model that is relevant. */
typedef struct psb_judgement {
    uint32_t query, target;
    uint8_t grade;
} psb_judgement;

/*
 * The relevant ones by query, then target, in fresh memory. PSB_ERROR_INPUT with the line for
 * another form, a grade above 255 and models that are not there; without, for a pair that comes
 * twice.
 */
psb_status psb_qrels_read(const char *path, const psb_classification *queries,
                          const psb_classification *targets, psb_judgement **judgements,
                          size_t *count, psb_error *error);
/* The same for a file that is in memory. */
psb_status psb_qrels_parse(const char *path, const char *data, size_t size,
                           const psb_classification *queries, const psb_classification *targets,
                           psb_judgement **judgements, size_t *count, psb_error *error);

#endif
