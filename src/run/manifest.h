/* run.json: what a run was made of and what it cost, so that its figures can be traced. */
#ifndef PSB_RUN_MANIFEST_H
#define PSB_RUN_MANIFEST_H

#include "io/dataset.h"
#include "report/run_facts.h"
#include "run/features.h"
#include "run/run.h"

#include <sys/utsname.h>

/* Texts that facts refer to. */
typedef struct psb_manifest_texts {
    char hashes[3][17];
    struct utsname system;
} psb_manifest_texts;

/* Whether title and published figures of the job are of the data set's list. */
bool psb_manifest_is_titled(const psb_run_job *job, const psb_dataset *dataset);

/* What is known of the plan's methods before anything is measured; the rest is NAN. */
psb_status psb_manifest_describe(psb_run_facts *facts, const psb_run_job *job,
                                 const psb_dataset *dataset, psb_error *error);
/* Describes a method that is made of others. When these have their facts, psb_manifest_add_parts
   fills in what the method uses, and its costs: those of its parts, and pair_seconds a pair. */
void psb_manifest_describe_made(const psb_run_method *method, psb_descriptor_facts *of);
void psb_manifest_add_parts(const psb_run_facts *facts, const psb_run_method *method,
                            double pair_seconds, psb_descriptor_facts *of);
/* The facts of the method with the same files; NULL if there are none. */
psb_descriptor_facts *psb_manifest_find(const psb_run_facts *facts, const psb_label *label);

/* Inputs, machine and all costs but those of single descriptors and the whole run's. */
psb_status psb_manifest_fill(psb_run_facts *facts, const psb_run_job *job,
                             const psb_dataset *dataset, const psb_features *features,
                             psb_manifest_texts *texts, psb_error *error);

#endif
