/* Chooses and reads models. */
#include "models.h"

#include "core/file.h"
#include "io/dataset.h"
#include "measure.h"
#include "run/features.h"
#include "synth/synth.h"

#include <stdlib.h>
#include <string.h>

void bench_slice_built_in(bench_slice *slice) {
    *slice = (bench_slice){.name = "built-in", .count = BENCH_SLICE};
    for (size_t i = 0; i < slice->count; i++) {
        bench_model *model = &slice->model[i];
        size_t id = i * psb_synth_model_count() / slice->count;
        psb_text off = {0};
        psb_error error;
        bench_check(psb_synth_model(PSB_SYNTH_SEED, id, &off, &error), &error);
        snprintf(model->id, sizeof model->id, "%zu", id);
        model->text = off.data;
        model->size = off.length;
    }
}

static void read_model(const char *path, const char *id, bench_model *model) {
    psb_input input;
    psb_error error;
    bench_check(psb_input_open(path, &input, &error), &error);
    snprintf(model->id, sizeof model->id, "%s", id);
    model->text = bench_memory(input.size, 1);
    model->size = input.size;
    memcpy(model->text, input.data, input.size);
    psb_input_close(&input);
}

void bench_slices_real(const char *folder, bench_slice slices[BENCH_REAL_SLICES]) {
    static const struct {
        const char *name;
        size_t count;
        double from, to; /* range among the models, the largest first */
    } choice[BENCH_REAL_SLICES] = {
        {"small", 8, 0.85, 0.95},
        {"median", 8, 0.45, 0.55},
        {"large", 8, 0.0, 0.1},
        {"all sizes", BENCH_SLICE, 0.0, 1.0},
    };
    char cla[4096], db[4096];
    snprintf(cla, sizeof cla, "%s/classification/v1/base/test.cla", folder);
    snprintf(db, sizeof db, "%s/db", folder);
    psb_dataset dataset;
    psb_error error;
    bench_check(
        psb_dataset_open(&(psb_collection_options){.models = db, .cla = cla, .skip_missing = true},
                         &dataset, &error),
        &error);
    size_t *order;
    bench_check(
        psb_largest_first(dataset.archive, dataset.paths, dataset.cla.nmodels, &order, &error),
        &error);
    for (size_t s = 0; s < BENCH_REAL_SLICES; s++) {
        slices[s] = (bench_slice){.name = choice[s].name, .count = choice[s].count};
        for (size_t i = 0; i < slices[s].count; i++) {
            double part = ((double)i + 0.5) / (double)slices[s].count;
            double at = choice[s].from + part * (choice[s].to - choice[s].from);
            size_t model = order[(size_t)(at * (double)dataset.cla.nmodels)];
            read_model(dataset.paths[model], dataset.cla.models[model], &slices[s].model[i]);
        }
    }
    free(order);
    psb_dataset_free(&dataset);
}

void bench_slice_free(bench_slice *slice) {
    for (size_t i = 0; i < slice->count; i++) {
        free(slice->model[i].text);
    }
}
