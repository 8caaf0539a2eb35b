/* Options of what is too large for one array, one process or one machine. */
#ifndef PSB_CLI_SCALE_H
#define PSB_CLI_SCALE_H

#include "cli/run_command.h"

#define CLI_MATRICES_OPTION                                                                        \
    {0, "matrices", "WHAT",                                                                        \
     "keep matrices of distances, which take 4 N^2 bytes each: yes, no (the figures are the "      \
     "same), or auto: of at most 16384 models",                                                    \
     "auto"},                                                                                      \
    {                                                                                              \
        0, "memory", "SIZE",                                                                       \
            "of the whole program at most while figures are counted without "                      \
            "matrices, e.g. 512M",                                                                 \
            "2G"                                                                                   \
    }

#define CLI_PART_OPTIONS                                                                           \
    {0, "part", "WHAT",                                                                            \
     "I/N: only the rows of the models of part I (from 0) of N, which any number of machines may " \
     "compute at once; auto: as SLURM_ARRAY_TASK_ID, PMI_RANK or OMPI_COMM_WORLD_RANK say",        \
     NULL},                                                                                        \
    {                                                                                              \
        0, "complete", NULL, "rows that no part has left are an error instead of work", NULL       \
    }

/* The --part option, and for `auto` a line that says what it came to. As the next. */
int cli_part_option(const cli_values *values, const char *command, size_t *part, size_t *parts);

/* --part and --complete. */
int cli_part_options(const cli_values *values, const char *command, psb_run_options *options);

/* CLI_DONE, or the exit code after the usage error was printed. */
int cli_matrices_option(const cli_values *values, psb_run_options *options);

#endif
