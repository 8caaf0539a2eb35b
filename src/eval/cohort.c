/* A mean of the smallest, and a division. */
#include "eval/cohort.h"

#include "core/error.h"
#include "core/number.h"
#include "core/parallel.h"

#include <math.h>
#include <stdlib.h>

enum { PERCENT = 11 };

size_t psb_cohort_nearest(size_t n) {
    return (PERCENT * n + 99) / 100;
}

double psb_cohort_level(float *distances, size_t n) {
    size_t nearest = psb_cohort_nearest(n);
    double sum = 0;
    qsort(distances, n, sizeof *distances, psb_by_float);
    for (size_t k = 0; k < nearest; k++) {
        sum += (double)distances[k];
    }
    return sum / (double)nearest;
}

typedef struct job {
    const psb_matrix *matrix;
    const double *level;
    float *out;
} job;

static psb_status normalise_row(void *context, void *own, size_t i, psb_error *error) {
    (void)own;
    (void)error;
    const job *work = context;
    size_t n = work->matrix->n;
    for (size_t j = 0; j < n; j++) {
        double d = (double)work->matrix->data[i * n + j];
        work->out[i * n + j] = (float)(d / sqrt(work->level[i] * work->level[j]));
    }
    return PSB_OK;
}

psb_status psb_cohort_normalise(const psb_matrix *matrix, const double *level, int threads,
                                float *out, psb_error *error) {
    job work = {matrix, level, out};
    for (size_t i = 0; i < matrix->n; i++) {
        if (!(level[i] > 0)) {
            return psb_fail(error, PSB_ERROR_INPUT,
                            "row %zu: the mean distance to the nearest models of the cohort is %g, "
                            "and has to be above 0",
                            i, level[i]);
        }
    }
    psb_loop loop = {.count = matrix->n, .threads = threads, .item = normalise_row, .job = &work};
    return psb_parallel(&loop, error);
}
