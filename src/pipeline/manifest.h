/* run.json: what a run was made of and what it cost, so that its figures can be traced. */
#ifndef PSB_PIPELINE_MANIFEST_H
#define PSB_PIPELINE_MANIFEST_H

#include "pipeline/dataset.h"
#include "pipeline/features.h"
#include "pipeline/run.h"
#include "report/run_facts.h"

#include <sys/utsname.h>

/* Texts that facts refer to. */
typedef struct psb_manifest_texts {
    char hashes[3][17];
    struct utsname system;
} psb_manifest_texts;

/* What is known of the descriptors before anything is measured; the rest is NAN. */
psb_status psb_manifest_describe(psb_run_facts *facts, const psb_run_job *options,
                                 psb_error *error);

/* Inputs, machine and all costs but those of single descriptors and the whole run's. */
psb_status psb_manifest_fill(psb_run_facts *facts, const psb_run_job *options,
                             const psb_dataset *dataset, const psb_features *features,
                             psb_manifest_texts *texts, psb_error *error);

#endif
