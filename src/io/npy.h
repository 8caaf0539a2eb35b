/* NumPy's .npy files, C order: features and distances in, features out. */
#ifndef PSB_IO_NPY_H
#define PSB_IO_NPY_H

#include "core/file.h"

typedef struct psb_npy {
    size_t rows, columns;
    psb_element element;
    const void *data; /* rows x columns, C order; as aligned as the file has it: 64 bytes in ours */
    psb_input input;
    void *converted; /* the data where the file has float64 */
} psb_npy;

/*
 * Maps the file, of version 1.0 or 2.0. Two dimensions, '<f4', '<f8' or '|u1', C order, every
 * number finite; anything else is a clear error. '<f8' is rounded to float32, in memory of its own.
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
