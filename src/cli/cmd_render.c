/* psbench render: a picture of one model, as the report's thumbnails are. */
#include "cli/commands.h"
#include "core/memory.h"
#include "io/png.h"
#include "render/render.h"

#include <string.h>

static const cli_option options[] = {
    {'o', "output", "FILE.png", "file for the picture", NULL},
    {0, "width", "N", "pixels, 1 to 2048", "640"},
    {0, "height", "N", "pixels, 1 to 2048", "480"},
    {0, "azimuth", "DEG", "degrees about the upward axis", "35"},
    {0, "elevation", "DEG", "degrees above the horizon, -90 to 90", "25"},
    {0, "pose", "NAME", "aligned: principal axes; original: the file's, y upward", "aligned"},
    {0, NULL, NULL, NULL, NULL},
};

static bool read_view(const cli_values *values, psb_view *view) {
    long width, height, azimuth, elevation;
    static const char *const poses[] = {"original", "aligned", NULL};
    int pose = 0;
    if (!cli_integer(values, "width", 1, PSB_RENDER_LONGEST_SIDE, &width) ||
        !cli_integer(values, "height", 1, PSB_RENDER_LONGEST_SIDE, &height) ||
        !cli_integer(values, "azimuth", -360, 360, &azimuth) ||
        !cli_integer(values, "elevation", -90, 90, &elevation) ||
        !cli_choice(values, "pose", poses, &pose)) {
        return false;
    }
    *view =
        (psb_view){(size_t)width, (size_t)height, (double)azimuth, (double)elevation, pose == 1};
    return true;
}

static psb_status render_file(const char *model, const psb_view *view, const char *png,
                              psb_error *error) {
    psb_mesh mesh = {0};
    psb_renderer renderer = {0};
    psb_status status = psb_mesh_read(model, &mesh, error);
    uint8_t *pixels = psb_new(&status, view->width * view->height, 2, "a picture", error);
    PSB_THEN(status, psb_render(&renderer, &mesh, view, pixels, error));
    PSB_THEN(status, psb_png_write(png, view->width, view->height, PSB_GRAY_ALPHA, pixels, error));
    free(pixels);
    psb_renderer_free(&renderer);
    psb_mesh_free(&mesh);
    return status;
}

static int run(const cli_values *values) {
    psb_view view;
    psb_error error;
    if (!read_view(values, &view)) {
        return CLI_USAGE;
    }
    if (cli_argument_count(values) != 1 || cli_value(values, "output") == NULL) {
        return cli_usage("render", "needs one model and -o FILE.png");
    }
    psb_status status =
        render_file(cli_argument(values, 0), &view, cli_value(values, "output"), &error);
    return status == PSB_OK ? CLI_DONE : cli_report(&error);
}

const cli_command cmd_render = {
    .name = "render",
    .summary = "Draw a shaded picture of one model.",
    .usage = "FILE -o FILE.png",
    .details = "The background is transparent. No display and no graphics processor is needed.\n\n"
               "Examples:\n"
               "  psbench render chair.off -o chair.png\n"
               "  psbench render chair.off -o side.png --azimuth 90 --elevation 0",
    .options = options,
    .run = run,
};
