/*
 * Tables of models and their classes, as data sets' metadata come:
 *
 *     id,class,parent,split
 *     02691156/1a04e3ea,airliner,airplane,test
 *
 * The header names the columns, in any order and case. The column of ids, and that of classes, is
 * the first name in psb_labels_ids, or psb_labels_classes, that the header has. A column "parent"
 * is the level above the class; further columns whose names begin with "parent" go up from there. A
 * column "split" names each model's part. Other columns are skipped. Separators, quotes and
 * comments are those of io/field_rows.h. An empty class is -1, miscellaneous. An id with the ending
 * of a mesh file loses the ending, and if the rest leads out of a folder, like "/data/a", all but
 * its last part.
 *
 * A file whose first line has no separator is a list of files: "chair/chair_0001.off", with folders
 * as classes; the ending may be missing.
 *
 * What says less is taken by these rules, which the listing's notes then tell:
 * - Two columns, no known name in the first row, whose second field occurs again in the second
 *   column: there is no header; models, then classes.
 * - No '/' in a list; a table of classes alone; a column of classes that the user named, without
 *   ids; an array of texts or whole numbers (.npy): the classes of the rows of features, in their
 *   order. Models are named by the numbers of their rows, from 0.
 */
#pragma once

#include "io/listing.h"

extern const char *const psb_labels_ids[], *const psb_labels_classes[]; /* end with NULL */

typedef struct psb_labels_options {
    const char *split;                    /* see io/model_folder.h */
    const char *id_column, *class_column; /* the user's column names; NULL: a known name */
} psb_labels_options;

/*
 * Adds a table's models: with `split` those of that part. Without it, a table of several parts is
 * PSB_ERROR_USAGE. PSB_ERROR_INPUT, with the line, for a table without the columns, a line with
 * other columns, an id that leads out of a folder, is longer than 255 bytes or occurs twice.
 */
psb_status psb_labels_parse(const char *path, const char *data, size_t size,
                            const psb_labels_options *options, psb_listing *listing,
                            psb_error *error);
psb_status psb_labels_read(const char *path, const psb_labels_options *options,
                           psb_listing *listing, psb_error *error);

typedef enum psb_labels_form { PSB_LABELS_CSV, PSB_LABELS_TSV, PSB_LABELS_LIST } psb_labels_form;
void psb_labels_render(const psb_listing *listing, psb_labels_form form, psb_text *text);
