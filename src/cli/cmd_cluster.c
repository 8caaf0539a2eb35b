/* psbench cluster clusters models by average linkage and compares with the classes. */
#include "cli/commands.h"
#include "cli/matrices.h"

typedef struct request {
    psb_methods_options methods;
    int threads;
    psb_cluster_options cluster;
    const char *format;
} request;

static int run(const cli_values *values, void *options) {
    const request *r = options;
    cli_opened opened;
    psb_error error;
    psb_table *table = NULL;
    int code = cli_open(values, PSB_MATRICES, &r->methods, r->threads, &opened);
    if (code == CLI_DONE && r->cluster.members && psb_methods_count(opened.methods) != 1) {
        code = cli_usage("cluster", "--members is about one matrix");
    }
    if (code == CLI_DONE) {
        psb_status status = psb_cluster(opened.psb, opened.methods, &r->cluster, &table, &error);
        code = cli_print_table(values, status, table, r->format, &error);
    }
    return cli_close(&opened, code);
}

static const cli_option options[] = {
    CLI_WHOLE('k', "clusters", cluster.clusters, 0, 1000000, "0", "K",
              "cut the tree where K clusters are left (0: as many as there are classes)"),
    CLI_FLAG(0, "members", cluster.members, "a row for each model, with the number of its cluster"),
    CLI_FORMAT_OPTION("txt", "of the table"),
    CLI_MATRICES_OPTIONS,
    CLI_END,
};

const cli_command cmd_cluster = {
    .name = "cluster",
    .summary = "Cluster models by their distances: purity, NMI, adjusted Rand index.",
    .usage = CLI_MATRICES_USAGE,
    .details =
        "Joins the two nearest clusters until one is left, the distance of two clusters being the "
        "mean distance of their models (average linkage), and cuts the tree at as many clusters as "
        "there are classes, at each level of the hierarchy. Purity is the share of models whose "
        "class is the most frequent of their cluster, NMI the mutual information of classes and "
        "clusters over the mean of their entropies, and the adjusted Rand index is 0 for clusters "
        "at random and 1 for the classes themselves. Models of the class -1 are left out. "
        "'psbench plot -k tree' draws the tree.\n\n"
        "Examples:\n"
        "  psbench cluster run-psb LFD SHD\n"
        "  psbench cluster test.cla features.npy --metric l2 --members -f tsv",
    .options = options,
    .size = sizeof(struct request),
    .most = CLI_ANY_NUMBER,
    .run = run,
};
