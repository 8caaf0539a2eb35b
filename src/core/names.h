/* A hash table from names to numbers, which finds duplicates and looks names up. */
#pragma once

#include "psbench.h"

typedef struct psb_names {
    size_t count, slots; /* slots is a power of two, or 0 */
    struct psb_name *table;
} psb_names;

/* The result of psb_names_find for an unknown name. */
#define PSB_NO_NAME SIZE_MAX

/* Makes room for `count` names. The struct must start zeroed. */
psb_status psb_names_reserve(psb_names *names, size_t count, psb_error *error);
/* Fills a zeroed table with these names and numbers them in their order. The texts must outlive the
 * table. */
psb_status psb_names_fill(psb_names *names, char *const *texts, size_t count, psb_error *error);
/* Adds a name, whose text must outlive the table. Add at most as many names as were reserved. */
void psb_names_add(psb_names *names, const char *name, size_t number);
size_t psb_names_find(const psb_names *names, const char *name);
/* Like psb_names_find, for a name within a longer text. */
size_t psb_names_find_bytes(const psb_names *names, const char *name, size_t length);
void psb_names_free(psb_names *names);
