/*
 * Chunk files: the rows that are finished, model after model, so that a run which ends in any way
 * goes on behind them.
 *
 * A chunk file belongs to one descriptor with its parameters. It is records, one after the other,
 * and only ever appended to. A record, little-endian:
 *
 *   bytes
 *    0    8   "psbrow2\n"
 *    8    4   length of the name, at most 255
 *   12    4   length of the payload, at most PSB_CHUNK_MOST
 *   16    8   size of the model's file
 *   24    8   its time of last change, nanoseconds since 1970
 *   32    8   XXH64 of its bytes
 *   40    8   its faces, as --max-faces counts them
 *   48    8   processor seconds for reading it (double)
 *   56   56   processor seconds for this descriptor: a psb_cost
 *  112        the name: the model's id
 *             the payload: the row
 *             XXH64 of all bytes before, from the record's first, 8 bytes
 *
 * The first record has no name and no file; its payload is a text that says what made the rows: the
 * program's version, the descriptor and every parameter. Rows count only where it is the same.
 *
 * A record that was cut off or damaged fails its checksum. What follows it is found again by the
 * eight bytes that begin a record. Where a model has several records, any of them will do whose
 * file is the model's of today.
 */
#ifndef PSB_PROOF_CHUNK_H
#define PSB_PROOF_CHUNK_H

#include "core/memory.h"
#include "fields/meter.h"
#include "proof/stamp.h"

enum { PSB_CHUNK_MOST = 1 << 20 };

typedef struct psb_chunk {
    psb_stamp stamp;
    uint64_t faces;
    double read_seconds;
    psb_cost cost;
    const char *name; /* not NUL-terminated */
    size_t name_length;
    const void *payload; /* of any alignment */
    size_t payload_length;
} psb_chunk;

/*
 * The record at *offset of a file's bytes: fills *chunk, whose pointers point into them, and moves
 * *offset behind it. False, with *offset where it was, for what is no whole undamaged record.
 * Takes any bytes.
 */
bool psb_chunk_read(const char *data, size_t size, size_t *offset, psb_chunk *chunk);

/*
 * The next good record from *offset on. Where it does not begin there, *damage becomes the offset
 * of what was skipped (and else stays). False where there is none up to the end; *offset is then
 * `size`. *start is where the record begins.
 */
bool psb_chunk_next(const char *data, size_t size, size_t *offset, size_t *start, size_t *damage,
                    psb_chunk *chunk);

/* The record's bytes: the first *size of `buffer`. */
psb_status psb_chunk_build(const psb_chunk *chunk, psb_buffer *buffer, size_t *size,
                           psb_error *error);

#endif
