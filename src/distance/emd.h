/* What the earth mover's distance and its kernel share: see emd.c. */
#pragma once

#include "core/cpu.h"

#include <stdint.h>

enum { PSB_EMD_MOST = 10000 }; /* the most points of a set */

/* Sums of distances are rounded by less than this share. */
#define PSB_EMD_ROUNDING 1e-6

/* Arrays are read in whole vectors: behind the n points lie some that cost FAR. */
typedef struct psb_emd_work {
    _Alignas(64) float b[3][PSB_EMD_MOST];
    _Alignas(64) float cost[PSB_EMD_MOST];  /* of the point of A that was looked at last */
    _Alignas(64) float offer[PSB_EMD_MOST]; /* prices of the auction, at most 0 */
    _Alignas(64) double price[PSB_EMD_MOST];
    /* Of a search for a path. */
    _Alignas(64) double length[PSB_EMD_MOST];       /* of the shortest path to a point of B */
    _Alignas(64) double done[PSB_EMD_MOST];         /* INFINITY where that is known, else 0 */
    _Alignas(64) int64_t from[PSB_EMD_MOST];        /* the point of A before it */
    int16_t of_a[PSB_EMD_MOST], of_b[PSB_EMD_MOST]; /* each other's, or -1 */
    int16_t waiting[PSB_EMD_MOST];                  /* of A */
    const float *rows[2];                           /* the points of A and B */
    int all, step, n, padded; /* each `step`-th of `all` points takes part: n of them */
    float size;               /* the longest side of the box of both */
    double most;              /* a larger sum of distances need not be exact; or INFINITY */
    double tolerance;         /* share by which the sum may exceed the bound; 0: the least sum */
    double sum;               /* sum of the map's distances; FLT_MAX if it exceeds `most` */
    double bound;             /* lower bound of the sum of any map */
} psb_emd_work;

typedef struct psb_emd_kernel {
    psb_variant variant;
    /* Finds the map between points that are in range, or that its sum is larger than `most`. */
    void (*assign)(psb_emd_work *w);
} psb_emd_kernel;

extern const psb_variant *const psb_emd_kernels[];
