/* Names of metrics and formats among those that there are. */
#include "cli/choices.h"

#include "library/parts.h"

#include <stdio.h>

bool cli_metric(const cli_values *values, const char *command, const psb_metric **metric) {
    psb_error error;
    return psb_metric_named(NULL, cli_value(values, "metric"), NULL, metric, &error) == PSB_OK ||
           cli_usage(command, "%s", error.message) == CLI_DONE;
}

const psb_table_format *cli_format(const char *command, const char *name) {
    psb_error error;
    if (psb_check_format(name, &error) != PSB_OK) {
        cli_usage(command, "%s", error.message);
    }
    return psb_table_format_find(name);
}

int cli_print(psb_status status, psb_text *text, const psb_error *error) {
    if (status == PSB_OK && text->length > 0) {
        fwrite(text->data, 1, text->length, stdout);
    }
    psb_text_free(text);
    return status == PSB_OK ? CLI_DONE : cli_report(error);
}
