/*
 * Shows what classifications are made of, as the paper's Tables 1 to 3 do: models and classes, the
 * shares of the uppermost classes, and the models of each class, sets side by side.
 */
#pragma once

#include "io/cla.h"
#include "report/table.h"

typedef struct psb_class_set {
    const char *label;
    psb_classification cla;
} psb_class_set;

/*
 * Makes a table; psb_table_free it. PSB_ROWS_SETS is Table 1, with shares of the models in classes;
 * PSB_ROWS_TOPS Table 2, with shares of all models listed, since the paper's object types include
 * the miscellaneous ones, which are in no class; PSB_ROWS_CLASSES Table 3, of classes that have
 * models of their own. People get shares as percent; programs get those of Table 1 as fractions,
 * and none in Table 2.
 */
psb_status psb_class_table_make(const psb_class_set *sets, size_t nsets, psb_class_rows rows,
                                psb_table **made, psb_error *error);
