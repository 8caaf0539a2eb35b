/* Finds equal corners in a hash table, whose slots hold an index and half of the hash. */
#include "io/weld.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { FIRST_SLOTS = 1 << 10, INDEX_BITS = 32 };

static const uint64_t index_mask = UINT32_MAX;

static inline uint64_t hash_of(const double xyz[3]) {
    const double without_sign[3] = {xyz[0] + 0.0, xyz[1] + 0.0, xyz[2] + 0.0};
    return XXH3_64bits(without_sign, sizeof without_sign);
}

/* A slot: the hash's upper half, and below it an index + 1, so that 0 means empty. */
static inline uint64_t slot_of(uint64_t hash, size_t index) {
    return (hash & ~index_mask) | (index + 1);
}

static psb_status make_slots(psb_weld *weld, const psb_scan *scan, size_t count) {
    psb_status status =
        psb_buffer_reserve(&weld->buffer->slots, count, sizeof *weld->slots, "slots", scan->error);
    if (status == PSB_OK) {
        weld->slots = weld->buffer->slots.data;
        weld->mask = count - 1;
        memset(weld->slots, 0, count * sizeof *weld->slots);
    }
    return status;
}

psb_status psb_weld_start(psb_weld *weld, const psb_scan *scan, psb_mesh_buffer *buffer,
                          size_t expected) {
    size_t slots = FIRST_SLOTS;
    while (slots / 2 <= expected) {
        slots *= 2;
    }
    *weld = (psb_weld){.buffer = buffer};
    return make_slots(weld, scan, slots);
}

/* Doubles the table; at most half of its slots are used, so that chains stay short. */
static psb_status grow(psb_weld *weld, const psb_scan *scan) {
    psb_status status = make_slots(weld, scan, 2 * (weld->mask + 1));
    const psb_mesh *mesh = &weld->buffer->mesh;
    for (size_t i = 0; i < mesh->nvertices && status == PSB_OK; i++) {
        uint64_t hash = hash_of(mesh->vertices + 3 * i);
        size_t at = hash & weld->mask;
        while (weld->slots[at] != 0) {
            at = (at + 1) & weld->mask;
        }
        weld->slots[at] = slot_of(hash, i);
    }
    return status;
}

uint64_t psb_weld_hash(const psb_weld *weld, const double xyz[3]) {
    uint64_t hash = hash_of(xyz);
    __builtin_prefetch(weld->slots + (hash & weld->mask));
    return hash;
}

psb_status psb_weld_find(psb_weld *weld, const psb_scan *scan, const double xyz[3], uint64_t hash,
                         uint32_t *index) {
    psb_mesh *mesh = &weld->buffer->mesh;
    size_t at = hash & weld->mask;
    for (; weld->slots[at] != 0; at = (at + 1) & weld->mask) {
        size_t i = (weld->slots[at] & index_mask) - 1;
        const double *vertex = mesh->vertices + 3 * i;
        if (((weld->slots[at] ^ hash) & ~index_mask) == 0 && vertex[0] == xyz[0] &&
            vertex[1] == xyz[1] && vertex[2] == xyz[2]) {
            *index = (uint32_t)i;
            return PSB_OK;
        }
    }
    psb_status status = psb_grow_vertices(scan, weld->buffer, mesh->nvertices + 1);
    if (status != PSB_OK) {
        return status;
    }
    memcpy(mesh->vertices + 3 * mesh->nvertices, xyz, 3 * sizeof *xyz);
    weld->slots[at] = slot_of(hash, mesh->nvertices);
    *index = (uint32_t)mesh->nvertices++;
    return 2 * mesh->nvertices > weld->mask ? grow(weld, scan) : PSB_OK;
}
