/*
 * The page of a generated set beside its references: which shapes the figures come from. A folder
 * with index.html, a table of all shapes for each descriptor, and pictures of those that are shown.
 */
#ifndef PSB_SITE_GENERATIVE_PAGE_H
#define PSB_SITE_GENERATIVE_PAGE_H

#include "core/lock.h"
#include "core/text.h"
#include "eval/two_sets.h"
#include "io/archive.h"

/* What the sets are called, and where their models are. */
typedef struct psb_shown_set {
    const char *name;           /* of the folder or file */
    char *const *ids;           /* of its shapes; NULL: their numbers */
    char *const *paths;         /* of their files; NULL: there are no pictures */
    const psb_archive *archive; /* that these lead into, or NULL */
} psb_shown_set;

typedef struct psb_generative_page {
    const char *folder;
    psb_lock lock;
    psb_text body;
    size_t sections;
} psb_generative_page;

/*
 * Takes the folder, which is made, or is that of an earlier page. A section follows for each
 * descriptor, and the end writes the page and gives the folder free; call it in either case, with
 * the status so far, of which it writes only PSB_OK.
 */
psb_status psb_generative_page_begin(psb_generative_page *page, const char *folder,
                                     psb_error *error);
psb_status psb_generative_page_add(psb_generative_page *page, const char *label,
                                   const psb_set_distances *distances,
                                   const psb_set_value figures[PSB_SET_FIGURES],
                                   const psb_shown_set sets[PSB_SETS], psb_error *error);
psb_status psb_generative_page_end(psb_generative_page *page, psb_status status, psb_error *error);

#endif
