/*
 * The facts of a run for pages that go to other people: only the last part is left of each path of
 * this machine, "test.cla" of "/home/me/psb/test.cla".
 */
#pragma once

#include "report/run_facts.h"

/* Starts zeroed. */
typedef struct psb_named_facts {
    psb_run_facts facts; /* all but `texts` and `failed` still belongs to the original facts */
    psb_text texts[5];
    psb_text *reasons;
    psb_left_out *failed;
} psb_named_facts;

/* Copies facts with their paths shortened. Free the copy also on failure. */
psb_status psb_facts_name_files(const psb_run_facts *from, psb_named_facts *to, psb_error *error);
void psb_named_facts_free(psb_named_facts *facts);

/* The last part of a path; of "models/" that is "models/". */
const char *psb_path_name(const char *path);
