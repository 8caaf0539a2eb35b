/* Options of large runs become fields of the job. */
#include "cli/scale.h"

#include "core/number.h"
#include "run/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What launchers tell each process. */
static const struct {
    const char *index, *count, *first, *last;
} launchers[] = {
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN",
     "SLURM_ARRAY_TASK_MAX"},
    {"PMI_RANK", "PMI_SIZE", NULL, NULL},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", NULL, NULL},
};
enum { LAUNCHERS = sizeof launchers / sizeof launchers[0] };

static bool read_variable(const char *name, int64_t *number) {
    const char *text = name != NULL ? getenv(name) : NULL;
    return text != NULL && psb_parse_int64(text, number);
}

static int automatic_part(const char *command, psb_part *part) {
    for (size_t l = 0; l < LAUNCHERS; l++) {
        int64_t index, count, first = 0, last;
        if (!read_variable(launchers[l].index, &index) ||
            !read_variable(launchers[l].count, &count)) {
            continue;
        }
        read_variable(launchers[l].first, &first);
        if (read_variable(launchers[l].last, &last) && last - first + 1 != count) {
            return cli_usage(command, "--part auto: the array has gaps: give --part I/N");
        }
        char text[64];
        psb_error error;
        snprintf(text, sizeof text, "%lld/%lld", (long long)(index - first), (long long)count);
        if (psb_part_parse(text, part, &error) != PSB_OK) {
            return cli_usage(command, "--part auto: %s: %s", launchers[l].index, error.message);
        }
        cli_say("part %zu/%zu, as %s says", part->index, part->count, launchers[l].index);
        return CLI_DONE;
    }
    return cli_usage(command,
                     "--part auto: no launcher has set %s, %s or %s, and how many there "
                     "are",
                     launchers[0].index, launchers[1].index, launchers[2].index);
}

int cli_part_option(const cli_values *values, const char *command, size_t *part, size_t *parts) {
    const char *given = cli_value(values, "part");
    *part = *parts = 0;
    if (given == NULL) {
        return CLI_DONE;
    }
    psb_part found = {0, 0};
    psb_error error;
    int code = CLI_DONE;
    if (strcmp(given, "auto") == 0) {
        code = automatic_part(command, &found);
    } else if (psb_part_parse(given, &found, &error) != PSB_OK) {
        code = cli_usage(command, "--part: %s", error.message);
    }
    *part = found.index;
    *parts = found.count;
    return code;
}

int cli_part_options(const cli_values *values, const char *command, psb_run_options *options) {
    int code = cli_part_option(values, command, &options->part, &options->parts);
    options->complete = cli_flag(values, "complete");
    if (code == CLI_DONE && options->parts > 0 && (options->replace || options->complete)) {
        code = cli_usage(command, "--part and --%s exclude each other",
                         options->replace ? "replace" : "complete");
    }
    return code;
}

int cli_matrices_option(const cli_values *values, psb_run_options *options) {
    static const char *const names[] = {"auto", "yes", "no", NULL}; /* as psb_matrices_kept */
    int which = 0;
    if (!cli_choice(values, "matrices", names, &which)) {
        return CLI_USAGE;
    }
    options->matrices = (psb_matrices_kept)which;
    return cli_bytes(values, "memory", &options->memory) ? CLI_DONE : CLI_USAGE;
}
