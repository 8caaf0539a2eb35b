/*
 * Tables of models and their classes, as metadata come:
 *
 *     id,class,parent,split
 *     02691156/1a04e3ea,airliner,airplane,test
 *
 * The header names the columns, in any order and case; psb_labels_ids and psb_labels_classes are
 * the names that are known, the first of each list that the header has is taken. A column "parent"
 * is above the class, further columns whose names begin with "parent" go up from there; split.
 * Others are skipped. The separator is a tab where the header has one, else a comma, a semicolon,
 * or blanks; a field may stand in quotes; lines that begin with '#' are comments. An empty class is
 * -1, miscellaneous. An id with the ending of a mesh is cut to the name, and where it then
 * leads out of a folder, as "/data/a.off" does, to its last part.
 *
 * A list of files is read as well, where the first line has no separator: "chair/chair_0001.off",
 * with the folders for classes, and the ending may be left out.
 */
#ifndef PSB_IO_LABELS_H
#define PSB_IO_LABELS_H

#include "io/listing.h"

extern const char *const psb_labels_ids[], *const psb_labels_classes[]; /* end with NULL */

typedef struct psb_labels_options {
    const char *split;                    /* see io/model_folder.h */
    const char *id_column, *class_column; /* names in the header; NULL: those that are known */
} psb_labels_options;

/*
 * Adds the models of a table; with `split` only those of that part, and without it a table of
 * several parts is PSB_ERROR_USAGE. PSB_ERROR_INPUT with the line for a table without the columns,
 * a line of other columns, an id that leads out of a folder, is longer than 255 bytes or occurs
 * twice.
 */
psb_status psb_labels_parse(const char *path, const char *data, size_t size,
                            const psb_labels_options *options, psb_listing *listing,
                            psb_error *error);
psb_status psb_labels_read(const char *path, const psb_labels_options *options,
                           psb_listing *listing, psb_error *error);

typedef enum psb_labels_form { PSB_LABELS_CSV, PSB_LABELS_TSV, PSB_LABELS_LIST } psb_labels_form;
void psb_labels_render(const psb_listing *listing, psb_labels_form form, psb_text *text);

#endif
