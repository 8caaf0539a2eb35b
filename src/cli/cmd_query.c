/* psbench query: what of a run's models looks like this one. */
#include "cli/commands.h"
#include "cli/matrices.h"

static const cli_option options[] = {
    {'d', "descriptor", "SPEC", "one of the run's (else: its first)", NULL},
    {'k', "neighbors", "K", "how many of the nearest", "24"},
    {'o', "output", "FILE.html", "a page with pictures of the nearest, in one file", NULL},
    {'t', "threads", "N", "threads (0: one per processor)", "0"},
    {0, NULL, NULL, NULL, NULL},
};

static int run(const cli_values *values) {
    long neighbors;
    int threads;
    if (!cli_integer(values, "neighbors", 1, 1000000, &neighbors) ||
        !cli_threads(values, &threads)) {
        return CLI_USAGE;
    }
    if (cli_argument_count(values) != 2) {
        return cli_usage("query", "needs the folder of a run and a model");
    }
    cli_stages stages = {0};
    psb_context *psb;
    int code = cli_context(threads, &stages, &psb);
    if (code == CLI_DONE) {
        char *text;
        psb_error error;
        const psb_query_options query = {.run = cli_argument(values, 0),
                                         .model = cli_argument(values, 1),
                                         .descriptor = cli_value(values, "descriptor"),
                                         .neighbors = (size_t)neighbors,
                                         .page = cli_value(values, "output")};
        psb_status status = psb_query(psb, &query, &text, &error);
        code = cli_print_text(status, text, &error);
        psb_context_free(psb);
    }
    return code;
}

const cli_command cmd_query = {
    .name = "query",
    .summary = "Find the models of a run that are most like one that is not in it.",
    .usage = "RUN MODEL",
    .details =
        "The model, a mesh of any format, is described as the run described its own, and compared "
        "with the rows that the run left. A line for each of the nearest: rank, id, class, "
        "distance; -o also writes a page that turns the model and shows the nearest.\n\n"
        "Examples:\n"
        "  psbench query psb-run chair.off\n"
        "  psbench query -d SHD -k 10 -o chair.html psb-run chair.off",
    .options = options,
    .run = run,
};
