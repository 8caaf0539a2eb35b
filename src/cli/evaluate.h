/* From the matrices, features and lists that a command was given to one evaluation. */
#ifndef PSB_CLI_EVALUATE_H
#define PSB_CLI_EVALUATE_H

#include "cli/matrices.h"

#define CLI_UNITS_OPTION                                                                           \
    {                                                                                              \
        0, "units", "WHAT",                                                                        \
            "errors take whole classes or single queries for units: class or query", "class"       \
    }

/* Its value; false after the usage error was printed. */
bool cli_units(const cli_values *values, const char *command, psb_units *units);

/* macro, micro, class or model; false where it is none. */
bool cli_grouping(const char *name, psb_grouping *grouping);

/*
 * Evaluates all methods by the measures, units and keep_ranks of *e, which the caller set.
 * CLI_DONE; CLI_PARTIAL where queries without a list were named and left out; else the exit code
 * after the error was printed. Where a list is too short for a measure, that is an error too,
 * unless `known` asks for NAN instead. Close *e in any case.
 */
int cli_evaluate(const cli_matrices *all, bool known, psb_evaluation *e);

/*
 * Prints everything that is wrong with the ranked lists, a line each: CLI_DONE where that is
 * nothing, else CLI_PARTIAL.
 */
int cli_check_lists(const cli_matrices *all);

#endif
