/* psbench table5: the paper's Table 5, averages over lists of queries with something in common. */
#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/matrices.h"
#include "cli/paper_table.h"
#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "library/methods.h"
#include "pipeline/paper_tables.h"
#include "report/published.h"

#include <stdlib.h>

/* Commands read their lists from files as well: psbench eval --query-list RUN/lists/animal.txt */
static psb_status write_lists(const psb_methods *all, const char *folder, const bool *listed,
                              psb_error *error) {
    psb_text lists = {.data = NULL};
    psb_text_printf(&lists, "%s/lists", folder);
    psb_status status = psb_text_status(&lists, error);
    PSB_THEN(status, psb_make_folder(lists.data, error));
    for (size_t j = PSB_TABLE5_FIRST_TYPE; j < PSB_TABLE5_COLUMNS && status == PSB_OK; j++) {
        psb_text path = {.data = NULL}, ids = {.data = NULL};
        psb_text_printf(&path, "%s/%s.txt", lists.data, psb_table5_names[j]);
        psb_text_add(&ids, "");
        for (size_t i = 0; i < all->cla.nmodels; i++) {
            if (listed[j * all->cla.nmodels + i]) {
                psb_text_printf(&ids, "%s\n", all->cla.models[i]);
            }
        }
        status = psb_text_status(&path, error);
        PSB_THEN(status, psb_text_status(&ids, error));
        PSB_THEN(status, psb_write_file(path.data, ids.data, ids.length, error));
        psb_text_free(&path);
        psb_text_free(&ids);
    }
    psb_text_free(&lists);
    return status;
}

static int show_progress(size_t done, size_t total, void *context) {
    cli_progress_update(context, done, total, 0);
    return cli_interrupted();
}

static psb_status find_lists(const psb_methods *all, const char *folder, const char *psb,
                             bool *listed, psb_error *error) {
    void *values;
    char *cla_path = NULL;
    psb_status status =
        psb_alloc(&values, all->cla.nmodels, sizeof(psb_list_values), "annotations", error);
    PSB_THEN(status, psb_path_join(&cla_path, folder, "models.cla", error));
    if (status == PSB_OK) {
        cli_progress progress;
        cli_progress_start(&progress, "annotations", 0);
        status = psb_list_values_compute(cla_path, all->cla.nmodels, psb, all->threads,
                                         show_progress, &progress, values, error);
    }
    PSB_THEN(status, psb_table5_lists(&all->cla, psb, values, listed, error));
    free(cla_path);
    free(values);
    return status;
}

static int write_table(const psb_methods *all, const char *folder, const double *dcg,
                       const size_t queries[PSB_TABLE5_COLUMNS], const psb_table_format *format) {
    static const char *const headings[PSB_TABLE5_COLUMNS] = {
        "all",          "animal",  "building", "furniture", "household",
        "tree & plant", "vehicle", "stick",    "complex"};
    psb_dcg_column columns[PSB_TABLE5_COLUMNS];
    for (size_t j = 0; j < PSB_TABLE5_COLUMNS; j++) {
        columns[j] = (psb_dcg_column){psb_table5_names[j], headings[j], queries[j]};
    }
    psb_dcg_table table = {
        .title = "Table 5: queries with something in common, base classification",
        .note = "Stick and complex are the 200 models with the largest ratio of eigenvalues and "
                "depth complexity, as measured here. The column 'rotation aligned' is left out: "
                "its list of models was never published.",
        .published = &psb_published_table5,
        .columns = columns,
        .ncolumns = PSB_TABLE5_COLUMNS,
        .labels = all->labels,
        .nrows = all->count,
        .dcg = dcg};
    return cli_paper_table_write(&table, folder, "table5", format);
}

static int make(const psb_methods *all, const char *folder, const char *psb,
                const psb_table_format *format) {
    size_t queries[PSB_TABLE5_COLUMNS];
    psb_error error;
    void *listed = NULL, *dcg = NULL;
    psb_status status = psb_alloc(&listed, all->cla.nmodels, sizeof(bool[PSB_TABLE5_COLUMNS]),
                                  "query lists", &error);
    PSB_THEN(status,
             psb_alloc(&dcg, all->count, sizeof(double[PSB_TABLE5_COLUMNS]), "Table 5", &error));
    PSB_THEN(status, find_lists(all, folder, psb, listed, &error));
    PSB_THEN(status, write_lists(all, folder, listed, &error));
    if (status == PSB_OK) {
        psb_matrices in = {&all->cla, all->matrices, all->count, all->threads};
        status = psb_table5_measure(&in, psb, listed, dcg, queries, &error);
    }
    int code =
        status == PSB_OK ? write_table(all, folder, dcg, queries, format) : cli_report(&error);
    free(dcg);
    free(listed);
    return code;
}

static int run(const cli_values *values) {
    const char *psb;
    const psb_table_format *format;
    int code = cli_paper_table_options(values, "table5", &psb, &format);
    if (code != CLI_DONE) {
        return code;
    }
    cli_opened opened;
    code = cli_open_run(values, &opened);
    if (code == CLI_DONE) {
        code = make(opened.methods, cli_argument(values, 0), psb, format);
    }
    if (code == CLI_DONE) {
        code = cli_paper_table_enter(values, "table5", psb_table5_names + PSB_TABLE5_FIRST_TYPE,
                                     PSB_TABLE5_COLUMNS - PSB_TABLE5_FIRST_TYPE);
    }
    return cli_close(&opened, code);
}

static const cli_option options[] = {
    CLI_PAPER_TABLE_OPTIONS,
    {0, NULL, NULL, NULL, NULL},
};

const cli_command cmd_table5 = {
    .name = "table5",
    .summary = "Table 5 of the paper: the matrices of a run averaged over lists of queries.",
    .usage = "RUN [NAME...] --psb DIR",
    .details =
        "RUN is the folder of a finished 'psbench table4 --psb DIR -o RUN'. Prints normalized DCG "
        "over all models, the six object types of the coarser classification, the 200 most "
        "stick-like models and the 200 most complex, measured beside published; leaves "
        "RUN/table5.* and the lists, RUN/lists/*.txt, which 'psbench eval --query-list' reads.",
    .options = options,
    .run = run,
};
