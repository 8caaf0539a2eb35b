/* Draws the tree of clusters: models below each other, joints at their distances. */
#pragma once

#include "eval/clusters.h"
#include "io/cla.h"
#include "report/picture.h"

typedef struct psb_tree_plot {
    const char *title; /* "": no small print either */
    const psb_classification *cla;
    const size_t *models; /* leaf i is model models[i] of the classification */
    size_t n;
    const psb_joint *joints; /* n - 1 joints */
} psb_tree_plot;

/* PSB_ERROR_USAGE for no models, or more than a picture has room for. */
psb_status psb_tree_plot_write(const psb_tree_plot *plot, const psb_picture_style *style,
                               const char *format, const char *path, psb_error *error);
