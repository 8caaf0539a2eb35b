/*
 * A set of points, drawn on a surface or read from a file: what compares shapes by points
 * takes it, wherever it is from.
 */
#pragma once

#include "core/random.h"
#include "psbench.h"

typedef struct psb_cloud {
    size_t n;
    double *at;     /* n x 3 */
    float *normals; /* n x 3, of length 1; NULL: the points have none */
} psb_cloud;

/* Makes room for n points. Free the cloud in every case. */
psb_status psb_cloud_new(psb_cloud *cloud, size_t n, bool normals, psb_error *error);
void psb_cloud_free(psb_cloud *cloud);

/*
 * Takes cloud->n of `count` points, at least as many, each with equal chance, in their order; of as
 * many all. Takes their normals unless these are NULL.
 */
void psb_cloud_take(const double *at, const double *normals, size_t count, psb_random *random,
                    psb_cloud *cloud);

/* Rounds the coordinates: row[3 * i + k] is coordinate k of point i. PSB_ERROR_INPUT beyond the
 * range of float32. */
psb_status psb_cloud_row(const psb_cloud *cloud, float *row, psb_error *error);
