/* Collects the facts of a run for run.json. */
#include "run/manifest.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

static void describe_parameters(psb_parameter_facts *facts, const psb_spec *spec) {
    _Static_assert((int)PSB_PARAMS_MOST <= (int)PSB_PARAMETERS_KNOWN, "a place for each");
    for (size_t p = 0; p < spec->descriptor->nparams; p++) {
        const psb_param *param = &spec->descriptor->params[p];
        const char *word = psb_param_word(param, spec->params.value[p]);
        facts->list[p].name = param->name;
        facts->list[p].choice = word;
        facts->list[p].number = word != NULL ? (double)NAN : spec->params.value[p];
    }
    facts->count = spec->descriptor->nparams;
}

bool psb_manifest_is_titled(const psb_run_job *job, const psb_dataset *dataset) {
    return job->titled == 0 || job->titled == dataset->list;
}

/* The paper counts 8 bytes of header in files of floats, and none in the light field's 4700. */
static size_t storage_of(size_t row_bytes, bool floats) {
    return row_bytes + (floats ? 8 : 0);
}

static void describe(const psb_spec *spec, bool published, psb_descriptor_facts *of) {
    /* A variant is not the paper's descriptor, even if it has its name. */
    bool as_default = strcmp(spec->label.text, spec->descriptor->name) == 0;
    bool floats = psb_spec_element(spec) == PSB_FLOAT32;
    *of = (psb_descriptor_facts){
        .label = spec->label.text,
        .title = spec->descriptor->title,
        .formula = spec->descriptor->formula,
        .source = spec->descriptor->source,
        .metric = psb_spec_metric(spec)->name,
        .length = (double)psb_spec_length(spec),
        .revision = spec->descriptor->revision,
        .published_name = published && as_default ? spec->descriptor->name : NULL,
        .storage_bytes = (double)storage_of(psb_spec_row_bytes(spec), floats),
        .generate_seconds = NAN,
        .compare_seconds = NAN,
        .generate_alone_cpu_seconds = NAN,
        .matrix_wall_seconds = NAN,
    };
    memcpy(of->stem, spec->label.stem, sizeof spec->label.stem);
    describe_parameters(&of->parameters, spec);
}

void psb_manifest_describe_made(const psb_run_method *method, psb_descriptor_facts *of) {
    *of = (psb_descriptor_facts){.label = method->label.text,
                                 .title = method->kind->title,
                                 .formula = method->formula,
                                 .source = method->source,
                                 .metric = method->kind->metric,
                                 .uses = method->uses,
                                 .revision = method->kind->revision,
                                 .length = method->given != NULL ? (double)NAN : 0,
                                 .generate_seconds = method->given != NULL ? (double)NAN : 0,
                                 .matrix_wall_seconds = NAN};
    memcpy(of->stem, method->label.stem, sizeof method->label.stem);
}

psb_status psb_manifest_describe(psb_run_facts *facts, const psb_run_job *job,
                                 const psb_dataset *dataset, psb_error *error) {
    bool published = job->options.published && psb_manifest_is_titled(job, dataset);
    const psb_plan *plan = job->plan;
    psb_status status = psb_run_facts_alloc(facts, plan->nmethods, error);
    for (size_t m = 0; m < facts->ndescriptors; m++) {
        if (plan->methods[m]->spec != NULL) {
            describe(plan->methods[m]->spec, published, &facts->descriptors[m]);
        } else {
            psb_manifest_describe_made(plan->methods[m], &facts->descriptors[m]);
        }
    }
    return status;
}

psb_descriptor_facts *psb_manifest_find_stem(const psb_run_facts *facts, const char *stem,
                                             size_t length) {
    for (size_t i = 0; i < facts->ndescriptors; i++) {
        psb_label own;
        const char *text = facts->descriptors[i].label;
        if (text != NULL && psb_label_make(text, &own, NULL) == PSB_OK &&
            strlen(own.stem) == length && memcmp(own.stem, stem, length) == 0) {
            return &facts->descriptors[i];
        }
    }
    return NULL;
}

psb_descriptor_facts *psb_manifest_find(const psb_run_facts *facts, const psb_label *label) {
    return psb_manifest_find_stem(facts, label->stem, strlen(label->stem));
}

