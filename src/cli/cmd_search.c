/* psbench search: the nearest rows of one feature file for each row of another. */
#include "cli/commands.h"
#include "cli/run_command.h"
#include "pipeline/results.h"
#include "pipeline/search.h"

static int run(const cli_values *values) {
    psb_search_job o = {
        .queries = cli_value(values, "queries"),
        .database = cli_value(values, "database"),
        .query_classification = cli_value(values, "query-cla"),
        .database_classification = cli_value(values, "database-cla"),
        .self = cli_flag(values, "self"),
    };
    const char *output = cli_value(values, "output");
    if (cli_argument_count(values) != 0 || o.queries == NULL || o.database == NULL ||
        output == NULL) {
        return cli_usage("search", "needs --queries, --database and -o LISTS, and nothing else");
    }
    if (!cli_metric(values, "search", &o.metric)) {
        return CLI_USAGE;
    }
    if ((o.query_classification == NULL) != (o.database_classification == NULL)) {
        return cli_usage("search", "--query-cla and --database-cla go together");
    }
    long k = 0;
    if (!cli_integer(values, "neighbors", 1, UINT32_MAX, &k) || !cli_threads(values, &o.threads) ||
        !cli_memory(values, "search", &o.memory)) {
        return CLI_USAGE;
    }
    cli_stages stages = {0};
    o.k = (size_t)k;
    o.observer = (psb_observer){.progress = cli_show_stage, .context = &stages};
    psb_memory_plan plan;
    psb_error error;
    if (psb_results_check_file(o.queries, false, &error) != PSB_OK ||
        psb_results_check_file(o.database, false, &error) != PSB_OK ||
        psb_search_lists(&o, output, &plan, &error) != PSB_OK) {
        return cli_report(&error);
    }
    if (cli_verbosity() > 0) {
        cli_say_plan(&plan);
    }
    return CLI_DONE;
}

static const cli_option options_table[] = {
    {0, "queries", "A.npy", "a row for each query", NULL},
    {0, "database", "B.npy", "the rows to look among", NULL},
    {'k', "neighbors", "K", "how many of the nearest", "100"},
    {'m', "metric", "NAME", "distance between two rows", "l2"},
    {'o', "output", "LISTS", "where the lists go", NULL},
    {0, "self", NULL, "row i of both files is the same model, and left out of its list", NULL},
    {0, "query-cla", "A.cla", "ids of the queries, in their order", NULL},
    {0, "database-cla", "B.cla", "ids of the database's rows", NULL},
    CLI_MEMORY_OPTION,
    {'t', "threads", "N", "threads (0: one per processor)", "0"},
    {0, NULL, NULL, NULL, NULL},
};

const cli_command cmd_search = {
    .name = "search",
    .summary = "Find the nearest rows of a feature file for each row of another or the same.",
    .usage = "--queries A.npy --database B.npy -o LISTS [-k K] [-m NAME]",
    .details =
        "The output is text with a line for each neighbor: query, rank, neighbor and distance, "
        "with tabs between them; behind a first line with the search's parameters and one with the "
        "names of the columns. Rows are named by the ids beside their files (A.npy.ids), or by "
        "those of --query-cla and "
        "--database-cla, else by their numbers, from 0. Of equal distances the lower row comes "
        "first. "
        "A model is left out of its own list: where both files are the same one, with --self, or "
        "where the ids are the same.\n\n"
        "No matrix is made: features are read as they are needed and may be larger than --memory. "
        "The lists are exact, and the same bytes for any --memory and number of threads. "
        "'psbench eval CLA LISTS' measures them. -o - is standard output.",
    .options = options_table,
    .run = run,
};
