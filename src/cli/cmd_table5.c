/* psbench table5: the paper's Table 5, averages over lists of queries with something in common. */
#include "cli/commands.h"
#include "cli/paper_table.h"
#include "core/file.h"
#include "library/methods.h"
#include "studies/paper_tables.h"

/* Commands read their lists from files as well: psbench eval --query-list RUN/lists/animal.txt */
static psb_status write_lists(const psb_classification *cla, const char *folder, const bool *listed,
                              psb_error *error) {
    psb_status status = PSB_OK;
    char *lists = psb_new_format(&status, error, "%s/lists", folder);
    PSB_THEN(status, psb_make_folder(lists, error));
    for (size_t j = PSB_TABLE5_FIRST_TYPE; j < PSB_TABLE5_COLUMNS && status == PSB_OK; j++) {
        psb_text ids = {.data = NULL};
        char *path = psb_new_format(&status, error, "%s/%s.txt", lists, psb_table5_names[j]);
        for (size_t i = 0; i < cla->nmodels; i++) {
            if (listed[j * cla->nmodels + i]) {
                psb_text_printf(&ids, "%s\n", cla->models[i]);
            }
        }
        PSB_THEN(status, psb_text_status(&ids, error));
        PSB_THEN(status, psb_write_file(path, ids.data, ids.length, error));
        free(path);
        psb_text_free(&ids);
    }
    free(lists);
    return status;
}

static int show_progress(size_t done, size_t total, void *context) {
    cli_progress_update(context, done, total, 0);
    return cli_interrupted();
}

static psb_status find_lists(const psb_matrices *in, const char *folder, const char *psb,
                             bool *listed, psb_error *error) {
    char *cla_path = NULL;
    size_t n = in->cla->nmodels;
    psb_status status = PSB_OK;
    psb_list_values *values = psb_new(&status, n, sizeof *values, "annotations", error);
    PSB_THEN(status, psb_path_join(&cla_path, folder, "models.cla", error));
    if (status == PSB_OK) {
        cli_progress progress;
        cli_progress_start(&progress, "annotations", 0);
        status = psb_list_values_compute(cla_path, n, psb, in->threads, show_progress, &progress,
                                         values, error);
    }
    PSB_THEN(status, psb_table5_lists(in->cla, psb, values, listed, error));
    free(cla_path);
    free(values);
    return status;
}

static psb_status measure(const psb_matrices *in, const char *folder, const char *psb, int variant,
                          psb_paper_table *out, psb_error *error) {
    (void)variant;
    psb_status status = PSB_OK;
    bool *listed =
        psb_new(&status, in->cla->nmodels, sizeof(bool[PSB_TABLE5_COLUMNS]), "query lists", error);
    PSB_THEN(status, find_lists(in, folder, psb, listed, error));
    PSB_THEN(status, write_lists(in->cla, folder, listed, error));
    PSB_THEN(status, psb_table5_measure(in, psb, listed, out, error));
    free(listed);
    return status;
}

typedef struct request {
    cli_paper_options common;
} request;

static int run(const cli_values *values, void *given) {
    return cli_paper_table_run(values, &((const request *)given)->common,
                               &(cli_paper_table){
                                   .name = "table5",
                                   .measure = measure,
                                   .lists = psb_table5_names + PSB_TABLE5_FIRST_TYPE,
                                   .nlists = PSB_TABLE5_COLUMNS - PSB_TABLE5_FIRST_TYPE,
                               });
}

static const cli_option options[] = {
    CLI_PAPER_TABLE_OPTIONS,
    CLI_END,
};

const cli_command cmd_table5 = {
    .name = "table5",
    .summary = "Table 5 of the paper: the matrices of a run averaged over lists of queries.",
    .usage = "RUN [NAME...] --psb DIR",
    .details =
        "RUN is the folder of a finished 'psbench table4 --psb DIR -o RUN'. Prints normalized DCG "
        "over all models, the six object types of the coarser classification, the 200 most "
        "stick-like models and the 200 most complex, measured beside published; leaves "
        "RUN/table5.* and the lists, RUN/lists/*.txt, which 'psbench eval --query-list' reads. The "
        "report of RUN then has the table, too.\n\n"
        "Examples:\n"
        "  psbench table5 psb-run --psb psb_v1\n"
        "  psbench table5 psb-run --psb psb_v1 -f tex",
    .options = options,
    .size = sizeof(struct request),
    .least = 1,
    .most = CLI_ANY_NUMBER,
    .of_run = true,
    .arguments = "the folder of a finished run",
    .needs = "psb",
    .run = run,
};
