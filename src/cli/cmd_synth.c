/* psbench synth DIR writes the generated benchmark. */
#include "cli/command.h"
#include "cli/commands.h"
#include "synth/synth.h"

#define QUOTE(text)       #text
#define TEXT_OF(constant) QUOTE(constant)

typedef struct request {
    uint64_t seed;
} request;

static const cli_option options[] = {
    CLI_WHOLE('s', "seed", seed, 0, 0x1p63, TEXT_OF(PSB_SYNTH_SEED), "N",
              "another seed gives other models of the same classes"),
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
    .summary = "Write the built-in benchmark: generated objects in labelled classes.",
    .usage = "DIR",
    .details =
        "Writes OFF models and classifications laid out like the Princeton Shape Benchmark:\n"
        "DIR/db/<id / 100>/m<id>/m<id>.off, DIR/classification/v1/base/test.cla and three\n"
        "coarser classifications. They are not the PSB's models and give other figures, but\n"
        "they try everything where the PSB is not at hand. About one file in seven has the\n"
        "mess of models from the web: polygons, holes, duplicate and degenerate faces,\n"
        "comments, colours, DOS line ends.\n"
        "\n"
        "DIR may be new, empty, or one that this command wrote before.\n\n"
        "Examples:\n"
        "  psbench synth generated\n"
        "  psbench synth generated && psbench run -d SHD --models generated/db \\\n"
        "      --cla generated/classification/v1/base/test.cla -o first",
    .options = options,
    .size = sizeof(struct request),
    .least = 1,
    .most = 1,
    .arguments = "one folder to write to",
    .run = run,
};
