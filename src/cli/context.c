/* Makes the library's context for the program, with bars, warnings and exit codes. */
#include "cli/context.h"

#include "cli/frame.h"

#include <stdlib.h>
#include <string.h>

int cli_show_stage(void *context, const char *stage, size_t done, size_t total, size_t failures) {
    cli_stages *state = context;
    if (strcmp(state->stage, stage) != 0) {
        snprintf(state->stage, sizeof state->stage, "%s", stage);
        cli_progress_start(&state->progress, state->stage, done > 0 ? done - 1 : 0);
    }
    state->progress.share = state->share;
    state->share = 0;
    cli_progress_update(&state->progress, done, total, failures);
    return cli_interrupted();
}

static void take_share(void *context, double share) {
    cli_stages *state = context;
    state->share = share;
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

psb_observer cli_observer(cli_stages *stages) {
    return (psb_observer){cli_show_stage, name_failure, say_line, stages, take_share};
}

int cli_context(cli_values *values) {
    psb_error error;
    psb_context_options options = {.threads = values->threads,
                                   .observer = cli_observer(&values->stages)};
    return psb_context_new(&options, &values->psb, &error) == PSB_OK ? CLI_DONE
                                                                     : cli_report(&error);
}

psb_context *cli_psb(const cli_values *values) {
    return values->psb;
}

int cli_fail(const cli_values *values, const psb_error *error) {
    return error->status == PSB_ERROR_USAGE ? cli_usage(values->command->name, "%s", error->message)
                                            : cli_report(error);
}

int cli_show_table(const psb_table *table, const char *format) {
    char *text, shown[CLI_SHOWN_FORMAT];
    psb_error error;
    if (psb_table_show(table, cli_shown_format(format, shown), &text, &error) != PSB_OK) {
        return cli_report(&error);
    }
    fputs(text, stdout);
    free(text);
    return psb_table_whole(table) ? CLI_DONE : CLI_PARTIAL;
}

int cli_print_table(const cli_values *values, psb_status status, psb_table *table,
                    const char *format, const psb_error *error) {
    int code = status != PSB_OK ? cli_fail(values, error)
               : table != NULL  ? cli_show_table(table, format)
                                : CLI_DONE;
    psb_table_free(table);
    return code;
}

const cli_word cli_groupings[] = {{"micro", PSB_MICRO, NULL},
                                  {"macro", PSB_MACRO, NULL},
                                  {"class", PSB_PER_CLASS, NULL},
                                  {"model", PSB_PER_MODEL, NULL},
                                  {NULL, 0, NULL}};

const cli_word cli_units[] = {
    {"class", PSB_UNITS_CLASS, NULL}, {"query", PSB_UNITS_QUERY, NULL}, {NULL, 0, NULL}};