/* A method uses what any of its parts uses: returns the stronger of two words. */
static const char *uses_of_both(const char *one, const char *other) {
    static const char *const known[] = {"context", "given", "reference", "learned"};
    for (size_t k = 0; k < sizeof known / sizeof known[0] && other != NULL; k++) {
        if (strcmp(one, known[k]) == 0 || strcmp(other, known[k]) == 0) {
            return known[k];
        }
    }
    return one;
}

void psb_manifest_add_parts(const psb_run_facts *facts, const psb_run_method *method,
                            double pair_seconds, psb_descriptor_facts *of) {
    of->compare_seconds = method->given != NULL ? (double)NAN : pair_seconds;
    if (method->kind->of_rows) { /* the cost of its rows is not measured by model */
        of->length = (double)method->numbers;
        of->storage_bytes = (double)storage_of(method->numbers * sizeof(float), true);
        of->generate_seconds = of->generate_alone_cpu_seconds = NAN;
        return;
    }
    for (size_t p = 0; p < method->nparts; p++) {
        const psb_descriptor_facts *part = psb_manifest_find(facts, &method->part[p]);
        of->uses = uses_of_both(of->uses, part != NULL ? part->uses : NULL);
        of->length += part != NULL ? part->length : (double)NAN;
        of->storage_bytes +=
            part != NULL && part->storage_bytes > 0 ? part->storage_bytes : (double)NAN;
        of->generate_seconds += part != NULL ? part->generate_seconds : (double)NAN;
        of->compare_seconds += part != NULL ? part->compare_seconds : (double)NAN;
        of->generate_alone_cpu_seconds +=
            part != NULL ? part->generate_alone_cpu_seconds : (double)NAN;
    }
    /* 0: costs of a part are unknown, because the last run did not make it. */
    of->storage_bytes = isnan(of->storage_bytes) ? 0 : of->storage_bytes;
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

psb_status psb_manifest_fill(psb_run_facts *facts, const psb_run_job *job,
                             const psb_dataset *dataset, const psb_features *features,
                             psb_manifest_texts *texts, psb_error *error) {
    const char *source = psb_dataset_source(&job->options.data);
    /* A folder has no bytes to hash: its models and classes stand for them. */
    psb_stamp stamp = {.hash = dataset->list}, targets = {.hash = 0};
    psb_status status =
        source != job->options.data.models ? psb_stamp_read(NULL, source, &stamp, error) : PSB_OK;
    if (dataset->nsides > 0) {
        PSB_THEN(status, psb_stamp_read(NULL, job->options.data.targets, &targets, error));
        snprintf(texts->hashes[2], sizeof texts->hashes[2], "%016" PRIx64, targets.hash);
        facts->targets = job->options.data.targets;
        facts->targets_xxh64 = texts->hashes[2];
    }
    snprintf(texts->hashes[0], sizeof texts->hashes[0], "%016" PRIx64, stamp.hash);
    snprintf(texts->hashes[1], sizeof texts->hashes[1], "%016" PRIx64, features->checksum);
    bool known = uname(&texts->system) == 0;
    facts->program = "psbench " PSB_VERSION;
    facts->command_line = job->options.command_line;
    facts->title = psb_manifest_is_titled(job, dataset) ? job->options.title : source;
    facts->classification = source;
    facts->classification_xxh64 = texts->hashes[0];
    facts->models_folder = job->options.data.models;
    facts->models_xxh64 = texts->hashes[1];
    facts->turned = job->options.turn != NULL ? (double)*job->options.turn : (double)NAN;
    facts->models_listed = (double)dataset->listed;
    facts->models_used = (double)dataset->cla.nmodels;
    facts->system = known ? texts->system.sysname : NULL;
    facts->architecture = known ? texts->system.machine : NULL;
    facts->processors = (double)sysconf(_SC_NPROCESSORS_ONLN);
    facts->threads = job->threads;
    facts->read_cpu_seconds = psb_features_read_seconds(features);
    facts->generate_together_cpu_seconds = psb_features_together_seconds(features);
    /* The time of all rows together is known only if this run made all of them. */
    bool all = true;
    for (size_t d = job->plan->nmethods; d < facts->ndescriptors; d++) {
        all = all && facts->descriptors[d].uses != NULL;
    }
    facts->together_seconds = !job->options.no_times && dataset->cla.nmodels > 0 && all
                                  ? facts->generate_together_cpu_seconds / facts->models_used
                                  : (double)NAN;
    return PSB_THEN(status, fill_left_out(facts, dataset, features, error));
}
