/* The maps that a run keeps, RUN/maps/STEM.npy: places (eval/map.h) computed from the distances of
 * matrices/STEM.matrix or, if the run has no matrices, of features/STEM.npy. */
#pragma once

#include "proof/results.h"

/* Reads n x 2 places that were computed from this file of the run. *found is false if the run has
 * no map of the file's present bytes. */
psb_status psb_run_map_read(const psb_results *results, const char *distances, size_t n, float *xy,
                            bool *found, psb_error *error);

/* Writes the places computed from each of these files, and enters them into the ledger. Skips
 * places that are NULL, and files that the ledger does not know. */
psb_status psb_run_maps_keep(const psb_ledger *ledger, char *const *distances,
                             const float *const *xy, size_t count, size_t n,
                             const char *command_line, psb_error *error);
