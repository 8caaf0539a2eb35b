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
    {"file", 0, "as in the files"},
    {"sphere", 0, "about the center of each one's box, in the sphere of radius 1"},
    {"box", 0, "about the center of each one's box, its longest side 1"},
    {"aligned", 0, "in the frame of each one's principal axes"},
    {NULL, 0, NULL},
};

static const cli_option options[] = {
    CLI_NAME(0, "pose", o.pose, poses, NULL, "file", "NAME", "frame of the points"),
    CLI_FLAG(0, "align", o.align, "turn, scale and shift A onto B first, as 'psbench align' does"),
    CLI_WHOLE(0, "points", o.points, 1, 1000000, "2048", "N", "on each surface"),
    CLI_REAL(0, "threshold", o.threshold, 1e-9, 1, "0.01", "N",
             "of the F-score, as a share of the longest side of B's box"),
    CLI_FORMAT_OPTION("txt", "of the table"),
    CLI_END,
};

const cli_command cmd_compare_shapes = {
    .name = "compare-shapes",
    .summary = "Measure the distance between two shapes.",
    .usage = "A B [--align]",
    .details =
        "A is a mesh or point cloud, such as a reconstruction; B is the ground truth. Points are "
        "drawn on surfaces, uniformly by area and independently, or are the cloud's own; d is the "
        "distance to the nearest point of the other. Clouds have no figures of surfaces.\n\nLFD: "
        "light field distance.\ncd: mean d^2 of A plus mean d^2 of B; cd-l1: average of the mean d "
        "of both.\nhausdorff: largest d of both.\nF-score: harmonic mean of precision (share of "
        "A's points with d below the threshold) and recall (of B's).\nemd: mean distance of the "
        "best one-to-one matching, at most 10,000 points.\nnormal consistency: mean |cosine| "
        "between normals at a point and its nearest.\n... to surface: d to the nearest triangle "
        "instead of point; 0 for a copy.\narea, volume, open edges, watertight: of each "
        "shape.\n\nColumns A and B: each direction alone. floor: two independent draws of B, the "
        "least that sampling can show. docs/generative.md compares definitions.\n\n"
        "Examples:\n"
        "  psbench compare-shapes chair1.off chair2.off\n"
        "  psbench compare-shapes chair1.off chair2.off --align --points 20000 -f json",
    .options = options,
    .size = sizeof(struct request),
    .least = 2,
    .most = 2,
    .files = true,
    .arguments = "two files of models",
    .run = run,
};
