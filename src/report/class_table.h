/*
 * What classifications are made of, as the paper's Tables 1 to 3 have it: models and classes, the
 * shares of the uppermost classes, and the models of each class, sets side by side.
 */
#ifndef PSB_REPORT_CLASS_TABLE_H
#define PSB_REPORT_CLASS_TABLE_H

#include "io/cla.h"
#include "report/table.h"

typedef struct psb_class_set {
    const char *label;
    psb_classification cla;
} psb_class_set;

/*
 * The table, for psb_table_free. PSB_ROWS_SETS is Table 1, with shares of the models in classes;
 * PSB_ROWS_TOPS Table 2, with shares of all models listed, since the paper's object types include
 * the miscellaneous ones, which are in no class; PSB_ROWS_CLASSES Table 3, of classes that have
 * models of their own. For people shares are percent; for programs the first is a fraction and
 * Table 2 has none.
 */
psb_status psb_class_table_make(const psb_class_set *sets, size_t nsets, psb_class_rows rows,
                                psb_table **made, psb_error *error);

#endif
