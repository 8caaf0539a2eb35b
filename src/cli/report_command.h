/* report, and table4's last step: the same report. */
#ifndef PSB_CLI_REPORT_COMMAND_H
#define PSB_CLI_REPORT_COMMAND_H

#include "cli/command.h"
#include "report/site.h"

/* Writes the report, says where to open it, and returns the exit code. */
int cli_write_report(const char *run, const char *folder, const char *models,
                     psb_thumbnails thumbnails, int threads);

#endif
