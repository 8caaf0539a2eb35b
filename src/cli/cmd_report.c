/* psbench report writes the pages of a run, or of methods over any set. */
#include "cli/commands.h"
#include "cli/matrices.h"
#include "cli/run_command.h"

#include <string.h>

typedef struct request {
    psb_pages_options pages;
    psb_methods_options methods;
    cli_texts with;
    int threads;
} request;

static const cli_word thumbnails[] = {
    {"found", PSB_THUMBNAILS_FOUND, "NAME_thumb.jpg beside NAME.off, else drawn"},
    {"render", PSB_THUMBNAILS_RENDERED, "draw all"},
    {"none", PSB_THUMBNAILS_NONE, NULL},
    {NULL, 0, NULL}};

static const cli_option options[] = {
    CLI_PATH('o', "output", pages.folder, NULL, "DIR", "folder for the report (else: RUN/report)"),
    CLI_TEXTS(0, "with", with, "METHOD",
              "add a method, [LABEL=]WHAT[:METRIC] as in 'psbench help eval': a matrix, features, "
              "RUN2/NAME or RUN2; may be repeated"),
    CLI_PATH(0, "single", pages.single, NULL, "FILE.html", "also write the front page as one file"),
    CLI_PATH(0, "zip", pages.zip, NULL, "FILE.zip", "also write all pages as one archive"),
    CLI_PATH(0, "since", pages.since, NULL, "OLD", "add a page of changes since the run OLD"),
    CLI_PATH(0, "models", pages.models, NULL, "DIR",
             "folder of the models (else: that of RUN or CLASSES)"),
    CLI_WORD(0, "thumbnails", pages.thumbnails, thumbnails, "found", "KIND",
             "pictures of the models"),
    CLI_FLAG(0, "paths", pages.paths, "show full paths, not only file names"),
    CLI_TEXT(0, "split", methods.split, NULL, "PART",
             "part of CLASSES, as train or test; 'all' for all"),
    CLI_COLUMNS_OPTIONS(methods),
    CLI_WHOLE_OPTION(pages.verify),
    CLI_THREADS_OPTION,
    CLI_END,
};

/* Writes pages of CLASSES, whose methods are opened here; psb_pages_write opens those of a RUN. */
static int write_set(const char *classes, psb_context *psb, request *r) {
    psb_pages_options *pages = &r->pages;
    psb_methods_options *o = &r->methods;
    psb_methods *methods;
    psb_error error;
    *o = (psb_methods_options){.queries = classes,
                               .files = pages->with,
                               .nfiles = pages->nwith,
                               .split = o->split,
                               .id_column = o->id_column,
                               .class_column = o->class_column,
                               .verify = pages->verify};
    if (psb_methods_open(psb, o, &methods, &error) != PSB_OK) {
        return cli_report(&error);
    }
    pages->methods = methods;
    int code = cli_write_pages(psb, pages);
    code = code == CLI_DONE && psb_methods_left_out(methods) > 0 ? CLI_PARTIAL : code;
    psb_methods_free(methods);
    return code;
}

static int check(const char *first, const request *r, const cli_values *values) {
    bool run = cli_is_run(first);
    if (run && (r->methods.split != NULL || r->methods.id_column != NULL ||
                r->methods.class_column != NULL)) {
        return cli_usage(
            "report", "--split, --id-column and --class-column are about CLASSES, and %s is a run",
            first);
    }
    if (r->with.count == 0 && cli_argument_count(values) > 1) {
        return cli_usage("report",
                         "needs one RUN or CLASSES; --with %s names what stands on the pages",
                         cli_argument(values, 1));
    }
    if (!run && r->with.count == 0 && cli_is_there(first)) {
        return cli_usage("report",
                         "%s is not the folder of a run; if it has the classes only, add --with "
                         "FILE.npy:cosine or --with FILE.matrix, a method to show",
                         first);
    }
    if (!run && r->pages.since != NULL) {
        return cli_usage(
            "report", "--since compares two runs, and %s is none: name the folder of a run", first);
    }
    if (!run && r->with.count > 0 && r->pages.folder == NULL && r->pages.single == NULL &&
        r->pages.zip == NULL) {
        return cli_usage(
            "report",
            "-o names the folder for the pages (or --single, --zip a file), where %s is no run",
            first);
    }
    return CLI_DONE;
}

static int run(const cli_values *values, void *given) {
    request *r = given;
    psb_pages_options *pages = &r->pages;
    const char *first = cli_argument(values, 0);
    const char *with[CLI_MOST_TEXTS];
    int code = check(first, r, values);
    if (code != CLI_DONE) {
        return code;
    }
    size_t more = (size_t)cli_argument_count(values) - 1;
    if (r->with.count + more > CLI_MOST_TEXTS) {
        return cli_usage("report", "--with: at most %d methods or runs", CLI_MOST_TEXTS);
    }
    memcpy(with, r->with.text, r->with.count * sizeof *with);
    for (size_t i = 0; i < more; i++) {
        with[r->with.count + i] = cli_argument(values, (int)i + 1);
    }
    pages->with = with;
    pages->nwith = r->with.count + more;
    pages->command_line = cli_command_line(values);
    if (cli_is_run(first) || pages->nwith == 0) {
        pages->run = first;
        return cli_write_pages(cli_psb(values), pages);
    }
    return write_set(first, cli_psb(values), r);
}

const cli_command cmd_report = {
    .name = "report",
    .summary = "Write HTML pages: tables, plots, best matches, pictures.",
    .usage = "RUN [--with METHOD...] [--since OLD] | CLASSES --with METHOD... -o DIR",
    .details =
        "RUN is the folder of a 'psbench table4' or 'psbench run'. CLASSES is a .cla, a table "
        "(.csv, .tsv), a list of files or a folder of class folders; no model files are needed; "
        "pages then show names, classes and ranks. The report opens from disk in any browser and "
        "needs no network. DIR must be new, empty, or an earlier report. Methods with damaged or "
        "stale matrices are named and left out; the exit code is then 1. It is an error if the "
        "models have changed since the run, except with --thumbnails none.\n\n"
        "Examples:\n"
        "  psbench report run-psb\n"
        "  psbench report run-psb --with mine.npy -o pages\n"
        "  psbench report run-psb --single page.html\n"
        "  psbench report test.cla --with mine=features.npy:cosine -o page",
    CLI_ARGUMENTS(1, CLI_ANY_NUMBER,
                  "the folder of a run, or classes; --with names what stands on the pages"),
    CLI_REQUEST,
};
