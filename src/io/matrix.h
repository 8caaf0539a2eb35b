/*
 * Distance matrices in the benchmark's format: N x N little-endian float32, row after row, no
 * header; entry (i, j) is the distance from model i to model j in the order of the .cla file.
 */
#pragma once

#include "core/file.h"
#include "io/ids.h"

struct psb_matrix {
    size_t n;
    const float *data; /* n x n, or n x columns */
    psb_input input;   /* the mapped file, if the data are in it */
    void *owned;       /* memory of the data, if they were converted or computed */
    size_t columns;    /* number of columns if there are two sets; 0: n */
    psb_ids ids;       /* names of rows, if known */
    psb_ids column_ids;
};

/*
 * Maps the file. PSB_ERROR_INPUT if its size is not 4 n^2 bytes (the message says which n would
 * fit), if an entry is NaN, infinite or negative (the message names row and column, from 0), or if
 * the entries look big-endian.
 */
psb_status psb_matrix_read(const char *path, size_t n, psb_matrix *matrix, psb_error *error);
/* Like psb_matrix_read, for bytes in memory, aligned for floats; `matrix` then refers to them. */
psb_status psb_matrix_parse(const char *path, const void *data, size_t size, size_t n,
                            psb_matrix *matrix, psb_error *error);

/*
 * Reads a matrix from text, as SHREC tracks exchange it: a line for each row, numbers separated by
 * blanks, tabs, commas or semicolons; empty lines and lines that begin with '#' or '%' are skipped.
 * The first row, the first column or both may hold names of models, as pandas writes them: they
 * become matrix->column_ids and matrix->ids. For one set the file may also hold only the lower
 * triangle, with or without its diagonal, or the condensed distances of SciPy's pdist, in one row
 * or one column. Rounds to float32. Errors name the line as well.
 */
psb_status psb_matrix_read_text(const char *path, size_t n, size_t columns, psb_matrix *matrix,
                                psb_error *error);

/* Parses text in memory; `matrix` owns the result. */
psb_status psb_matrix_parse_text(const char *path, const char *data, size_t size, size_t n,
                                 size_t columns, psb_matrix *matrix, psb_error *error);

/*
 * Refuses an entry that is NaN, infinite or negative, and names row and column. Also refuses a
 * matrix most of whose entries are subnormal: small whole numbers, like the light field's
 * distances, become subnormal if their bytes are swapped. Other numbers with swapped bytes soon
 * meet a sign or an exponent that is refused.
 */
psb_status psb_matrix_check(const char *path, const float *data, size_t n, psb_error *error);
psb_status psb_matrix_check_cells(const char *path, const float *data, size_t n, size_t columns,
                                  psb_error *error);

/* Reports a matrix of `rows` x `columns` if n x `wanted` were expected. */
psb_status psb_matrix_fail_shape(const char *path, size_t rows, size_t columns, size_t n,
                                 size_t wanted, psb_error *error);

void psb_matrix_close(psb_matrix *matrix);

/* Names the rows of one set's file as FILE.ids does, else as its columns, unless they have names.
 */
psb_status psb_matrix_name_rows(const char *path, psb_matrix *matrix, psb_error *error);

/* Makes the n x n matrix of n (n - 1) / 2 condensed distances d(0,1) d(0,2) ... d(1,2) ... */
void psb_matrix_expand(const float *condensed, size_t n, float *data);
/* If one triangle of a square matrix is all 0 and the other is not, as after np.tril, mirrors the
 * other one. The result is in the matrix's own memory. */
psb_status psb_matrix_mirror(psb_matrix *matrix, psb_error *error);

/* Moves rows[i] to row i and columns[j] to column j, into the matrix's own memory; NULL keeps the
 * order. */
psb_status psb_matrix_reorder(psb_matrix *matrix, const size_t *rows, const size_t *columns,
                              psb_error *error);

/* Returns the mean distance between two different models; 0 if there are fewer than two. */
double psb_matrix_mean(const psb_matrix *matrix);

/* Write the benchmark's format; psb_matrix_write_file writes a matrix with its own columns as an
 * .npy. */
psb_status psb_matrix_write_data(const char *path, const float *data, size_t n, psb_error *error);
psb_status psb_matrix_write_file(const char *path, const psb_matrix *matrix, psb_error *error);
