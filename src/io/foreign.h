/*
 * Formats that another program reads: psbench-import, which is linked with assimp, whose many
 * readers trust their input. It runs in a process of its own, which closes a box around itself
 * (tools/import-box.h), so that a crash, a hang, hunger for memory or an attack costs one model.
 *
 * It is called as `psbench-import NAME SECONDS` with a socket as standard input. NAME is the
 * model's name without its folder, SECONDS the CPU time that it may take. It opens no file:
 * it asks psbench for NAME and for the files that the model refers to, and receives their bytes.
 * All that it sends begins with a psb_foreign_message. `psbench-import --version` prints assimp's
 * version and the walls of the box.
 */
#pragma once

#include "io/mesh.h"

#define PSB_FOREIGN_PROGRAM "psbench-import"

/* MiB of address space for the program. */
enum { PSB_FOREIGN_MIB = 2048 };

typedef enum psb_foreign_kind {
    PSB_FOREIGN_MESH,    /* answer; vertices (doubles) and triangles (32 bits) follow */
    PSB_FOREIGN_REFUSED, /* answer; the reason why there is no mesh follows, `length` bytes */
    PSB_FOREIGN_LACKING, /* the same if the machine, not the model, is the reason */
    PSB_FOREIGN_WANTED,  /* request; a file name of `length` bytes follows */
} psb_foreign_kind;

typedef struct psb_foreign_message {
    char magic[8]; /* psb_foreign_magic in the sender's byte order */
    uint64_t kind, length;
    uint64_t nvertices, ntriangles, npolygons;
    uint64_t sealed; /* 0: the kernel has neither Landlock nor seccomp */
} psb_foreign_message;

static const char psb_foreign_magic[8] = "psbmesh2";

/* psbench answers a request with a size and that many bytes; this size means that the file is
 * missing. */
#define PSB_FOREIGN_NONE UINT64_MAX

/* Endings of such formats, in lower case; NULL after the last. */
const char *psb_foreign_ending_at(size_t index);

/*
 * Reads a model from these bytes of the file at `path`; the format follows from the first `length`
 * characters of `path` (without ".gz"). Files that the model refers to are found beside it
 * (io/siblings.h). Sets the buffer's `hash`, `refers` and `foreign` (true if the other program
 * exists and is allowed). PSB_ERROR_INPUT, with the reason, if the model makes the other program
 * fail; PSB_ERROR_IO or PSB_ERROR_MEMORY if that program is missing, cannot be started, or is out
 * of the memory that it may have.
 */
psb_status psb_foreign_read(const char *path, size_t length, const char *data, size_t size,
                            psb_mesh_buffer *buffer, psb_error *error);

/* Allows such files or, with false, refuses them (PSB_ERROR_INPUT) in the whole process. For the
 * option --import. */
void psb_foreign_allow(bool allowed);

/* True if psbench-import has run in this process with limits only, as the kernel has no other
 * walls. */
bool psb_foreign_was_unsealed(void);

/* Writes what psbench-import --version prints, "5.2.5 (Landlock, seccomp), without m3d", or "" if
 * there is no such program. */
void psb_foreign_version(char *text, size_t size);
