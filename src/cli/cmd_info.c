/* psbench info FILE...: the annotations that the benchmark's _info.txt files give for a model. */
#include "cli/commands.h"
#include "cli/matrices.h"

#include <stdio.h>

typedef struct request {
    bool json;
} request;

static int run(const cli_values *values, void *given) {
    size_t count = (size_t)cli_argument_count(values), done = 0, described = 0;
    bool json = ((const request *)given)->json;
    psb_error error;
    psb_context *psb;
    cli_stages stages = {0};
    int code = cli_context(1, &stages, &psb);
    /* Text appears file by file. */
    for (size_t i = 0; i < count && code == CLI_DONE; i += json ? count : 1) {
        char *text;
        psb_status status = psb_info_text(psb, cli_arguments(values) + i, json ? count : 1, json,
                                          &text, &described, &error);
        fputs(!json && described > 0 && done > 0 ? "\n" : "", stdout);
        code = cli_interrupted() ? CLI_INTERRUPTED : cli_print_text(status, text, &error);
        done += described;
    }
    psb_context_free(psb);
    return code == CLI_DONE && done < count ? (done > 0 ? CLI_PARTIAL : CLI_IO) : code;
}

static const cli_option options[] = {
    CLI_FLAG(0, "json", json, "print a JSON array with all digits instead of text"),
    CLI_END,
};

const cli_command cmd_info = {
    .name = "info",
    .summary = "Describe models as the benchmark's _info.txt files do.",
    .usage = "FILE...",
    .details =
        "Prints, for each mesh file, its polygons, connected components, average dihedral angle,\n"
        "bounding box, average depth complexity, centre of mass, scale (twice the mean distance "
        "of\n"
        "the surface to the centre) and principal axes and values, in the layout and with the\n"
        "digits of the benchmark's files. docs/annotations.md defines each.\n\n"
        "Examples:\n"
        "  psbench info chair.off\n"
        "  psbench info --json psb_v1/db/*/*/*.off >models.json",
    .options = options,
    .size = sizeof(struct request),
    .least = 1,
    .most = CLI_ANY_NUMBER,
    .files = true,
    .arguments = "at least one file of a model",
    .run = run,
};
