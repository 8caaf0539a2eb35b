/* psbench signature makes a short vector of each model of a run. */
#include "cli/commands.h"
#include "cli/context.h"

typedef struct request {
    psb_signature_options o;
    int threads;
} request;

static int run(const cli_values *values, void *given) {
    request *r = given;
    cli_stages stages = {0};
    psb_context *psb;
    psb_table *table;
    psb_error error;
    r->o.run = cli_argument(values, 0);
    r->o.command_line = cli_command_line(values);
    int code = cli_context(r->threads, &stages, &psb);
    if (code == CLI_DONE) {
        psb_status status = psb_make_signatures(psb, &r->o, &table, &error);
        code = cli_print_table(values, status, table, NULL, &error);
        psb_context_free(psb);
    }
    return code;
}

static const cli_word blocks[] = {
    {"few", PSB_BLOCKS_FEW, "five descriptors"},
    {"all", PSB_BLOCKS_ALL, "local features of 42 views and four descriptors"},
    {"views", PSB_BLOCKS_VIEWS, "these local features alone"},
    {NULL, 0, NULL}};

static const cli_option options[] = {
    CLI_PATH(0, "train", o.train, NULL, "FILE",
             "a classification: find the directions from its models"),
    CLI_WHOLE(0, "size", o.size, 1, PSB_SIGNATURE_MOST, "100", "N",
              "with --train: directions, and so numbers of a signature, at most"),
    CLI_WORD(0, "blocks", o.blocks, blocks, "few", "KIND", "with --train"),
    CLI_FLAG(0, "labels", o.labels,
             "with --train: make little of directions in which models of a class differ"),
    CLI_PATH('o', "output", o.output, NULL, "DIRECTIONS", "with --train: the file for them"),
    CLI_PATH(0, "by", o.by, NULL, "DIRECTIONS",
             "make the signatures of the run's models by these directions"),
    CLI_FLAG(0, "row", o.row, "with --by: their distances as well, a row of the run's table"),
    CLI_FLAG(0, "as-reference", o.as_reference,
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
