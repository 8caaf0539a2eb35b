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
/* The same of a method that is made of others, and what these say of it when they have theirs: what
   it uses, and its costs, which are those of its parts and so many seconds a pair more. */
void psb_manifest_describe_made(const psb_run_method *method, psb_descriptor_facts *of);
void psb_manifest_add_parts(const psb_run_facts *facts, const psb_run_method *method,
                            double pair_seconds, psb_descriptor_facts *of);
/* The one with the same files; NULL where there is none. */
psb_descriptor_facts *psb_manifest_find(const psb_run_facts *facts, const psb_label *label);

/* Inputs, machine and all costs but those of single descriptors and the whole run's. */
psb_status psb_manifest_fill(psb_run_facts *facts, const psb_run_job *job,
                             const psb_dataset *dataset, const psb_features *features,
                             psb_manifest_texts *texts, psb_error *error);

#endif
