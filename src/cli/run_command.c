/* table4 and run: the same stages on different data. */
#include "cli/run_command.h"

#include "core/clock.h"
#include "core/number.h"

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
    *threads = cli_threads_possible(number > 0 ? (int)number : omp_get_num_procs());
    return true;
}

static bool read_limits(const cli_values *values, const char *command, psb_run_job *options) {
    long faces = 0;
    const char *seconds = cli_value(values, "max-seconds");
    if (!cli_integer(values, "max-faces", 1, 1000000000, &faces)) {
        return false;
    }
    options->max_faces = (size_t)faces;
    if (!psb_parse_double(seconds, &options->max_seconds) || options->max_seconds < 0) {
        cli_usage(command, "--max-seconds %s: want a number of seconds, or 0", seconds);
        return false;
    }
    return true;
}

bool cli_memory(const cli_values *values, const char *command, size_t *bytes) {
    static const char units[] = "KMGT";
    const char *text = cli_value(values, "memory"), *at = text;
    int64_t number;
    bool fine = psb_scan_int64(&at, text + strlen(text), &number) && number > 0;
    const char *unit = fine && *at != '\0' ? strchr(units, *at) : NULL;
    int shift = unit != NULL ? 10 * (int)(unit - units + 1) : 0;
    at += unit != NULL;
    if (!fine || *at != '\0' || number > INT64_MAX >> shift) {
        cli_usage(command, "--memory %s: want a number of bytes, with K, M, G or T behind it",
                  text);
        return false;
    }
    *bytes = (size_t)number << shift;
    return true;
}

/* Wrong usage: "there is no metric 'x'; there are l1, l2". */
static void refuse_name(const char *command, const char *what, const char *name,
                        const char *(*name_at)(size_t), size_t count) {
    psb_text known = {0};
    for (size_t i = 0; i < count; i++) {
        psb_text_printf(&known, "%s%s", i > 0 ? ", " : "", name_at(i));
    }
    cli_usage(command, "there is no %s '%s'; there are %s", what, name,
              known.failed ? "some" : known.data);
    psb_text_free(&known);
}

static const char *metric_at(size_t index) {
    return psb_metric_at(index)->name;
}

static const char *format_at(size_t index) {
    return psb_table_format_at(index)->name;
}

bool cli_metric(const cli_values *values, const char *command, const psb_metric **metric) {
    const char *name = cli_value(values, "metric");
    *metric = psb_metric_find(name);
    if (*metric == NULL) {
        refuse_name(command, "metric", name, metric_at, psb_metric_count());
    }
    return *metric != NULL;
}

const psb_table_format *cli_format(const char *command, const char *name) {
    const psb_table_format *format = psb_table_format_find(name);
    if (format == NULL) {
        refuse_name(command, "format", name, format_at, psb_table_format_count());
    }
    return format;
}

void cli_say_plan(const psb_memory_plan *plan) {
    cli_say("at most %zu MiB planned: tiles of %zu rows, %zu pass%s%s%s", plan->bytes >> 20,
            plan->block, plan->passes, plan->passes == 1 ? "" : "es",
            plan->keep ? ", rows kept ready" : "",
            plan->release ? ", features let go after use" : "");
}

bool cli_dataset(const cli_values *values, const char *command, psb_dataset_options *data) {
    long level = 0;
    if (!cli_integer(values, "level", 0, 1000, &level)) {
        return false;
    }
    *data = (psb_dataset_options){.models = cli_value(values, "models"),
                                  .cla = cli_value(values, "cla"),
                                  .labels = cli_value(values, "labels"),
                                  .split = cli_value(values, "split"),
                                  .level = (size_t)level,
                                  .skip_missing = data->skip_missing};
    if (data->cla != NULL && data->labels != NULL) {
        cli_usage(command, "--cla and --labels both say the classes: give one of them");
        return false;
    }
    return true;
}

/* The option of `run` is for several, as is that of `describe` here, but it is named for one. */
static const char *descriptor_list(const cli_values *values, const char *command) {
    return cli_value(values, strcmp(command, "describe") == 0 ? "descriptor" : "descriptors");
}

