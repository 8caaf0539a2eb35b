/* Computes a value for each shape and figure, and means over all shapes and over drawn ones. */
#include "eval/two_sets.h"

#include "core/memory.h"
#include "core/random.h"
#include "eval/significance.h"

#include <math.h>
#include <stdio.h>

typedef struct job {
    const psb_set_distances *distances;
    const char *label;
    const psb_resampling *resampling;
    double *means; /* figures x rounds */
} job;

/* A figure is a mean over the sets from this one to the last. */
static psb_set first_set(psb_set_figure figure) {
    return figure == PSB_ONE_NEAREST_NEIGHBOR ? PSB_GENERATED : PSB_REFERENCE;
}

static double value_of(const psb_set_distances *d, psb_set_figure figure, psb_set set, size_t i) {
    float own = d->own[set][i], other = d->other[set][i];
    switch (figure) {
    case PSB_MATCHING_DISTANCE:
        return other;
    case PSB_COVERAGE:
        return d->covered[i];
    default:
        return own < other ? 1 : own > other ? 0 : 0.5;
    }
}

/* The mean over the shapes or, with `random`, over as many drawn from each set. */
static double mean_of(const psb_set_distances *d, psb_set_figure figure, psb_random *random) {
    double sum = 0, count = 0;
    for (psb_set set = first_set(figure); set < PSB_SETS; set++) {
        size_t n = d->count[set];
        for (size_t i = 0; i < n; i++) {
            sum += value_of(d, figure, set, random != NULL ? psb_random_below(random, n) : i);
        }
        count += (double)n;
    }
    return sum / count;
}

static psb_status draw(void *context, void *own PSB_UNUSED, size_t round,
                       psb_error *error PSB_UNUSED) {
    const job *work = context;
    char purpose[32];
    snprintf(purpose, sizeof purpose, "round %zu", round);
    psb_random random = psb_random_seeded(work->resampling->seed, work->label, purpose);
    for (psb_set_figure f = 0; f < PSB_SET_FIGURES; f++) {
        work->means[f * work->resampling->rounds + round] = mean_of(work->distances, f, &random);
    }
    return PSB_OK;
}

psb_status psb_two_sets_measure(const psb_set_distances *distances, const char *label,
                                const psb_resampling *resampling,
                                psb_set_value figures[PSB_SET_FIGURES], psb_error *error) {
    size_t rounds = resampling->rounds;
    psb_status status = PSB_OK;
    job work = {distances, label, resampling, NULL};
    work.means = psb_new(&status, rounds, PSB_SET_FIGURES * sizeof *work.means, "means", error);
    psb_loop loop = {.count = rounds,
                     .threads = resampling->threads,
                     .item = draw,
                     .job = &work,
                     .progress = resampling->progress,
                     .context = resampling->context};
    PSB_THEN(status, psb_parallel(&loop, error));
    for (psb_set_figure f = 0; f < PSB_SET_FIGURES && status == PSB_OK; f++) {
        figures[f] = (psb_set_value){mean_of(distances, f, NULL), NAN, NAN};
        if (rounds > 0) {
            psb_interval(work.means + f * rounds, rounds, &figures[f].low, &figures[f].high);
        }
    }
    free(work.means);
    return status;
}
