/*
 * Spans of samples, as the renderer draws them: part of a row of a triangle.
 *
 * A sample is one number, of which the largest is what is seen: the depth, larger is nearer, above
 * the shade, which is not 0; 0 where nothing was drawn. Of equal depths the brighter one is seen,
 * so that the order of spans does not matter.
 */
#pragma once

#include "core/cpu.h"

enum {
    PSB_SHADE_BITS = 8,
    PSB_SPAN_SLACK = 16, /* samples behind a span that are read, and written as they were */
};

typedef struct psb_span {
    int32_t *sample;         /* samples of the row */
    int from, to;            /* samples from ... to - 1 */
    float start, step;       /* depth at the row's first sample; step to the next sample */
    float nearest, farthest; /* depths of the triangle's corners */
    int32_t shade;
} psb_span;

typedef struct psb_span_kernel {
    psb_variant variant;
    void (*draw)(const psb_span *span, size_t n);
} psb_span_kernel;

/* For psb_cpu_choose: all make the same samples. */
extern const psb_variant *const psb_span_kernels[];
