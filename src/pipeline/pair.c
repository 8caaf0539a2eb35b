/* The public distance of two rows: a descriptor's own metric, its plain form. */
#include "descriptors/descriptor.h"

psb_status psb_distance(const psb_spec *spec, const void *a, const void *b, double *distance,
                        psb_error *error) {
    (void)error;
    *distance = psb_spec_metric(spec)->pair(a, b, psb_spec_length(spec));
    return PSB_OK;
}
