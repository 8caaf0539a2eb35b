/* A set of point clouds as rows for the metrics of points: an array of clouds, or a folder of
 * clouds and meshes, of which points are drawn. */
#pragma once

#include "io/dataset.h"
#include "io/npy.h"

typedef struct psb_cloud_set {
    const char *path;
    bool folder;
    psb_dataset dataset; /* of a folder: the shapes that could be read */
    psb_npy rows;        /* x, y, z of the points of each shape, once it is filled */
    size_t least, most;  /* points of the smallest and of the largest cloud; 0: meshes alone */
    size_t failures;     /* files of a folder that could not be used, and are left out */
} psb_cloud_set;

/* Free the set in every case. A file has N x K x 3 numbers, or N rows of 3 K. */
psb_status psb_cloud_set_open(const char *path, bool folder, int threads,
                              const psb_observer *observer, psb_cloud_set *set, psb_error *error);
void psb_cloud_set_free(psb_cloud_set *set);

/*
 * Fills the rows with n points of each shape, at most `least`: clouds that have more give a random
 * part of them, in their order; meshes points uniform by area. Seeded as psb_content_random, with
 * `side`.
 */
psb_status psb_cloud_set_fill(psb_cloud_set *set, size_t n, uint64_t side, int threads,
                              psb_error *error);
