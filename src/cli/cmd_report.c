/* psbench report: the pages of a run. */
#include "cli/commands.h"
#include "cli/matrices.h"
#include "cli/report_command.h"
#include "cli/run_command.h"
#include "core/error.h"
#include "core/file.h"
#include "pipeline/beyond.h"
#include "pipeline/dataset.h"
#include "pipeline/run_record.h"

#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {'o', "output", "DIR", "folder for the report (else: RUN/report)", NULL},
    {0, "models", "DIR", "folder of the models (else: the one that the run used)", NULL},
    {0, "thumbnails", "KIND",
     "render: drawn here; found: NAME_thumb.jpg beside NAME.off, drawn where there is none; none",
     "render"},
    CLI_WHOLE_OPTION,
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

/* What the report's callbacks need. */
typedef struct work {
    cli_progress progress;
    psb_results results;
    size_t left_out;
} work;

static int show_progress(void *context, const char *stage, size_t done, size_t total) {
    cli_progress *progress = &((work *)context)->progress;
    if (progress->label == NULL || strcmp(progress->label, stage) != 0) {
        cli_progress_start(progress, stage, 0);
    }
    cli_progress_update(progress, done, total, 0);
    return cli_interrupted();
}

static int show_ranking(size_t done, size_t total, void *context) {
    return show_progress(context, "ranks", done, total);
}

static void name_left_out(void *context, const char *name, psb_output_state state) {
    work *w = context;
    cli_error("%s/%s: left out: %s", w->results.ledger.run, name, psb_output_state_reason(state));
    w->left_out++;
}

/* Pictures are of what the figures were computed from: of the models that the run knows, none has
 * another file. */
static psb_status find_model(void *context, const char *folder, const char *id, char **path,
                             psb_error *error) {
    const psb_ledger *ledger = &((const work *)context)->results.ledger;
    psb_status status = psb_dataset_find(folder, id, path, error);
    if (status == PSB_OK && *path != NULL &&
        psb_ledger_model_state(ledger, id, *path) == PSB_MODEL_OTHER) {
        status = psb_fail_at(error, PSB_ERROR_INPUT, *path, 0,
                             "not the file that the results in %s were made from", ledger->run);
        free(*path);
        *path = NULL;
    }
    return status;
}

static bool is_without_models(const psb_site_options *site) {
    const char *used = site->report->facts->models_folder;
    const char *folder = site->models != NULL ? site->models : used != NULL ? used : "";
    return site->thumbnails != PSB_THUMBNAILS_NONE && !psb_is_folder(folder);
}

static psb_status write_pages(const cli_report_request *r, const work *w,
                              const psb_site_options *site, size_t *without_picture,
                              psb_error *error) {
    static const char *const front[] = {"report/index.html"};
    psb_status status = psb_report_write(site, without_picture, error);
    /* Without a key pages are stale: of a report with gaps. */
    uint64_t key = w->left_out == 0 ? psb_ledger_digest(&w->results.ledger) : 0;
    return status == PSB_OK && r->folder == NULL
               ? psb_results_enter(r->run, front, 1, key, r->command_line, error)
               : status;
}

/* The second table, where 'psbench beyond' was given this folder; one that is not right is named.
 */
static bool find_beyond(const cli_report_request *r, work *w, psb_beyond *beyond) {
    psb_error error;
    if (!psb_beyond_is_there(r->run)) {
        return false;
    }
    bool fine =
        psb_beyond_read(r->run, w->results.ledger.list.hash, r->threads, beyond, &error) == PSB_OK;
    if (!fine) {
        cli_error("the table beyond the paper is left out: %s", error.message);
        w->left_out++;
    }
    return fine;
}

int cli_write_report(const cli_report_request *r) {
    psb_error error;
    psb_beyond beyond;
    work w = {.left_out = 0};
    psb_run_record record = {0};
    size_t without_picture;
    char *in_run = NULL;
    const psb_report *report = r->report;
    psb_status status = psb_results_open(r->run, r->whole, &w.results, &error);
    if (status == PSB_OK && report == NULL) {
        const psb_run_reader reader = {r->threads, name_left_out, show_ranking, &w};
        status = psb_run_record_read(&w.results, &reader, &record, &error);
        report = status == PSB_OK ? &record.report : NULL;
    }
    if (status == PSB_OK && r->folder == NULL) {
        status = psb_path_join(&in_run, r->run, "report", &error);
    }
    psb_site_options site = {.report = report,
                             .beyond =
                                 status == PSB_OK && find_beyond(r, &w, &beyond) ? &beyond : NULL,
                             .folder = r->folder != NULL ? r->folder : in_run,
                             .models = r->models,
                             .find = find_model,
                             .thumbnails = r->thumbnails,
                             .threads = r->threads,
                             .progress = show_progress,
                             .context = &w};
    PSB_THEN(status, write_pages(r, &w, &site, &without_picture, &error));
    int code = status == PSB_OK ? CLI_DONE : cli_report(&error);
    if (code == CLI_IO && report != NULL && is_without_models(&site)) {
        cli_error("--models names the folder of the models, --thumbnails none does without");
    }
    if (code == CLI_DONE && without_picture > 0) {
        cli_say("models without a picture: %zu (no file, or none that can be drawn)",
                without_picture);
    }
    if (code == CLI_DONE && cli_verbosity() >= 0) {
        cli_say("open %s/index.html in a browser", site.folder);
    }
    psb_run_record_free(&record);
    psb_results_free(&w.results);
    free(in_run);
    return code == CLI_DONE && w.left_out > 0 ? CLI_PARTIAL : code;
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
    return cli_write_report(&(cli_report_request){
        cli_argument(values, 0), cli_value(values, "output"), cli_value(values, "models"),
        thumbnails, threads, cli_flag(values, "verify"), cli_command_line(values), NULL});
}

const cli_command cmd_report = {
    .name = "report",
    .summary = "Write the pages of a run: tables, plots, best matches with pictures.",
    .usage = "RUN",
    .details =
        "RUN is a folder that 'psbench table4' or 'psbench run' left. The report is a folder of "
        "static files that opens from disk in any browser and needs no network; an earlier one in "
        "its place is overwritten, a folder of other things refused. A descriptor whose matrix is "
        "damaged, or was made from other models, is named and left out, and the exit code is 1. "
        "Models that are not the run's end it with exit code 3; --thumbnails none does without.",
    .options = options,
    .run = run,
};
