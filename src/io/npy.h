/* Reads NumPy's .npy files, and the .npz that hold them; writes features as .npy. */
#ifndef PSB_IO_NPY_H
#define PSB_IO_NPY_H

#include "core/file.h"

typedef struct psb_npy {
    size_t rows, columns;
    psb_element element;
    const void *data; /* rows x columns, C order; as aligned as the file has it: 64 bytes in ours */
    psb_input input;
    void *converted; /* memory of the data where they are not the file's bytes as they lie there */
} psb_npy;

/*
 * Maps the file, of version 1.0 to 3.0. One dimension (a single row) or two; whole numbers of 1 to
 * 8 bytes, floats of 2 to 8, or truth values, in either byte order and in C or Fortran order; every
 * number finite. '<f4' and '|u1' in C order stay as they lie in the file, '|u1' in Fortran order
 * becomes C order, all else float32, in memory of its own. "FILE.npz" is a file with a single
 * array, "FILE.npz/NAME" names one of several (io/npz.h).
 */
psb_status psb_npy_read(const char *path, psb_npy *npy, psb_error *error);

/* The same for a file that is in memory, aligned to 8 bytes, which `npy` then refers to. */
psb_status psb_npy_parse(const char *path, const void *data, size_t size, psb_npy *npy,
                         psb_error *error);
void psb_npy_close(psb_npy *npy);

/* Row i becomes what row order[i] was, in memory of its own. */
psb_status psb_npy_reorder(psb_npy *npy, const size_t *order, psb_error *error);

/* What stands in front of the rows, for who writes them one after the other. */
void psb_npy_write_head(psb_output *output, size_t rows, size_t columns, psb_element element);
psb_status psb_npy_write(const char *path, const void *data, size_t rows, size_t columns,
                         psb_element element, psb_error *error);

#endif
