/* psbench signature: few numbers for each model of a run, by directions of a training list. */
#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/matrices.h"
#include "core/error.h"
#include "core/linear.h"
#include "run/signature.h"

static psb_status learn(const cli_values *values, const psb_derived *d,
                        const psb_signature_options *options, psb_error *error) {
    psb_classification training = {0};
    size_t used = 0;
    psb_status status = psb_results_read_cla(cli_value(values, "train"), &training, error);
    PSB_THEN(status,
             psb_signature_learn(d, &training, options, cli_value(values, "output"), &used, error));
    if (status == PSB_OK && cli_verbosity() >= 0) {
        cli_say("directions of %zu of the %zu models in %s", used, training.nmodels,
                cli_value(values, "train"));
    }
    psb_cla_free(&training);
    return status;
}

static psb_status add_row(psb_derived *d, const char *label, const psb_basis *directions,
                          psb_text *table, psb_error *error) {
    psb_method *method = NULL;
    psb_status status =
        psb_method_signature(label, directions->count, directions->labels, &method, error);
    PSB_THEN(status, psb_derived_make(d, &method, 1, table, error));
    psb_method_free(method);
    return status;
}

static psb_status apply(const char *path, bool row, psb_derived *d, psb_text *table,
                        psb_error *error) {
    char label[PSB_SIGNATURE_LABEL];
    psb_basis directions = {0};
    psb_status status = psb_basis_read(path, &directions, error);
    if (status == PSB_OK) {
        psb_signature_label(&directions, label);
        status = psb_signature_add(d, &directions, label, error);
    }
    if (row) {
        PSB_THEN(status, add_row(d, label, &directions, table, error));
    }
    psb_basis_free(&directions);
    return status;
}

/* False after the error was printed. */
static bool read_options(const cli_values *values, psb_signature_options *options) {
    static const char *const words[] = {"few", "all", "views", NULL}; /* as psb_signature_blocks */
    int blocks;
    long size;
    if (!cli_choice(values, "blocks", words, &blocks) ||
        !cli_integer(values, "size", 1, PSB_SIGNATURE_MOST, &size)) {
        return false;
    }
    *options = (psb_signature_options){(psb_signature_blocks)blocks, (size_t)size,
                                       cli_flag(values, "labels")};
    return true;
}

static int run(const cli_values *values) {
    psb_signature_options options;
    const char *by = cli_value(values, "by"), *train = cli_value(values, "train");
    psb_derived d;
    psb_text table = {0};
    psb_error error;
    int threads;
    if (!cli_threads(values, &threads) || !read_options(values, &options)) {
        return CLI_USAGE;
    }
    if (cli_argument_count(values) != 1 || (by == NULL) == (train == NULL)) {
        return cli_usage("signature", "needs the folder of a run, and --train or --by");
    }
    if ((train != NULL) != (cli_value(values, "output") != NULL)) {
        return cli_usage("signature", "--train and -o go together");
    }
    psb_status status =
        psb_derived_open(&d, cli_argument(values, 0), cli_command_line(values), threads, &error);
    PSB_THEN(status, psb_linear_enter(&error));
    if (status == PSB_OK) {
        status = train != NULL ? learn(values, &d, &options, &error)
                               : apply(by, cli_flag(values, "row"), &d, &table, &error);
        psb_linear_leave();
    }
    psb_derived_close(&d);
    return cli_print(status, &table, &error);
}

static const cli_option options[] = {
    {0, "train", "FILE", "a classification: find the directions from its models", NULL},
    {0, "size", "N", "with --train: directions, and so numbers of a signature, at most", "100"},
    {0, "blocks", "KIND",
     "with --train: few (five descriptors), all (local features of 42 views and four descriptors), "
     "views (these local features alone)",
     "few"},
    {0, "labels", NULL, "with --train: make little of directions in which models of a class differ",
     NULL},
    {'o', "output", "DIRECTIONS", "with --train: the file for them", NULL},
    {0, "by", "DIRECTIONS", "make the signatures of the run's models by these directions", NULL},
    {0, "row", NULL, "with --by: their distances as well, a row of the run's table", NULL},
    {'t', "threads", "N", "threads (0: one per processor)", "0"},
    {0, NULL, NULL, NULL, NULL},
};

const cli_command cmd_signature = {
    .name = "signature",
    .summary = "Make few numbers of each model, for search among very many.",
    .usage = "RUN --train CLA [--blocks KIND] [--size N] [--labels] -o DIRECTIONS | RUN --by "
             "DIRECTIONS [--row]",
    .details =
        "A signature is 100 numbers, compared by cosine: five descriptors of a model side by side, "
        "projected on the principal directions of a training list. --train finds the directions "
        "from those of the run's models that stand in CLA; labels are not used. Their file says of "
        "which list and which revisions of descriptors they are, and is refused for others.\n\n"
        "--by leaves RUN/features/SIGNATURE.npy. Alone it ranks nearly as well as T3 does; "
        "'psbench "
        "search --signatures' takes the nearest by it for candidates, which another metric then "
        "puts in order.\n\n"
        "With --blocks all and --size 256 it is E256: 1,024 bytes that rank nearly as well as "
        "VIEWS. "
        "With --labels the training list's classes are used, too, and the directions are refused "
        "for runs with any of its models. These leave RUN/features/E256.npy or E256L.npy, --blocks "
        "views F256.npy or F256L.npy. They are made of VIEWS:code=fisher42 and, all of them, of "
        "GEDT:form=magnitude,shells=8, CEGI as below, DBUF and LFD:moments=zernike.\n\n"
        "The run has to have the descriptors of the first example; --matrices no will do. With "
        "'psbench combine RUN t3 --features' as well, two stages are\n\n"
        "  psbench search --queries A/features/T3.npy --database B/features/T3.npy -m sum -o LISTS "
        "\\\n"
        "      --query-signatures A/features/SIGNATURE.npy --signatures "
        "B/features/SIGNATURE.npy\n\n"
        "Examples:\n"
        "  psbench run --cla train.cla --models psb_v1/db --matrices no -o small-run \\\n"
        "      -d GEDT:form=magnitude,SHD:scale=rms,EXT:form=magnitude,LFD:moments=zernike,\\\n"
        "      CEGI:smooth=0.04,normals=outward,form=magnitude\n"
        "  psbench signature small-run --train train.cla -o psb.directions\n"
        "  psbench signature small-run --by psb.directions\n"
        "  psbench eval small-run/models.cla small-run/features/SIGNATURE.npy --metric cosine",
    .options = options,
    .run = run,
};
