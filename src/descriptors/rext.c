/*
 * REXT: radialized spherical extent function (Vranic 2003; paper, section 2).
 *
 * REXT is EXT within each of 32 concentric shells: the largest distance from the center of mass, in
 * each direction, of the surface within the shell, 0 if there is none. The row has 136 numbers a
 * shell, with EXT's reconstructed choices and one norm for all shells.
 */
#include "core/error.h"
#include "core/memory.h"
#include "descriptors/descriptor.h"

/* Indices of the parameters in the table below. */
enum { POINTS, POLE, FORM };

static const psb_param params[] = {
    {"points", PSB_PARAM_INT, 4500, 1, 1e9, NULL, PSB_FITTED,
     "random surface points whose expected largest distance is taken"},
    {"pole", PSB_PARAM_CHOICE, 0, 0, 0, psb_extent_poles, PSB_FITTED,
     "axis that polar angles are measured from, by variance"},
    {"form", PSB_PARAM_CHOICE, PSB_FORM_SUM, 0, 0, psb_form_names, PSB_FITTED,
     "of a coefficient: |Re| + |Im|, its magnitude, or all of it"},
    PSB_PARAM_METRIC(PSB_METRIC_L2),
    PSB_PARAM_FRAME,
};

static psb_status compute(psb_shape *shape, const psb_params *p, void *row, psb_error *error) {
    psb_extent *extent;
    psb_status status =
        psb_shape_extent(shape, (int)p->value[POINTS], (int)p->value[POLE], &extent, error);
    return PSB_THEN(status,
                    psb_store_functions_cut(shape, extent->shell, extent->shell_tail, PSB_SHELLS,
                                            (psb_form)p->value[FORM], row, error));
}

const psb_descriptor psb_rext = {
    .name = "REXT",
    .title = "Radialized spherical extent function",
    .source = "Vranic 2003",
    .bibtex = "@inproceedings{vranic2003improvement,\n"
              "  author = {Dejan V. Vrani{\\'c}},\n"
              "  title = {An Improvement of Rotation Invariant {3D}-Shape Descriptor Based on "
              "Functions on Concentric Spheres},\n"
              "  booktitle = {IEEE International Conference on Image Processing},\n"
              "  volume = {3},\n"
              "  pages = {757--760},\n"
              "  year = {2003},\n"
              "}\n",
    .formula = "EXT within each of 32 shells",
    .pose = PSB_POSE_ALIGNED,
    .invariant = PSB_UNDER_ALL,
    .metric = &psb_l2,
    .revision = 5,
    PSB_PARAMS(params),
    .row_kind = PSB_ROW_SPHERES,
    .size = PSB_SHELLS,
    .compute = compute,
};
