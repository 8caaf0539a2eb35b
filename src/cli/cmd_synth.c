/* psbench synth DIR writes the generated benchmark. */
#include "cli/commands.h"
#include "synth/synth.h"

#define QUOTE(text)       #text
#define TEXT_OF(constant) QUOTE(constant)

typedef struct request {
    uint64_t seed;
} request;

static const cli_option options[] = {
    CLI_WHOLE('s', "seed", seed, 0, 0x1p63, TEXT_OF(PSB_SYNTH_SEED), "N",
              "random seed: others give other models of the same classes"),
    CLI_END,
};

static int run(const cli_values *values, void *given) {
    const char *folder = cli_argument(values, 0);
    psb_error error;
    if (psb_synth_write(folder, ((const request *)given)->seed, &error) != PSB_OK) {
        return cli_report(&error);
    }
    if (cli_verbosity() >= 0) {
        cli_say("%zu models in %zu classes written to %s", psb_synth_model_count(),
                psb_synth_class_count(), folder);
    }
    return CLI_DONE;
}

const cli_command cmd_synth = {
    .name = "synth",
    .summary = "Write the built-in benchmark of generated models.",
    .usage = "DIR",
    .details = "Writes OFF models and four classifications laid out like the Princeton Shape "
               "Benchmark: DIR/db/<id / 100>/m<id>/m<id>.off and DIR/classification/v1/. They are "
               "not the PSB's models and give other figures. One file in seven has quirks common "
               "on the web: polygons, holes, duplicate and degenerate faces, comments, colors, DOS "
               "line ends. DIR must be new, empty, or written by this command.\n\n"
               "Examples:\n"
               "  psbench synth generated\n"
               "  psbench synth generated && psbench run -d SHD --models generated/db \\\n"
               "      --cla generated/classification/v1/base/test.cla -o first",
    CLI_ARGUMENTS(1, 1, "one folder to write to"),
    CLI_REQUEST,
};
