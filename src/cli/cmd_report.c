/* psbench report: the pages of a run. */
#include "cli/commands.h"
#include "cli/matrices.h"
#include "cli/run_command.h"

typedef struct request {
    psb_pages_options pages;
    const char *with;
    int threads;
} request;

static const cli_word thumbnails[] = {
    {"found", PSB_THUMBNAILS_FOUND, "NAME_thumb.jpg beside NAME.off, drawn where there is none"},
    {"render", PSB_THUMBNAILS_RENDERED, "all drawn"},
    {"none", PSB_THUMBNAILS_NONE, NULL},
    {NULL, 0, NULL}};

static const cli_option options[] = {
    CLI_PATH('o', "output", pages.folder, NULL, "DIR", "folder for the report (else: RUN/report)"),
    CLI_TEXT(0, "with", with, NULL, "METHOD",
             "beside the run, as [LABEL=]WHAT[:METRIC] ('psbench help eval'): a matrix or features "
             "of its models, RUN/NAME, or another RUN of them; more may follow"),
    CLI_PATH(0, "models", pages.models, NULL, "DIR",
             "folder of the models (else: the one that the run used)"),
    CLI_WORD(0, "thumbnails", pages.thumbnails, thumbnails, "found", "KIND",
             "pictures of the models"),
    CLI_WHOLE_OPTION(pages.verify),
    CLI_THREADS_OPTION,
    CLI_END,
};

enum { MOST_WITH = 32 };

static int run(const cli_values *values, void *given) {
    request *r = given;
    psb_pages_options *pages = &r->pages;
    int count = cli_argument_count(values);
    if (count > 1 && r->with == NULL) {
        return cli_usage("report", "needs the folder of one run; --with names what stands beside");
    }
    const char *with[MOST_WITH] = {r->with};
    if (count > MOST_WITH) {
        return cli_usage("report", "--with: at most %d methods or runs", MOST_WITH);
    }
    for (int i = 1; i < count; i++) {
        with[i] = cli_argument(values, i);
    }
    pages->run = cli_argument(values, 0);
    pages->with = with;
    pages->nwith = r->with != NULL ? (size_t)count : 0;
    pages->command_line = cli_command_line(values);
    cli_stages stages = {0};
    psb_context *psb;
    int code = cli_context(r->threads, &stages, &psb);
    if (code == CLI_DONE) {
        code = cli_write_pages(psb, pages);
        psb_context_free(psb);
    }
    return code;
}

const cli_command cmd_report = {
    .name = "report",
    .summary = "Write the pages of a run: tables, plots, best matches with pictures.",
    .usage = "RUN [--with METHOD...]",
    .details =
        "RUN is a folder that 'psbench table4' or 'psbench run' left. The report is a folder of "
        "static files that opens from disk in any browser and needs no network; an earlier one in "
        "its place is overwritten, a folder of other things refused. A descriptor whose matrix is "
        "damaged, or was made from other models, is named and left out, and the exit code is 1. "
        "Models that are not the run's end it with exit code 3; --thumbnails none does without.\n\n"
        "Examples:\n"
        "  psbench report psb-run\n"
        "  psbench report psb-run --with mine.npy -o pages",
    .options = options,
    .size = sizeof(struct request),
    .least = 1,
    .most = CLI_ANY_NUMBER,
    .of_run = true,
    .arguments = "the folder of one run; --with names what stands beside",
    .run = run,
};
