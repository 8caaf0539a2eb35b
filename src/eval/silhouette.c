/* Sums each model's distances class by class. */
#include "eval/silhouette.h"

#include "core/watch.h"

#include <math.h>

/* Of one model, whose distances to the classes add up to `sum`. */
static double of_model(const double *sum, const size_t *count, size_t nlabels, size_t own) {
    double within = 0, nearest = HUGE_VAL;
    if (count[own] < 2) {
        return 0;
    }
    for (size_t l = 0; l < nlabels; l++) {
        if (l == own) {
            within = sum[l] / (double)(count[l] - 1);
        } else if (count[l] > 0 && sum[l] / (double)count[l] < nearest) {
            nearest = sum[l] / (double)count[l];
        }
    }
    double most = fmax(within, nearest);
    return most > 0 ? (nearest - within) / most : 0;
}

psb_status psb_silhouette(const psb_matrix *matrix, const size_t *models, const size_t *label,
                          size_t nlabels, size_t n, double *mean, psb_error *error) {
    psb_status status = PSB_OK;
    double *sum = psb_new(&status, nlabels, sizeof *sum, "a silhouette", error), all = 0;
    PSB_FREED size_t *count = psb_new_zero(&status, nlabels, sizeof *count, "a silhouette", error);
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        count[label[i]]++;
    }
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        status = psb_go_on(error);
        const float *row = matrix->data + models[i] * matrix->n;
        memset(sum, 0, nlabels * sizeof *sum);
        for (size_t j = 0; j < n; j++) {
            sum[label[j]] += j != i ? row[models[j]] : 0;
        }
        all += of_model(sum, count, nlabels, label[i]);
    }
    *mean = nlabels >= 2 && nlabels < n ? all / (double)n : NAN;
    free(sum);
    return status;
}
