/*
 * The second table: what the paper's features give when they are compared fairly, added up, and
 * looked at in context; on the training list, the test list, and the test list turned at random.
 */
#ifndef PSB_REPORT_BEYOND_TABLE_H
#define PSB_REPORT_BEYOND_TABLE_H

#include "eval/evaluation.h"
#include "report/table.h"

typedef enum psb_beyond_set {
    PSB_BEYOND_TRAIN,
    PSB_BEYOND_TEST,
    PSB_BEYOND_TURNED,
    PSB_BEYOND_SETS
} psb_beyond_set;
extern const char *const psb_beyond_sets[PSB_BEYOND_SETS]; /* "train", "test", "turned" */

typedef struct psb_beyond_row {
    const char *recipe; /* "LFD roots" */
    const char *label;  /* of the row in the runs */
    /* "pair", "reference", "context"; with labels of the training set "learned",
     * "learned+reference", "learned+context" */
    const char *uses;
    bool added; /* not a method of the runs' plan, but made of their features */
} psb_beyond_row;

extern const psb_beyond_row psb_beyond_rows[];
enum { PSB_BEYOND_ROWS = 28 };

/* Figures of what is learned with labels are NAN on the training set, where they mean nothing. */
typedef struct psb_beyond {
    psb_average average[PSB_BEYOND_ROWS][PSB_BEYOND_SETS];
    /* DCG of the test queries whose class has a namesake in the training list, and of the others.
     */
    double seen[PSB_BEYOND_ROWS], unseen[PSB_BEYOND_ROWS];
    double dcg_error[PSB_BEYOND_ROWS][PSB_BEYOND_SETS];
    double model_seconds[PSB_BEYOND_ROWS], pair_seconds[PSB_BEYOND_ROWS],
        model_bytes[PSB_BEYOND_ROWS]; /* of the test set */
} psb_beyond;

/*
 * The table, for psb_table_free. TSV, for programs: recipe, context, set and the five figures, a
 * line for each set; JSON the same with errors and costs; else a line for each recipe. The second
 * appends it.
 */
psb_status psb_beyond_make(const psb_beyond *beyond, psb_table **made, psb_error *error);
psb_status psb_beyond_render(const psb_beyond *beyond, const psb_table_format *format,
                             psb_text *out, psb_error *error);

#endif
