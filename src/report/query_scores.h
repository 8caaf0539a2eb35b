/* One descriptor's scores as files: a row per query, and averages. */
#ifndef PSB_REPORT_QUERY_SCORES_H
#define PSB_REPORT_QUERY_SCORES_H

#include "core/text.h"
#include "eval/scores.h"

/*
 * TSV: model, class (full name), then the five figures as fractions with six decimals; empty for
 * models of the miscellaneous class, which are never queries.
 */
psb_status psb_query_scores_render(const psb_classification *cla, const psb_query_scores *scores,
                                   psb_text *out, psb_error *error);

/* JSON: the micro and macro average, and every class's, as fractions with every digit. */
psb_status psb_averages_render(const psb_classification *cla, const psb_query_scores *scores,
                               psb_text *out, psb_error *error);

/* The micro average in such a file; `classes` stays 0. PSB_ERROR_INPUT for any other text. */
psb_status psb_averages_read(const char *path, psb_average *micro, psb_error *error);

#endif
