/* Calls FFTW. Its planner serves one thread at a time; transforms need no lock. */
#include "core/fourier.h"

#include "core/memory.h"

#include <fftw3.h>
#include <pthread.h>

struct psb_fourier {
    fftw_plan plan;
};

/* More than the planner takes. FFTW ends the program where it gets no memory. */
enum { PLANNER_BYTES = 1 << 20 };

static pthread_mutex_t planning = PTHREAD_MUTEX_INITIALIZER;

psb_status psb_fourier_new(int n, int step, psb_fourier **plan, psb_error *error) {
    /* Transforms have arrays of their own, of any alignment. */
    const unsigned flags = FFTW_ESTIMATE | FFTW_NO_SIMD | FFTW_UNALIGNED;
    psb_status status = psb_ask_for_memory(PLANNER_BYTES, "a Fourier transform", error);
    size_t length = (size_t)n + ((size_t)n / 2 + 1) * (size_t)step;
    *plan = psb_new_zero(&status, 1, sizeof **plan, "a Fourier transform", error);
    PSB_FREED double *in = psb_new_zero(&status, length, sizeof *in, "a Fourier transform", error);
    if (status == PSB_OK) {
        fftw_complex *out = (fftw_complex *)(void *)(in + n);
        pthread_mutex_lock(&planning);
        (*plan)->plan =
            fftw_plan_many_dft_r2c(1, &n, 1, in, NULL, 1, n, out, NULL, step / 2, 1, flags);
        pthread_mutex_unlock(&planning);
        if ((*plan)->plan == NULL) { /* it can make every plan of these sizes */
            status = psb_fail_memory(error, "a Fourier transform", PLANNER_BYTES);
        }
    }
    if (status != PSB_OK) {
        free(*plan);
        *plan = NULL;
    }
    return status;
}

void psb_fourier_free(psb_fourier *plan) {
    if (plan != NULL) {
        pthread_mutex_lock(&planning);
        fftw_destroy_plan(plan->plan);
        pthread_mutex_unlock(&planning);
        free(plan);
    }
}

void psb_fourier_transform(const psb_fourier *plan, const double *in, double *out) {
    /* FFTW's type is not const, but a transform of one row to another array reads it only. */
    fftw_execute_dft_r2c(plan->plan, (double *)(size_t)in, (fftw_complex *)(void *)out);
}
