/* psbench convert: a mesh of any format that is read, as one of those that are written. */
#include "cli/commands.h"
#include "core/file.h"
#include "io/mesh.h"

#include <string.h>

static const cli_option options[] = {
    {0, "encoding", "NAME",
     "text, little or big: numbers as text or binary of that byte order; preset: OFF and OBJ "
     "text, PLY and STL little",
     NULL},
    {0, "float", NULL, "round to single precision, which binary STL does in any case", NULL},
    {0, NULL, NULL, NULL, NULL},
};

static int run(const cli_values *values) {
    static const char *const names[] = {"little", "big", "text", NULL}; /* as psb_encoding */
    int which = -1;
    if (cli_argument_count(values) != 2) {
        return cli_usage("convert", "needs a file to read and one to write");
    }
    if (!cli_choice(values, "encoding", names, &which)) {
        return CLI_USAGE;
    }
    const char *from = cli_argument(values, 0), *to = cli_argument(values, 1);
    if (psb_is_same_file(from, to)) {
        return cli_usage("convert", "%s is what is to be read", to);
    }
    psb_mesh mesh = {0};
    psb_error error;
    psb_status status = psb_mesh_read(from, &mesh, &error);
    PSB_THEN(status, psb_mesh_write(to, &mesh, (psb_encoding)(which + 1), cli_flag(values, "float"),
                                    &error));
    psb_mesh_free(&mesh);
    return status == PSB_OK ? CLI_DONE : cli_report(&error);
}

const cli_command cmd_convert = {
    .name = "convert",
    .summary = "Write a mesh as OFF, OBJ, PLY or STL.",
    .usage = "[--encoding NAME] [--float] FROM TO",
    .details = "Reads a mesh of any format (see README, Formats) and writes its triangles in\n"
               "the format of TO's ending. Numbers have all digits: what is read again is the\n"
               "same, but for --float and binary STL, which round.\n\n"
               "Examples:\n"
               "  psbench convert chair.off chair.ply\n"
               "  psbench convert chair.off chair.stl --encoding text",
    .options = options,
    .run = run,
};
