/*
 * The interface of a shape descriptor and the table of all of them.
 *
 * A descriptor is one psb_descriptor in a file of its own, plus its line in descriptors/table.c and
 * its tunables in psb_params. Help, runs, tests, benchmarks and reports iterate over the table.
 */
#ifndef PSB_DESCRIPTORS_DESCRIPTOR_H
#define PSB_DESCRIPTORS_DESCRIPTOR_H

#include "descriptors/params.h"
#include "descriptors/shape.h"
#include "normalize/pose.h"

struct psb_descriptor {
    const char *name;    /* as in the paper's tables: "GEDT" */
    const char *title;   /* "Gaussian Euclidean distance transform" */
    const char *source;  /* publication it comes from */
    const char *formula; /* one line for reports */
    psb_pose_kind pose;
    psb_element element;
    const char *metric; /* name in the table of distance/metric.h */
    const psb_param *params;
    size_t nparams;

    /* Numbers in one row. */
    size_t (*length)(const psb_params *params);

    /*
     * Fills row[length] with the descriptor of the loaded shape. Must not allocate once the
     * shape's buffers have reached their size, nor depend on any earlier model.
     */
    psb_status (*compute)(psb_shape *shape, const psb_params *params, void *row, psb_error *error);
};

struct psb_spec {
    const psb_descriptor *descriptor;
    psb_params params;
    char label[256]; /* canonical text */
};

/*
 * Splits a list such as "SHD,CEGI:phase=2,smooth=0.02,D2" into specs: a comma starts a new one
 * unless what follows is `parameter=value`. "all" stands for the whole table, in its order.
 * On success *specs has *count entries; free each, then the array.
 */
psb_status psb_spec_parse_list(const char *text, psb_spec ***specs, size_t *count,
                               psb_error *error);

/* File stem for the spec's features and matrices: the label with '-' for ':' and ','. */
void psb_spec_stem(const psb_spec *spec, char stem[256]);

/* The descriptors' own entries, for the table. */
extern const psb_descriptor psb_cegi;
extern const psb_descriptor psb_d2;
extern const psb_descriptor psb_egi;
extern const psb_descriptor psb_ext;
extern const psb_descriptor psb_gedt;
extern const psb_descriptor psb_lfd;
extern const psb_descriptor psb_rext;
extern const psb_descriptor psb_secshel;
extern const psb_descriptor psb_sectors;
extern const psb_descriptor psb_shd;
extern const psb_descriptor psb_shells;
extern const psb_descriptor psb_voxel;

#endif
