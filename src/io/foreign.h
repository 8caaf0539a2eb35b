/*
 * Formats that are read by another program, psbench-import: it is linked with assimp, whose readers
 * are many and trust their input. It runs in a process of its own, which closes a box around itself
 * (tools/import-box.h), so that a crash, a hang, hunger for memory or an attack costs one model.
 *
 * It is called as `psbench-import NAME SECONDS` with a socket as standard input. NAME is the
 * model's name without its folder, SECONDS is the processor time that it may take. It opens no
 * file: it asks psbench for NAME, and for what that refers to, and is given bytes. Whatever it
 * sends begins with a psb_foreign_message. `psbench-import --version` prints assimp's version and
 * the walls of the box.
 */
#ifndef PSB_IO_FOREIGN_H
#define PSB_IO_FOREIGN_H

#include "io/mesh.h"

#define PSB_FOREIGN_PROGRAM "psbench-import"

/* MiB of address space that the program gets. */
enum { PSB_FOREIGN_MIB = 2048 };

typedef enum psb_foreign_kind {
    PSB_FOREIGN_MESH,    /* the answer: the vertices follow as doubles, then triangles, 32 bits */
    PSB_FOREIGN_REFUSED, /* the answer: why there is no mesh, `length` bytes, follows */
    PSB_FOREIGN_LACKING, /* the same, where the machine is the reason and not the model */
    PSB_FOREIGN_WANTED,  /* a name of `length` bytes follows; psbench gives that file */
} psb_foreign_kind;

typedef struct psb_foreign_message {
    char magic[8]; /* psb_foreign_magic, of this order of bytes */
    uint64_t kind, length;
    uint64_t nvertices, ntriangles, npolygons;
    uint64_t sealed; /* 0: the kernel has neither Landlock nor seccomp */
} psb_foreign_message;

static const char psb_foreign_magic[8] = "psbmesh2";

/* What psbench gives is a size and so many bytes; this size means that there is no such file. */
#define PSB_FOREIGN_NONE UINT64_MAX

/* Endings of such formats, in lower case; NULL behind the last. */
const char *psb_foreign_ending_at(size_t index);

/*
 * Reads these bytes of the file at `path`, of which the first `length` characters count (a ".gz"
 * does not). What the model refers to is looked for beside it (io/siblings.h). Sets the buffer's
 * `hash`, `refers` and `foreign`, which is whether the other program was there and allowed.
 * PSB_ERROR_INPUT, with the reason, for what the model does to the other program; PSB_ERROR_IO or
 * PSB_ERROR_MEMORY where that program is not there, cannot be started, or does not get the memory
 * that it may have.
 */
psb_status psb_foreign_read(const char *path, size_t length, const char *data, size_t size,
                            psb_mesh_buffer *buffer, psb_error *error);

/*
 * From here on such files are refused (PSB_ERROR_INPUT), in the whole process; or no longer. For
 * the program's option --import.
 */
void psb_foreign_allow(bool allowed);

/* Whether psbench-import has run in this process with limits alone, for lack of the other walls. */
bool psb_foreign_was_unsealed(void);

/* What --version prints, "5.2.5 (Landlock, seccomp), without m3d", or "" where there is no such
 * program. */
void psb_foreign_version(char *text, size_t size);

#endif
