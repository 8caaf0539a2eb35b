/*
 * The page of a generated set beside its references: which shapes the figures come from. A folder
 * with index.html, a table of all shapes for each descriptor, and pictures of those that are shown.
 */
#pragma once

#include "core/lock.h"
#include "eval/two_sets.h"
#include "io/archive.h"

/* What a set is called, and where its models are. */
typedef struct psb_shown_set {
    const char *name;           /* name of the folder or file */
    char *const *ids;           /* ids of its shapes; NULL: they go by their numbers */
    char *const *paths;         /* files of its shapes; NULL: there are no pictures */
    const psb_archive *archive; /* archive that the paths lead into, or NULL */
} psb_shown_set;

typedef struct psb_generative_page {
    const char *folder;
    psb_lock lock;
    psb_text body;
    size_t sections;
} psb_generative_page;

/*
 * psb_generative_page_begin locks the folder, and makes it unless it is that of an earlier page.
 * psb_generative_page_add adds a section for a descriptor. psb_generative_page_end writes the page
 * if `status`, that of all before, is PSB_OK, and unlocks the folder; call it in any case.
 */
psb_status psb_generative_page_begin(psb_generative_page *page, const char *folder,
                                     psb_error *error);
psb_status psb_generative_page_add(psb_generative_page *page, const char *label,
                                   const psb_set_distances *distances,
                                   const psb_set_value figures[PSB_SET_FIGURES],
                                   const psb_shown_set sets[PSB_SETS], psb_error *error);
psb_status psb_generative_page_end(psb_generative_page *page, psb_status status, psb_error *error);
