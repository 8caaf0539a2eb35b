/* psbench search: the nearest rows of one feature file for each row of another. */
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/scale.h"

typedef struct request {
    psb_search_options search;
    /* The four files: queries, database, and their signatures where these are given. */
    const char *file[4];
    const char *cla[2]; /* of queries and of the database */
    const char *output, *part;
    int threads;
} request;
enum { QUERIES, DATABASE, QUERY_SIGNATURES, SIGNATURES, FILES };

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

static psb_status search(psb_context *psb, request *r, psb_error *error) {
    psb_search_options *o = &r->search;
    psb_rows *rows[FILES] = {NULL};
    psb_status status = PSB_OK;
    for (int f = 0; f < FILES && status == PSB_OK; f++) {
        status = r->file[f] != NULL ? read_rows(psb, r->file[f], r->cla[f % 2], &rows[f], error)
                                    : PSB_OK;
    }
    o->query_signatures = rows[QUERY_SIGNATURES];
    o->signatures = rows[SIGNATURES];
    if (status == PSB_OK) {
        status = psb_search(psb, rows[QUERIES], rows[DATABASE], o, r->output, error);
    }
    for (int f = 0; f < FILES; f++) {
        psb_rows_free(rows[f]);
    }
    return status;
}

static int run(const cli_values *values, void *given) {
    request *r = given;
    psb_error error;
    psb_context *psb;
    cli_stages stages = {0};
    int code = cli_part(cli_name(values), r->part, &r->search.part, &r->search.parts);
    code = code == CLI_DONE ? cli_context(r->threads, &stages, &psb) : code;
    if (code == CLI_DONE) {
        code = search(psb, r, &error) == PSB_OK ? CLI_DONE : cli_report(&error);
        psb_context_free(psb);
    }
    return code;
}

static const cli_option options_table[] = {
    CLI_PATH(0, "queries", file[QUERIES], NULL, "A.npy", "a row for each query"),
    CLI_PATH(0, "database", file[DATABASE], NULL, "B.npy",
             "the rows to look among: a file, or RUN/NAME, a run's"),
    CLI_WHOLE('k', "neighbors", search.neighbors, 1, UINT32_MAX, "100", "K",
              "how many of the nearest"),
    CLI_METRIC_OPTION('m', search.metric, "l2", "distance between two rows"),
    CLI_PATH('o', "output", output, NULL, "LISTS", "where the lists go"),
    CLI_FLAG(0, "self", search.self,
             "row i of both files is the same model, and left out of its list"),
    CLI_PATH(0, "query-cla", cla[QUERIES], NULL, "A.cla", "ids of the queries, in their order"),
    CLI_PATH(0, "database-cla", cla[DATABASE], NULL, "B.cla", "ids of the database's rows"),
    CLI_PATH(0, "query-signatures", file[QUERY_SIGNATURES], NULL, "A.npy",
             "few numbers for each query, compared by cosine"),
    CLI_PATH(0, "signatures", file[SIGNATURES], NULL, "B.npy",
             "the same of the database: the metric compares candidates alone"),
    CLI_WHOLE(0, "candidates", search.candidates, 1, UINT32_MAX, "200", "N",
              "how many of the nearest by signature the metric compares"),
    CLI_PART_OPTION(part, "I/N: only the lists of part I (from 0) of N of the queries; auto: as in "
                          "'psbench help run'"),
    CLI_MEMORY_OPTION(search.memory),
    CLI_THREADS_OPTION,
    CLI_END,
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
    .size = sizeof(struct request),
    .needs = "queries database output",
    .together = "query-cla database-cla, query-signatures signatures",
    .next = "psbench eval CLASSES @",
    .run = run,
};
