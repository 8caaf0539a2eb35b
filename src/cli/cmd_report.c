/* psbench report: the pages of a run. */
#include "cli/commands.h"
#include "cli/matrices.h"
#include "cli/run_command.h"

#include <string.h>

static const cli_option options[] = {
    {'o', "output", "DIR", "folder for the report (else: RUN/report)", NULL},
    {0, "with", "METHOD",
     "beside the run, as [LABEL=]WHAT[:METRIC] ('psbench help eval'): a matrix or features of its "
     "models, RUN/NAME, or another RUN of them; more may follow",
     NULL},
    {0, "models", "DIR", "folder of the models (else: the one that the run used)", NULL},
    {0, "thumbnails", "KIND",
     "found: NAME_thumb.jpg beside NAME.off, drawn where there is none; render: all drawn; none",
     "found"},
    CLI_WHOLE_OPTION,
    {'t', "threads", "N", "threads (0: one per processor)", "0"},
    {0, NULL, NULL, NULL, NULL},
};

enum { MOST_WITH = 32 };

static int run(const cli_values *values) {
    static const char *const names[] = {[PSB_THUMBNAILS_FOUND] = "found",
                                        [PSB_THUMBNAILS_RENDERED] = "render",
                                        [PSB_THUMBNAILS_NONE] = "none",
                                        NULL};
    int threads, thumbnails = 0;
    if (!cli_choice(values, "thumbnails", names, &thumbnails) || !cli_threads(values, &threads)) {
        return CLI_USAGE;
    }
    int count = cli_argument_count(values);
    const char *first = cli_value(values, "with");
    if (count < 1 || (count > 1 && first == NULL)) {
        return cli_usage("report", "needs the folder of one run; --with names what stands beside");
    }
    const char *with[MOST_WITH] = {first};
    if (count > MOST_WITH) {
        return cli_usage("report", "--with: at most %d methods or runs", MOST_WITH);
    }
    for (int i = 1; i < count; i++) {
        with[i] = cli_argument(values, i);
    }
    cli_stages stages = {0};
    psb_context *psb;
    int code = cli_context(threads, &stages, &psb);
    if (code == CLI_DONE) {
        code = cli_write_pages(psb, &(psb_pages_options){.run = cli_argument(values, 0),
                                                         .folder = cli_value(values, "output"),
                                                         .models = cli_value(values, "models"),
                                                         .with = with,
                                                         .nwith = first != NULL ? (size_t)count : 0,
                                                         .thumbnails = (psb_thumbnails)thumbnails,
                                                         .verify = cli_flag(values, "verify"),
                                                         .command_line = cli_command_line(values)});
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
    .run = run,
};
