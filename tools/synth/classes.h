/* The classes of the built-in benchmark, in the order of its classification files. */
#pragma once

#include "synth/objects.h"

typedef struct psb_synth_class {
    const char *name;
    const char *parent;    /* name of a row above, or "0" as .cla files write the top */
    const char *coarse[3]; /* the class it belongs to in coarse1, coarse2, coarse3 */
    size_t members;        /* 0 for a class that only groups others */
    psb_object *make;      /* makes a member; NULL for a class without members */
} psb_synth_class;

extern const psb_synth_class psb_synth_classes[]; /* ends with name == NULL */

typedef struct psb_synth_place {
    const psb_synth_class *kind;
    size_t member; /* 0 ... kind->members - 1 */
} psb_synth_place;

/*
 * Ids are given to the first member of each class, then to the second of each, and so on, so that
 * neighboring ids are of different classes and ranking by id says nothing. `id` is below the
 * count.
 */
size_t psb_synth_id_of(const psb_synth_class *kind, size_t member);
psb_synth_place psb_synth_place_of(size_t id);
