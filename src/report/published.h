/* Figures that the paper printed, which the program carries with it. */
#ifndef PSB_REPORT_PUBLISHED_H
#define PSB_REPORT_PUBLISHED_H

#include "io/csv.h"

/*
 * Table 4: names in the first column "descriptor", then storage_bytes, generate_s, compare_s
 * (seconds, 2.0 GHz Pentium 4) and nearest_neighbor, first_tier, second_tier, e_measure, dcg,
 * normalized_dcg (percent).
 */
psb_status psb_published_table4(psb_csv *csv, psb_error *error);

/*
 * Tables 5 and 6: normalized DCG in percent, over the paper's twelve. 5: all_models, the object
 * types animal, building, furniture, household, tree_plant, vehicle, and rotation_aligned,
 * stick_shape, complex_shape. 6: base_92, coarse_44, coarser_6, coarsest_2.
 */
psb_status psb_published_table5(psb_csv *csv, psb_error *error);
psb_status psb_published_table6(psb_csv *csv, psb_error *error);

/* A field as a number. */
psb_status psb_published_number(const psb_csv *csv, size_t row, const char *column, double *number,
                                psb_error *error);

#endif
