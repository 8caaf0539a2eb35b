/* Reads rows of numbers: NumPy's .npy files, arrays in .npz archives, and text tables; writes .npy.
 */
#pragma once

#include "core/file.h"
#include "core/text.h"

typedef struct psb_npy {
    size_t rows, columns;
    psb_element element;
    const void *data; /* rows x columns in C order; aligned as in the file, to 64 bytes in files of
                         this program */
    psb_input input;
    void *converted; /* memory of the data, unless they lie in the file */
    psb_text names;  /* of rows, a line each, if a text table has them */
} psb_npy;

/*
 * Maps a file of version 1.0 to 3.0: one dimension (a single row), two, or N x K x 3
 * (clouds of K points: N rows of 3 K numbers); whole numbers of 1 to 8
 * bytes, floats of 2 to 8, or truth values, in either byte order and in C or Fortran order; every
 * number finite; no column of the numbers of the rows. '<f4' and '|u1' in C order are used in
 * place; '|u1' in Fortran order is copied to C order, all else to float32. "FILE.npz" is a file
 * with a single array, "FILE.npz/NAME" names one of several (io/npz.h). A text is read by
 * psb_npy_parse_text.
 */
psb_status psb_npy_read(const char *path, psb_npy *npy, psb_error *error);

/* Like psb_npy_read, for bytes in memory, aligned to 8 bytes; `npy` then refers to them. */
psb_status psb_npy_parse(const char *path, const void *data, size_t size, psb_npy *npy,
                         psb_error *error);

/*
 * Reads a text table with a row of numbers a line, as np.savetxt, pandas and R write it; fields are
 * separated as io/field_rows.h says. The first row may name the columns, by words or as 0, 1, 2,
 * ... The first field of each row is its name if it is no number, if the first row begins with an
 * empty field or a word for ids (psb_labels_ids), or has a field less. PSB_ERROR_INPUT, with line,
 * row and column, for rows of unequal length, for what is no finite number, and for distances: a
 * square with a diagonal of 0.
 */
psb_status psb_npy_parse_text(const char *path, const char *data, size_t size, psb_npy *npy,
                              psb_error *error);
void psb_npy_close(psb_npy *npy);

/* True if the path has an ending of rows of numbers: .npy, .npz with or without a member, .csv,
 * .tsv, .txt. A text may hold distances as well. */
bool psb_npy_may_be(const char *path);

/* True if the bytes begin as a .npy file. */
bool psb_npy_is(const void *data, size_t size);
/*
 * Reads an array of one dimension, or one column, as texts: strings ('<U9', '|S9'), whole numbers,
 * also as floats, and truth values. Appends each text with a NUL behind it. PSB_ERROR_INPUT for
 * other arrays, and numbers that are not whole.
 */
psb_status psb_npy_texts(const char *path, const void *data, size_t size, psb_text *texts,
                         size_t *count, psb_error *error);

/* Fails unless there is a row for each of a set's models. */
psb_status psb_npy_check_models(const char *path, const psb_npy *npy, size_t models,
                                psb_error *error);

/* Fails unless both have rows of one length and type. */
psb_status psb_npy_check_alike(const char *path, const psb_npy *npy, const char *other_path,
                               const psb_npy *other, psb_error *error);

/* Converts rows of uint8 to float32, in memory; others stay as they are. */
psb_status psb_npy_widen(psb_npy *npy, psb_error *error);

/* Moves row order[i] to row i, in new memory. */
psb_status psb_npy_reorder(psb_npy *npy, const size_t *order, psb_error *error);

/*
 * What precedes the rows, for a caller that writes them itself: the first makes it and returns its
 * length, the second writes it.
 */
enum { PSB_NPY_HEAD_MOST = 256 };
size_t psb_npy_head(size_t rows, size_t columns, psb_element element, char text[PSB_NPY_HEAD_MOST]);
void psb_npy_write_head(psb_output *output, size_t rows, size_t columns, psb_element element);
psb_status psb_npy_write(const char *path, const void *data, size_t rows, size_t columns,
                         psb_element element, psb_error *error);
