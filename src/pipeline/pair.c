/* The public distance of two rows: a descriptor's own metric, its plain form. */
#include "core/error.h"
#include "descriptors/descriptor.h"
#include "distance/metric.h"

psb_status psb_distance(const psb_spec *spec, const void *a, const void *b, double *distance,
                        psb_error *error) {
    const psb_metric *metric = psb_metric_find(spec->descriptor->metric);
    if (metric == NULL) {
        return psb_fail(error, PSB_ERROR_INTERNAL, "%s asks for the unknown metric %s",
                        spec->descriptor->name, spec->descriptor->metric);
    }
    *distance = metric->pair(a, b, psb_spec_length(spec));
    return PSB_OK;
}
