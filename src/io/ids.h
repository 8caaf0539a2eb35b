/*
 * Names of rows: line i of FILE.ids is the id of the model in row i of FILE (features or
 * distances). Rows may be in the order of a shell or of another program; their names give their
 * place in a classification.
 */
#pragma once

#include "core/names.h"
#include "io/cla.h"
#include "io/npy.h"

typedef struct psb_ids {
    size_t count; /* 0: there are no names */
    char **names;
    char *text; /* the memory that the names point into */
} psb_ids;

/*
 * Finds a model's id from its file, as the benchmark's classifications write it:
 * "db/8/m812/m812.off" is "812". PSB_ERROR_MEMORY if the id does not fit in `size`, which cuts it
 * off.
 */
psb_status psb_id_of_file(const char *path, char *id, size_t size, psb_error *error);

/* Finds a model's number by a name from a file. The name may have an m before its number, or
 * not, and may be the path of a file with its ending. */
size_t psb_ids_find(const psb_names *models, const char *name, size_t length);

/* Reads FILE.ids for the file `path`; no names and no error if there is none,
 * PSB_ERROR_INPUT if it is empty. */
psb_status psb_ids_read(const char *path, psb_ids *ids, psb_error *error);
/* Sets `ids` to the names within the rows' own file, else to those of FILE.ids; none and no error
 * if neither has any. PSB_ERROR_INPUT if there are names, but not as many as rows. */
psb_status psb_ids_of_rows(const char *path, const psb_npy *npy, psb_ids *ids, psb_error *error);
/* Like psb_ids_read, for a text in memory; `path` is that of the .ids, for messages. */
psb_status psb_ids_parse(const char *path, const char *data, size_t size, psb_ids *ids,
                         psb_error *error);
/* Copies `count` names: row i gets names[order[i]]; `order` may be NULL. */
psb_status psb_ids_copy(const char *const *names, size_t count, const size_t *order, psb_ids *ids,
                        psb_error *error);
void psb_ids_free(psb_ids *ids);

/* PSB_ERROR_INPUT if there are names, but not as many as the file `path` has rows. */
psb_status psb_ids_check(const char *path, const psb_ids *ids, size_t rows, psb_error *error);

/* Writes FILE.ids unless it has these names already. With a count of 0, removes it: call this
 * before `path` is written, so that its rows never get the names of others. */
psb_status psb_ids_write(const char *path, char *const *names, size_t count, psb_error *error);

/*
 * FILE.metric is the name of the metric that the rows in FILE were made for, on one line. Reading
 * sets *name to it (free() it), or to NULL if there is no such file; writing NULL removes it, which
 * comes before new rows as with the names. */
psb_status psb_ids_read_metric(const char *path, char **name, psb_error *error);
psb_status psb_ids_write_metric(const char *path, const char *name, psb_error *error);

/*
 * Sets (*order)[i] to the row of model i of the classification, in new memory; *order is NULL if
 * rows are in the classification's own order. Rows without names (a count of 0) are in the order of
 * the classification's file, or psb_cla_one_order refuses them. PSB_ERROR_INPUT, with the names, if
 * models have no row, rows fit no model, or two rows fit one. A row "m812" or "db/8/m812.off" may
 * be model 812, and a row "chair_1" model "chair/train/chair_1" if no other model's name ends so.
 */
psb_status psb_ids_order(const char *path, const psb_ids *ids, const psb_classification *cla,
                         size_t **order, psb_error *error);
