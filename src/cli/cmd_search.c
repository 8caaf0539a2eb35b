/* psbench search finds the nearest rows of one feature file for each row of another. */
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/scale.h"

#include <stdlib.h>
#include <string.h>

typedef struct request {
    psb_search_options search;
    /* One for the queries, one for the database. */
    const char *file[2], *cla[2], *signatures[2];
    const char *candidates, *output, *part;
    int threads;
} request;

/* Reads the rows of a file, named as the classification says, if there is one. */
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

/* ---- stages ------------------------------------------------------------------------------ */

enum { STAGES = 8, QUERIES = 0, DATABASE = 1, SIDES = 2 };

/* What is opened: the rows of each stage, and those that the metric compares. */
typedef struct work {
    char *lists[SIDES]; /* copies of --query-signatures and --signatures, cut at commas */
    const char *files[SIDES][STAGES], *metrics[STAGES];
    psb_search_stage stages[STAGES];
    size_t nstages;
    psb_rows *rows[SIDES], *of_stages[SIDES][STAGES];
} work;

/* Cuts a list at its commas; returns the number of items, 0 if there are more than STAGES. */
static size_t cut(char *list, const char *items[STAGES]) {
    size_t count = 0;
    for (char *at = list; at != NULL;) {
        char *comma = strchr(at, ',');
        if (count == STAGES) {
            return 0;
        }
        if (comma != NULL) {
            *comma++ = '\0';
        }
        items[count++] = at;
        at = comma;
    }
    return count;
}

/* Takes a metric's name off the end of "B.npy:METRIC". */
static void take_metric(psb_context *psb, char *file, const char **metric) {
    char *colon = strrchr(file, ':');
    psb_error error;
    if (colon != NULL && psb_check_metric(psb, colon + 1, &error) == PSB_OK) {
        *colon = '\0';
        *metric = colon + 1;
    }
}

/* Reads how many candidates each stage leaves: one number for all stages, or one for each. */
static int read_candidates(const char *candidates, work *w) {
    const char *at = candidates;
    size_t count = 0;
    for (bool more = true; more && count <= w->nstages; count++) {
        size_t length = strcspn(at, ",");
        char word[16] = "";
        size_t number = 0;
        memcpy(word, at, length < sizeof word ? length : 0);
        if (!cli_whole(word, 1, UINT32_MAX, &number)) {
            return cli_usage("search", "--candidates %s: want whole numbers from 1 to %u",
                             candidates, UINT32_MAX);
        }
        for (size_t s = count; s < w->nstages; s++) {
            w->stages[s].candidates = number;
        }
        more = at[length] == ',';
        at += length + more;
    }
    return count == 1 || count == w->nstages
               ? CLI_DONE
               : cli_usage("search",
                           "--candidates %s: one number, or one for each of %zu signatures",
                           candidates, w->nstages);
}

static int read_stages(const request *r, work *w) {
    size_t counts[SIDES] = {0};
    for (int side = 0; side < SIDES; side++) {
        const char *list = r->signatures[side];
        if (list != NULL) {
            w->lists[side] = strdup(list);
            counts[side] = w->lists[side] != NULL ? cut(w->lists[side], w->files[side]) : 0;
        }
    }
    if (w->lists[QUERIES] != NULL && (counts[0] == 0 || counts[0] != counts[1])) {
        return cli_usage(
            "search", "--query-signatures and --signatures name as many files, %d at most", STAGES);
    }
    w->nstages = counts[DATABASE];
    return read_candidates(r->candidates, w);
}

static psb_status open_side(psb_context *psb, const request *r, int side, work *w,
                            psb_error *error) {
    const char *cla = r->cla[side];
    psb_status status = read_rows(psb, r->file[side], cla, &w->rows[side], error);
    for (size_t s = 0; s < w->nstages && status == PSB_OK; s++) {
        status = read_rows(psb, w->files[side][s], cla, &w->of_stages[side][s], error);
    }
    return status;
}

static psb_status search(psb_context *psb, request *r, work *w, psb_error *error) {
    psb_search_options *o = &r->search;
    for (size_t s = 0; s < w->nstages; s++) {
        take_metric(psb, (char *)(uintptr_t)w->files[QUERIES][s], &w->stages[s].metric);
        take_metric(psb, (char *)(uintptr_t)w->files[DATABASE][s], &w->stages[s].metric);
    }
    psb_status status = open_side(psb, r, QUERIES, w, error);
    if (status == PSB_OK) {
        status = open_side(psb, r, DATABASE, w, error);
    }
    for (size_t s = 0; s < w->nstages; s++) {
        w->stages[s].queries = w->of_stages[QUERIES][s];
        w->stages[s].database = w->of_stages[DATABASE][s];
    }
    o->stages = w->stages;
    o->nstages = w->nstages;
    return status == PSB_OK
               ? psb_search(psb, w->rows[QUERIES], w->rows[DATABASE], o, r->output, error)
               : status;
}

