/*
 * The second table: how the paper's features retrieve when they are compared fairly, added up, and
 * looked at in context; on the training list, the test list, and the test list turned at random.
 */
#pragma once

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
    const char *label;  /* label of its method in the runs */
    /*
     * what it uses: "pair", "reference", "context"; with labels of the training set "learned",
     * "learned+reference", "learned+context"
     */
    const char *uses;
    bool added; /* not a method of the runs' plan, but made of their features */
} psb_beyond_row;

extern const psb_beyond_row psb_beyond_rows[];
enum { PSB_BEYOND_ROWS = 28 };

/* Figures of rows learned with labels are NAN on the training set, where they mean nothing. */
typedef struct psb_beyond {
    psb_average average[PSB_BEYOND_ROWS][PSB_BEYOND_SETS];
    /* DCG of the test queries whose class has a namesake in the training list, and of the others.
     */
    double seen[PSB_BEYOND_ROWS], unseen[PSB_BEYOND_ROWS];
    double dcg_error[PSB_BEYOND_ROWS][PSB_BEYOND_SETS];
    double model_seconds[PSB_BEYOND_ROWS], pair_seconds[PSB_BEYOND_ROWS],
        model_bytes[PSB_BEYOND_ROWS]; /* costs on the test set */
} psb_beyond;

/*
 * Makes the table; psb_table_free it. TSV has a line for each recipe and set: recipe, context, set
 * and the five figures. JSON adds errors and costs. Other formats have a line for each recipe.
 */
psb_status psb_beyond_make(const psb_beyond *beyond, psb_table **made, psb_error *error);
