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

/* The four files: queries, database, and their signatures where these are given. */
enum { QUERIES, DATABASE, QUERY_SIGNATURES, SIGNATURES, FILES };

static psb_status search(psb_context *psb, const cli_values *values, psb_search_options *o,
                         psb_error *error) {
    static const char *const file[FILES] = {"queries", "database", "query-signatures",
                                            "signatures"};
    psb_rows *rows[FILES] = {NULL};
    psb_status status = PSB_OK;
    for (int f = 0; f < FILES && status == PSB_OK; f++) {
        const char *path = cli_value(values, file[f]);
        const char *cla = cli_value(values, f % 2 == QUERIES ? "query-cla" : "database-cla");
        status = path != NULL ? read_rows(psb, path, cla, &rows[f], error) : PSB_OK;
    }
    o->query_signatures = rows[QUERY_SIGNATURES];
    o->signatures = rows[SIGNATURES];
    if (status == PSB_OK) {
        status =
            psb_search(psb, rows[QUERIES], rows[DATABASE], o, cli_value(values, "output"), error);
    }
    for (int f = 0; f < FILES; f++) {
        psb_rows_free(rows[f]);
    }
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
    const char *query_signatures = cli_value(values, "query-signatures");
    if ((query_signatures == NULL) != (cli_value(values, "signatures") == NULL)) {
        return cli_usage("search", "--query-signatures and --signatures go together");
    }
    psb_error error;
    psb_context *psb;
    psb_search_options o = {.metric = metric, .self = cli_flag(values, "self")};
    cli_stages stages = {0};
    int threads;
    long k = 0, candidates = 0;
    if (!cli_integer(values, "neighbors", 1, UINT32_MAX, &k) ||
        !cli_integer(values, "candidates", 1, UINT32_MAX, &candidates) ||
        !cli_threads(values, &threads) || !cli_bytes(values, "memory", &o.memory)) {
        return CLI_USAGE;
    }
    o.neighbors = (size_t)k;
    o.candidates = (size_t)candidates;
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
    } else if (search(psb, values, &o, &error) != PSB_OK) {
        code = cli_report(&error);
    }
    psb_context_free(psb);
    return code;
}

static const cli_option options_table[] = {
    {0, "queries", "A.npy", "a row for each query", NULL},
    {0, "database", "B.npy", "the rows to look among: a file, or RUN/NAME, a run's", NULL},
    {'k', "neighbors", "K", "how many of the nearest", "100"},
    {'m', "metric", "NAME", "distance between two rows", "l2"},
    {'o', "output", "LISTS", "where the lists go", NULL},
    {0, "self", NULL, "row i of both files is the same model, and left out of its list", NULL},
    {0, "query-cla", "A.cla", "ids of the queries, in their order", NULL},
    {0, "database-cla", "B.cla", "ids of the database's rows", NULL},
    {0, "query-signatures", "A.npy", "few numbers for each query, compared by cosine", NULL},
    {0, "signatures", "B.npy", "the same of the database: the metric compares candidates alone",
     NULL},
    {0, "candidates", "N", "how many of the nearest by signature the metric compares", "200"},
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
        "With signatures, see 'psbench help signature', each query's --candidates nearest by the "
        "cosine of signatures are found first, and the metric puts those in order: lists are no "
        "longer than that, and a row that the signature misses is not in them.\n\n"
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
