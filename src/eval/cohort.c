/* Computes the mean of a row's smallest distances, and divides by it. */
#include "eval/cohort.h"

#include "core/number.h"
#include "core/parallel.h"

#include <math.h>

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

psb_status psb_cohort_check(const double *level, size_t n, psb_error *error) {
    for (size_t i = 0; i < n; i++) {
        if (!(level[i] > 0)) {
            return psb_fail(error, PSB_ERROR_INPUT,
                            "row %zu: the mean distance to the nearest models of the cohort is %g, "
                            "and has to be above 0",
                            i, level[i]);
        }
    }
    return PSB_OK;
}

void psb_cohort_divide(const float *distances, size_t n, double own, const double *level,
                       float *out) {
    for (size_t j = 0; j < n; j++) {
        out[j] = (float)((double)distances[j] / sqrt(own * level[j]));
    }
}

typedef struct job {
    const psb_matrix *matrix;
    const double *level;
    float *out;
} job;

static psb_status normalise_row(void *context, void *own PSB_UNUSED, size_t i,
                                psb_error *error PSB_UNUSED) {
    const job *work = context;
    size_t n = work->matrix->n;
    psb_cohort_divide(work->matrix->data + i * n, n, work->level[i], work->level,
                      work->out + i * n);
    return PSB_OK;
}

psb_status psb_cohort_normalise(const psb_matrix *matrix, const double *level, int threads,
                                float *out, psb_error *error) {
    job work = {matrix, level, out};
    psb_status status = psb_cohort_check(level, matrix->n, error);
    psb_loop loop = {.count = matrix->n, .threads = threads, .item = normalise_row, .job = &work};
    return PSB_THEN(status, psb_parallel(&loop, error));
}
