/* Re-ranks lists in a file, where a matrix would be too large. */
#pragma once

#include "eval/rerank.h"
#include "io/cla.h"

/*
 * Reads lists of the nearest (io/neighbors.h), a list of the same length for each model of the
 * classification, among the same models, and writes them in the order of the re-ranked distances.
 * `mean` is the mean distance of two models; 0: that of the distances in the lists, which it is
 * where the lists are whole.
 */
psb_status psb_rerank_file(const char *lists, const psb_classification *cla, double mean,
                           const psb_reranking *options, const char *output, psb_error *error);
