/* Names of metrics and formats among those that there are. */
#include "cli/choices.h"

#include "core/text.h"

#include <stdio.h>

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

int cli_print(psb_status status, psb_text *text, const psb_error *error) {
    if (status == PSB_OK && text->length > 0) {
        fwrite(text->data, 1, text->length, stdout);
    }
    psb_text_free(text);
    return status == PSB_OK ? CLI_DONE : cli_report(error);
}
