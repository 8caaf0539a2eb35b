/* How much memory a run can take at most, known before it starts. */
#ifndef PSB_RUN_MEMORY_BOUND_H
#define PSB_RUN_MEMORY_BOUND_H

#include "descriptors/descriptor.h"
#include "io/dataset.h"

typedef struct psb_memory_bound {
    size_t largest_file; /* bytes of the data set's largest model, packed and unpacked */
    size_t per_thread;   /* bytes while descriptors or distances are computed */
    size_t shared;       /* features of one descriptor, its matrix, what is known of the models */
    size_t physical;     /* of the machine; 0: not known */
} psb_memory_bound;

/*
 * Files that cannot be looked at count as empty; those that psbench-import reads, with the memory
 * that it may take. max_faces and max_bytes as in psb_mesh_buffer. Binary PLY with coordinates of
 * one byte may take more. `matrices`: of distances are made.
 */
psb_memory_bound psb_memory_bound_of(const psb_dataset *dataset, psb_spec *const *specs,
                                     size_t nspecs, size_t max_faces, size_t max_bytes,
                                     bool matrices);

#endif
