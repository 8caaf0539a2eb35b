/* Options and files of table5 and table6. */
#include "cli/paper_table.h"

#include "cli/choices.h"
#include "cli/context.h"
#include "core/beneath.h"
#include "library/methods.h"
#include "proof/results.h"

#include <stdio.h>

static psb_status write_format(const psb_dcg_table *table, const char *run, const char *name,
                               const psb_table_format *format, psb_text *text, psb_error *error) {
    psb_status status = psb_dcg_table_render(table, format, text, error);
    char *path = psb_new_format(&status, error, "%s/%s.%s", run, name, format->name);
    PSB_THEN(status, psb_write_file(path, text->data, text->length, error));
    free(path);
    return status;
}

static int write_all(const psb_dcg_table *table, const char *run, const char *name,
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

enum { MOST = 16, NAME_BYTES = 64 }; /* of files; of a file's name */

static int measure_and_write(const psb_methods *all, const char *run, const char *psb,
                             const cli_paper_table *table, const psb_table_format *format) {
    psb_paper_table filled = {.dcg = NULL};
    psb_error error;
    const psb_matrices in = {&all->cla, all->matrices, all->labels, all->count, all->threads};
    int code = table->measure(&in, run, psb, table->variant, &filled, &error) == PSB_OK
                   ? write_all(&filled.table, run, table->name, format)
                   : cli_report(&error);
    psb_paper_table_free(&filled);
    return code;
}

static int enter(const cli_values *values, const cli_paper_table *table) {
    char files[MOST][NAME_BYTES];
    const char *names[MOST];
    size_t n = 0;
    for (size_t f = 0; f < psb_table_format_count() && n < MOST; f++, n++) {
        snprintf(files[n], NAME_BYTES, "%s.%s", table->name, psb_table_format_at(f)->name);
    }
    for (size_t i = 0; i < table->nlists && n < MOST; i++, n++) {
        snprintf(files[n], NAME_BYTES, "lists/%s.txt", table->lists[i]);
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

int cli_paper_table_run(const cli_values *values, const cli_paper_options *options,
                        const cli_paper_table *table) {
    if (!psb_is_folder(cli_argument(values, 0))) {
        return cli_usage(table->name, "needs the folder of a finished run, and %s is no folder",
                         cli_argument(values, 0));
    }
    cli_opened opened;
    psb_error error;
    const psb_methods_options methods = {.verify = options->verify};
    int held = 0, code = cli_open(values, PSB_MATRICES, &methods, options->threads, &opened);
    if (code == CLI_DONE && psb_hold_folder(cli_argument(values, 0), &held, &error) != PSB_OK) {
        code = cli_report(&error);
    }
    if (code == CLI_DONE) {
        code = measure_and_write(opened.methods, cli_argument(values, 0), options->psb, table,
                                 psb_table_format_find(options->format));
    }
    if (code == CLI_DONE) {
        code = enter(values, table);
    }
    psb_let_go(held);
    return cli_close(&opened, code);
}
