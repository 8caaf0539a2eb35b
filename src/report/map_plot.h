/* Draws the map of a set: a marker for each model, by its class of the top level. */
#pragma once

#include "io/cla.h"
#include "report/picture.h"

/*
 * The largest classes of the top level have markers of their own; group PSB_MAP_GROUPS holds the
 * rest and the miscellaneous class.
 */
enum { PSB_MAP_GROUPS = 20 };
typedef struct psb_map_groups {
    size_t count;
    size_t class[PSB_MAP_GROUPS];  /* classes, those with most models first, ties by their order */
    size_t models[PSB_MAP_GROUPS]; /* models of each, with all classes below it */
    size_t others;                 /* models that are of no group */
} psb_map_groups;
void psb_map_groups_find(const psb_classification *cla, psb_map_groups *groups);
/* The group of a class: that of its ancestor at the top level. */
size_t psb_map_group_of(const psb_map_groups *groups, const psb_classification *cla, size_t class);

typedef struct psb_map_plot {
    const char *title; /* "": no small print either */
    const psb_classification *cla;
    const float *xy; /* nmodels x 2, -1 ... 1 */
} psb_map_plot;

psb_status psb_map_plot_write(const psb_map_plot *plot, const psb_picture_style *style,
                              const char *format, const char *path, psb_error *error);
