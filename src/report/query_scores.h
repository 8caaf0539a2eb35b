/*
 * Writes one descriptor's scores for files: a row per query, and averages. The evaluation's
 * measures are the five figures.
 */
#pragma once

#include "core/text.h"
#include "eval/evaluation.h"

/*
 * Appends TSV: model, class (full name), then the five figures as fractions with six decimals;
 * empty for models of the miscellaneous class, which are never queries.
 */
psb_status psb_query_scores_render(const psb_evaluation *e, size_t method, psb_text *out,
                                   psb_error *error);

/* Appends JSON: the averages micro, macro and of every class, as fractions with every digit. */
psb_status psb_averages_render(const psb_evaluation *e, size_t method, psb_text *out,
                               psb_error *error);
