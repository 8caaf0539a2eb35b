/* psbench generative compares a set of generated shapes with a set of references. */
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/matrices.h"

typedef struct request {
    psb_generative_options o;
    const char *format;
    int threads;
} request;

static int run(const cli_values *values, void *given) {
    request *r = given;
    cli_stages stages = {0};
    psb_context *psb;
    psb_table *table;
    psb_error error;
    int folders = 0, code = CLI_DONE;
    for (int set = 0; set < 2 && code == CLI_DONE; set++) {
        bool folder = false;
        r->o.sets[set] = cli_argument(values, set);
        code = cli_look_for_folder(r->o.sets[set], &folder);
        folders += folder;
    }
    if (code != CLI_DONE) {
        return code;
    }
    if (folders == 1) {
        return cli_usage("generative", "needs two folders of models, or two files of features");
    }
    if (folders == 0 && r->o.descriptors != NULL) {
        return cli_usage("generative", "--descriptors is for folders of models");
    }
    if (folders > 0 && r->o.metric != NULL) {
        return cli_usage("generative", "--metric is for files of features");
    }
    if (folders == 0 && r->o.metric == NULL) {
        return cli_usage("generative", "files of features need --metric");
    }
    r->o.command_line = cli_command_line(values);
    code = cli_context(r->threads, &stages, &psb);
    if (code == CLI_DONE) {
        psb_status status = psb_generative(psb, &r->o, &table, &error);
        code = cli_print_table(values, status, table, r->format, &error);
        psb_context_free(psb);
    }
    return code;
}

static const cli_option options[] = {
    CLI_METHODS("descriptors", o.descriptors, NULL, "LIST",
                "of folders of models, e.g. LFD,SHD (else: LFD)"),
    CLI_METRIC_OPTION(o.metric, NULL, "of files of features"),
    CLI_PATH('o', "output", o.folder, NULL, "RUN",
             "folder for the tables and for finished rows, to go on from"),
    CLI_PATH(0, "report", o.report, NULL, "DIR",
             "folder for a page of the shapes behind the figures: samples beside their nearest "
             "references, suspected copies, references that are covered too little or too often"),
    CLI_FLAG(0, "distributions", o.distributions,
             "the Frechet and the kernel distance of the rows as well"),
    CLI_FLAG(0, "floor", o.floor,
             "a second row: every other reference as if it were generated, beside the rest"),
    CLI_FORMAT_OPTION("txt", "of the table"),
    CLI_WHOLE(0, "rounds", o.rounds, 0, 10000000, "10000", "N",
              "of the bootstrap; 0: no intervals"),
    CLI_WHOLE(0, "seed", o.seed, 0, 0x1p63, "1", "N", "of the bootstrap"),
    CLI_WHOLE(0, "max-faces", o.max_faces, 1, 1000000000, "10000000", "N",
              "largest model in faces; larger ones fail"),
    CLI_REAL(0, "max-seconds", o.max_seconds, 0, 1e9, "0", "S",
             "longest processor time of a model; slower ones fail (0: none)"),
    CLI_MEMORY_OPTION(o.memory),
    CLI_THREADS_OPTION,
    CLI_END,
};

const cli_command cmd_generative = {
    .name = "generative",
    .summary = "Compare a set of generated shapes with a set of references.",
    .usage = "GENERATED REFERENCE [-d LIST | --metric NAME] [-o RUN] [--report DIR]",
    .details =
        "Both are folders of models of any format that is read, in folders within them as well, "
        "or files of features (.npy). "
        "Distances are the descriptor's own; LFD's are those of the light field program, to the "
        "unit. For each descriptor, with the sizes of both sets:\n"
        "\n"
        "matching distance (MMD): mean over the references of the distance to the nearest "
        "generated shape.\n"
        "coverage (COV): share of the references that are the nearest reference of some generated "
        "shape; of equally near ones the first is.\n"
        "1-NNA: share of the shapes of both sets whose nearest other shape, among both sets, is "
        "of their own set; where both sets have one equally near it counts one half. 50 % is "
        "best: the sets cannot be told apart. Near 100 % they are easily told, near 0 % one is a "
        "copy of the other.\n"
        "\n"
        "JSD, of points (-d POINTS, POINTS:metric=emd ...): divergence of where the points of both "
        "sets lie, counted in 28^3 cells; 0: alike, 1 bit: nowhere together.\n"
        "Frechet distance, kernel distance (--distributions): of the rows as samples of two "
        "distributions, as FID and KID are of images' features; the second may fall below 0, and "
        "stands beside its standard error.\n"
        "\n"
        "MMD, COV and 1-NNA are means over shapes, and the interval of each is the bootstrap's: as "
        "many shapes are drawn "
        "with replacement, of each set for itself, each with the value that it has among the "
        "whole sets, --rounds times; from the 2.5th to the 97.5th percentile. All three depend on "
        "the sizes of the sets as well: compare at equal sizes.\n"
        "\n"
        "Distances stream by; nothing of the size of a matrix is kept. With -o RUN the tables are "
        "written in all formats (RUN/generative.*; 'psbench verify RUN' looks whether they are as "
        "they were), and the same command goes on from the rows "
        "that are finished. A model that cannot be used is named and left out, listed in "
        "RUN/generated/failures.tsv or RUN/reference/failures.tsv, and the exit code is 1.\n"
        "\n"
        "Examples:\n"
        "  psbench generative samples test_set\n"
        "  psbench generative samples test_set -d LFD,SHD -o compared -f md\n"
        "  psbench generative samples test_set -d LFD,POINTS,POINTS:metric=emd --floor\n"
        "  psbench generative samples.npy test.npy --metric l2 --distributions\n"
        "  psbench generative samples.npy test.npy --metric l2 --report shapes",
    .options = options,
    .size = sizeof(struct request),
    .least = 2,
    .most = 2,
    .arguments = "the generated shapes and the references",
    .run = run,
};
