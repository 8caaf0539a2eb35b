/* Runs table5 and table6, which differ in a number. */
#include "cli/paper_table.h"

#include "core/file.h"

int cli_paper_table_run(const cli_values *values, cli_paper_request *request, int number) {
    request->table.number = number;
    request->table.run = cli_argument(values, 0);
    request->table.command_line = cli_command_line(values);
    if (!psb_is_folder(request->table.run)) {
        return cli_usage(cli_name(values),
                         "needs the folder of a finished run, and %s is no folder",
                         request->table.run);
    }
    cli_opened opened;
    psb_error error;
    psb_table *table = NULL;
    int code = cli_open(values, PSB_MATRICES, &request->methods, &opened);
    if (code == CLI_DONE) {
        psb_status status =
            psb_make_paper_table(opened.psb, opened.methods, &request->table, &table, &error);
        code = cli_print_table(values, status, table, request->format, &error);
    }
    return cli_close(&opened, code);
}
