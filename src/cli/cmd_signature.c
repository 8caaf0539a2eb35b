/* psbench signature: few numbers for each model of a run, by directions of a training list. */
#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/matrices.h"
#include "core/error.h"
#include "core/linear.h"
#include "run/signature.h"

typedef struct request {
    psb_signature_options of;
    const char *train, *output, *by;
    bool row, as_reference;
    int threads;
} request;

static psb_status learn(const request *r, const psb_derived *d, psb_error *error) {
    psb_classification training = {0};
    size_t used = 0;
    psb_status status = psb_results_read_cla(r->train, &training, error);
    PSB_THEN(status, psb_signature_learn(d, &training, &r->of, r->output, &used, error));
    if (status == PSB_OK && cli_verbosity() >= 0) {
        cli_say("directions of %zu of the %zu models in %s", used, training.nmodels, r->train);
    }
    psb_cla_free(&training);
    return status;
}

static psb_status add_row(psb_derived *d, const char *label, const psb_basis *directions,
                          psb_text *table, psb_error *error) {
    psb_run_method *method = NULL;
    psb_status status =
        psb_run_method_signature(label, directions->count, directions->labels, &method, error);
    PSB_THEN(status, psb_derived_make(d, &method, 1, table, error));
    psb_run_method_free(method);
    return status;
}

static psb_status apply(const char *path, bool row, bool reference, psb_derived *d, psb_text *table,
                        psb_error *error) {
    char label[PSB_SIGNATURE_LABEL];
    psb_basis directions = {0};
    psb_status status = psb_basis_read(path, &directions, error);
    if (status == PSB_OK) {
        psb_signature_label(&directions, label);
        status = reference ? psb_signature_add_reference(d, &directions, label, error)
                           : psb_signature_add(d, &directions, label, error);
    }
    if (row) {
        PSB_THEN(status, add_row(d, label, &directions, table, error));
    }
    psb_basis_free(&directions);
    return status;
}

static int run(const cli_values *values, void *given) {
    const request *r = given;
    psb_derived d;
    psb_text table = {0};
    psb_error error;
    if (r->by == NULL && r->train == NULL) {
        return cli_usage("signature", "needs --train or --by beside the folder of a run");
    }
    if (r->as_reference && (r->by == NULL || r->row)) {
        return cli_usage("signature", "--as-reference is for --by, and leaves no row of the table");
    }
    psb_status status =
        psb_derived_open(&d, cli_argument(values, 0), cli_command_line(values), r->threads, &error);
    PSB_THEN(status, psb_linear_enter(&error));
    if (status == PSB_OK) {
        status = r->train != NULL ? learn(r, &d, &error)
                                  : apply(r->by, r->row, r->as_reference, &d, &table, &error);
        psb_linear_leave();
    }
    psb_derived_close(&d);
    return cli_print(status, &table, &error);
}

static const cli_word blocks[] = {
    {"few", PSB_BLOCKS_FEW, "five descriptors"},
    {"all", PSB_BLOCKS_ALL, "local features of 42 views and four descriptors"},
    {"views", PSB_BLOCKS_VIEWS, "these local features alone"},
    {NULL, 0, NULL}};

static const cli_option options[] = {
    CLI_PATH(0, "train", train, NULL, "FILE",
             "a classification: find the directions from its models"),
    CLI_WHOLE(0, "size", of.size, 1, PSB_SIGNATURE_MOST, "100", "N",
              "with --train: directions, and so numbers of a signature, at most"),
    CLI_WORD(0, "blocks", of.blocks, blocks, "few", "KIND", "with --train"),
    CLI_FLAG(0, "labels", of.labels,
             "with --train: make little of directions in which models of a class differ"),
    CLI_PATH('o', "output", output, NULL, "DIRECTIONS", "with --train: the file for them"),
    CLI_PATH(0, "by", by, NULL, "DIRECTIONS",
             "make the signatures of the run's models by these directions"),
    CLI_FLAG(0, "row", row, "with --by: their distances as well, a row of the run's table"),
    CLI_FLAG(0, "as-reference", as_reference,
             "with --by: of a run that is a reference and not scored, whatever labels the "
             "directions know"),
    CLI_THREADS_OPTION,
    CLI_END,
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
        "views F256.npy or F256L.npy. A run of the training models can be the reference of these, "
        "'psbench help combine': --as-reference leaves F256L+reference.npy there. They are made of "
        "VIEWS:code=fisher42 and, all of them, of "
        "GEDT:form=magnitude,shells=8, CEGI as below, DBUF and LFD:moments=zernike.\n\n"
        "The run has to have the descriptors of the first example; --matrices no will do. With "
        "'psbench combine RUN t3 --features' as well, two stages are\n\n"
        "  psbench search --queries A/features/T3.npy --database B/features/T3.npy --metric sum -o "
        "LISTS "
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
    .size = sizeof(struct request),
    .least = 1,
    .most = 1,
    .of_run = true,
    .arguments = "the folder of a run",
    .together = "train output",
    .apart = "train by",
    .next = "psbench signature RUN --by @",
    .run = run,
};
