/* psbench verify: are the files of a run what it wrote, and do they belong together? */
#include "cli/commands.h"
#include "core/error.h"
#include "proof/results.h"

#include <stdio.h>
#include <string.h>

/* Commands that mend something, each named once. */
enum { MOST_COMMANDS = 64 };
typedef struct findings {
    size_t bad;
    const char *commands[MOST_COMMANDS];
    size_t ncommands;
} findings;

static void show(void *context, const char *name, psb_output_state state, const char *command) {
    findings *f = context;
    printf("%s\t%s\n", psb_output_state_name(state), name);
    if (state == PSB_OUTPUT_OK) {
        return;
    }
    f->bad++;
    size_t c = 0;
    while (command != NULL && c < f->ncommands && strcmp(f->commands[c], command) != 0) {
        c++;
    }
    if (command != NULL && c == f->ncommands && c < MOST_COMMANDS) {
        f->commands[f->ncommands++] = command;
    }
}

static int run(const cli_values *values, void *options) {
    (void)options;
    psb_results results;
    psb_error error;
    findings found = {.bad = 0};
    psb_status status = psb_results_open(cli_argument(values, 0), true, &results, &error);
    PSB_THEN(status, psb_results_each(&results, show, &found, &error));
    int code = status == PSB_OK ? CLI_DONE : cli_report(&error);
    size_t damaged = results.ledger.damaged;
    if (code == CLI_DONE && damaged > 0) {
        cli_error("%s: %zu damaged line%s", results.ledger.path, damaged, damaged == 1 ? "" : "s");
    }
    if (code == CLI_DONE && found.bad + damaged > 0) {
        code = CLI_PARTIAL;
    }
    for (size_t c = 0; c < found.ncommands; c++) {
        cli_say("to mend: %s", found.commands[c]);
    }
    psb_results_free(&results);
    return code;
}

const cli_command cmd_verify = {
    .name = "verify",
    .summary = "Check every file of a run: its bytes, and what it was made from.",
    .usage = "RUN",
    .details =
        "RUN is the folder of 'psbench run', 'table4', 'describe --models' or 'generative'. "
        "Prints a line for each file: its state, a tab, and its name. ok: as the run left it; "
        "stale: made from other models, classes or files than the last run's; damaged: not the "
        "bytes that were written; missing: made, but not there; unknown: in the folder of "
        "features, matrices or scores, but nothing says what it was made from. The command lines "
        "that make again what is not ok follow on standard error.\n\n"
        "Exit code 0 where all is ok, else 1. Nothing is changed.\n\n"
        "Examples:\n"
        "  psbench verify psb-run\n"
        "  psbench verify psb-run && echo fine",
    .least = 1,
    .most = 1,
    .of_run = true,
    .arguments = "the folder of one run",
    .run = run,
};
