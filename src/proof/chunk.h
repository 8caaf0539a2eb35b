/*
 * Chunk files hold finished rows, model after model, so that a run can go on after any end: a kill,
 * a full disk, a power cut. So a file is only appended to, every record has a checksum, and a
 * reader finds the good records behind a damaged one.
 *
 * A chunk file belongs to one descriptor with its parameters and consists of records, each in the
 * frame of core/seal.h:
 *
 *   bytes
 *    0    8   "psbrow2\n"
 *    8    4   length of the name, at most 255; 256 more: the payload is a psb_place
 *   12    4   length of the payload, at most PSB_CHUNK_MOST
 *   16    8   size of the model's file
 *   24    8   its time of last change, nanoseconds since 1970
 *   32    8   XXH64 of its bytes
 *   40    8   its faces, as --max-faces counts them
 *   48    8   CPU seconds for reading it (double)
 *   56   56   CPU seconds for this descriptor: a psb_cost
 * 112 the name: the model's id
 *             the payload: the row
 *             XXH64 of all bytes before, from the record's first, 8 bytes
 *
 * Where the payload is a psb_place, the row stands in a table (proof/row_table.h).
 *
 * The first record has no name and no file. Its payload is a text that says what made the rows: the
 * program's version, the descriptor and every parameter. Rows with another text do not count.
 *
 * A reader skips a damaged record and searches for the next eight bytes that begin one. If a model
 * has several records, any of them counts whose file is the model's present one.
 */
#pragma once

#include "core/memory.h"
#include "fields/meter.h"
#include "proof/stamp.h"

enum { PSB_CHUNK_MOST = 1 << 20 };

/* Where a row stands that is not in the record. */
typedef struct psb_place {
    uint64_t offset; /* in the table */
    uint64_t hash;   /* XXH64 of the row */
} psb_place;

typedef struct psb_chunk {
    psb_stamp stamp;
    uint64_t faces;
    double read_seconds;
    psb_cost cost;
    const char *name; /* not NUL-terminated */
    size_t name_length;
    const void *payload; /* of any alignment */
    size_t payload_length;
    bool placed; /* the payload is a psb_place */
} psb_chunk;

/*
 * Reads the record at *offset: sets *chunk, whose pointers point into the data, and moves *offset
 * behind it. Returns false, with *offset unchanged, if there is no whole undamaged record. Takes
 * any bytes.
 */
bool psb_chunk_read(const char *data, size_t size, size_t *offset, psb_chunk *chunk);

/*
 * Reads the next good record from *offset on; *start becomes its offset. If bytes were skipped,
 * *damage becomes the offset of the first of them (else it is unchanged). Returns false, with
 * *offset = size, if there is none.
 */
bool psb_chunk_next(const char *data, size_t size, size_t *offset, size_t *start, size_t *damage,
                    psb_chunk *chunk);

/* Writes the record into the first *size bytes of `buffer`. */
psb_status psb_chunk_build(const psb_chunk *chunk, psb_buffer *buffer, size_t *size,
                           psb_error *error);
