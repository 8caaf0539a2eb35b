/* psbench export writes ranked lists for trec_eval and for SHREC's evaluation scripts. */
#include "cli/commands.h"
#include "cli/matrices.h"

typedef struct request {
    psb_methods_options methods;
    int threads;
    psb_export_form form;
    const char *output;
} request;

static int run(const cli_values *values, void *options) {
    const request *r = options;
    cli_opened opened;
    psb_error error;
    int code = cli_open(values, PSB_MATRICES, &r->methods, &opened);
    if (code == CLI_DONE && psb_export(opened.methods, r->form, r->output, &error) != PSB_OK) {
        code = cli_report(&error);
    }
    return cli_close(&opened, code);
}

static const cli_word formats[] = {
    {"trec", PSB_EXPORT_TREC, NULL}, {"shrec", PSB_EXPORT_SHREC, NULL}, {NULL, 0, NULL}};

static const cli_option options[] = {
    CLI_WORD('f', "format", form, formats, "trec", "NAME", "file format"),
    CLI_PATH('o', "output", output, "export", "DIR", "folder for the files"),
    CLI_MATRICES_OPTIONS,
    CLI_END,
};

const cli_command cmd_export = {
    .name = "export",
    .summary = "Write ranked lists for trec_eval or SHREC's tools.",
    .usage = CLI_MATRICES_USAGE,
    .details = CLI_MATRICES_SHORT
    "\n\ntrec: DIR/qrels.txt and DIR/NAME.run for each method; a model's score is the number of "
    "models ranked after it, so ties keep psbench's order. shrec: a file DIR/NAME/QUERY for each "
    "query; each line has a model and its distance, nearest first. DIR must be new, empty, or an "
    "earlier export.\n\n"
    "Examples:\n"
    "  psbench export run-psb SHD -o trec\n"
    "  psbench export run-psb -f shrec -o shrec",
    .most = CLI_ANY_NUMBER,
    .next = "trec_eval @/qrels.txt @/NAME.run",
    CLI_REQUEST,
};