int cli_run_options(const cli_values *values, const char *command, psb_run_job *options) {
    memset(options, 0, sizeof *options);
    if (cli_argument_count(values) > 0) {
        return cli_usage(command, "takes no arguments, only options; got '%s'",
                         cli_argument(values, 0));
    }
    if (!cli_threads(values, &options->threads) || !read_limits(values, command, options)) {
        return CLI_USAGE;
    }
    psb_spec **specs;
    psb_error error;
    if (psb_spec_parse_list(descriptor_list(values, command), &specs, &options->nspecs, &error) !=
        PSB_OK) {
        return cli_report(&error);
    }
    options->specs = specs;
    options->data.skip_missing = cli_flag(values, "skip-missing");
    options->replace = cli_flag(values, "replace");
    options->verify = cli_flag(values, "verify");
    options->times = !cli_flag(values, "no-times");
    options->folder = cli_value(values, "output");
    options->command_line = cli_command_line(values);
    const char *log = cli_value(values, "log");
    int code = log != NULL ? cli_log_open(log, options->command_line) : CLI_DONE;
    if (code != CLI_DONE) {
        cli_run_options_free(options);
    }
    return code;
}

void cli_run_options_free(psb_run_job *options) {
    for (size_t s = 0; s < options->nspecs; s++) {
        psb_spec_free(options->specs[s]);
    }
    free((void *)(uintptr_t)options->specs);
    options->nspecs = 0;
}

int cli_show_stage(void *context, const char *stage, size_t done, size_t total, size_t failures) {
    cli_stages *state = context;
    if (strcmp(state->stage, stage) != 0) {
        snprintf(state->stage, sizeof state->stage, "%s", stage);
        cli_progress_start(&state->progress, state->stage, done > 0 ? done - 1 : 0);
    }
    cli_progress_update(&state->progress, done, total, failures);
    return cli_interrupted();
}

static void name_failure(void *context, const psb_error *error) {
    (void)context;
    cli_error("%s", error->message);
}

/* With -q only errors are shown, but the log has everything. */
static void say_line(void *context, psb_level level, const char *text) {
    (void)context;
    bool show = cli_verbosity() >= (level == PSB_DETAIL ? 1 : 0);
    if (level == PSB_WARNING && show) {
        cli_warn("%s", text);
    } else if (show) {
        cli_say("%s", text);
    } else {
        cli_log(level == PSB_WARNING ? CLI_WARNING : CLI_INFO, "%s", text);
    }
}

/* The last lines, for people unless -q, and for the log. */
static void summarise(const psb_run_job *options, const psb_run_outcome *result, double wall) {
    void (*say)(void *, psb_level, const char *) = options->observer.say;
    char line[3][512];
    snprintf(line[0], sizeof line[0], "%zu of %zu models used, %zu without a file, %zu failed",
             result->models_used, result->models_listed, result->models_missing,
             result->models_failed);
    snprintf(line[1], sizeof line[1], "%.1f s wall, %.1f s CPU, %d thread%s, %.0f MiB at most",
             wall, psb_clock_process(), options->threads, options->threads == 1 ? "" : "s",
             (double)psb_peak_memory() / (1 << 20));
    snprintf(line[2], sizeof line[2], "results in %s", options->folder);
    for (int i = 0; i < 3; i++) {
        say(NULL, PSB_NOTE, line[i]);
    }
}

int cli_run(psb_run_job *options, psb_run_outcome *result) {
    double start = psb_clock_wall();
    cli_stages state = {0};
    options->observer = (psb_observer){cli_show_stage, name_failure, say_line, &state};
    psb_error error;
    if (psb_run_stages(options, result, &error) != PSB_OK) {
        int code = cli_report(&error);
        if (error.status == PSB_ERROR_IO && !options->data.skip_missing &&
            result->models_missing > 0 && result->models_missing < result->models_listed) {
            cli_error("--skip-missing leaves them out");
        }
        if (result->other_list) {
            cli_error("give another folder with -o, or --replace to remove those results");
        }
        if (result->begun && (error.status == PSB_ERROR_IO || error.status == PSB_ERROR_MEMORY ||
                              error.status == PSB_ERROR_INTERRUPTED)) {
            cli_error("what was done is kept in %s: the same command goes on from there",
                      options->folder);
        }
        return code;
    }
    if (!options->data.unlabelled) {
        fputs(result->table.data, stdout);
    }
    summarise(options, result, psb_clock_wall() - start);
    bool whole = result->models_failed == 0 && (result->queries > 0 || options->data.unlabelled);
    return whole ? CLI_DONE : CLI_PARTIAL;
}

int cli_describe_folder(const cli_values *values) {
    psb_run_job options;
    psb_run_outcome result = {0};
    int code = cli_run_options(values, "describe", &options);
    if (code != CLI_DONE) {
        return code;
    }
    options.data.models = cli_value(values, "models");
    options.data.split = cli_value(values, "split");
    options.data.unlabelled = true;
    options.title = options.data.models;
    code = options.folder != NULL ? cli_run(&options, &result)
                                  : cli_usage("describe", "--models DIR needs -o RUN, a folder");
    psb_run_result_free(&result);
    cli_run_options_free(&options);
    return code;
}
