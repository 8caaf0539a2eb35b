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

typedef enum psb_class_rows {
    PSB_ROWS_SETS,    /* Table 1: a row for each set; shares are of its models in classes */
    PSB_ROWS_TOPS,    /* Table 2: uppermost classes with all in them; of all models listed */
    PSB_ROWS_CLASSES, /* Table 3: classes that have models of their own */
} psb_class_rows;

/*
 * Miscellaneous models are in no class, but Table 2 has them: the paper's shares of object types
 * are of all models that have any class. For people shares are percent; for programs
 * the first is a fraction and Table 2 has none.
 */
psb_status psb_class_table_render(const psb_class_set *sets, size_t nsets, psb_class_rows rows,
                                  const psb_table_format *format, psb_text *out, psb_error *error);

#endif
