/* psbench report: the pages of a run. */
#include "cli/commands.h"
#include "cli/report_command.h"
#include "cli/run_command.h"
#include "core/file.h"
#include "pipeline/dataset.h"

#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {'o', "output", "DIR", "folder for the report (else: RUN/report)", NULL},
    {0, "models", "DIR", "folder of the models (else: the one that the run used)", NULL},
    {0, "thumbnails", "KIND",
     "render: drawn here; found: NAME_thumb.jpg beside NAME.off, drawn where there is none; none",
     "render"},
    {'t', "threads", "N", "threads (0: one per processor)", "0"},
    {0, NULL, NULL, NULL, NULL},
};

static bool read_thumbnails(const char *text, psb_thumbnails *thumbnails) {
    static const char *const names[] = {[PSB_THUMBNAILS_RENDERED] = "render",
                                        [PSB_THUMBNAILS_FOUND] = "found",
                                        [PSB_THUMBNAILS_NONE] = "none"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(text, names[i]) == 0) {
            *thumbnails = (psb_thumbnails)i;
            return true;
        }
    }
    cli_usage("report", "--thumbnails %s: want render, found or none", text);
    return false;
}

static int show_progress(void *context, const char *stage, size_t done, size_t total) {
    cli_progress *progress = context;
    if (progress->label == NULL || strcmp(progress->label, stage) != 0) {
        cli_progress_start(progress, stage, 0);
    }
    cli_progress_update(progress, done, total, 0);
    return cli_interrupted();
}

int cli_write_report(const char *run, const char *folder, const char *models,
                     psb_thumbnails thumbnails, int threads) {
    psb_error error;
    cli_progress progress = {0};
    size_t without_picture;
    char *in_run = NULL;
    if (folder == NULL && psb_path_join(&in_run, run, "report", &error) != PSB_OK) {
        return cli_report(&error);
    }
    psb_site_options site = {.run = run,
                             .folder = folder != NULL ? folder : in_run,
                             .models = models,
                             .find = psb_dataset_find,
                             .thumbnails = thumbnails,
                             .threads = threads,
                             .progress = show_progress,
                             .context = &progress};
    int code = CLI_DONE;
    if (psb_report_write(&site, &without_picture, &error) != PSB_OK) {
        code = cli_report(&error);
    } else {
        if (without_picture > 0) {
            cli_say("models without a picture: %zu (no file, or none that can be drawn)",
                    without_picture);
        }
        if (cli_verbosity() >= 0) {
            cli_say("open %s/index.html in a browser", site.folder);
        }
    }
    free(in_run);
    return code;
}

static int run(const cli_values *values) {
    psb_thumbnails thumbnails;
    int threads;
    if (!read_thumbnails(cli_value(values, "thumbnails"), &thumbnails) ||
        !cli_threads(values, &threads)) {
        return CLI_USAGE;
    }
    if (cli_argument_count(values) != 1) {
        return cli_usage("report", "needs the folder of one run");
    }
    return cli_write_report(cli_argument(values, 0), cli_value(values, "output"),
                            cli_value(values, "models"), thumbnails, threads);
}

const cli_command cmd_report = {
    .name = "report",
    .summary = "Write the pages of a run: tables, plots, best matches with pictures.",
    .usage = "RUN",
    .details = "RUN is a folder that 'psbench table4' or 'psbench run' left. The report is a "
               "folder of static files that opens from disk in any browser and needs no network; "
               "an earlier one in its place is overwritten.",
    .options = options,
    .run = run,
};
