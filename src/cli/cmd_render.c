/* psbench render draws a picture of one model, as the report's thumbnails are. */
#include "cli/commands.h"

typedef struct request {
    psb_view view;
    const char *output;
    int aligned; /* one of poses */
    int azimuth, elevation;
} request;

static const cli_word poses[] = {{"original", false, "the file's, y upward"},
                                 {"aligned", true, "principal axes"},
                                 {NULL, 0, NULL}};

static const cli_option options[] = {
    CLI_PATH('o', "output", output, NULL, "FILE.png", "file for the picture"),
    CLI_WHOLE(0, "width", view.width, 1, PSB_RENDER_LONGEST_SIDE, "640", "N", "width in pixels"),
    CLI_WHOLE(0, "height", view.height, 1, PSB_RENDER_LONGEST_SIDE, "480", "N", "height in pixels"),
    CLI_WHOLE(0, "azimuth", azimuth, -360, 360, "35", "DEG", "degrees about the vertical axis"),
    CLI_WHOLE(0, "elevation", elevation, -90, 90, "25", "DEG", "degrees above the horizon"),
    CLI_WORD(0, "pose", aligned, poses, "original", "NAME", "orientation of the model"),
    CLI_END,
};

static int run(const cli_values *values, void *given) {
    request *r = given;
    psb_error error;
    r->view.azimuth = r->azimuth;
    r->view.elevation = r->elevation;
    r->view.aligned = r->aligned;
    return psb_render_file(cli_argument(values, 0), &r->view, r->output, &error) == PSB_OK
               ? CLI_DONE
               : cli_report(&error);
}

const cli_command cmd_render = {
    .name = "render",
    .summary = "Draw a shaded picture of a model.",
    .usage = "FILE -o FILE.png",
    .details = "The background is transparent. No display or GPU is needed.\n\n"
               "Examples:\n"
               "  psbench render chair.off -o chair.png\n"
               "  psbench render chair.off -o side.png --azimuth 90 --elevation 0",
    CLI_ARGUMENTS(1, 1, "one model"),
    .files = true,
    .needs = "output",
    CLI_REQUEST,
};
