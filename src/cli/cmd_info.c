/* psbench info prints the annotations that the benchmark's _info.txt files give for a model. */
#include "cli/commands.h"
#include "cli/matrices.h"

#include <stdio.h>

typedef struct request {
    bool json, check;
    psb_collection_options data;
    psb_attributes_options attributes;
    const char *format;
    int threads;
} request;

/* Prints files, or the models of a folder, as one table. */
static int print_table(const cli_values *values, request *r) {
    psb_error error;
    psb_context *psb = cli_psb(values);
    psb_collection *models = NULL;
    psb_table *table = NULL;
    char where[4096];
    if (r->check) {
        const char *more = r->attributes.where != NULL ? r->attributes.where : "";
        if (snprintf(where, sizeof where, "faulty=1%s%s", more[0] != '\0' ? "," : "", more) >=
            (int)sizeof where) {
            return cli_usage("info", "--where is too long");
        }
        r->attributes.where = where;
    }
    r->data.files = r->data.models == NULL ? cli_arguments(values) : NULL;
    r->data.nfiles = r->data.models == NULL ? (size_t)cli_argument_count(values) : 0;
    r->data.unlabelled = r->data.models != NULL && r->data.classes_of == NULL;
    psb_status status = psb_collection_open(psb, &r->data, &models, &error);
    if (status == PSB_OK) {
        status = psb_attributes_table(psb, models, &r->attributes, &table, &error);
    }
    size_t faulty = status == PSB_OK && r->check ? psb_table_rows(table) : 0;
    int code = cli_print_table(values, status, table, r->format, &error);
    psb_collection_free(models);
    return code == CLI_DONE && faulty > 0 ? CLI_PARTIAL : code;
}

static int print_texts(const cli_values *values, bool json) {
    size_t count = (size_t)cli_argument_count(values), done = 0, described = 0;
    psb_error error;
    int code = CLI_DONE;
    /* Text is printed file by file, JSON at once. */
    for (size_t i = 0; i < count && code == CLI_DONE; i += json ? count : 1) {
        char *text;
        psb_status status = psb_info_text(cli_psb(values), cli_arguments(values) + i,
                                          json ? count : 1, json, &text, &described, &error);
        fputs(!json && described > 0 && done > 0 ? "\n" : "", stdout);
        code = cli_interrupted() ? CLI_INTERRUPTED : cli_print_text(status, text, &error);
        done += described;
    }
    return code == CLI_DONE && done < count ? (done > 0 ? CLI_PARTIAL : CLI_IO) : code;
}

static int run(const cli_values *values, void *given) {
    request *r = given;
    const psb_attributes_options *o = &r->attributes;
    bool files = cli_argument_count(values) > 0;
    if (files == (r->data.models != NULL)) {
        return cli_usage("info", "takes either files or --models DIR");
    }
    bool table = r->data.models != NULL || r->format != NULL || o->where != NULL ||
                 o->largest != NULL || o->list != NULL || r->check;
    return table ? print_table(values, r) : print_texts(values, r->json);
}

static const cli_option options[] = {
    CLI_FLAG(0, "json", json, "print JSON with all digits instead of text"),
    CLI_PATH(0, "models", data.models, NULL, "DIR", "table of all models in DIR"),
    CLI_PATH(0, "cla", data.classes_of, NULL, "CLASSES", "only models of CLASSES, in that order"),
    CLI_FLAG(0, "skip-missing", data.skip_missing, "leave out models without a file"),
    CLI_FORMAT_OPTION(NULL, "table format"),
    CLI_TEXT(0, "where", attributes.where, NULL, "TEXT",
             "only models that meet all conditions: polygons>=1000,watertight=1"),
    CLI_TEXT(0, "largest", attributes.largest, NULL, "TEXT",
             "only the N models with the largest attribute: stick=200"),
    CLI_FLAG(0, "check", check,
             "only unusable models and models with a faulty surface; exit code 1 if any"),
    CLI_PATH('o', "output", attributes.list, NULL, "FILE",
             "write their ids, one per line, for eval --query-list"),
    CLI_THREADS_OPTION,
    CLI_END,
};

const cli_command cmd_info = {
    .name = "info",
    .summary = "Print attributes of models, as in the benchmark's _info.txt.",
    .usage = "FILE... | --models DIR [--cla CLASSES]",
    .details = "Prints polygons, connected components, average dihedral angle, bounding box, "
               "average depth complexity, center of mass, scale, principal axes and values of each "
               "file, in the layout and digits of the benchmark's files (docs/annotations.md). For "
               "a point cloud: points, normals, bounding box and spacing.\n\n--models or a table "
               "option prints a table with a row per model. It adds vertices, triangles, area, "
               "volume, stick (the ratio of the two largest principal values), and faults of the "
               "surface: open and non-manifold edges, degenerate and repeated faces, repeated "
               "vertices, orientation. Undefined values are empty and meet no condition. The "
               "column error says why a model is unusable; the exit code is then 1.\n\n"
               "Examples:\n"
               "  psbench info chair.off\n"
               "  psbench info --json psb_v1/db/*/*/*.off >models.json\n"
               "  psbench info --models psb_v1/db --where 'stick>4,avg_depth>3' -o list.txt\n"
               "  psbench info --models psb_v1/db --where faulty=1 -f tsv >faults.tsv",
    CLI_ARGUMENTS(0, CLI_ANY_NUMBER,
                  "files of models; --models DIR makes a table of all models of a folder"),
    .files = true,
    CLI_REQUEST,
};
