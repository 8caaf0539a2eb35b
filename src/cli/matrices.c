/* Opens the methods that options and arguments name. */
#include "cli/matrices.h"

#include "core/file.h"
#include "io/dataset.h"
#include "run/subject.h"

const cli_word cli_list_forms[] = {{"search", 0, NULL},   {"trec", 0, NULL}, {"shrec", 0, NULL},
                                   {"shapenet", 0, NULL}, {"rows", 0, NULL}, {NULL, 0, NULL}};

bool cli_is_run(const char *path) {
    return psb_is_run(path);
}

bool cli_is_there(const char *path) {
    return psb_is_file(path) || psb_is_folder(path);
}

/* True for RUN, and for RUN/NAME. */
static bool names_run(const char *text) {
    const char *name;
    PSB_FREED char *run = NULL;
    return psb_is_run(text) ||
           (psb_subject_split(text, &run, &name, NULL) == PSB_OK && run != NULL);
}

int cli_open(const cli_values *values, psb_sources sources, const psb_methods_options *methods,
             cli_opened *opened) {
    psb_methods_options options = *methods, *o = &options;
    *opened = (cli_opened){.psb = cli_psb(values)};
    int count = cli_argument_count(values);
    bool first = o->queries == NULL;
    if (o->level > 0 && o->qrels != NULL) {
        return cli_usage(
            cli_name(values),
            "--level is about classes, whose place --qrels takes: leave out one of them");
    }
    if (first && count == 1 && !names_run(cli_argument(values, 0))) {
        return cli_usage(
            cli_name(values), "%s is not the folder of a run%s", cli_argument(values, 0),
            cli_is_there(cli_argument(values, 0)) ? "; add distances or features: CLASSES METHOD"
                                                  : "");
    }
    if (count == 0) {
        return cli_usage(cli_name(values),
                         "needs a classification and a matrix, or the folder of a run");
    }
    o->queries = first ? cli_argument(values, 0) : o->queries;
    o->files = cli_arguments(values) + first;
    o->nfiles = (size_t)(count - first);
    o->sources = sources;
    psb_error error;
    psb_status status = psb_methods_open(opened->psb, o, &opened->methods, &error);
    return status == PSB_OK ? CLI_DONE : cli_report(&error);
}

int cli_close(cli_opened *opened, int code) {
    bool gaps = opened->methods != NULL && psb_methods_left_out(opened->methods) > 0;
    psb_methods_free(opened->methods);
    return code == CLI_DONE && gaps ? CLI_PARTIAL : code;
}

int cli_print_text(psb_status status, char *text, const psb_error *error) {
    if (status == PSB_OK) {
        fputs(text != NULL ? text : "", stdout);
    }
    free(text);
    return status == PSB_OK ? CLI_DONE : cli_report(error);
}
