/* psbench export: ranked lists for trec_eval and for SHREC's evaluation scripts. */
#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/matrices.h"
#include "core/error.h"
#include "core/lock.h"
#include "library/methods.h"
#include "report/export.h"

#include <stdlib.h>
#include <string.h>

typedef struct request {
    psb_methods_options methods;
    int threads;
    int shrec; /* one of formats */
    const char *output;
} request;

static char in_file_name(char c) {
    return c == '/' ? '_' : c;
}

static psb_status path_of(const char *folder, const char *name, const char *suffix, psb_text *path,
                          psb_error *error) {
    psb_text_printf(path, "%s/", folder);
    for (; *name != '\0'; name++) {
        char c = in_file_name(*name);
        psb_text_add_bytes(path, &c, 1);
    }
    psb_text_add(path, suffix);
    return psb_text_status(path, error);
}

/* Two labels may become one file, and the second would replace the first. */
static psb_status need_own_files(const psb_methods *all, psb_error *error) {
    for (size_t k = 0; k < all->count; k++) {
        for (size_t other = 0; other < k; other++) {
            const char *a = all->labels[k], *b = all->labels[other];
            while (*a != '\0' && in_file_name(*a) == in_file_name(*b)) {
                a++;
                b++;
            }
            if (*a == *b) {
                return psb_fail(error, PSB_ERROR_INPUT, "%s and %s would be written to one file",
                                all->labels[other], all->labels[k]);
            }
        }
    }
    return PSB_OK;
}

static psb_status export_trec(const psb_methods *all, const char *folder, psb_error *error) {
    psb_status status = PSB_OK;
    char *qrels = psb_new_format(&status, error, "%s/qrels.txt", folder);
    PSB_THEN(status, psb_export_qrels(qrels, &all->cla, all->selected, error));
    free(qrels);
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        psb_text path = {.data = NULL};
        status = path_of(folder, all->labels[k], ".run", &path, error);
        PSB_THEN(status, psb_export_trec(path.data, &all->cla, &all->matrices[k], all->selected,
                                         all->labels[k], error));
        psb_text_free(&path);
    }
    return status;
}

static psb_status export_shrec(const psb_methods *all, const char *folder, psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t k = 0; k < all->count && status == PSB_OK; k++) {
        psb_text path = {.data = NULL};
        status = path_of(folder, all->labels[k], "", &path, error);
        PSB_THEN(status,
                 psb_export_shrec(path.data, &all->cla, &all->matrices[k], all->selected, error));
        psb_text_free(&path);
    }
    return status;
}

/* What tells that a folder is an export's: its lock, or what older ones have. */
static const char *const marks[] = {".export.lock", "qrels.txt", NULL};

static psb_status export_all(const psb_methods *all, bool trec, const char *folder,
                             psb_error *error) {
    psb_lock lock;
    psb_status status = psb_lock_take_folder(folder, marks, &lock, error);
    PSB_THEN(status, trec ? export_trec(all, folder, error) : export_shrec(all, folder, error));
    psb_lock_release(&lock);
    return status;
}

static int run(const cli_values *values, void *options) {
    const request *r = options;
    cli_opened opened;
    int code = cli_open(values, PSB_MATRICES, &r->methods, r->threads, &opened);
    if (code == CLI_DONE) {
        psb_error error;
        psb_status status = psb_methods_need_queries(opened.methods, &error);
        PSB_THEN(status, need_own_files(opened.methods, &error));
        PSB_THEN(status, export_all(opened.methods, !r->shrec, r->output, &error));
        code = status == PSB_OK ? CLI_DONE : cli_report(&error);
    }
    return cli_close(&opened, code);
}

static const cli_word formats[] = {{"trec", false, NULL}, {"shrec", true, NULL}, {NULL, 0, NULL}};

static const cli_option options[] = {
    CLI_WORD('f', "format", shrec, formats, "trec", "NAME", "of the files"),
    CLI_PATH('o', "output", output, "export", "DIR", "folder for the files"),
    CLI_MATRICES_OPTIONS,
    CLI_END,
};

const cli_command cmd_export = {
    .name = "export",
    .summary = "Write ranked lists for trec_eval or in the manner of SHREC tracks.",
    .usage = CLI_MATRICES_USAGE,
    .details = CLI_MATRICES_HELP
    "\n\n"
    "trec: DIR/qrels.txt and DIR/NAME.run for each matrix, for 'trec_eval qrels.txt NAME.run'; "
    "the score of a model is the number of models behind it, so that equal distances stay in "
    "the order in which psbench ranks them. shrec: a file DIR/NAME/QUERY for each query, a "
    "model and its distance on each line, nearest first.\n\n"
    "Queries are those that take part in averages. DIR may be new, empty, or that of an earlier "
    "export.\n\n"
    "Examples:\n"
    "  psbench export psb-run SHD -o trec\n"
    "  psbench export psb-run -f shrec -o shrec",
    .options = options,
    .size = sizeof(struct request),
    .most = CLI_ANY_NUMBER,
    .next = "trec_eval @/qrels.txt @/NAME.run",
    .run = run,
};
