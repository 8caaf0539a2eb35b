/* psbench search: the nearest rows of one feature file for each row of another. */
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/scale.h"

#include <string.h>

/* The rows of a file, named as the classification says, where there is one. */
static psb_status read_rows(psb_context *psb, const char *path, const char *classification,
                            psb_rows **rows, psb_error *error) {
    psb_collection *models = NULL;
    const psb_collection_options of = {.cla = classification};
    psb_status status = PSB_OK;
    if (classification != NULL) {
        status = psb_collection_open(psb, &of, &models, error);
    }
    if (status == PSB_OK) {
        status = psb_rows_read(psb, path, models, rows, error);
    }
    psb_collection_free(models);
    return status;
}

static int run(const cli_values *values) {
    const char *queries = cli_value(values, "queries"), *database = cli_value(values, "database");
    const char *output = cli_value(values, "output"), *metric = cli_value(values, "metric");
    const char *query_cla = cli_value(values, "query-cla");
    const char *database_cla = cli_value(values, "database-cla");
    if (cli_argument_count(values) != 0 || queries == NULL || database == NULL || output == NULL) {
        return cli_usage("search", "needs --queries, --database and -o LISTS, and nothing else");
    }
    if ((query_cla == NULL) != (database_cla == NULL)) {
        return cli_usage("search", "--query-cla and --database-cla go together");
    }
    psb_error error;
    psb_context *psb;
    psb_rows *from = NULL, *among = NULL;
    psb_search_options o = {.metric = metric, .self = cli_flag(values, "self")};
    cli_stages stages = {0};
    int threads;
    long k = 0;
    if (!cli_integer(values, "neighbors", 1, UINT32_MAX, &k) || !cli_threads(values, &threads) ||
        !cli_memory(values, "search", &o.memory)) {
        return CLI_USAGE;
    }
    o.neighbors = (size_t)k;
    int code = cli_part_option(values, "search", &o.part, &o.parts);
    if (code != CLI_DONE) {
        return code;
    }
    code = cli_context(threads, &stages, &psb);
    if (code != CLI_DONE) {
        return code;
    }
    if (psb_check_metric(psb, metric, &error) != PSB_OK) {
        code = cli_fail(values, &error);
    } else if (read_rows(psb, queries, query_cla, &from, &error) != PSB_OK ||
               read_rows(psb, database, database_cla, &among, &error) != PSB_OK ||
               psb_search(psb, from, among, &o, output, &error) != PSB_OK) {
        code = cli_report(&error);
    }
    psb_rows_free(from);
    psb_rows_free(among);
    psb_context_free(psb);
    return code;
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
    {0, "part", "WHAT",
     "I/N: only the lists of part I (from 0) of N of the queries; auto: as in 'psbench help run'",
     NULL},
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
        "'psbench eval CLA LISTS' measures them. -o - is standard output.\n\n"
        "Several processes share the queries by --part; behind the two lines of the head their "
        "lists follow each other.\n\n"
        "Examples:\n"
        "  psbench search --queries features.npy --database features.npy -o near.tsv\n"
        "  psbench search --queries queries.npy --database targets.npy -o lists.0 \\\n"
        "      --part 0/2\n"
        "  psbench search --queries queries.npy --database targets.npy -o lists.1 \\\n"
        "      --part 1/2\n"
        "  { cat lists.0; tail -qn +3 lists.1; } >lists",
    .options = options_table,
    .run = run,
};
