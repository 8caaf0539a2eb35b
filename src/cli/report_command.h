/* report, and table4's last step: the same report. */
#ifndef PSB_CLI_REPORT_COMMAND_H
#define PSB_CLI_REPORT_COMMAND_H

#include "cli/command.h"
#include "site/site.h"

typedef struct cli_report_request {
    const char *run, *folder, *models; /* the last two may be NULL */
    psb_thumbnails thumbnails;
    int threads;
    bool whole; /* see psb_results */
    const char *command_line;
    const psb_report *report; /* of the run that just ended; NULL: it is read from the folder */
} cli_report_request;

/* Writes the report, says where to open it, and returns the exit code. */
int cli_write_report(const cli_report_request *request);

#endif
