/* psbench compare-shapes measures how far two shapes are from each other. */
#include "cli/commands.h"
#include "cli/context.h"

typedef struct request {
    psb_compare_shapes_options o;
    const char *format;
} request;

static int run(const cli_values *values, void *given) {
    request *r = given;
    psb_table *table;
    psb_error error;
    r->o.a = cli_argument(values, 0);
    r->o.b = cli_argument(values, 1);
    psb_status status = psb_compare_shapes(cli_psb(values), &r->o, &table, &error);
    return cli_print_table(values, status, table, r->format, &error);
}

static const cli_word poses[] = {
    {"file", 0, "none"},
    {"sphere", 0, "center of its box at the origin, scaled into the unit sphere"},
    {"box", 0, "center of its box at the origin, longest side 1"},
    {"aligned", 0, "principal axes"},
    {NULL, 0, NULL},
};

static const cli_option options[] = {
    CLI_NAME(0, "pose", o.pose, poses, NULL, "file", "NAME", "normalization of each shape"),
    CLI_FLAG(0, "align", o.align, "first align A to B, as 'psbench align' does"),
    CLI_WHOLE(0, "points", o.points, 1, 1000000, "2048", "N", "points sampled on each surface"),
    CLI_REAL(0, "threshold", o.threshold, 1e-9, 1, "0.01", "N",
             "threshold of the F-score, as a share of the longest side of B's box"),
    CLI_FORMAT_OPTION("txt", "table format"),
    CLI_END,
};

const cli_command cmd_compare_shapes = {
    .name = "compare-shapes",
    .summary = "Measure the distance between two shapes.",
    .usage = "A B [--align]",
    .details =
        "A is a mesh or point cloud, such as a reconstruction; B is the ground truth. Points are "
        "sampled on surfaces independently and uniformly by area, or are those of the cloud; d is "
        "the distance of a point to the nearest of the other shape. Surface measures need "
        "meshes.\n\nLFD: light field distance.\ncd: mean d^2 of A plus mean d^2 of B; cd-l1: "
        "average of the two mean d.\nhausdorff: largest d in either direction.\nF-score: harmonic "
        "mean of precision (share of A's points with d below the threshold) and recall (of "
        "B's).\nemd: mean distance of the best one-to-one matching; at most 10,000 points.\nnormal "
        "consistency: mean |cosine| of the normals at a point and its nearest.\n... to surface: d "
        "to the nearest triangle, not the nearest point; 0 for a copy.\narea, volume, open edges, "
        "watertight: of each shape.\n\nColumns A and B: each direction alone. floor: two "
        "independent samples of B, the sampling error. Definitions: docs/generative.md.\n\n"
        "Examples:\n"
        "  psbench compare-shapes chair1.off chair2.off\n"
        "  psbench compare-shapes chair1.off chair2.off --align --points 20000 -f json",
    CLI_ARGUMENTS(2, 2, "two files of models"),
    .files = true,
    CLI_REQUEST,
};
