/* psbench signature makes a short vector of each model of a run. */
#include "cli/commands.h"
#include "cli/context.h"

typedef struct request {
    psb_signature_options o;
    int threads;
} request;

static int run(const cli_values *values, void *given) {
    request *r = given;
    psb_table *table;
    psb_error error;
    r->o.run = cli_argument(values, 0);
    r->o.command_line = cli_command_line(values);
    psb_status status = psb_make_signatures(cli_psb(values), &r->o, &table, &error);
    return cli_print_table(values, status, table, NULL, &error);
}

static const cli_word blocks[] = {
    {"few", PSB_BLOCKS_FEW, "five descriptors"},
    {"all", PSB_BLOCKS_ALL, "local features of 42 views and four descriptors"},
    {"views", PSB_BLOCKS_VIEWS, "these local features only"},
    {NULL, 0, NULL}};

static const cli_option options[] = {
    CLI_PATH(0, "train", o.train, NULL, "FILE", "compute directions from the models of this list"),
    CLI_WHOLE(0, "size", o.size, 1, PSB_SIGNATURE_MOST, "100", "N",
              "with --train: maximum dimension of a signature"),
    CLI_WORD(0, "blocks", o.blocks, blocks, "few", "KIND", "with --train: input"),
    CLI_FLAG(0, "labels", o.labels, "with --train: down-weight within-class variation"),
    CLI_PATH('o', "output", o.output, NULL, "DIRECTIONS", "with --train: file for the directions"),
    CLI_PATH(0, "by", o.by, NULL, "DIRECTIONS",
             "compute the signatures of RUN with these directions"),
    CLI_FLAG(0, "row", o.row, "with --by: also compute distances and add a row to the run's table"),
    CLI_FLAG(0, "as-reference", o.as_reference,
             "with --by: RUN is not scored; directions may be learned from its labels"),
    CLI_THREADS_OPTION,
    CLI_END,
};

const cli_command cmd_signature = {
    .name = "signature",
    .summary = "Compute compact vectors for searching large collections.",
    .usage = "RUN --train CLA [--blocks KIND] [--size N] [--labels] -o DIRECTIONS | RUN --by "
             "DIRECTIONS [--row]",
    .details =
        "A signature is 100 numbers, compared by cosine: five descriptors, concatenated and "
        "projected on the principal directions of a training list. --train computes the directions "
        "(from labels only with --labels); --by projects the models of a run and writes "
        "RUN/features/SIGNATURE.npy. It ranks nearly as well as T3; use it as the first stage of "
        "'psbench search'.\n\n--blocks all --size 256 makes E256 (1,024 bytes, nearly as good as "
        "VIEWS), --blocks views --size 256 F256; with --labels, E256L and F256L. RUN needs "
        "VIEWS:code=fisher42 and, for 'all', GEDT:form=magnitude,shells=8, CEGI as above, DBUF and "
        "LFD:moments=zernike. Directions learned with --labels are refused for a run that shares "
        "models with the training list, except with --as-reference (for 'psbench combine').\n\n"
        "Examples:\n"
        "  psbench run --cla train.cla --models psb_v1/db --matrices no -o small-run \\\n"
        "      -d GEDT:form=magnitude,SHD:scale=rms,EXT:form=magnitude,\\\n"
        "      LFD:moments=zernike,CEGI:smooth=0.04,normals=outward,form=magnitude\n"
        "  psbench signature small-run --train train.cla -o psb.directions\n"
        "  psbench signature small-run --by psb.directions\n"
        "  psbench eval small-run small-run/features/SIGNATURE.npy:cosine",
    CLI_ARGUMENTS(1, 1, "the folder of a run"),
    .of_run = true,
    .together = "train output",
    .apart = "train by",
    .next = "psbench signature RUN --by @",
    CLI_REQUEST,
};
