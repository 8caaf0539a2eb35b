/* psbench convert: a mesh of any format that is read, as one of those that are written. */
#include "cli/commands.h"
#include "core/file.h"
#include "io/mesh.h"

typedef struct request {
    psb_encoding encoding;
    bool single;
} request;

static const cli_word encodings[] = {{"text", PSB_TEXT, NULL},
                                     {"little", PSB_BINARY_LITTLE, NULL},
                                     {"big", PSB_BINARY_BIG, NULL},
                                     {NULL, 0, NULL}};

static const cli_option options[] = {
    CLI_WORD(0, "encoding", encoding, encodings, NULL, "NAME",
             "numbers as text or binary of that byte order (else: OFF and OBJ text, PLY and STL "
             "little)"),
    CLI_FLAG(0, "float", single, "round to single precision, which binary STL does in any case"),
    CLI_END,
};

static int run(const cli_values *values, void *given) {
    const request *r = given;
    const char *from = cli_argument(values, 0), *to = cli_argument(values, 1);
    if (psb_is_same_file(from, to)) {
        return cli_usage("convert", "%s is what is to be read", to);
    }
    psb_mesh mesh = {0};
    psb_error error;
    psb_status status = psb_mesh_read(from, &mesh, &error);
    PSB_THEN(status, psb_mesh_write(to, &mesh, r->encoding, r->single, &error));
    psb_mesh_free(&mesh);
    return status == PSB_OK ? CLI_DONE : cli_report(&error);
}

const cli_command cmd_convert = {
    .name = "convert",
    .summary = "Write a mesh as OFF, OBJ, PLY or STL.",
    .usage = "[--encoding NAME] [--float] FROM TO",
    .details = "Reads a mesh of any format (see docs/formats.md) and writes its triangles in\n"
               "the format of TO's ending. Numbers have all digits: what is read again is the\n"
               "same, but for --float and binary STL, which round.\n\n"
               "Examples:\n"
               "  psbench convert chair.off chair.ply\n"
               "  psbench convert chair.off chair.stl --encoding text",
    .options = options,
    .size = sizeof(struct request),
    .least = 2,
    .most = 2,
    .files = true,
    .arguments = "a file to read and one to write",
    .run = run,
};
