/*
 * The maps that a run keeps, RUN/maps/STEM.npy: places (eval/map.h) by the distances in
 * matrices/STEM.matrix or, where the run has no matrices, those of features/STEM.npy.
 */
#ifndef PSB_RUN_MAPS_H
#define PSB_RUN_MAPS_H

#include "proof/results.h"

/* Reads n x 2 places by the distances of this file of the run; *found: it has a map of them as they
   are now. */
psb_status psb_run_map_read(const psb_results *results, const char *distances, size_t n, float *xy,
                            bool *found, psb_error *error);

/*
 * Writes and enters such places by each of these files; NULL, and files that the ledger does not
 * know, are left out.
 */
psb_status psb_run_maps_keep(const psb_ledger *ledger, char *const *distances,
                             const float *const *xy, size_t count, size_t n,
                             const char *command_line, psb_error *error);

#endif
