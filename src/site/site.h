/*
 * The report of a run: a folder of static pages that opens from disk in any browser.
 *
 *   index.html            Table 4, precision-recall plot, cost against quality, what was run
 *   methods.html          which descriptors rank alike
 *   SPEC.html             a descriptor: figures by class, tier and distance images
 *   matches.html          best matches of every query
 *   class.html            a class; compare.html: two descriptors against each other
 *   models.html           every model, by class
 *   since.html            what changed since another run
 *   report.css, report.js
 *   data/map.js           where models stand on the map
 *   data/models.js        ids and classes; data/SPEC/N.js: ranked lists of a few queries each
 *   images/SPEC-tiers.png, images/SPEC-distances.png, images/SPEC-row-K.png: rows of some models
 *   thumbnails/S-*.png    sheet S of pictures; thumbnails/I.jpg: model I's own; both count from 0
 *   data/solids/N.js      what turns of some models
 *
 * Files of an earlier report are replaced. The pages show figures that a run, or the reader of its
 * folder (run/record.h), has. The report itself reads only models, for pictures, and matrices,
 * which are mapped, or the distances that stream by in their place.
 */
#pragma once

#include "core/parallel.h"
#include "eval/watcher.h"
#include "io/archive.h"
#include "io/png.h"
#include "render/portrait.h"
#include "report/beyond_table.h"
#include "report/dcg_table.h"
#include "report/run_facts.h"
#include "report/table4.h"

/* The descriptors of the facts are the rows of the table and the methods of the evaluation. */
typedef struct psb_report {
    const char *run; /* folder: RUN/matrices/STEM.matrix is mapped */
    const psb_run_facts *facts;
    const psb_table4 *table;
    const psb_evaluation *evaluation; /* its measures are the five figures */
    const psb_matrix *given; /* matrices of the last descriptors, which are not the run's */
    size_t ngiven;
    const bool *streamed; /* descriptors without a matrix; NULL: all have one */
} psb_report;

typedef struct psb_site_options {
    const psb_report *report;
    const psb_report *since; /* another run, for a page of what changed; or NULL */
    const char *since_name;
    const psb_beyond *beyond;          /* the second table, shown below the first; or NULL */
    const psb_dcg_table *const *paper; /* the paper's other tables, shown below these */
    size_t npaper;
    const char *folder; /* folder for the pages; made if it does not exist */
    const char *models; /* folder of models; "" if there is none */
    /* Finds the file of a model, freed with free(); *path is NULL if there is none. */
    psb_status (*find)(void *context, const psb_archive *archive, const char *models,
                       const char *id, char **path, psb_error *error);
    /* Shows a descriptor's distances to the watcher; then evaluation and table have its figures. */
    psb_status (*stream)(void *context, size_t which, const psb_watcher *watcher, psb_error *error);
    psb_thumbnails thumbnails;
    /*
     * Gets the map of a descriptor, nmodels x 2, if the run kept it (*found); keeps the maps of all
     * descriptors whose xy[d] is not NULL. May be NULL.
     */
    psb_status (*find_map)(void *context, size_t which, float *xy, bool *found, psb_error *error);
    psb_status (*keep_maps)(void *context, const float *const *xy, psb_error *error);
    /* Draws the rows of models[count] by a descriptor into zeroed pictures[count]; width 0: there
       is nothing to see. Several threads call it. May be NULL. */
    psb_status (*glimpse)(void *context, size_t which, const size_t *models, size_t count,
                          psb_small_picture *pictures, psb_error *error);
    /* Copies the portrait kept of the model file with this XXH64; false: none is. May be NULL. */
    bool (*portrait)(void *context, uint64_t hash, psb_text *packed);
    int threads;
    /* Called by one thread at a time; nonzero asks to stop. May be NULL. */
    int (*progress)(void *context, const char *stage, size_t done, size_t total);
    void *context;
} psb_site_options;

/*
 * Writes the report. A model whose file is missing or cannot be drawn has no picture;
 * *without_picture counts these models if pictures were asked for.
 */
psb_status psb_report_write(const psb_site_options *options, size_t *without_picture,
                            psb_error *error);

/*
 * Removes the files of a report, which is known by its script; other files stay. A folder without a
 * report is left alone. Without `pictures` only files made from distances go: a later report finds
 * pictures again by what they were drawn from, and the script stays with them.
 */
psb_status psb_report_remove(const char *folder, bool pictures, psb_error *error);
