/* psbench status: how far a run is, for people and for scripts of jobs. */
#include "cli/commands.h"
#include "core/error.h"
#include "run/status.h"

#include <stdio.h>

typedef struct request {
    bool all;
} request;

static void print_line(const psb_status_line *line) {
    static const char *const states[] = {"whole", "at work", "stopped", "never begun"};
    char part[64] = "all";
    if (line->part.count > 0) {
        snprintf(part, sizeof part, "%zu/%zu", line->part.index, line->part.count);
    }
    cli_print_plain(line->descriptor);
    if (line->state == PSB_PART_NEVER_BEGUN) {
        printf("\t%s\t-\t-\t-\t%s\n", part, states[line->state]);
        return;
    }
    printf("\t%s\t%zu\t%zu\t%zu\t%s%s%s", part, line->there, line->failed, line->missing,
           states[line->state], line->holder[0] != '\0' ? ": " : "", line->holder);
    if (line->missing > 0 && line->older > 0) {
        printf(", %zu of another revision", line->older);
    }
    printf("\n");
}

static int run(const cli_values *values, void *options) {
    psb_run_status status;
    psb_error error;
    if (psb_run_status_read(cli_argument(values, 0), &status, &error) != PSB_OK) {
        return cli_report(&error);
    }
    bool all = ((const request *)options)->all, open = true;
    bool whole = status.listed > 0 && status.ndescriptors > 0;
    printf("descriptor\tpart\tthere\tfailed\tmissing\tstate\n");
    for (size_t i = 0; i < status.nlines; i++) {
        const psb_status_line *line = &status.lines[i];
        bool first = line->part.count == 0; /* its parts follow */
        open = first ? line->missing > 0 : open;
        whole = whole && !open;
        if (first || all || (open && line->state != PSB_PART_WHOLE)) {
            print_line(line);
        }
    }
    psb_run_status_free(&status);
    return whole ? CLI_DONE : CLI_PARTIAL;
}

static const cli_option options_table[] = {
    CLI_FLAG('a', "all", all, "also parts that are whole"),
    CLI_END,
};

const cli_command cmd_status = {
    .name = "status",
    .summary = "Say how far a run is: rows that are there, failed and missing.",
    .usage = "RUN",
    .details =
        "Prints a line for each descriptor, and one for each of its parts (see 'psbench help "
        "run', --part) that is not whole, with --all for every one: the rows that are there, those "
        "of models that are listed as failed, and those that are missing, among them those that "
        "another revision of the descriptor made; what RUN itself has counts for parts as well. "
        "Exit code 0: nothing is missing; 1: something is. "
        "May be asked while parts are at work.\n\n"
        "Examples:\n"
        "  psbench status psb-run\n"
        "  psbench status -v psb-run | grep SHD",
    .options = options_table,
    .size = sizeof(struct request),
    .least = 1,
    .most = 1,
    .of_run = true,
    .arguments = "one RUN",
    .run = run,
};
