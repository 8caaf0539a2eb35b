/* Options and files of table5 and table6. */
#include "cli/paper_table.h"

#include "cli/choices.h"
#include "cli/context.h"
#include "core/error.h"
#include "core/file.h"
#include "pipeline/results.h"

#include <stdio.h>

int cli_paper_table_options(const cli_values *values, const char *command, const char **psb,
                            const psb_table_format **format) {
    *psb = cli_value(values, "psb");
    int count = cli_argument_count(values);
    if (*psb == NULL || count == 0 || !psb_is_folder(cli_argument(values, 0))) {
        return cli_usage(command, "needs the folder of a finished run, and --psb DIR");
    }
    *format = cli_format(command, cli_value(values, "format"));
    return *format != NULL ? CLI_DONE : CLI_USAGE;
}

static psb_status write_format(const psb_dcg_table *table, const char *run, const char *name,
                               const psb_table_format *format, psb_text *text, psb_error *error) {
    psb_text path = {.data = NULL};
    psb_text_printf(&path, "%s/%s.%s", run, name, format->name);
    psb_status status = psb_text_status(&path, error);
    PSB_THEN(status, psb_dcg_table_render(table, format, text, error));
    PSB_THEN(status, psb_write_file(path.data, text->data, text->length, error));
    psb_text_free(&path);
    return status;
}

int cli_paper_table_write(const psb_dcg_table *table, const char *run, const char *name,
                          const psb_table_format *format) {
    psb_error error;
    psb_status status = PSB_OK;
    psb_text printed = {.data = NULL};
    for (size_t f = 0; f < psb_table_format_count() && status == PSB_OK; f++) {
        psb_text text = {.data = NULL};
        status = write_format(table, run, name, psb_table_format_at(f), &text, &error);
        if (status == PSB_OK && psb_table_format_at(f) == format) {
            printed = text;
        } else {
            psb_text_free(&text);
        }
    }
    return cli_print(status, &printed, &error);
}

int cli_paper_table_enter(const cli_values *values, const char *name, const char *const *more,
                          size_t count) {
    enum { MOST = 16, NAME_BYTES = 64 };
    char files[MOST][NAME_BYTES];
    const char *names[MOST];
    size_t n = 0;
    for (size_t f = 0; f < psb_table_format_count() && n < MOST; f++, n++) {
        snprintf(files[n], NAME_BYTES, "%s.%s", name, psb_table_format_at(f)->name);
    }
    for (size_t i = 0; i < count && n < MOST; i++, n++) {
        snprintf(files[n], NAME_BYTES, "lists/%s.txt", more[i]);
    }
    for (size_t i = 0; i < n; i++) {
        names[i] = files[i];
    }
    psb_error error;
    return psb_results_enter(cli_argument(values, 0), names, n, 0, cli_command_line(values),
                             &error) == PSB_OK
               ? CLI_DONE
               : cli_report(&error);
}
