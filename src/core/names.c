/* Open addressing with linear probing, at most half full. */
#include "core/names.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

struct psb_name {
    const char *text; /* NULL where the slot is free */
    size_t number;
};

psb_status psb_names_reserve(psb_names *names, size_t count, psb_error *error) {
    size_t slots = 16;
    while (slots / 2 < count) {
        slots *= 2;
    }
    void *memory;
    psb_status status = psb_alloc_zero(&memory, slots, sizeof *names->table, "names", error);
    *names = (psb_names){0, status == PSB_OK ? slots : 0, memory};
    return status;
}

/* The slot that holds the name, or the free one where it would go. */
static struct psb_name *slot_of(const psb_names *names, const char *name) {
    size_t at = (size_t)XXH64(name, strlen(name), 0) & (names->slots - 1);
    while (names->table[at].text != NULL && strcmp(names->table[at].text, name) != 0) {
        at = (at + 1) & (names->slots - 1);
    }
    return &names->table[at];
}

void psb_names_add(psb_names *names, const char *name, size_t number) {
    *slot_of(names, name) = (struct psb_name){name, number};
    names->count++;
}

size_t psb_names_find(const psb_names *names, const char *name) {
    const struct psb_name *slot = names->slots > 0 ? slot_of(names, name) : NULL;
    return slot != NULL && slot->text != NULL ? slot->number : PSB_NO_NAME;
}

void psb_names_free(psb_names *names) {
    free(names->table);
    *names = (psb_names){0, 0, NULL};
}
