/*
 * Tables of models and their classes, separated by commas or tabs, as metadata come:
 *
 *     id,class,parent,split
 *     02691156/1a04e3ea,airliner,airplane,test
 *
 * The header names the columns, in any order and case: id (or uid, object_id, model_id), class (or
 * category, label), parent of the class, and further columns whose names begin with "parent" and go
 * up from there; split. Others are skipped. The separator is a tab where the header has one; with
 * commas a field may stand in quotes. An empty class is -1, miscellaneous.
 *
 * A list of files is read as well, where the first line has no separator: "chair/chair_0001.off",
 * with the folders for classes, and the ending may be left out.
 */
#ifndef PSB_IO_LABELS_H
#define PSB_IO_LABELS_H

#include "io/listing.h"

/*
 * Adds the models of a table; with `split` only those of that part, see io/model_folder.h, and
 * without it a table of several parts is PSB_ERROR_USAGE. PSB_ERROR_INPUT with the line for a table
 * without the columns, a line of other columns, an id that leads out of a folder, is longer than
 * 255 bytes or occurs twice.
 */
psb_status psb_labels_parse(const char *path, const char *data, size_t size, const char *split,
                            psb_listing *listing, psb_error *error);
psb_status psb_labels_read(const char *path, const char *split, psb_listing *listing,
                           psb_error *error);

typedef enum psb_labels_form { PSB_LABELS_CSV, PSB_LABELS_TSV, PSB_LABELS_LIST } psb_labels_form;
void psb_labels_render(const psb_listing *listing, psb_labels_form form, psb_text *text);

#endif
