/* Texts of the library, for commands that see its rooms. */
#ifndef PSB_CLI_CHOICES_H
#define PSB_CLI_CHOICES_H

#include "cli/command.h"
#include "report/table.h"

/* A format that the frame knows, for stdout: see cli_shown_format. */
psb_table_format cli_format(const char *name);

/* Prints the text, or the error; the exit code. */
int cli_print(psb_status status, psb_text *text, const psb_error *error);

#endif
