/* Reads NumPy's .npy files, and arrays in .npz archives; writes features as .npy. */
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
} psb_npy;

/*
 * Maps a file of version 1.0 to 3.0: one dimension (a single row), two, or N x K x 3
 * (clouds of K points: N rows of 3 K numbers); whole numbers of 1 to 8
 * bytes, floats of 2 to 8, or truth values, in either byte order and in C or Fortran order; every
 * number finite. '<f4' and '|u1' in C order are used in place; '|u1' in Fortran order is copied to
 * C order, all else to float32. "FILE.npz" is a file with a single array, "FILE.npz/NAME" names one
 * of several (io/npz.h).
 */
psb_status psb_npy_read(const char *path, psb_npy *npy, psb_error *error);

/* Like psb_npy_read, for bytes in memory, aligned to 8 bytes; `npy` then refers to them. */
psb_status psb_npy_parse(const char *path, const void *data, size_t size, psb_npy *npy,
                         psb_error *error);
void psb_npy_close(psb_npy *npy);

/* True if the bytes begin as a .npy file. */
bool psb_npy_is(const void *data, size_t size);
/*
 * Reads an array of one dimension, or one column, as texts: strings ('<U9', '|S9'), whole numbers,
 * also as floats, and truth values. Appends each text with a NUL behind it. PSB_ERROR_INPUT for
 * other arrays, and numbers that are not whole.
 */
psb_status psb_npy_texts(const char *path, const void *data, size_t size, psb_text *texts,
                         size_t *count, psb_error *error);

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
