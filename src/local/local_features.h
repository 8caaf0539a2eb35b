/*
 * Local features of a depth image. Each describes the surface around one point, at one of three
 * sizes, independently of how the image is turned.
 *
 * The image of 128 x 128 pixels is halved twice. At each size, points on a grid of every fourth
 * pixel are described by the orientations of the depth's gradient around them (Lowe 2004,
 * Distinctive Image Features from Scale-Invariant Keypoints, section 6; dense features of depth
 * images: Ohbuchi, Osada, Furuya, Banno 2008): 4 x 4 places with 8 orientations each, relative to
 * the prevailing orientation around the point. The square roots of these 128 shares (Arandjelovic,
 * Zisserman 2012) make the feature; two more numbers tell where on the object the point is.
 */
#pragma once

#include "core/cpu.h"
#include "local/depth_buffer.h"

enum {
    PSB_FEATURE_SHARES = 128,
    PSB_FEATURE_PLACES = 2, /* distance from the center, and a coordinate or a cosine */
    PSB_FEATURE_NUMBERS = PSB_FEATURE_SHARES + PSB_FEATURE_PLACES,
    PSB_FEATURE_MOST = 32 * 32 + 16 * 16 + 8 * 8, /* most features of one image */
};

/* A feature: 128 square roots of shares whose sum is 1, then the two places. */
typedef float psb_feature[PSB_FEATURE_NUMBERS];

/* Memory in which the features of one image are computed. */
typedef struct psb_feature_work {
    float depth[PSB_DEPTH_PIXELS];        /* image at the current size */
    float votes[PSB_DEPTH_PIXELS / 4][8]; /* votes by orientation, for each 2 x 2 pixels */
    float smooth[PSB_DEPTH_PIXELS / 4][8];
} psb_feature_work;

/*
 * Computes the features of one image of psb_depth_images_fill, largest size first, rows from top to
 * bottom; returns their number, at most PSB_FEATURE_MOST. The places of a feature are the distance
 * of its point from the origin and its coordinate towards the viewer, which is 0 beside the object.
 */
size_t psb_local_features(const float image[PSB_DEPTH_PIXELS], psb_feature_work *work,
                          psb_feature features[PSB_FEATURE_MOST]);
