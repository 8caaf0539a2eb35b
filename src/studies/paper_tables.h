/* Makes Tables 5 and 6 of the paper from the matrices of a run on its test set. */
#pragma once

#include "core/parallel.h"
#include "eval/align.h"
#include "report/dcg_table.h"

typedef struct psb_matrices {
    const psb_classification *cla; /* the run's models.cla, which has the order of the matrices */
    const psb_matrix *matrix;
    const char *const *labels;
    size_t count;
    int threads;
} psb_matrices;

/* A table with its numbers; starts zeroed, and must not move. */
typedef struct psb_paper_table {
    psb_dcg_table table;
    psb_dcg_column columns[PSB_PUBLISHED_MOST];
    const char **labels;
    double *dcg;
} psb_paper_table;
void psb_paper_table_free(psb_paper_table *table);

/* Table 6: evaluates the same matrices under four classifications. */
enum { PSB_TABLE6_COLUMNS = 4 };

/* Ways to treat models that have no type in the coarser classification. */
enum { PSB_TABLE6_HANDLINGS = 4, PSB_TABLE6_DEFAULT = 3 };
extern const struct psb_table6_handling {
    const char *name;
    psb_miscellaneous miscellaneous;
    const char *note;
} psb_table6_handlings[PSB_TABLE6_HANDLINGS];

/* Measures Table 6; `psb` is the benchmark's folder. */
psb_status psb_table6_measure(const psb_matrices *in, const char *psb,
                              const struct psb_table6_handling *handling, psb_paper_table *out,
                              psb_error *error);

/* Returns the benchmark's folder if `cla_path` is its base classification, allocated as by psb_new;
 * else NULL. */
char *psb_benchmark_of(psb_status *status, const char *cla_path, psb_error *error);

/* Table 5: the base classification, averaged over lists of queries. */
enum {
    PSB_TABLE5_ALL,
    PSB_TABLE5_FIRST_TYPE, /* six object types, classes of the coarser classification */
    PSB_TABLE5_STICK = PSB_TABLE5_FIRST_TYPE + 6,
    PSB_TABLE5_COMPLEX,
    PSB_TABLE5_COLUMNS,
    PSB_TABLE5_SHAPES = 200, /* models in each of the last two lists */
};
extern const char *const psb_table5_names[PSB_TABLE5_COLUMNS];

/* Each model's values for the geometric lists. */
typedef struct psb_list_values {
    double stick;   /* first eigenvalue of the covariance divided by the second */
    double complex; /* average depth complexity; NaN where no face is seen */
} psb_list_values;

/* Annotates each of the `models` models of the classification `cla_path`, whose files are below
 * PSB/db; the values do not depend on `threads`. `progress` may be NULL. */
psb_status psb_list_values_compute(const char *cla_path, size_t models, const char *psb,
                                   int threads, psb_progress *progress, void *context,
                                   psb_list_values *values, psb_error *error);

/* Sets listed[j * models + i] if model i is in list j. */
psb_status psb_table5_lists(const psb_classification *cla, const char *psb,
                            const psb_list_values *values, bool *listed, psb_error *error);

/* Measures Table 5: under the base classification, for each list. */
psb_status psb_table5_measure(const psb_matrices *in, const char *psb, const bool *listed,
                              psb_paper_table *out, psb_error *error);
