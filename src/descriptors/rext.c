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

static psb_status compute(psb_shape *shape, const psb_params *p, void *row, psb_error *error) {
    psb_extent *extent;
    psb_status status = psb_shape_extent(shape, (int)p->value[PSB_EXTENT_POINTS],
                                         (int)p->value[PSB_EXTENT_POLE], &extent, error);
    return PSB_THEN(status,
                    psb_store_functions_cut(shape, extent->shell, extent->shell_tail, PSB_SHELLS,
                                            (psb_form)p->value[PSB_EXTENT_FORM], row, error));
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
    PSB_PARAMS(psb_extent_params),
    .row_kind = PSB_ROW_SPHERES,
    .size = PSB_SHELLS,
    .compute = compute,
};
