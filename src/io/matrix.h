/*
 * Distance matrices in the benchmark's format: N x N little-endian float32, row after row, no
 * header; entry (i, j) is the distance from model i to model j in the order of the .cla file.
 */
#ifndef PSB_IO_MATRIX_H
#define PSB_IO_MATRIX_H

#include "core/file.h"
#include "io/ids.h"

struct psb_matrix {
    size_t n;
    const float *data; /* n x n, or n x columns */
    psb_input input;   /* the mapped file, where it was read from one */
    void *owned;       /* the data, where they were converted or computed */
    size_t columns;    /* where there are two sets of models; 0: n */
    psb_ids ids;       /* names of its rows, where it has any */
    psb_ids column_ids;
};

/*
 * Maps the file. PSB_ERROR_INPUT where its size is not 4 n^2 bytes (the message says which n would
 * fit), an entry is NaN, infinite or negative (names row and column, counted from 0), or the
 * entries look big-endian.
 */
psb_status psb_matrix_read(const char *path, size_t n, psb_matrix *matrix, psb_error *error);
/* The same for a file that is in memory, aligned for floats, which `matrix` then refers to. */
psb_status psb_matrix_parse(const char *path, const void *data, size_t size, size_t n,
                            psb_matrix *matrix, psb_error *error);

/*
 * The same from text, as SHREC tracks exchange it: a line for each row, numbers separated by
 * blanks, tabs, commas or semicolons; empty lines and lines that begin with '#' or '%' are skipped.
 * Names of models may stand in the first row and the first column, or in one of them, as pandas
 * writes them: they become matrix->ids and matrix->column_ids. Of one set the lower triangle will
 * do, with or without its diagonal, or the condensed distances of SciPy's pdist, in one row or one
 * column. Rounds to float32. Errors name the line as well.
 */
psb_status psb_matrix_read_text(const char *path, size_t n, size_t columns, psb_matrix *matrix,
                                psb_error *error);

/* The text in memory; `matrix` owns what was read. */
psb_status psb_matrix_parse_text(const char *path, const char *data, size_t size, size_t n,
                                 size_t columns, psb_matrix *matrix, psb_error *error);

/*
 * Refuses, with row and column, an entry that is NaN, infinite or negative, and a matrix most of
 * whose entries are subnormal: small whole numbers, as the light field's distances are, become that
 * when their bytes are turned round. Other numbers soon meet a sign or an exponent that is refused.
 */
psb_status psb_matrix_check(const char *path, const float *data, size_t n, psb_error *error);
psb_status psb_matrix_check_cells(const char *path, const float *data, size_t n, size_t columns,
                                  psb_error *error);

/* The error for a matrix of `rows` x `columns` where n x `wanted` were expected. */
psb_status psb_matrix_fail_shape(const char *path, size_t rows, size_t columns, size_t n,
                                 size_t wanted, psb_error *error);

void psb_matrix_close(psb_matrix *matrix);

/* Makes the n x n matrix of n (n - 1) / 2 condensed distances d(0,1) d(0,2) ... d(1,2) ... */
void psb_matrix_expand(const float *condensed, size_t n, float *data);
/* Where one triangle of a square matrix is all 0 and the other is not, as np.tril leaves it, that
   one is mirrored, in memory of the matrix's own. */
psb_status psb_matrix_mirror(psb_matrix *matrix, psb_error *error);

/* Row i becomes what rows[i] was, column j what columns[j] was, in memory of its own; NULL: as they
   are. */
psb_status psb_matrix_reorder(psb_matrix *matrix, const size_t *rows, const size_t *columns,
                              psb_error *error);

/* The mean distance of two different models; 0 where there are not two. */
double psb_matrix_mean(const psb_matrix *matrix);

/* The benchmark's format; the second writes what has columns of its own as an .npy. */
psb_status psb_matrix_write_data(const char *path, const float *data, size_t n, psb_error *error);
psb_status psb_matrix_write_file(const char *path, const psb_matrix *matrix, psb_error *error);

#endif
