/* Runs the stages of table4, run and their like, and prints how they ended. */
#include "cli/run_command.h"

#include "cli/scale.h"
#include "core/clock.h"

#include <stdio.h>

int cli_run_open(const cli_values *values, cli_run_request *request) {
    psb_run_options *options = &request->options;
    options->command_line = cli_command_line(values);
    int code = cli_part(cli_name(values), request->part, &options->part, &options->parts);
    request->psb = cli_psb(values);
    psb_error error;
    if (code == CLI_DONE &&
        psb_check_descriptors(request->psb, options->descriptors, &error) != PSB_OK) {
        code = cli_report(&error);
    }
    return code == CLI_DONE && request->log != NULL
               ? cli_log_open(request->log, cli_command_line(values), options->part, options->parts)
               : code;
}

/* Says the last lines, to people unless -q, and to the log. */
static void summarise(const cli_run_request *request, const psb_run_result *result, double wall) {
    void (*say)(void *, psb_level, const char *) = cli_observer(NULL).say;
    char line[3][512], part[64] = "";
    if (request->options.parts > 0) {
        snprintf(part, sizeof part, "part %zu/%zu: ", request->options.part,
                 request->options.parts);
    }
    snprintf(line[0], sizeof line[0], "%s%zu of %zu models used, %zu without a file, %zu failed",
             part, result->models_used, result->models_listed, result->models_missing,
             result->models_failed);
    snprintf(line[1], sizeof line[1], "%.1f s wall, %.1f s CPU, %d thread%s, %.0f MiB at most",
             wall, psb_clock_process(), request->threads, request->threads == 1 ? "" : "s",
             (double)psb_peak_memory() / (1 << 20));
    snprintf(line[2], sizeof line[2], "results in %s", request->options.folder);
    for (int i = 0; i < 3; i++) {
        say(NULL, PSB_NOTE, line[i]);
    }
}

static int explain(const psb_run_options *options, const psb_run_result *result,
                   const psb_error *error) {
    int code = cli_report(error);
    if (error->status == PSB_ERROR_IO && !options->data.skip_missing &&
        result->models_missing > 0 && result->models_missing < result->models_listed) {
        cli_error("--skip-missing leaves them out");
    }
    if (result->other_list) {
        cli_error("give another folder with -o, or --replace to remove those results");
    }
    if (result->begun && (error->status == PSB_ERROR_IO || error->status == PSB_ERROR_MEMORY ||
                          error->status == PSB_ERROR_INTERRUPTED)) {
        cli_error("what was done is kept in %s: repeat the command to continue", options->folder);
    }
    return code;
}

int cli_run(cli_run_request *request) {
    const psb_run_options *options = &request->options;
    double start = psb_clock_wall();
    psb_error error;
    psb_run_result result;
    int code = CLI_DONE;
    if (psb_run(request->psb, options, &result, &error) != PSB_OK) {
        code = explain(options, &result, &error);
    } else {
        bool part = options->parts > 0 || options->data.unlabelled;
        code = part ? CLI_DONE : cli_show_table(result.table, NULL);
        summarise(request, &result, psb_clock_wall() - start);
        code = code != CLI_DONE                                            ? code
               : result.models_failed == 0 && (result.queries > 0 || part) ? CLI_DONE
                                                                           : CLI_PARTIAL;
        if (options->pages) {
            int pages = cli_write_pages(request->psb,
                                        &(psb_pages_options){.run = options->folder,
                                                             .command_line = options->command_line,
                                                             .result = &result});
            code = pages != CLI_DONE ? pages : code;
        }
    }
    psb_run_free(&result);
    return code;
}

int cli_runs_end(const cli_values *values, psb_status status, const psb_run_options *options,
                 const psb_run_result *result, psb_table *table, const psb_error *error) {
    if (status != PSB_OK && !options->data.skip_missing && result->models_missing > 0 &&
        result->models_missing < result->models_listed) {
        cli_error("--skip-missing leaves out models without a file");
    } else if (status != PSB_OK && status != PSB_ERROR_USAGE && result->begun) {
        cli_error("what was done is kept in %s: repeat the command to continue", options->folder);
    }
    return cli_print_table(values, status, table, NULL, error);
}

int cli_write_pages(psb_context *psb, const psb_pages_options *options) {
    psb_error error;
    psb_pages_result result;
    bool done = psb_pages_write(psb, options, &result, &error) == PSB_OK;
    int code = done ? CLI_DONE : cli_report(&error);
    if (code == CLI_IO && result.no_models) {
        cli_error("--models names the folder of the models, --thumbnails none does without");
    }
    if (done && result.without_picture > 0) {
        cli_say("models without a picture: %zu (no file, or none that can be drawn)",
                result.without_picture);
    }
    const char *folder = options->folder != NULL ? options->folder : options->run;
    const char *below = options->folder != NULL ? "/" : "/report/";
    if (done && cli_verbosity() >= 0 && folder != NULL) {
        cli_say("open %s%sindex.html in a browser", folder, below);
    }
    if (done && cli_verbosity() >= 0 && options->single != NULL) {
        cli_say("open %s in a browser", options->single);
    }
    if (done && cli_verbosity() >= 0 && options->zip != NULL) {
        cli_say("all pages are in %s", options->zip);
    }
    return done && result.left_out > 0 ? CLI_PARTIAL : code;
}
