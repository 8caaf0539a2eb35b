/* Options of large runs become fields of the job. */
#include "cli/scale.h"

#include "cli/run_command.h"

#include <string.h>

int cli_matrices_option(const cli_values *values, const char *command, psb_run_job *job) {
    static const char *const names[] = {"auto", "yes", "no"}; /* as psb_matrices */
    const char *given = cli_value(values, "matrices");
    size_t i = 0;
    while (i < 3 && strcmp(names[i], given) != 0) {
        i++;
    }
    if (i == 3) {
        return cli_usage(command, "--matrices is auto, yes or no, not '%s'", given);
    }
    job->matrices = (psb_matrices)i;
    return cli_memory(values, command, &job->memory) ? CLI_DONE : CLI_USAGE;
}
