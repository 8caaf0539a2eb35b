/*
 * Formats that are read by another program, psbench-import: it is linked with assimp, whose readers
 * are many and trust their input, and runs with limits in a process of its own, so that a crash, a
 * hang or hunger for memory costs one model.
 *
 * It is called as `psbench-import PATH ENDING` (PATH "-": the bytes are those of standard input)
 * and answers on standard output with a psb_foreign_answer, then the vertices as doubles and the
 * triangles as 32-bit indices, or the text of an error. `psbench-import --version` prints assimp's.
 */
#ifndef PSB_IO_FOREIGN_H
#define PSB_IO_FOREIGN_H

#include "io/mesh.h"

#define PSB_FOREIGN_PROGRAM "psbench-import"

typedef struct psb_foreign_answer {
    char magic[8];   /* psb_foreign_magic, of this order of bytes */
    uint64_t length; /* of an error's text, which follows; 0: a mesh follows */
    uint64_t nvertices, ntriangles, npolygons;
} psb_foreign_answer;

static const char psb_foreign_magic[8] = "psbmesh1";

/* Endings of such formats, in lower case; NULL behind the last. */
const char *psb_foreign_ending_at(size_t index);

/*
 * Reads the file at `path`, or these bytes of it where `data` is not NULL, as the ending says.
 * PSB_ERROR_INPUT, with the reason, for whatever goes wrong in the other program.
 */
psb_status psb_foreign_read(const char *path, const char *ending, const char *data, size_t size,
                            psb_mesh_buffer *buffer, psb_error *error);

/* The version of assimp, "5.2.5", or "" where there is none. */
void psb_foreign_version(char *text, size_t size);

#endif
