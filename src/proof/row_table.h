/*
 * The table of a spec's rows, RUN/work/SPEC.npy: the features of a whole data set, with a place for
 * each model, into which rows are written in any order. A record of the chunk file (proof/chunk.h)
 * says of each row where it is, and has its hash. With all rows the file gets a second name,
 * RUN/features/SPEC.npy, so that no row is written twice.
 *
 * So no row is ever written over: neither one that a record names, nor any of a file that has
 * two names. A row that has no place, as of a changed model, or one that was added to the set,
 * stands in the chunk file itself, and the features are then written as a file of their own.
 */
#pragma once

#include "core/file.h"
#include "descriptors/descriptor.h"
#include "proof/chunk.h"

typedef struct psb_row_table {
    char *path;
    const psb_spec *spec;
    size_t rows;  /* of the data set */
    size_t begin; /* offset of the first */
    int fd;       /* -1 while none may be written */
    bool fits;    /* the file has a place for each of them */
    bool *taken;  /* of each row: some record names it */
    bool is_used; /* some record names the file */
} psb_row_table;

/* The table of RUN/work/SPEC.rows, `chunks`. Opens no file. End it also on failure. */
psb_status psb_row_table_start(const char *chunks, const psb_spec *spec, size_t rows,
                               psb_row_table *table, psb_error *error);
void psb_row_table_end(psb_row_table *table);

/* Maps the file; PSB_NO_INPUT where there is none. */
psb_status psb_row_table_map(const psb_row_table *table, psb_input *file, psb_error *error);

/*
 * Of a record whose payload is a place: makes it the row, in the mapped file. Returns false if
 * there is no row there, or not the one that the record is of.
 */
bool psb_row_table_find(const psb_row_table *table, const psb_input *file, psb_chunk *chunk);

/* Notes that a record names this place. Returns whether it is the one of the model `row`. */
bool psb_row_table_note(psb_row_table *table, size_t offset, size_t row);

/*
 * After all records are noted: opens the file for writing if that is allowed, and makes one, whole
 * and without a row, in the place of a file of which no record speaks.
 */
psb_status psb_row_table_begin(psb_row_table *table, psb_error *error);

/* Whether the row may be written. */
bool psb_row_table_has_room(const psb_row_table *table, size_t row);

/* Writes the row and notes its place. */
psb_status psb_row_table_write(psb_row_table *table, size_t row, const void *data, psb_place *place,
                               psb_error *error);
