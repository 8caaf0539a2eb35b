/* psbench vocabulary: what VIEWS and SPIN know of local features, learned from a training list. */
#include "cli/commands.h"
#include "cli/context.h"

static int run(const cli_values *values) {
    const char *cla = cli_value(values, "cla"), *folder = cli_value(values, "models");
    const char *output = cli_value(values, "output");
    psb_error error;
    psb_context *psb;
    psb_collection *models = NULL;
    cli_stages stages = {0};
    int threads;
    if (!cli_threads(values, &threads)) {
        return CLI_USAGE;
    }
    if (cli_argument_count(values) != 0 || cla == NULL || folder == NULL || output == NULL) {
        return cli_usage("vocabulary", "needs --cla, --models and -o FILE, and nothing else");
    }
    int code = cli_context(threads, &stages, &psb);
    if (code != CLI_DONE) {
        return code;
    }
    const psb_collection_options training = {
        .cla = cla, .models = folder, .skip_missing = cli_flag(values, "skip-missing")};
    if (psb_collection_open(psb, &training, &models, &error) != PSB_OK ||
        psb_learn_vocabulary(psb, models, cli_value(values, "descriptor"), output, &error) !=
            PSB_OK) {
        code = cli_fail(values, &error);
    } else if (cli_verbosity() >= 0) {
        cli_say("vocabulary of %s from %zu models: %s", cli_value(values, "descriptor"),
                psb_collection_count(models), output);
    }
    psb_collection_free(models);
    psb_context_free(psb);
    return code;
}

static const cli_option options[] = {
    {'d', "descriptor", "NAME", "VIEWS or SPIN", "VIEWS"},
    {0, "cla", "FILE", "the training models; their classes are not used", NULL},
    {0, "models", "DIR", "the folder of their files", NULL},
    {0, "skip-missing", NULL, "leave models without a file out", NULL},
    {'o', "output", "FILE", "the vocabulary", NULL},
    {'t', "threads", "N", "threads (0: one per processor)", "0"},
    {0, NULL, NULL, NULL, NULL},
};

const cli_command cmd_vocabulary = {
    .name = "vocabulary",
    .summary = "Learn the vocabulary that VIEWS or SPIN sums local features by.",
    .usage = "-d VIEWS --cla TRAIN.cla --models DIR -o FILE",
    .details =
        "VIEWS and SPIN sum the local features of a model by 64 words, which say what is typical "
        "of such features. The words are learned once, without labels, from the models of a "
        "training list; the file tells which list by its hash. The vocabularies that psbench has "
        "inside (data/vocabulary in its sources) are of the training set of the Princeton Shape "
        "Benchmark, made by the two commands below. A file has the same bytes for any number of "
        "threads.\n\n"
        "Examples:\n"
        "  psbench vocabulary -d VIEWS --cla psb_v1/classification/v1/base/train.cla \\\n"
        "      --models psb_v1/db --skip-missing -o views.words\n"
        "  psbench vocabulary -d SPIN --cla psb_v1/classification/v1/base/train.cla \\\n"
        "      --models psb_v1/db --skip-missing -o spin.words",
    .options = options,
    .run = run,
};
