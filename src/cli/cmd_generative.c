/* psbench generative compares a set of generated shapes with a set of references. */
#include "cli/commands.h"
#include "cli/matrices.h"

#include <string.h>

typedef struct request {
    psb_generative_options o;
    const char *format;
    int threads;
} request;

static int run(const cli_values *values, void *given) {
    request *r = given;
    psb_table *table;
    psb_error error;
    for (int set = 0; set < 2; set++) {
        r->o.sets[set] = cli_argument(values, set);
    }
    if (strcmp(r->o.sets[0], r->o.sets[1]) == 0) {
        cli_warn(
            "%s is compared with itself; to judge a generator name its shapes, then the references",
            r->o.sets[0]);
    }
    r->o.command_line = cli_command_line(values);
    psb_status status = psb_generative(cli_psb(values), &r->o, &table, &error);
    return cli_print_table(values, status, table, r->format, &error);
}

static const cli_option options[] = {
    CLI_METHODS("descriptors", o.descriptors, NULL, "LIST",
                "descriptors, for folders of models (else: LFD)"),
    CLI_TEXT(0, "metric", o.metric, NULL, "LIST", "metrics of features (l1) or clouds (cd,emd)"),
    CLI_PATH('o', "output", o.folder, NULL, "RUN", "folder for tables and finished rows"),
    CLI_PATH(0, "report", o.report, NULL, "DIR",
             "folder for pages: nearest references, suspected copies"),
    CLI_FLAG(0, "distributions", o.distributions, "add Frechet and kernel distance of the rows"),
    CLI_FLAG(0, "floor", o.floor, "add a row: half of the references against the rest"),
    CLI_FORMAT_OPTION("txt", "table format"),
    CLI_WHOLE(0, "rounds", o.rounds, 0, 10000000, "10000", "N",
              "bootstrap rounds (0: no intervals)"),
    CLI_WHOLE(0, "seed", o.seed, 0, 0x1p63, "1", "N", "seed of the bootstrap"),
    CLI_WHOLE(0, "max-faces", o.max_faces, 1, 1000000000, "10000000", "N", "face limit per model"),
    CLI_REAL(0, "max-seconds", o.max_seconds, 0, 1e9, "0", "S",
             "CPU-time limit per model (0: none)"),
    CLI_MEMORY_OPTION(o.memory),
    CLI_THREADS_OPTION,
    CLI_END,
};

const cli_command cmd_generative = {
    .name = "generative",
    .summary = "Compare a set of generated shapes with a reference set.",
    .usage = "GENERATED REFERENCE [-d LIST | --metric LIST] [-o RUN] [--report DIR]",
    .details = "Both sets are folders of models, or files of features (.npy). With --metric cd, "
               "cd-l1, hausdorff, emd or emd-auction each is a set of point clouds: an array N x K "
               "x 3 (.npy, .npz), or a folder of .npy, .ply, .xyz, .pts, .txt or .pcd; larger "
               "clouds are subsampled to the smallest. For each descriptor:\n\nMMD: mean distance "
               "of a reference to its nearest generated shape.\nCOV: share of references that are "
               "nearest to some generated shape.\n1-NNA: accuracy of the leave-one-out "
               "nearest-neighbor classifier between the sets; 50 % is best.\nJSD (POINTS): "
               "divergence of point densities on a 28^3 grid, 0 to 1 bit.\nFrechet and kernel "
               "distance (--distributions): like FID and KID, of the rows.\n\nIntervals are "
               "bootstrapped over shapes. All figures depend on the sizes of the sets: compare at "
               "equal sizes. An interrupted command with -o RUN continues when repeated.\n\n"
               "Examples:\n"
               "  psbench generative samples test_set\n"
               "  psbench generative samples test_set -d LFD,SHD -o compared -f md\n"
               "  psbench generative samples test_set -d LFD,POINTS,POINTS:metric=emd --floor\n"
               "  psbench generative samples test_set --metric cd,emd\n"
               "  psbench generative samples.npy test.npy --metric l2 --report shapes",
    CLI_ARGUMENTS(2, 2, "the generated shapes and the references"),
    CLI_REQUEST,
};
