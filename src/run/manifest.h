/* run.json: what a run was made from and what it cost, so that its figures can be traced. */
#pragma once

#include "io/dataset.h"
#include "report/run_facts.h"
#include "run/features.h"
#include "run/run.h"

#include <sys/utsname.h>

/* Texts that the facts point to. */
typedef struct psb_manifest_texts {
    char hashes[3][17];
    struct utsname system;
} psb_manifest_texts;

/* True if the job's title and published figures belong to the data set's list. */
bool psb_manifest_is_titled(const psb_run_job *job, const psb_dataset *dataset);

/* Fills in what is known of the plan's methods before anything is measured; the rest is NAN. */
psb_status psb_manifest_describe(psb_run_facts *facts, const psb_run_job *job,
                                 const psb_dataset *dataset, psb_error *error);
/* Describes a method made from others. Once those have their facts, psb_manifest_add_parts fills in
 * what the method uses and costs: the sum of its parts' costs, and pair_seconds a pair. */
void psb_manifest_describe_made(const psb_run_method *method, psb_descriptor_facts *of);
void psb_manifest_add_parts(const psb_run_facts *facts, const psb_run_method *method,
                            double pair_seconds, psb_descriptor_facts *of);
/* Finds the facts of the method with the same files; NULL if there are none. */
psb_descriptor_facts *psb_manifest_find(const psb_run_facts *facts, const psb_label *label);
/* The same by the stem of the method's files, of `length` bytes. */
psb_descriptor_facts *psb_manifest_find_stem(const psb_run_facts *facts, const char *stem,
                                             size_t length);

/* Fills in inputs, machine, and all costs but those of single descriptors and of the whole run. */
psb_status psb_manifest_fill(psb_run_facts *facts, const psb_run_job *job,
                             const psb_dataset *dataset, const psb_features *features,
                             psb_manifest_texts *texts, psb_error *error);
