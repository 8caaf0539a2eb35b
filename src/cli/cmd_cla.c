/* psbench cla checks, counts, joins, cuts and converts classifications. */
#include "cli/commands.h"
#include "cli/run_command.h"

typedef struct request {
    psb_classes_options o;
    const char *format;
} request;

static int run(const cli_values *values, void *options) {
    request *r = options;
    psb_table *table;
    psb_error error;
    r->o.inputs = cli_arguments(values);
    r->o.ninputs = (size_t)cli_argument_count(values);
    psb_status status = psb_classes(cli_psb(values), &r->o, &table, &error);
    if (status != PSB_OK || r->o.output == NULL) {
        return cli_print_table(values, status, table, r->format, &error);
    }
    bool whole = psb_table_whole(table);
    psb_table_free(table);
    return whole ? CLI_DONE : CLI_PARTIAL;
}

static const cli_word rows[] = {{"set", PSB_ROWS_SETS, "models, classes, largest class"},
                                {"top", PSB_ROWS_TOPS, "top-level classes"},
                                {"class", PSB_ROWS_CLASSES, NULL},
                                {NULL, 0, NULL}};

static const cli_option options[] = {
    CLI_PATH('o', "output", o.output, NULL, "CLASSES",
             "write all classes to one file: .cla, .csv, .tsv or .txt"),
    CLI_WORD(0, "per", o.rows, rows, "set", "WHAT", "rows of the table"),
    CLI_PATH(0, "models", o.data.models, NULL, "DIR", "check that each model has a file in DIR"),
    CLI_TEXT(0, "split", o.data.split, NULL, "PART",
             "part of the set, as train or test; 'all' for all"),
    CLI_COLUMNS_OPTIONS(o.data),
    CLI_LEVEL_OPTION(o.data),
    CLI_FORMAT_OPTION("txt", "table format"),
    CLI_END,
};

const cli_command cmd_cla = {
    .name = "cla",
    .summary = "Check, count, join, cut and convert classifications.",
    .usage = "FILE.cla|TABLE|LIST|DIR... [-o FILE] [--level N]",
    .details =
        "Reads classifications (.cla), label tables (.csv, .tsv), lists of files and folders of "
        "class folders, and reports errors with file and line. Prints what the paper's Tables 1 to "
        "3 show: models, classes, models in classes, largest class; --per top the share of each "
        "top-level class, --per class the size of each class. -o writes the format of the file's "
        "extension; .txt is a list of files. Models of the class -1 are unclassified. With "
        "--models, the exit code is 1 if a model has no file.\n\n"
        "Examples:\n"
        "  psbench cla train.cla test.cla\n"
        "  psbench cla train.cla test.cla --per class -f md\n"
        "  psbench cla ModelNet10 --split test -o modelnet10.cla\n"
        "  psbench cla test.cla --level 1 -o coarse.cla\n"
        "  psbench cla test.cla -o test.csv",
    CLI_ARGUMENTS(1, CLI_ANY_NUMBER, "a .cla, a table of labels or a folder"),
    .next = "psbench run -d SHD --cla @ --models DIR",
    CLI_REQUEST,
};
