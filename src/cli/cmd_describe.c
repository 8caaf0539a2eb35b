/* psbench describe computes one descriptor of some files. */
#include "cli/commands.h"
#include "cli/scale.h"

#include <stdio.h>
#include <string.h>

typedef struct request {
    cli_run_request job; /* for --models, all models of a folder */
} request;

/* Prints a line for each row: the file's name, then the numbers. */
static void print_rows(const psb_rows *rows, const psb_collection *files) {
    for (size_t r = 0; r < psb_rows_count(rows); r++) {
        const void *row = psb_rows_at(rows, r);
        cli_print_plain(psb_collection_file(files, psb_rows_model(rows, r)));
        for (size_t i = 0; i < psb_rows_length(rows); i++) {
            if (psb_rows_element(rows) == PSB_UINT8) {
                printf("\t%u", (unsigned)((const unsigned char *)row)[i]);
            } else {
                printf("\t%.9g", (double)((const float *)row)[i]);
            }
        }
        putchar('\n');
    }
}

/* Prints or writes the rows. A file that cannot be used was named before, and has no row. */
static int give(const psb_rows *rows, const psb_collection *files, const char *output) {
    psb_error error;
    size_t count = psb_rows_count(rows), failed = psb_collection_count(files) - count;
    if (count == 0) {
        return CLI_IO;
    }
    if (output == NULL) {
        print_rows(rows, files);
    } else if (psb_rows_write(rows, output, &error) != PSB_OK) {
        return cli_report(&error);
    }
    if (failed > 0 && cli_verbosity() >= 0) {
        cli_say("described: %zu files, left out: %zu", count, failed);
    }
    return failed > 0 ? CLI_PARTIAL : CLI_DONE;
}

/* Runs "describe --models DIR -o RUN". */
static int describe_folder(const cli_values *values, cli_run_request *job) {
    if (job->options.folder == NULL) {
        return cli_usage("describe", "--models DIR needs -o RUN, a folder");
    }
    const char *dot = strrchr(job->options.folder, '.');
    if (dot != NULL && strcmp(dot, ".npy") == 0) {
        return cli_usage("describe", "--models DIR writes a folder RUN: %s is the name of a file",
                         job->options.folder);
    }
    if (cli_argument_count(values) > 0) {
        return cli_usage("describe", "takes no files beside --models; got '%s'",
                         cli_argument(values, 0));
    }
    job->options.data.unlabelled = true;
    int code = cli_run_open(values, job);
    return code == CLI_DONE ? cli_run(job) : code;
}

static int run(const cli_values *values, void *options) {
    cli_run_request *job = &((request *)options)->job;
    int count = cli_argument_count(values);
    if (job->options.data.models != NULL) {
        return describe_folder(values, job);
    }
    if (job->part != NULL || job->options.complete) {
        return cli_usage("describe", "--part and --complete need --models DIR");
    }
    if (count == 0) {
        return cli_usage("describe", "needs at least one FILE");
    }
    psb_error error;
    psb_context *psb = cli_psb(values);
    psb_spec *spec = NULL;
    psb_collection *files = NULL;
    psb_rows *rows = NULL;
    int code = CLI_DONE;
    const psb_collection_options those = {.files = cli_arguments(values), .nfiles = (size_t)count};
    if (psb_spec_open(psb, job->options.descriptors, &spec, &error) == PSB_OK &&
        psb_collection_open(psb, &those, &files, &error) == PSB_OK &&
        psb_describe_all(psb, files, spec, &rows, &error) == PSB_OK) {
        code = give(rows, files, job->options.folder);
    } else {
        code = cli_report(&error);
    }
    psb_rows_free(rows);
    psb_collection_free(files);
    psb_spec_free(spec);
    return code;
}

static const cli_option options[] = {
    CLI_METHODS("descriptor", job.options.descriptors, "SHD", "SPEC",
                "descriptor, e.g. SHD or GEDT:width=3"),
    CLI_PATH('o', "output", job.options.folder, NULL, "FILE.npy",
             "write all rows to this file instead of printing them"),
    CLI_PATH(0, "models", job.options.data.models, NULL, "DIR",
             "describe all models of a folder or an archive; -o is then a folder, RUN"),
    CLI_TEXT(0, "split", job.options.data.split, NULL, "PART",
             "part of the set, as train or test; 'all' for all"),
    CLI_FOLDER_OPTIONS,
    CLI_PART_OPTIONS,
    CLI_END,
};

const cli_command cmd_describe = {
    .name = "describe",
    .summary = "Compute descriptors of mesh files, as rows of numbers.",
    .usage = "[-d SPEC] [-o FILE.npy] FILE... | [-d LIST] --models DIR -o RUN",
    .details =
        "Prints one line per file: its name and the numbers, tab-separated. -o FILE.npy writes one "
        "row per file, and ids to FILE.npy.ids; the id of db/8/m812/m812.off is 812. Unusable "
        "files are named and left out; the exit code is then 1. A missing file ends the command.\n"
        "\n--models describes every mesh below DIR; its id is its path, and no classes are needed. "
        "Writes RUN/features/*.npy with ids, RUN/models.cla and RUN/failures.tsv. An interrupted "
        "command continues when repeated. --skip-missing and the options below, except --force, "
        "apply to --models only.\n\nExamples:\n"
        "  psbench describe -d SHD chair.off table.obj\n"
        "  psbench describe -d GEDT -o gedt.npy my_models/*.off\n"
        "  psbench describe -d SHD,LFD --models my_models -o my_features\n"
        "  psbench describe -d SHD --models set.tar/chairs -o chairs --part 0/2\n"
        "  psbench distance my_features/features/SHD.npy -o all.matrix",
    CLI_ARGUMENTS(0, CLI_ANY_NUMBER,
                  "files of models; --models DIR -o RUN describes all models of a folder"),
    .files = true,
    .apart = CLI_PART_APART,
    .next = "psbench distance @ -o FILE.matrix",
    CLI_REQUEST,
};