static void close_work(work *w) {
    for (int side = 0; side < SIDES; side++) {
        for (size_t s = 0; s < w->nstages; s++) {
            psb_rows_free(w->of_stages[side][s]);
        }
        psb_rows_free(w->rows[side]);
        free(w->lists[side]);
    }
}

/* ---- the command ------------------------------------------------------------------------- */

static int run(const cli_values *values, void *given) {
    request *r = given;
    psb_error error;
    work w = {.nstages = 0};
    int code = cli_part(cli_name(values), r->part, &r->search.part, &r->search.parts);
    if (code != CLI_DONE) {
        return code;
    }
    code = read_stages(r, &w);
    if (code == CLI_DONE && search(cli_psb(values), r, &w, &error) != PSB_OK) {
        code = cli_report(&error);
    }
    close_work(&w);
    return code;
}

static const cli_option options[] = {
    CLI_PATH(0, "queries", file[QUERIES], NULL, "A.npy", "features of the queries, or RUN/NAME"),
    CLI_PATH(0, "database", file[DATABASE], NULL, "B.npy", "features to search, or RUN/NAME"),
    CLI_WHOLE('k', "neighbors", search.neighbors, 1, UINT32_MAX, "100", "K", "number of neighbors"),
    CLI_METRIC_OPTION(search.metric, NULL, "metric (else: the one recorded with the rows)"),
    CLI_PATH('o', "output", output, NULL, "LISTS", "file for the lists; -: standard output"),
    CLI_FLAG(0, "self", search.self, "row i is the same model in both: leave it out"),
    CLI_PATH(0, "query-cla", cla[QUERIES], NULL, "A.cla", "ids of the rows, in their order"),
    CLI_PATH(0, "database-cla", cla[DATABASE], NULL, "B.cla", "ids of the rows, in their order"),
    CLI_PATH(0, "query-signatures", signatures[QUERIES], NULL, "A.npy",
             "signatures of queries; A1.npy,A2.npy: in stages"),
    CLI_PATH(0, "signatures", signatures[DATABASE], NULL, "B.npy",
             "of the database: B.npy[:METRIC] (else: cosine)"),
    CLI_TEXT(0, "candidates", candidates, "200", "N", "number that each stage keeps: N1,N2,..."),
    CLI_TEXT(0, "reference", search.reference, NULL, "RUN2",
             "normalize as NAME+co does ('psbench help run')"),
    CLI_PART_OPTION(part, "part of the queries, as in 'psbench help run'"),
    CLI_MEMORY_OPTION(search.memory),
    CLI_THREADS_OPTION,
    CLI_END,
};

const cli_command cmd_search = {
    .name = "search",
    .summary = "Find the nearest rows of features for each query row.",
    .usage = "--queries A.npy --database B.npy -o LISTS [-k K] [--metric NAME]",
    .details =
        "Writes one line per neighbor, tab-separated: query, rank, neighbor, distance, below two "
        "header lines. Rows are named by A.npy.ids and B.npy.ids, by --query-cla and "
        "--database-cla, or by number from 0. Of equal distances the lower row is first. A model "
        "is left out of its own list if both files are the same, if both ids are equal, or with "
        "--self. Lists are exact for any --memory. 'psbench eval CLA LISTS' evaluates "
        "them.\n\nSignatures ('psbench help signature') are compared first: each stage keeps its "
        "nearest --candidates for the next, and --metric ranks the last. --part divides the "
        "queries among processes; join their lists with { cat lists.0; tail -qn +3 lists.1; }.\n\n"
        "Examples:\n"
        "  psbench search --queries features.npy --database features.npy -o near.tsv\n"
        "  psbench search --queries queries.npy --database targets.npy --metric l2 \\\n"
        "      --query-signatures queries.pooled.npy,queries.views.npy \\\n"
        "      --signatures targets.pooled.npy:hamming,targets.views.npy:cube \\\n"
        "      --candidates 2000,200 -k 100 -o staged.tsv\n"
        "  psbench search --queries queries.npy --database targets.npy -o lists.0 \\\n"
        "      --part 0/2",
    .needs = "queries database output",
    .together = "query-cla database-cla, query-signatures signatures",
    .next = "psbench eval CLASSES @",
    CLI_REQUEST,
};
