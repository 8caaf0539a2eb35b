/* Options and files of table5 and table6. */
#include "cli/paper_table.h"

#include "core/file.h"

int cli_paper_table_options(const cli_values *values, const char *command, const char **psb,
                            const psb_table_format **format) {
    *psb = cli_value(values, "psb");
    *format = psb_table_format_find(cli_value(values, "format"));
    int count = cli_argument_count(values);
    if (*psb == NULL || count == 0 || !psb_is_folder(cli_argument(values, 0))) {
        return cli_usage(command, "needs the folder of a finished run, and --psb DIR");
    }
    return *format != NULL
               ? CLI_DONE
               : cli_usage(command, "there is no format '%s'", cli_value(values, "format"));
}

static psb_status write_format(const psb_dcg_table *table, const char *run, const char *name,
                               const psb_table_format *format, psb_text *text, psb_error *error) {
    psb_text path = {.data = NULL};
    psb_text_printf(&path, "%s/%s.%s", run, name, format->name);
    psb_status status = psb_text_status(&path, error);
    if (status == PSB_OK) {
        status = psb_dcg_table_render(table, format, text, error);
    }
    if (status == PSB_OK) {
        status = psb_write_file(path.data, text->data, text->length, error);
    }
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
