/* The manifest as JSON. */
#include "pipeline/manifest.h"

#include "core/clock.h"
#include "core/error.h"
#include "core/file.h"

#include <cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <xxhash.h>

static void add_hash(cJSON *object, const char *name, uint64_t hash) {
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    cJSON_AddStringToObject(object, name, text);
}

static psb_status add_inputs(cJSON *root, const psb_run_options *options,
                             const psb_dataset *dataset, const psb_features *features,
                             psb_error *error) {
    psb_input input;
    psb_status status = psb_input_open(options->classification, &input, error);
    if (status != PSB_OK) {
        return status;
    }
    cJSON *inputs = cJSON_AddObjectToObject(root, "inputs");
    cJSON_AddStringToObject(inputs, "classification", options->classification);
    add_hash(inputs, "classification_xxh64", XXH64(input.data, input.size, 0));
    cJSON_AddStringToObject(inputs, "models_folder", options->models);
    add_hash(inputs, "models_xxh64", features->checksum);
    cJSON_AddNumberToObject(inputs, "models_listed", (double)dataset->listed);
    cJSON_AddNumberToObject(inputs, "models_used", (double)dataset->cla.nmodels);
    cJSON *missing = cJSON_AddArrayToObject(inputs, "models_missing");
    for (size_t i = 0; i < dataset->nmissing; i++) {
        cJSON_AddItemToArray(missing, cJSON_CreateString(dataset->missing[i]));
    }
    cJSON *failed = cJSON_AddArrayToObject(inputs, "models_failed");
    for (size_t f = 0; f < features->nfailures; f++) {
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddStringToObject(entry, "id", features->failures[f].id);
        cJSON_AddStringToObject(entry, "reason", features->failures[f].error.message);
        cJSON_AddItemToArray(failed, entry);
    }
    psb_input_close(&input);
    return PSB_OK;
}

static void add_parameters(cJSON *entry, const psb_spec *spec) {
    cJSON *parameters = cJSON_AddObjectToObject(entry, "parameters");
    for (size_t p = 0; p < spec->descriptor->nparams; p++) {
        const psb_param *param = &spec->descriptor->params[p];
        if (param->type == PSB_PARAM_CHOICE) {
            int choice = (int)psb_param_value(param, &spec->params);
            cJSON_AddStringToObject(parameters, param->name, param->choices[choice]);
        } else {
            cJSON_AddNumberToObject(parameters, param->name, psb_param_value(param, &spec->params));
        }
    }
}

static void add_descriptors(cJSON *root, const psb_run_options *options,
                            const psb_features *features, const psb_run_costs *costs) {
    cJSON *list = cJSON_AddArrayToObject(root, "descriptors");
    for (size_t s = 0; s < options->nspecs; s++) {
        const psb_spec *spec = options->specs[s];
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddStringToObject(entry, "label", spec->label);
        cJSON_AddStringToObject(entry, "title", spec->descriptor->title);
        cJSON_AddStringToObject(entry, "formula", spec->descriptor->formula);
        cJSON_AddStringToObject(entry, "source", spec->descriptor->source);
        cJSON_AddStringToObject(entry, "metric", spec->descriptor->metric);
        cJSON_AddNumberToObject(entry, "length", (double)psb_spec_length(spec));
        add_parameters(entry, spec);
        cJSON_AddNumberToObject(entry, "generate_cpu_seconds", psb_features_seconds(features, s));
        cJSON_AddNumberToObject(entry, "matrix_wall_seconds", costs->matrix_wall_seconds[s]);
        cJSON_AddItemToArray(list, entry);
    }
}

static void add_machine(cJSON *root, int threads) {
    cJSON *machine = cJSON_AddObjectToObject(root, "machine");
    struct utsname system;
    if (uname(&system) == 0) {
        cJSON_AddStringToObject(machine, "system", system.sysname);
        cJSON_AddStringToObject(machine, "architecture", system.machine);
    }
    cJSON_AddNumberToObject(machine, "processors", (double)sysconf(_SC_NPROCESSORS_ONLN));
    cJSON_AddNumberToObject(machine, "threads", threads);
}

static void add_costs(cJSON *root, const psb_features *features, const psb_run_costs *costs) {
    cJSON *object = cJSON_AddObjectToObject(root, "costs");
    cJSON_AddNumberToObject(object, "wall_seconds", costs->wall_seconds);
    cJSON_AddNumberToObject(object, "cpu_seconds", costs->cpu_seconds);
    cJSON_AddNumberToObject(object, "features_wall_seconds", costs->features_wall_seconds);
    cJSON_AddNumberToObject(object, "read_cpu_seconds", psb_features_read_seconds(features));
    cJSON_AddNumberToObject(object, "peak_memory_bytes", (double)psb_peak_memory());
}

psb_status psb_manifest_write(const char *path, const psb_run_options *options,
                              const psb_dataset *dataset, const psb_features *features,
                              const psb_run_costs *costs, psb_error *error) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "program", "psbench " PSB_VERSION);
    cJSON_AddStringToObject(root, "command_line", options->command_line);
    psb_status status = add_inputs(root, options, dataset, features, error);
    char *text = NULL;
    if (status == PSB_OK) {
        add_descriptors(root, options, features, costs);
        add_machine(root, options->threads);
        add_costs(root, features, costs);
        text = cJSON_Print(root);
        status = text != NULL ? psb_write_file(path, text, strlen(text), error)
                              : psb_fail_memory(error, "the manifest", 0);
    }
    cJSON_free(text);
    cJSON_Delete(root);
    return status;
}
