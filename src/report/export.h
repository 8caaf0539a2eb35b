/* Writes ranked lists for other programs: trec_eval, and the evaluation scripts of SHREC tracks. */
#pragma once

#include "io/cla.h"
#include "io/matrix.h"

/*
 * Writes TREC's qrels: a line "QUERY 0 MODEL 1" for each relevant model of each selected query.
 * Models that are not listed count as irrelevant.
 */
psb_status psb_export_qrels(const char *path, const psb_classification *cla, const bool *selected,
                            psb_error *error);

/*
 * Writes a TREC run: a line "QUERY Q0 MODEL RANK SCORE TAG" for each model of each list. trec_eval
 * sorts by score, higher first, and breaks ties by name: the score is the number of models behind,
 * so that ties stay as they were broken here. Blanks in `tag` become underscores.
 */
psb_status psb_export_trec(const char *path, const psb_classification *cla,
                           const psb_matrix *matrix, const bool *selected, const char *tag,
                           psb_error *error);

/* Writes SHREC rank lists: a file FOLDER/QUERY for each selected query, "MODEL DISTANCE" a line. */
psb_status psb_export_shrec(const char *folder, const psb_classification *cla,
                            const psb_matrix *matrix, const bool *selected, psb_error *error);
