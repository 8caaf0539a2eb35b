/* psbench convert reads a mesh of any format and writes it in one of those that can be written. */
#include "cli/commands.h"
#include "cli/context.h"

typedef struct request {
    psb_convert_options how;
} request;

static const cli_word encodings[] = {{"text", PSB_TEXT, NULL},
                                     {"little", PSB_BINARY_LITTLE, NULL},
                                     {"big", PSB_BINARY_BIG, NULL},
                                     {NULL, 0, NULL}};

static const cli_option options[] = {
    CLI_WORD(
        0, "encoding", how.encoding, encodings, NULL, "NAME",
        "text, or binary in this byte order (else: text for OFF and OBJ, little for PLY and STL)"),
    CLI_FLAG(0, "float", how.single, "round to single precision (binary STL always does)"),
    CLI_END,
};

static int run(const cli_values *values, void *given) {
    psb_error error;
    return psb_convert(cli_argument(values, 0), cli_argument(values, 1),
                       &((const request *)given)->how, &error) == PSB_OK
               ? CLI_DONE
               : cli_fail(values, &error);
}

const cli_command cmd_convert = {
    .name = "convert",
    .summary = "Write a mesh as OFF, OBJ, PLY or STL.",
    .usage = "[--encoding NAME] [--float] FROM TO",
    .details =
        "Reads a mesh in any format of docs/formats.md and writes its triangles in the format of "
        "TO's extension: without loss, except that --float and binary STL round.\n\n"
        "Examples:\n"
        "  psbench convert chair.off chair.ply\n"
        "  psbench convert chair.off chair.stl --encoding text",
    CLI_ARGUMENTS(2, 2, "a file to read and one to write"),
    .files = true,
    CLI_REQUEST,
};
