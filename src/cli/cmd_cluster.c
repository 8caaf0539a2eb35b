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
    int code = cli_open(values, PSB_MATRICES, &r->methods, &opened);
    if (code == CLI_DONE && r->cluster.members && psb_methods_count(opened.methods) != 1) {
        code = cli_usage("cluster", "--members shows one method, not %zu: name one, as RUN SHD",
                         psb_methods_count(opened.methods));
    }
    if (code == CLI_DONE) {
        psb_status status = psb_cluster(opened.psb, opened.methods, &r->cluster, &table, &error);
        code = cli_print_table(values, status, table, r->format, &error);
    }
    return cli_close(&opened, code);
}

static const cli_option options[] = {
    CLI_WHOLE('k', "clusters", cluster.clusters, 0, 1000000, "0", "K",
              "number of clusters (0: as many as classes)"),
    CLI_FLAG(0, "members", cluster.members, "one row per model, with its cluster"),
    CLI_FORMAT_OPTION("txt", "table format"),
    CLI_MATRICES_OPTIONS,
    CLI_END,
};

const cli_command cmd_cluster = {
    .name = "cluster",
    .summary = "Cluster models: purity, NMI, adjusted Rand index.",
    .usage = CLI_MATRICES_USAGE,
    .details = "CLASSES and METHOD: 'psbench help eval'. Average linkage, cut into as many "
               "clusters as classes at each level of the hierarchy. Purity: share of models in the "
               "majority class of their cluster. NMI: normalized mutual information of classes and "
               "clusters. Adjusted Rand index: 0 for random clusters, 1 for perfect agreement. "
               "The class -1 is left out. 'psbench plot -k tree' draws the tree.\n\n"
               "Examples:\n"
               "  psbench cluster run-psb LFD SHD\n"
               "  psbench cluster test.cla features.npy --metric l2 --members -f tsv",
    .most = CLI_ANY_NUMBER,
    CLI_REQUEST,
};
