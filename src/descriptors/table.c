/* Holds the table of descriptors: the paper's in the order of its Table 4, then our own. */
#include "descriptors/descriptor.h"

#include <strings.h>

/* A new descriptor needs one line here, beside its file. */
#define DESCRIPTORS(ENTRY)                                                                         \
    ENTRY(psb_lfd)                                                                                 \
    ENTRY(psb_rext)                                                                                \
    ENTRY(psb_shd)                                                                                 \
    ENTRY(psb_gedt)                                                                                \
    ENTRY(psb_ext)                                                                                 \
    ENTRY(psb_secshel)                                                                             \
    ENTRY(psb_voxel)                                                                               \
    ENTRY(psb_sectors)                                                                             \
    ENTRY(psb_cegi)                                                                                \
    ENTRY(psb_egi)                                                                                 \
    ENTRY(psb_d2)                                                                                  \
    ENTRY(psb_shells)                                                                              \
    ENTRY(psb_dbuf)                                                                                \
    ENTRY(psb_views)                                                                               \
    ENTRY(psb_spin)                                                                                \
    ENTRY(psb_points)

#define DECLARED(name) extern const psb_descriptor name;
#define POINTER(name)  &name,

DESCRIPTORS(DECLARED)

static const psb_descriptor *const table[] = {DESCRIPTORS(POINTER)};

size_t psb_descriptor_count(void) {
    return sizeof table / sizeof table[0];
}

const psb_descriptor *psb_descriptor_at(size_t index) {
    return index < psb_descriptor_count() ? table[index] : NULL;
}

const psb_descriptor *psb_descriptor_find(const char *name) {
    for (size_t i = 0; i < psb_descriptor_count(); i++) {
        if (strcasecmp(table[i]->name, name) == 0) {
            return table[i];
        }
    }
    return NULL;
}

const char *psb_descriptor_name(const psb_descriptor *descriptor) {
    return descriptor->name;
}

const char *psb_descriptor_title(const psb_descriptor *descriptor) {
    return descriptor->title;
}

const char *psb_descriptor_bibtex(const psb_descriptor *descriptor) {
    return descriptor->bibtex;
}
