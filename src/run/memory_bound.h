/* An upper bound of a run's memory, computed before it starts. */
#pragma once

#include "descriptors/descriptor.h"
#include "io/dataset.h"

typedef struct psb_memory_bound {
    size_t largest_file; /* bytes of the largest model, packed plus unpacked */
    size_t per_thread;   /* bytes per thread while it computes descriptors or distances */
    size_t shared;       /* one descriptor's features, its matrix, and the table of models */
    size_t physical;     /* memory of the machine; 0: not known */
} psb_memory_bound;

/*
 * Files that cannot be read count as empty, and files for psbench-import with the memory that it
 * may take. max_faces and max_bytes are those of psb_mesh_buffer. Binary PLY with coordinates of
 * one byte may take more. `matrices`: the run makes matrices of distances.
 */
psb_memory_bound psb_memory_bound_of(const psb_dataset *dataset, psb_spec *const *specs,
                                     size_t nspecs, size_t max_faces, size_t max_bytes,
                                     bool matrices);
