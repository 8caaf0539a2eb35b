/* psbench plot draws curves, distance and tier images, classes by method, maps and trees. */
#include "cli/commands.h"
#include "cli/matrices.h"

typedef struct request {
    psb_methods_options methods;
    psb_plot_options plot;
    int threads;
} request;

static const cli_word kind_words[] = {{"pr", PSB_PLOT_PR, NULL},
                                      {"cg", PSB_PLOT_CG, NULL},
                                      {"ncg", PSB_PLOT_NCG, NULL},
                                      {"dcg", PSB_PLOT_DCG, NULL},
                                      {"ndcg", PSB_PLOT_NDCG, NULL},
                                      {"distance", PSB_PLOT_DISTANCE, NULL},
                                      {"tier", PSB_PLOT_TIER, NULL},
                                      {"classes", PSB_PLOT_CLASSES, NULL},
                                      {"map", PSB_PLOT_MAP, NULL},
                                      {"tree", PSB_PLOT_TREE, NULL},
                                      {NULL, 0, NULL}};
static const cli_word format_words[] = {
    {"svg", 0, NULL}, {"pdf", 0, NULL}, {"png", 0, NULL}, {"plot", 0, NULL}, {NULL, 0, NULL}};

/* The inputs, which no file may replace, and the exit code once one would have. */
typedef struct inputs {
    const cli_values *values;
    int code;
} inputs;

static bool may_write(void *context, const char *path) {
    inputs *of = context;
    of->code = cli_check_part(of->values, path);
    return of->code == CLI_DONE;
}

static int run(const cli_values *values, void *options) {
    request *r = options;
    cli_opened opened;
    psb_error error;
    inputs of = {values, CLI_DONE};
    r->plot.may_write = may_write;
    r->plot.context = &of;
    if (psb_check_measures(r->plot.measure, &error) != PSB_OK) {
        return cli_fail(values, &error);
    }
    int code = cli_open(values, PSB_MATRICES, &r->methods, &opened);
    if (code == CLI_DONE && psb_plot(opened.methods, &r->plot, &error) != PSB_OK) {
        code = of.code != CLI_DONE ? of.code : cli_fail(values, &error);
    }
    return cli_close(&opened, code);
}

static const cli_option options[] = {
    CLI_WORD('k', "kind", plot.kind, kind_words, "pr", "NAME", "kind of plot"),
    CLI_PATH('o', "output", plot.stem, "plot", "STEM", "path of the files, without extension"),
    CLI_LIST('f', "format", plot.formats, format_words, NULL, NULL, "LIST",
             "file formats (else: all)"),
    CLI_TEXT(0, "title", plot.title, NULL, "TEXT", "title; '': no title and no footnotes"),
    CLI_REAL(0, "width", plot.style.width, 20, 2000, NULL, "MM",
             "width, e.g. 85 for a column of a paper (else: for a screen)"),
    CLI_REAL(0, "text", plot.style.text, 3, 72, NULL, "POINTS",
             "size of the text (else: 8, with --width)"),
    CLI_TEXT(0, "font", plot.style.font, NULL, "FAMILY", "fontconfig family (else: sans-serif)"),
    CLI_FLAG(0, "gray", plot.style.gray, "black, white and grays only"),
    CLI_GROUPING_OPTION(plot.grouping, "micro", "averages, or rows with -k pr -f plot"),
    CLI_FLAG(0, "count-query", plot.count_query, "-k pr: count the query as its own first match"),
    CLI_WHOLE(0, "length", plot.length, 0, 1000000000, "0", "N",
              "gain curves: length of the ranked list (0: all)"),
    CLI_TEXT(0, "classes", plot.classes, NULL, "A..B",
             "images: only these classes, by name or number"),
    CLI_WHOLE(0, "cell", plot.cell, 0, 64, "0", "PIXELS", "images: side of a cell (0: auto)"),
    CLI_LIST('m', "measure", plot.measure, NULL, cli_measure_name, "dcg", "NAME",
             "-k classes: the measure"),
    CLI_MATRICES_OPTIONS,
    CLI_END,
};

const cli_command cmd_plot = {
    .name = "plot",
    .summary = "Draw curves, distance images, maps and trees as files.",
    .usage = CLI_MATRICES_USAGE,
    .details = CLI_MATRICES_SHORT
    "\n\npr: precision-recall. cg, ncg, dcg, ndcg: cumulated gain over list length, plain, "
    "normalized, discounted, both; cg and dcg with the ideal curve. distance, tier: images of the "
    "paper's section 7, one per method. classes: heat map of methods by classes. map: t-SNE of "
    "distances, up to 50,000 models. tree: average linkage.\n\nWrites STEM.svg, .pdf, .png and, "
    "for curves, STEM.plot in psbPlot's format; images STEM-NAME. --width makes PNG 300 dpi.\n\n"
    "Examples:\n"
    "  psbench plot run-psb\n"
    "  psbench plot run-psb SHD GEDT -k ndcg -o gain -f pdf\n"
    "  psbench plot run-psb SHD -k tier -o tier -f png\n"
    "  psbench plot run-psb -o paper -f pdf --width 85 --font 'Times' --gray",
    .most = CLI_ANY_NUMBER,
    CLI_REQUEST,
};
