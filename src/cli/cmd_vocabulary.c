/* psbench vocabulary learns from a training list what VIEWS and SPIN know of local features. */
#include "cli/commands.h"
#include "cli/context.h"

typedef struct request {
    psb_collection_options training;
    const char *descriptor, *output;
    int threads;
} request;

static int run(const cli_values *values, void *given) {
    const request *r = given;
    psb_error error;
    psb_context *psb;
    psb_collection *models = NULL;
    cli_stages stages = {0};
    int code = cli_context(r->threads, &stages, &psb);
    if (code != CLI_DONE) {
        return code;
    }
    if (psb_collection_open(psb, &r->training, &models, &error) != PSB_OK ||
        psb_learn_vocabulary(psb, models, r->descriptor, r->output, &error) != PSB_OK) {
        code = cli_fail(values, &error);
    } else if (cli_verbosity() >= 0) {
        cli_say("vocabulary of %s from %zu models: %s", r->descriptor, psb_collection_count(models),
                r->output);
    }
    psb_collection_free(models);
    psb_context_free(psb);
    return code;
}

static const cli_word descriptors[] = {{"VIEWS", 0, NULL}, {"SPIN", 0, NULL}, {NULL, 0, NULL}};

static const cli_option options[] = {
    CLI_NAME('d', "descriptor", descriptor, descriptors, NULL, "VIEWS", "NAME",
             "whose local features"),
    CLI_PATH(0, "cla", training.cla, NULL, "FILE",
             "the training models; their classes are not used"),
    CLI_PATH(0, "models", training.models, NULL, "DIR", "the folder of their files"),
    CLI_FLAG(0, "skip-missing", training.skip_missing, "leave models without a file out"),
    CLI_PATH('o', "output", output, NULL, "FILE", "the vocabulary"),
    CLI_THREADS_OPTION,
    CLI_END,
};

const cli_command cmd_vocabulary = {
    .name = "vocabulary",
    .summary = "Learn the vocabulary of VIEWS or SPIN.",
    .usage = "-d VIEWS --cla TRAIN.cla --models DIR -o FILE",
    .details =
        "VIEWS and SPIN sum the local features of a model by 64 visual words, learned without "
        "labels from a training list. The file records that list's hash. The built-in "
        "vocabularies (data/vocabulary) come from the benchmark's training set, by the two "
        "commands shown here. The result does not depend on the number of threads.\n\n"
        "Examples:\n"
        "  psbench vocabulary -d VIEWS --cla psb_v1/classification/v1/base/train.cla \\\n"
        "      --models psb_v1/db --skip-missing -o views.words\n"
        "  psbench vocabulary -d SPIN --cla psb_v1/classification/v1/base/train.cla \\\n"
        "      --models psb_v1/db --skip-missing -o spin.words",
    .options = options,
    .size = sizeof(struct request),
    .needs = "cla models output",
    .run = run,
};
