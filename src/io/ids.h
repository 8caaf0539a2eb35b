/*
 * Names beside rows: FILE.ids has the id of the model behind each row of FILE, features or
 * distances, a line each. Rows are in the order of the shell that named the files, or of somebody
 * else's program; with their names they find their place in a classification.
 */
#ifndef PSB_IO_IDS_H
#define PSB_IO_IDS_H

#include "core/names.h"
#include "io/cla.h"

typedef struct psb_ids {
    size_t count; /* 0 where there are no names */
    char **names;
    char *text; /* which the names are parts of */
} psb_ids;

/*
 * The id of the model in a file, as the benchmark's classifications have it: "db/8/m812/m812.off"
 * is "812". Cut off at `size`; PSB_ERROR_MEMORY.
 */
psb_status psb_id_of_file(const char *path, char *id, size_t size, psb_error *error);

/* The number of the model that a file calls so; models may have an m before their number or not,
   and a name may be the path of a file, with its ending. */
size_t psb_ids_find(const psb_names *models, const char *name, size_t length);

/* The names beside the file `path`; none where there is no such file. */
psb_status psb_ids_read(const char *path, psb_ids *ids, psb_error *error);
/* The same for text in memory; `path` is that of the names, for messages. */
psb_status psb_ids_parse(const char *path, const char *data, size_t size, psb_ids *ids,
                         psb_error *error);
/* A copy of `count` names: names[order[i]] becomes that of row i; `order` may be NULL. */
psb_status psb_ids_copy(const char *const *names, size_t count, const size_t *order, psb_ids *ids,
                        psb_error *error);
void psb_ids_free(psb_ids *ids);

/* PSB_ERROR_INPUT where there are names, but not as many as the rows of the file `path`. */
psb_status psb_ids_check(const char *path, const psb_ids *ids, size_t rows, psb_error *error);

/*
 * Writes them, but where they stand there already. With a count of 0 it removes what is there:
 * before `path` itself is written, so that its rows never bear the names of others.
 */
psb_status psb_ids_write(const char *path, char *const *names, size_t count, psb_error *error);

/*
 * (*order)[i] is the row of model i of the classification, in memory of its own; NULL where rows
 * are in the classification's own order. Rows without names (a count of 0) are in the order of the
 * classification's file, or refused by psb_cla_one_order. PSB_ERROR_INPUT that names models without
 * a row, rows that are none of its models, and a model with two rows. A row "m812" or
 * "db/8/m812.off" may be model 812, and a row "chair_1" model "chair/train/chair_1", where no other
 * model's name ends so.
 */
psb_status psb_ids_order(const char *path, const psb_ids *ids, const psb_classification *cla,
                         size_t **order, psb_error *error);

#endif
