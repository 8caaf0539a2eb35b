/* Names in tables of the library as options, and texts, for commands that see its rooms. */
#ifndef PSB_CLI_CHOICES_H
#define PSB_CLI_CHOICES_H

#include "cli/command.h"
#include "distance/metric.h"
#include "report/table.h"

/* The -m or --metric option; false after the error, which names the metrics, was printed. */
bool cli_metric(const cli_values *values, const char *command, const psb_metric **metric);

/* The table format of that name; NULL after the error, which names the formats, was printed. */
const psb_table_format *cli_format(const char *command, const char *name);

/* Prints the text, or the error; the exit code. */
int cli_print(psb_status status, psb_text *text, const psb_error *error);

#endif
