/* Makes the sketches of light fields: see lightfield/metric_kernel.h. */
#include "lightfield/metric_kernel.h"

#include <string.h>

/*
 * The trait that a number of a record is part of: a fine one for numbers of weight 1, a coarse one
 * for those of weight 2. Any such division is right. This one joined, number by number, what
 * changes together over pairs of the benchmark's models, and keeps 95 % of the mean cost of two
 * images: many moments are nearly one number.
 */
static const uint8_t trait_of[PSB_LFD_RECORD] = {
    0,  1,  2,  3,  2,  5,  6,  7,  8,  3,  8,  11, 12, 4,  14, 3,  14, 9, /* moments */
    12, 13, 15, 15, 14, 7,  12, 13, 15, 15, 14, 4,  12, 13, 15, 15, 14,    /* more of them */
    16, 17, 18, 19, 20, 21, 22, 22, 22, 22, /* Fourier coefficients */
    23, 10,                                 /* circularity, eccentricity */
};

/* The traits of ten images: each number of all images at once. */
static void sketch_images(const uint8_t *record, uint8_t images[PSB_AXES][PSB_LFD_TRAITS]) {
    uint8_t number[PSB_LFD_RECORD][PSB_LFD_LANES] = {{0}};
    uint16_t sum[PSB_LFD_TRAITS][PSB_LFD_LANES] = {{0}};
    for (int k = 0; k < PSB_LFD_RECORD; k++) {
        for (int m = 0; m < PSB_AXES; m++) {
            number[k][m] = record[m * PSB_LFD_RECORD + k];
        }
        uint16_t *restrict of_trait = sum[trait_of[k]];
        for (int m = 0; m < PSB_LFD_LANES; m++) {
            of_trait[m] = (uint16_t)(of_trait[m] + number[k][m]);
        }
    }
    for (int t = 0; t < PSB_LFD_TRAITS; t++) {
        uint8_t value[PSB_LFD_LANES];
        for (int m = 0; m < PSB_LFD_LANES; m++) {
            value[m] = (uint8_t)(sum[t][m] < UINT8_MAX ? sum[t][m] : UINT8_MAX);
        }
        for (int m = 0; m < PSB_AXES; m++) {
            images[m][t] = value[m];
        }
    }
}

/* Puts the ten values of each trait in ascending order, all traits at once. */
static void ascend(uint8_t images[PSB_AXES][PSB_LFD_TRAITS]) {
    for (int round = 0; round < PSB_AXES; round++) {
        for (int i = round % 2; i + 1 < PSB_AXES; i += 2) {
            uint8_t *restrict lower = images[i], *restrict upper = images[i + 1];
            for (int t = 0; t < PSB_LFD_TRAITS; t++) {
                uint8_t a = lower[t], b = upper[t];
                lower[t] = a < b ? a : b;
                upper[t] = a < b ? b : a;
            }
        }
    }
}

void psb_lfd_sketch_make(const uint8_t *row, psb_lfd_sketch *out) {
    memset(out, 0, sizeof *out);
    for (int d = 0; d < PSB_DODECAHEDRA; d++) {
        uint8_t images[PSB_AXES][PSB_LFD_TRAITS];
        int16_t sum[PSB_LFD_TRAITS] = {0};
        sketch_images(row + d * PSB_AXES * PSB_LFD_RECORD, images);
        for (int m = 0; m < PSB_AXES; m++) {
            memcpy(out->chunk[m][d], images[m], sizeof images[m]);
            for (int t = 0; t < PSB_LFD_TRAITS; t++) {
                sum[t] = (int16_t)(sum[t] + images[m][t]);
            }
        }
        for (int t = 0; t < PSB_LFD_TRAITS; t++) {
            out->sums[t][d] = (int16_t)(t < PSB_LFD_FINE ? sum[t] : 2 * sum[t]);
        }
        ascend(images);
        uint8_t *next = out->ascending[d];
        for (int m = 0; m < PSB_AXES; m++) {
            memcpy(next, images[m], PSB_LFD_TRAITS);
            memcpy(next + PSB_LFD_TRAITS, images[m] + PSB_LFD_FINE, PSB_LFD_COARSE);
            next += PSB_LFD_TRAITS + PSB_LFD_COARSE;
        }
    }
    for (int t = 0; t < PSB_LFD_TRAITS; t++) {
        int16_t *sums = out->sums[t];
        out->low[t] = out->high[t] = sums[0];
        for (int d = 1; d < PSB_DODECAHEDRA; d++) {
            out->low[t] = sums[d] < out->low[t] ? sums[d] : out->low[t];
            out->high[t] = sums[d] > out->high[t] ? sums[d] : out->high[t];
        }
        for (int d = PSB_DODECAHEDRA; d < PSB_LFD_LANES; d++) {
            sums[d] = sums[0];
        }
    }
}

void psb_lfd_sketch_arrange(const psb_lfd_sketch *sketch, psb_lfd_right_sketch *right) {
    memset(right, 0, sizeof *right);
    for (int d = 0; d < PSB_DODECAHEDRA; d++) {
        for (int m = 0; m < PSB_AXES; m++) {
            for (int c = 0; c < PSB_LFD_SKETCH; c++) {
                right->chunk[d / 2][c][2 * m + d % 2] = sketch->chunk[m][d][c];
            }
        }
    }
}
