/* Turns the options of large runs into fields of the job. */
#include "cli/scale.h"

#include "core/number.h"
#include "run/parts.h"

#include <stdio.h>
#include <stdlib.h>

/* The variables in which launchers tell each process its number. */
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
        if (!read_variable(launchers[l].index, &index)) {
            continue;
        }
        if (!read_variable(launchers[l].count, &count)) {
            return cli_usage(command, "--part auto: %s is set, but not %s: give --part I/N",
                             launchers[l].index, launchers[l].count);
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
    return cli_usage(
        command, "--part auto: not set: %s and %s, %s and %s, or %s and %s; else give --part I/N",
        launchers[0].index, launchers[0].count, launchers[1].index, launchers[1].count,
        launchers[2].index, launchers[2].count);
}

int cli_part(const char *command, const char *given, size_t *part, size_t *parts) {
    psb_part found = {0, 0};
    psb_error error;
    int code = CLI_DONE;
    if (given != NULL && strcmp(given, "auto") == 0) {
        code = automatic_part(command, &found);
    } else if (given != NULL && psb_part_parse(given, &found, &error) != PSB_OK) {
        code = cli_usage(command, "--part: %s", error.message);
    }
    *part = found.index;
    *parts = found.count;
    return code;
}

const cli_word cli_part_words[] = {{"auto", 0, NULL}, {NULL, 0, NULL}};

const cli_word cli_matrices_kept[] = {{"auto", PSB_MATRICES_AUTO, "up to 16384 models"},
                                      {"yes", PSB_MATRICES_YES, NULL},
                                      {"no", PSB_MATRICES_NO, NULL},
                                      {NULL, 0, NULL}};
