/* psbench query finds the models of a run that are most like one that is not in it. */
#include "cli/commands.h"
#include "cli/matrices.h"

typedef struct request {
    psb_query_options query;
    int threads;
} request;

static const cli_option options[] = {
    CLI_METHODS("descriptor", query.descriptor, NULL, "SPEC", "one of RUN's (else: the first)"),
    CLI_WHOLE('k', "neighbors", query.neighbors, 1, 1000000, "24", "K", "number of matches"),
    CLI_PATH('o', "output", query.page, NULL, "FILE.html",
             "also write one page with pictures of the matches"),
    CLI_THREADS_OPTION,
    CLI_END,
};

static int run(const cli_values *values, void *given) {
    request *r = given;
    char *text;
    psb_error error;
    r->query.run = cli_argument(values, 0);
    r->query.model = cli_argument(values, 1);
    psb_status status = psb_query(cli_psb(values), &r->query, &text, &error);
    return cli_print_text(status, text, &error);
}

const cli_command cmd_query = {
    .name = "query",
    .summary = "Find the models of a run that are most similar to a new one.",
    .usage = "RUN MODEL",
    .details = "MODEL is a mesh in any format. Its descriptor is computed like those of RUN and "
               "compared with them. Prints one line per match: rank, id, class, distance. The page "
               "has an interactive 3D view.\n\n"
               "Examples:\n"
               "  psbench query run-psb chair.off\n"
               "  psbench query -d SHD -k 10 -o chair.html run-psb chair.off",
    CLI_ARGUMENTS(2, 2, "the folder of a run and a model"),
    .of_run = true,
    CLI_REQUEST,
};
