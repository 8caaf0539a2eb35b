/* table4 and run: the same stages on different data. */
#include "cli/run_command.h"

#include "core/clock.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_THREADS = 1024 };

bool cli_threads(const cli_values *values, int *threads) {
    long number;
    if (!cli_integer(values, "threads", 0, MAX_THREADS, &number)) {
        return false;
    }
    *threads = number > 0 ? (int)number : omp_get_num_procs();
    return true;
}

int cli_run_options(const cli_values *values, const char *command, psb_run_options *options) {
    memset(options, 0, sizeof *options);
    if (cli_argument_count(values) > 0) {
        return cli_usage(command, "takes no arguments, only options; got '%s'",
                         cli_argument(values, 0));
    }
    if (!cli_threads(values, &options->threads)) {
        return CLI_USAGE;
    }
    psb_spec **specs;
    psb_error error;
    if (psb_spec_parse_list(cli_value(values, "descriptors"), &specs, &options->nspecs, &error) !=
        PSB_OK) {
        return cli_report(&error);
    }
    options->specs = specs;
    options->skip_missing = cli_flag(values, "skip-missing");
    options->times = !cli_flag(values, "no-times");
    options->folder = cli_value(values, "output");
    options->command_line = cli_command_line(values);
    return CLI_DONE;
}

void cli_run_options_free(psb_run_options *options) {
    for (size_t s = 0; s < options->nspecs; s++) {
        psb_spec_free(options->specs[s]);
    }
    free((void *)(uintptr_t)options->specs);
    options->nspecs = 0;
}

/* One bar after the other: a new stage begins when the stage's text changes. */
typedef struct observer_state {
    cli_progress progress;
    char stage[300];
} observer_state;

static int show_progress(void *context, const char *stage, size_t done, size_t total,
                         size_t failures) {
    observer_state *state = context;
    if (strcmp(state->stage, stage) != 0) {
        snprintf(state->stage, sizeof state->stage, "%s", stage);
        cli_progress_start(&state->progress, state->stage);
    }
    cli_progress_update(&state->progress, done, total, failures);
    return cli_interrupted();
}

static void name_failure(void *context, const psb_error *error) {
    (void)context;
    cli_say("%s", error->message);
}

static void summarise(const psb_run_options *options, const psb_run_result *result, double wall) {
    if (cli_verbosity() < 0) {
        return;
    }
    cli_say("%zu of %zu models used, %zu without a file, %zu failed", result->models_used,
            result->models_listed, result->models_missing, result->models_failed);
    cli_say("%.1f s wall, %.1f s CPU, %d threads, %.0f MiB at most", wall, psb_clock_process(),
            options->threads, (double)psb_peak_memory() / (1 << 20));
    cli_say("results in %s", options->folder);
}

int cli_run(psb_run_options *options) {
    double start = psb_clock_wall();
    observer_state state = {0};
    options->observer = (psb_observer){show_progress, name_failure, &state};
    psb_run_result result;
    psb_error error;
    if (psb_run(options, &result, &error) != PSB_OK) {
        return cli_report(&error);
    }
    fputs(result.table.data, stdout);
    summarise(options, &result, psb_clock_wall() - start);
    int code = result.models_failed > 0 ? CLI_PARTIAL : CLI_DONE;
    psb_run_result_free(&result);
    return code;
}
