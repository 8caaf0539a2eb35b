/* The facts of a run. */
#include "pipeline/manifest.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void describe_parameters(psb_parameter_facts *facts, const psb_spec *spec) {
    _Static_assert((int)PSB_PARAMS_MOST <= (int)PSB_PARAMETERS_KNOWN, "a place for each");
    for (size_t p = 0; p < spec->descriptor->nparams; p++) {
        const psb_param *param = &spec->descriptor->params[p];
        bool choice = param->type == PSB_PARAM_CHOICE;
        facts->list[p].name = param->name;
        facts->list[p].choice = choice ? param->choices[(int)spec->params.value[p]] : NULL;
        facts->list[p].number = choice ? (double)NAN : spec->params.value[p];
    }
    facts->count = spec->descriptor->nparams;
}

psb_status psb_manifest_describe(psb_run_facts *facts, const psb_run_job *options,
                                 psb_error *error) {
    psb_status status = psb_run_facts_alloc(facts, options->nspecs, error);
    for (size_t s = 0; s < facts->ndescriptors; s++) {
        const psb_spec *spec = options->specs[s];
        psb_descriptor_facts *of = &facts->descriptors[s];
        /* A variant is not the paper's descriptor, even where it has its name. */
        bool preset = strcmp(spec->label, spec->descriptor->name) == 0;
        bool floats = psb_spec_element(spec) == PSB_FLOAT32;
        *of = (psb_descriptor_facts){
            .label = spec->label,
            .title = spec->descriptor->title,
            .formula = spec->descriptor->formula,
            .source = spec->descriptor->source,
            .metric = psb_spec_metric(spec)->name,
            .length = (double)psb_spec_length(spec),
            .published_name = options->published && preset ? spec->descriptor->name : NULL,
            /* The paper's files of floats begin with 8 bytes of header, the light field's 4700 do
               not. */
            .storage_bytes = (double)(psb_spec_row_bytes(spec) + (floats ? 8 : 0)),
            .generate_seconds = NAN,
            .compare_seconds = NAN,
            .generate_alone_cpu_seconds = NAN,
            .matrix_wall_seconds = NAN,
        };
        psb_spec_stem(spec, of->stem);
        describe_parameters(&of->parameters, spec);
    }
    return status;
}

static psb_status fill_left_out(psb_run_facts *facts, const psb_dataset *dataset,
                                const psb_features *features, psb_error *error) {
    psb_status status = psb_left_out_alloc(&facts->missing, dataset->nmissing, error);
    PSB_THEN(status, psb_left_out_alloc(&facts->failed, features->nfailures, error));
    for (size_t i = 0; i < facts->missing.count; i++) {
        facts->missing.entries[i].id = dataset->missing[i];
    }
    for (size_t f = 0; f < facts->failed.count; f++) {
        facts->failed.entries[f] =
            (psb_left_out){features->failures[f].id, features->failures[f].error.message};
    }
    return status;
}

psb_status psb_manifest_fill(psb_run_facts *facts, const psb_run_job *options,
                             const psb_dataset *dataset, const psb_features *features,
                             psb_manifest_texts *texts, psb_error *error) {
    const char *source = psb_dataset_source(&options->data);
    /* Folders have no bytes to hash, but the models and classes that they say. */
    psb_stamp stamp = {.hash = dataset->list}, targets = {.hash = 0};
    psb_status status =
        source != options->data.models ? psb_stamp_read(source, &stamp, error) : PSB_OK;
    if (dataset->nsides > 0) {
        PSB_THEN(status, psb_stamp_read(options->data.targets, &targets, error));
        snprintf(texts->hashes[2], sizeof texts->hashes[2], "%016" PRIx64, targets.hash);
        facts->targets = options->data.targets;
        facts->targets_xxh64 = texts->hashes[2];
    }
    snprintf(texts->hashes[0], sizeof texts->hashes[0], "%016" PRIx64, stamp.hash);
    snprintf(texts->hashes[1], sizeof texts->hashes[1], "%016" PRIx64, features->checksum);
    bool known = uname(&texts->system) == 0;
    facts->program = "psbench " PSB_VERSION;
    facts->command_line = options->command_line;
    facts->title = options->title;
    facts->classification = source;
    facts->classification_xxh64 = texts->hashes[0];
    facts->models_folder = options->data.models;
    facts->models_xxh64 = texts->hashes[1];
    facts->turned = options->turn != NULL ? (double)*options->turn : (double)NAN;
    facts->models_listed = (double)dataset->listed;
    facts->models_used = (double)dataset->cla.nmodels;
    facts->system = known ? texts->system.sysname : NULL;
    facts->architecture = known ? texts->system.machine : NULL;
    facts->processors = (double)sysconf(_SC_NPROCESSORS_ONLN);
    facts->threads = options->threads;
    facts->read_cpu_seconds = psb_features_read_seconds(features);
    facts->generate_together_cpu_seconds = psb_features_together_seconds(features);
    facts->together_seconds = options->times && dataset->cla.nmodels > 0
                                  ? facts->generate_together_cpu_seconds / facts->models_used
                                  : (double)NAN;
    PSB_THEN(status, fill_left_out(facts, dataset, features, error));
    return status;
}
