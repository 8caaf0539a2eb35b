/* Options of what is too large for one array, one process or one machine. */
#ifndef PSB_CLI_SCALE_H
#define PSB_CLI_SCALE_H

#include "cli/command.h"
#include "pipeline/run.h"

#define CLI_MATRICES_OPTION                                                                        \
    {0, "matrices", "WHEN",                                                                        \
     "keep matrices of distances, which take 4 N^2 bytes each: yes, no (the figures are the "      \
     "same), or auto: of at most 16384 models",                                                    \
     "auto"},                                                                                      \
    {                                                                                              \
        0, "memory", "SIZE",                                                                       \
            "of the whole program at most while figures are counted without "                      \
            "matrices, e.g. 512M",                                                                 \
            "2G"                                                                                   \
    }

/* CLI_DONE, or the exit code after the usage error was printed. */
int cli_matrices_option(const cli_values *values, const char *command, psb_run_job *job);

#endif
