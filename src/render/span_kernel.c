/* Draws spans, as many samples at a time as fit a register; what is behind a span stays as it is.
 */
#include "render/span.h"

enum { LANES = PSB_SET_BYTES / 4 };
typedef float floats __attribute__((vector_size(PSB_SET_BYTES)));
typedef int32_t ints __attribute__((vector_size(PSB_SET_BYTES)));
typedef ints samples __attribute__((aligned(4), may_alias));

#define CHOOSE(type, condition, x, y) (type)(((condition) & (ints)(x)) | (~(condition) & (ints)(y)))

static void draw(const psb_span *s, size_t n) {
    ints lanes = {0};
    for (int l = 0; l < LANES; l++) {
        lanes[l] = l;
    }
    for (const psb_span *last = s + n; s < last; s++) {
        const floats nearest = s->nearest - (floats){0}, farthest = s->farthest - (floats){0};
        const float start = s->start, step = s->step;
        const int32_t shade = s->shade, end = s->to;
        for (int i = s->from; i < end; i += LANES) {
            samples *sample = (samples *)(s->sample + i);
            const ints at = i + lanes;
            floats depth = start + step * __builtin_convertvector(at, floats);
            depth = CHOOSE(floats, depth < nearest, depth, nearest); /* takes NaN as well */
            depth = CHOOSE(floats, depth > farthest, depth, farthest);
            ints key = __builtin_convertvector(depth, ints) << PSB_SHADE_BITS | shade;
            key &= at < end;
            *sample = CHOOSE(ints, *sample > key, *sample, key);
        }
    }
}

const psb_span_kernel PSB_OF_SET(psb_span_of) = {PSB_SET_VARIANT, draw};
