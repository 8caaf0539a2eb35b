/* Computes the extent, circularity, eccentricity and Fourier coefficients of a silhouette. */
#pragma once

#include "lightfield/contour.h"
#include "lightfield/record.h"

typedef struct psb_silhouette_features {
    size_t area; /* pixels; if it is 0, all other fields are 0 and the box is empty */
    psb_pixel_box box;
    double centre[2];    /* of the box, in pixels; pixel (x, y) lies at (x, y) */
    double radius;       /* largest distance of a pixel from the center, pixels */
    double circularity;  /* 4 pi area / perimeter^2, at most 1; perimeter: pixels on the rim */
    double eccentricity; /* of the second moments about the center, 0 ... 1; 0 below 2 pixels */
} psb_silhouette_features;

void psb_silhouette_measure(const psb_bitmap *image, psb_silhouette_features *features);

/*
 * The magnitudes of Fourier coefficients 1 ... 10 of the contour pixels' distances from `center`,
 * as a periodic signal, divided by that of coefficient 0. Coefficients above half the contour's
 * length are 0, and so are all coefficients of a contour below 8 pixels.
 */
void psb_contour_fourier(const psb_contour *contour, const double centre[2],
                         double coefficient[PSB_FOURIER]);
