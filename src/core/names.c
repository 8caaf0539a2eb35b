/* Implements the hash table by open addressing with linear probing; it is at most half full. */
#include "core/names.h"

#include "core/memory.h"

#include <xxhash.h>

struct psb_name {
    const char *text; /* NULL: the slot is free */
    size_t number;
};

psb_status psb_names_reserve(psb_names *names, size_t count, psb_error *error) {
    size_t slots = 16;
    while (slots / 2 < count) {
        slots *= 2;
    }
    psb_status status = PSB_OK;
    names->table = psb_new_zero(&status, slots, sizeof *names->table, "names", error);
    names->slots = status == PSB_OK ? slots : 0;
    return status;
}

/* Returns the slot that holds the name, or the free slot where it belongs. */
static struct psb_name *slot_of(const psb_names *names, const char *name, size_t length) {
    size_t at = (size_t)XXH64(name, length, 0) & (names->slots - 1);
    while (names->table[at].text != NULL && (strlen(names->table[at].text) != length ||
                                             memcmp(names->table[at].text, name, length) != 0)) {
        at = (at + 1) & (names->slots - 1);
    }
    return &names->table[at];
}

void psb_names_add(psb_names *names, const char *name, size_t number) {
    *slot_of(names, name, strlen(name)) = (struct psb_name){name, number};
    names->count++;
}

psb_status psb_names_fill(psb_names *names, char *const *texts, size_t count, psb_error *error) {
    psb_status status = psb_names_reserve(names, count, error);
    for (size_t i = 0; i < count && status == PSB_OK; i++) {
        psb_names_add(names, texts[i], i);
    }
    return status;
}

size_t psb_names_find_bytes(const psb_names *names, const char *name, size_t length) {
    const struct psb_name *slot = names->slots > 0 ? slot_of(names, name, length) : NULL;
    return slot != NULL && slot->text != NULL ? slot->number : PSB_NO_NAME;
}

size_t psb_names_find(const psb_names *names, const char *name) {
    return psb_names_find_bytes(names, name, strlen(name));
}

void psb_names_free(psb_names *names) {
    free(names->table);
    *names = (psb_names){0, 0, NULL};
}
