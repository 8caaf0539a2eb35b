/* Elements of rows of features. */
#ifndef PSB_CORE_ELEMENT_H
#define PSB_CORE_ELEMENT_H

#include "psbench.h"

static inline size_t psb_element_bytes(psb_element element) {
    return element == PSB_UINT8 ? 1 : sizeof(float);
}

#endif
