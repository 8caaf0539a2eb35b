/* psbench compare-shapes measures how far two shapes are from each other. */
#include "cli/commands.h"
#include "cli/context.h"

typedef struct request {
    psb_compare_shapes_options o;
    const char *format;
} request;

static int run(const cli_values *values, void *given) {
    request *r = given;
    cli_stages stages = {0};
    psb_context *psb;
    psb_table *table;
    psb_error error;
    r->o.a = cli_argument(values, 0);
    r->o.b = cli_argument(values, 1);
    int code = cli_context(1, &stages, &psb);
    if (code == CLI_DONE) {
        psb_status status = psb_compare_shapes(psb, &r->o, &table, &error);
        code = cli_print_table(values, status, table, r->format, &error);
        psb_context_free(psb);
    }
    return code;
}

static const cli_word poses[] = {
    {"file", 0, "as in the files"},
    {"sphere", 0, "about the centre of each one's box, in the sphere of radius 1"},
    {"box", 0, "about the centre of each one's box, its longest side 1"},
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
    .summary = "Measure how far a shape is from another.",
    .usage = "A B [--align]",
    .details =
        "A is a mesh file, such as a reconstruction, and B what it should be. For points on both "
        "surfaces, uniform by area and drawn independently, with d the distance to the nearest "
        "point of the other surface:\n"
        "\n"
        "LFD: distance of the light fields, as the light field program counts it.\n"
        "cd: mean of d^2 from A to B and mean of d^2 from B to A, added.\n"
        "cd-l1: mean of d, from A to B and from B to A, halved.\n"
        "hausdorff: the largest d, either way.\n"
        "F-score: harmonic mean of precision, the share of A's points with d below the threshold, "
        "and recall, that of B's.\n"
        "emd: mean distance between the points of A and of B in the best one-to-one map, of at "
        "most 10,000 points.\n"
        "normal consistency: mean of |cosine| between the normals at a point and at its nearest, "
        "both ways.\n"
        "cd to surface and so on: the same with d the distance to the nearest triangle of the "
        "other "
        "shape, which is 0 for a copy.\n"
        "area, volume, open edges, watertight: of each shape; where an edge is not that of two "
        "faces in opposite directions a surface is open and has no volume.\n"
        "\n"
        "Columns A and B have each way for itself; the column floor has what two independent draws "
        "of B show, which no shape can beat. docs/generative.md says what other programs do "
        "differently.\n"
        "\n"
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
