/* psbench align turns, scales and shifts one model onto another. */
#include "cli/commands.h"
#include "cli/matrices.h"

typedef struct request {
    psb_align_options o;
    int json; /* one of formats */
    uint64_t turn;
} request;

static int run(const cli_values *values, void *options) {
    request *r = options;
    psb_alignment found;
    psb_error error;
    char *text = NULL;
    r->o.from = cli_argument(values, 0);
    r->o.to = cli_argument(values, 1);
    r->o.turn = cli_given(values, "turn") ? &r->turn : NULL;
    psb_status status = psb_align_models(&r->o, &found, &error);
    status = status == PSB_OK ? psb_alignment_text(&found, r->json, &text, &error) : status;
    return cli_print_text(status, text, &error);
}

static const cli_word formats[] = {{"txt", false, NULL}, {"json", true, NULL}, {NULL, 0, NULL}};

static const cli_option options[] = {
    CLI_PATH('o', "output", o.output, NULL, "MESH",
             "write the aligned A; the extension gives the format"),
    CLI_PATH(0, "picture", o.picture, NULL, "FILE.png", "draw A, B, and A aligned to B"),
    CLI_WORD('f', "format", json, formats, "txt", "NAME", "output format"),
    CLI_FLAG(0, "mirror", o.mirror, "also try reflections of A"),
    CLI_WHOLE(0, "turn", turn, 0, 2147483647, NULL, "N",
              "rotate A randomly first, with seed N; the result should not change"),
    CLI_END,
};

const cli_command cmd_align = {
    .name = "align",
    .summary = "Align one model to another: rotation, scale, translation.",
    .usage = "A B [-o A.off]",
    .details = "Prints the 4 x 4 matrix that maps points of A to B, as columns (x, y, z, 1), and "
               "the residual: root mean square distance between sample points of each and the "
               "nearest of the other, in units of the mean distance of B's surface to its "
               "center.\n\nGEDT:shells=8,metric=pose48 selects the best of 24 poses (48 with "
               "--mirror) in two frames; iterative closest point (ICP) refines it. Symmetric "
               "models may end in another, equivalent pose. The residual of a copy is 0 only if "
               "its triangles are the same; for a remeshed box it is about 0.02.\n\n"
               "Examples:\n"
               "  psbench align chair1.off chair2.off -o turned.off\n"
               "  psbench align chair1.off chair2.off --picture chairs.png\n"
               "  psbench align left_hand.ply right_hand.ply --mirror -f json\n"
               "  psbench align chair1.off chair2.off --turn 7    # the same matrix, or nearly",
    CLI_ARGUMENTS(2, 2, "the model to turn and the one that stays"),
    .files = true,
    CLI_REQUEST,
};
