/* Options for sets that are too large for one array, one process or one machine. */
#pragma once

#include "cli/run_command.h"

/* Options of a request whose field `job` is a cli_run_request. */
#define CLI_MATRICES_OPTION                                                                        \
    CLI_WORD(0, "matrices", job.options.matrices, cli_matrices_kept, "auto", "WHAT", "keep them"), \
        CLI_BYTES("memory", job.options.memory, "2G", "memory limit without matrices, e.g. 512M")

#define CLI_PART_OPTION(at, help)                                                                  \
    { 0, "part", CLI_KIND_TEXT, CLI_AT(at), "WHAT", help, NULL, 0, 0, cli_part_words, NULL }

#define CLI_PART_OPTIONS                                                                           \
    CLI_PART_OPTION(job.part, "I/N: part I (from 0) of N; auto: from Slurm or MPI"),               \
        CLI_FLAG(0, "complete", job.options.complete,                                              \
                 "list missing rows instead of computing them")
/* cli_command.apart of commands with these options. */
#define CLI_PART_APART "part replace, part complete"

extern const cli_word cli_part_words[], cli_matrices_kept[];

/*
 * Reads --part, which may be NULL, and says for `auto` which part it came to. CLI_DONE, or the exit
 * code after the usage error was printed.
 */
int cli_part(const char *command, const char *given, size_t *part, size_t *parts);
