/* Converts records of chunk files to and from bytes. */
#include "proof/chunk.h"

#include "core/seal.h"

#include <math.h>

static const char kind[] = "psbrow2\n";
enum { NAME_MOST = 255, PLACED = 256 };

/* The part of a record before the name. */
typedef struct head {
    char kind[PSB_SEAL_KIND];
    uint32_t name_length, payload_length;
    uint64_t size;
    int64_t time;
    uint64_t hash, faces;
    double read_seconds;
    psb_cost cost;
} head;

_Static_assert(sizeof(head) == 112, "the head has no gaps");

static bool is_time(double seconds) {
    return isfinite(seconds) && seconds >= 0;
}

static bool is_cost(const psb_cost *cost) {
    bool good = is_time(cost->own);
    for (int f = 0; f < PSB_COST_FIELDS; f++) {
        good = good && is_time((double)cost->fields[f].seconds);
    }
    return good;
}

bool psb_chunk_read(const char *data, size_t size, size_t *offset, psb_chunk *chunk) {
    head h;
    size_t left = size - *offset;
    const char *record = data + *offset;
    if (!psb_seal_is_of(record, left, sizeof h, kind)) {
        return false;
    }
    memcpy(&h, record, sizeof h);
    bool placed = (h.name_length & PLACED) != 0;
    h.name_length &= ~(uint32_t)PLACED;
    if (h.name_length > NAME_MOST || h.payload_length > PSB_CHUNK_MOST) {
        return false;
    }
    size_t length = sizeof h + h.name_length + h.payload_length + PSB_SEAL_BYTES;
    if (left < length || !psb_seal_holds(record, length, NULL) || !is_time(h.read_seconds) ||
        !is_cost(&h.cost)) {
        return false;
    }
    const char *name = record + sizeof h;
    *chunk = (psb_chunk){.stamp = {h.size, h.time, h.hash},
                         .faces = h.faces,
                         .read_seconds = h.read_seconds,
                         .cost = h.cost,
                         .name = name,
                         .name_length = h.name_length,
                         .payload = name + h.name_length,
                         .payload_length = h.payload_length,
                         .placed = placed};
    *offset += length;
    return true;
}

bool psb_chunk_next(const char *data, size_t size, size_t *offset, size_t *start, size_t *damage,
                    psb_chunk *chunk) {
    size_t expected = *offset;
    while (*offset < size) {
        *start = *offset;
        if (psb_chunk_read(data, size, offset, chunk)) {
            if (*start != expected) {
                *damage = expected;
            }
            return true;
        }
        const char *from = data + *offset + 1;
        const char *found = memmem(from, size - *offset - 1, kind, PSB_SEAL_KIND);
        *offset = found != NULL ? (size_t)(found - data) : size;
    }
    if (expected < size) {
        *damage = expected;
    }
    return false;
}

psb_status psb_chunk_build(const psb_chunk *chunk, psb_buffer *buffer, size_t *size,
                           psb_error *error) {
    if (chunk->name_length > NAME_MOST || chunk->payload_length > PSB_CHUNK_MOST) {
        return psb_fail(error, PSB_ERROR_INTERNAL, "a row of %zu bytes is too long for its file",
                        chunk->payload_length);
    }
    head h = {.name_length = (uint32_t)chunk->name_length | (chunk->placed ? PLACED : 0),
              .payload_length = (uint32_t)chunk->payload_length,
              .size = chunk->stamp.size,
              .time = chunk->stamp.time,
              .hash = chunk->stamp.hash,
              .faces = chunk->faces,
              .read_seconds = chunk->read_seconds,
              .cost = chunk->cost};
    size_t length = sizeof h + chunk->name_length + chunk->payload_length;
    psb_status status =
        psb_buffer_reserve(buffer, length + PSB_SEAL_BYTES, 1, "a finished row", error);
    if (status == PSB_OK) {
        char *record = buffer->data;
        memcpy(record, &h, sizeof h);
        memcpy(record + sizeof h, chunk->name, chunk->name_length);
        memcpy(record + sizeof h + chunk->name_length, chunk->payload, chunk->payload_length);
        psb_seal(record, length, kind);
        *size = length + PSB_SEAL_BYTES;
    }
    return status;
}
