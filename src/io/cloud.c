/* Makes room for points, and rounds them. */
#include "io/cloud.h"

#include "core/element.h"
#include "core/memory.h"

#include <float.h>

psb_status psb_cloud_new(psb_cloud *cloud, size_t n, bool normals, psb_error *error) {
    psb_status status = PSB_OK;
    *cloud = (psb_cloud){.n = n};
    cloud->at = psb_new(&status, n, 3 * sizeof *cloud->at, "points", error);
    if (normals) {
        cloud->normals = psb_new(&status, n, 3 * sizeof *cloud->normals, "normals", error);
    }
    return status;
}

void psb_cloud_free(psb_cloud *cloud) {
    free(cloud->at);
    free(cloud->normals);
    *cloud = (psb_cloud){0};
}

void psb_cloud_take(const double *at, const double *normals, size_t count, psb_random *random,
                    psb_cloud *cloud) {
    for (size_t i = 0, taken = 0; taken < cloud->n; i++) {
        size_t wanted = cloud->n - taken;
        if (wanted < count - i && psb_random_below(random, count - i) >= wanted) {
            continue;
        }
        for (size_t k = 0; k < 3; k++) {
            cloud->at[3 * taken + k] = at[3 * i + k];
            if (normals != NULL) {
                cloud->normals[3 * taken + k] = (float)normals[3 * i + k];
            }
        }
        taken++;
    }
}

psb_status psb_cloud_row(const psb_cloud *cloud, float *row, psb_error *error) {
    for (size_t i = 0; i < 3 * cloud->n; i++) {
        row[i] = (float)cloud->at[i];
    }
    return psb_all_finite(row, 3 * cloud->n, -FLT_MAX)
               ? PSB_OK
               : psb_fail(error, PSB_ERROR_INPUT, "points beyond the range of float32");
}
