/*
 * psbench: shape descriptors, distances and retrieval statistics of the Princeton Shape Benchmark.
 *
 * The public header of libpsbench. The library never prints, exits or reads the command line:
 * every function that can fail returns a psb_status and, where `error` is not NULL, fills it with
 * a message that names file, line, value and limit. Objects made by psb_x_new or psb_x_read belong
 * to the caller, who ends them with psb_x_free; freeing NULL, or an object that was zeroed and
 * never filled, is allowed.
 *
 * "The paper" is Shilane, Min, Kazhdan, Funkhouser: The Princeton Shape Benchmark, SMI 2004.
 */
#ifndef PSBENCH_H
#define PSBENCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PSB_VERSION "0.1.0"

/* ---- errors ---------------------------------------------------------------------------- */

typedef enum psb_status {
    PSB_OK = 0,
    PSB_ERROR_USAGE,       /* an argument, name or parameter that the caller chose */
    PSB_ERROR_INPUT,       /* the contents of a file or a mesh */
    PSB_ERROR_IO,          /* opening, reading, writing, renaming */
    PSB_ERROR_MEMORY,      /* memory or file descriptors ran out */
    PSB_ERROR_INTERNAL,    /* a library underneath failed, or a bug here */
    PSB_ERROR_INTERRUPTED, /* the caller asked to stop */
} psb_status;

typedef struct psb_error {
    psb_status status;
    unsigned long line; /* line of the input file, 0 where there is none */
    char message[512];  /* whole text, "file:line: ..." first where it concerns a file */
} psb_error;

/* ---- meshes ---------------------------------------------------------------------------- */

/*
 * Vertices and triangles, nothing else; polygons became triangle fans when they were read. Every
 * index is below nvertices and every coordinate is finite; triangles may be degenerate.
 */
typedef struct psb_mesh {
    size_t nvertices;
    double *vertices; /* nvertices x 3, in the units of the file */
    size_t ntriangles;
    uint32_t *triangles; /* ntriangles x 3 indices */
    size_t npolygons;    /* faces as the file counts them, before they became fans */
} psb_mesh;

/* Reads a mesh file of any format (see README, Formats). On failure *mesh is empty. */
psb_status psb_mesh_read(const char *path, psb_mesh *mesh, psb_error *error);
void psb_mesh_free(psb_mesh *mesh);

/* ---- descriptors ----------------------------------------------------------------------- */

typedef enum psb_element { PSB_FLOAT32, PSB_UINT8 } psb_element;

/* One of the paper's descriptors: an entry of the library's table. */
typedef struct psb_descriptor psb_descriptor;

/* A descriptor with its parameters: "GEDT", or "GEDT:width=2,form=magnitude". */
typedef struct psb_spec psb_spec;

size_t psb_descriptor_count(void);
const psb_descriptor *psb_descriptor_at(size_t index);
/* NULL where there is none of that name; upper and lower case are the same. */
const psb_descriptor *psb_descriptor_find(const char *name);
const char *psb_descriptor_name(const psb_descriptor *descriptor);
const char *psb_descriptor_title(const psb_descriptor *descriptor);

/*
 * Reads "NAME" or "NAME:parameter=value,..." on top of the preset psb2004. PSB_ERROR_USAGE for an
 * unknown name or a value outside its range, which the message gives.
 */
psb_status psb_spec_parse(const char *text, psb_spec **spec, psb_error *error);
void psb_spec_free(psb_spec *spec);
const psb_descriptor *psb_spec_descriptor(const psb_spec *spec);
/* Canonical text: the name, then every parameter that differs from the preset. */
const char *psb_spec_label(const psb_spec *spec);
/* Numbers in one row, their type, and bytes in one row. */
size_t psb_spec_length(const psb_spec *spec);
psb_element psb_spec_element(const psb_spec *spec);
size_t psb_spec_row_bytes(const psb_spec *spec);

/*
 * Read-only tables that every thread shares: transform plans, quadrature weights, sample
 * positions. Make one before starting threads (FFTW's planner is not thread safe).
 */
typedef struct psb_tables psb_tables;
psb_status psb_tables_new(psb_tables **tables, psb_error *error);
void psb_tables_free(psb_tables *tables);

/*
 * One model, normalised, with the fields that descriptors share, computed when first asked for.
 * A shape is a workspace: load one model after the other into it; its buffers only grow. Use one
 * per thread.
 */
typedef struct psb_shape psb_shape;
psb_status psb_shape_new(const psb_tables *tables, psb_shape **shape, psb_error *error);
void psb_shape_free(psb_shape *shape);

/*
 * Makes `mesh` the shape's model. `id` seeds what is random, so the same id and mesh always give
 * the same numbers. Both must stay valid until the next load. PSB_ERROR_INPUT for a mesh without
 * area or too large for double precision.
 */
psb_status psb_shape_load(psb_shape *shape, const psb_mesh *mesh, const char *id, psb_error *error);

/*
 * Computes one row: psb_spec_length numbers of psb_spec_element into `row`. PSB_ERROR_INPUT where
 * all of them are 0: the descriptor has seen nothing of the model.
 */
psb_status psb_shape_describe(psb_shape *shape, const psb_spec *spec, void *row, psb_error *error);

/* Distance between two rows of the same spec, in the descriptor's own metric. */
psb_status psb_distance(const psb_spec *spec, const void *a, const void *b, double *distance,
                        psb_error *error);

#ifdef __cplusplus
}
#endif

#endif
