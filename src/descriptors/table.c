/* The table of descriptors, in the order of the paper's Table 4, best first. */
#include "descriptors/descriptor.h"

#include <strings.h>

static const psb_descriptor *const table[] = {
    &psb_lfd,   &psb_rext,    &psb_shd,  &psb_gedt, &psb_ext, &psb_secshel,
    &psb_voxel, &psb_sectors, &psb_cegi, &psb_egi,  &psb_d2,  &psb_shells,
};

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
