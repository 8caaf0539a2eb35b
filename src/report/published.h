/* Holds figures that the paper printed, which the program carries with it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { PSB_PUBLISHED_MOST = 10 };

/* A row for each of the paper's twelve descriptors, best first. */
typedef struct psb_published {
    size_t nrows;
    const struct psb_published_row {
        const char *name;
        double figure[PSB_PUBLISHED_MOST];
    } * rows;
    size_t ncolumns;
    const char *const *columns;
} psb_published;

/*
 * Table 4: storage_bytes, generate_s, compare_s (seconds, 2.0 GHz Pentium 4) and nearest_neighbor,
 * first_tier, second_tier, e_measure, dcg, normalized_dcg (percent).
 */
extern const psb_published psb_published_table4;

/*
 * Tables 5 and 6: normalized DCG in percent, over the paper's twelve. 5: all_models, the object
 * types animal, building, furniture, household, tree_plant, vehicle, and rotation_aligned,
 * stick_shape, complex_shape. 6: base_92, coarse_44, coarser_6, coarsest_2.
 */
extern const psb_published psb_published_table5;
extern const psb_published psb_published_table6;

/* The table for a list of which nothing was published. */
extern const psb_published psb_published_none;

/*
 * psb_list_hash (models, classes and order) of the benchmark's lists in the base classification.
 * All published figures are of the test list. A list with another hash is not the benchmark,
 * whatever its name or place.
 */
#define PSB_TEST_LIST  UINT64_C(0x82f12c0df84d5636)
#define PSB_TRAIN_LIST UINT64_C(0xb69126f761f71cc4)

/* Index of the descriptor's row; nrows if there is none. */
size_t psb_published_find(const psb_published *table, const char *name);

/* The figure of a row and column; NAN if the table has no such column. */
double psb_published_figure(const psb_published *table, size_t row, const char *column);
