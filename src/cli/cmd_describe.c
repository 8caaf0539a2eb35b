/* psbench describe: one descriptor of some files. */
#include "cli/commands.h"
#include "cli/run_command.h"
#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "descriptors/descriptor.h"
#include "io/ids.h"
#include "io/mesh.h"
#include "io/npy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct state {
    psb_tables *tables;
    psb_shape *shape;
    psb_spec *spec;
    psb_mesh_buffer mesh;
    size_t count; /* rows so far, and their names */
    unsigned char *rows;
    char **names;
} state;

static psb_status start(state *s, const char *spec, size_t files, psb_error *error) {
    memset(s, 0, sizeof *s);
    psb_status status = psb_spec_parse(spec, &s->spec, error);
    PSB_THEN(status, psb_tables_new(&s->tables, error));
    PSB_THEN(status, psb_shape_new(s->tables, &s->shape, error));
    if (status == PSB_OK) {
        void *memory;
        status = psb_alloc(&memory, files, psb_spec_row_bytes(s->spec), "features", error);
        s->rows = memory;
    }
    if (status == PSB_OK) {
        void *memory;
        status = psb_alloc(&memory, files, sizeof *s->names, "names", error);
        s->names = memory;
    }
    return status;
}

static void finish(state *s) {
    for (size_t i = 0; i < s->count; i++) {
        free(s->names[i]);
    }
    free(s->names);
    free(s->rows);
    psb_mesh_buffer_free(&s->mesh);
    psb_shape_free(s->shape);
    psb_tables_free(s->tables);
    psb_spec_free(s->spec);
}

static psb_status describe(state *s, const char *path, unsigned char *row, psb_error *error) {
    char id[256];
    psb_id_of_file(path, id, sizeof id);
    psb_status status = psb_mesh_load(path, &s->mesh, error);
    if (status != PSB_OK) {
        return status;
    }
    psb_error inner;
    status = psb_shape_load(s->shape, &s->mesh.mesh, id, &inner);
    PSB_THEN(status, psb_shape_describe(s->shape, s->spec, row, &inner));
    return status == PSB_OK ? PSB_OK : psb_fail_at(error, status, path, 0, "%s", inner.message);
}

/* One line a file: its name, then the numbers. */
static void print_row(const state *s, const char *path, const unsigned char *row) {
    cli_print_plain(path);
    for (size_t i = 0; i < psb_spec_length(s->spec); i++) {
        if (psb_spec_element(s->spec) == PSB_UINT8) {
            printf("\t%u", (unsigned)row[i]);
        } else {
            float value;
            memcpy(&value, row + i * sizeof value, sizeof value);
            printf("\t%.9g", (double)value);
        }
    }
    putchar('\n');
}

/* The rows, with their names beside them. */
static psb_status write_rows(const state *s, const char *output, psb_error *error) {
    bool file = !psb_is_written_in_place(output);
    psb_status status = file ? psb_ids_write(output, NULL, 0, error) : PSB_OK;
    PSB_THEN(status, psb_npy_write(output, s->rows, s->count, psb_spec_length(s->spec),
                                   psb_spec_element(s->spec), error));
    return status == PSB_OK && file ? psb_ids_write(output, s->names, s->count, error) : status;
}

/* A file that cannot be used is named and leaves no row; CLI_IO then, or what ends the work. */
static int describe_file(state *s, const char *path, const char *output) {
    psb_error error;
    unsigned char *row = s->rows + s->count * psb_spec_row_bytes(s->spec);
    psb_status status = describe(s, path, row, &error);
    if (status != PSB_OK) {
        return cli_report(&error);
    }
    if (output == NULL) {
        print_row(s, path, row);
    }
    char id[256];
    psb_id_of_file(path, id, sizeof id);
    s->names[s->count] = strdup(id);
    if (s->names[s->count] == NULL) {
        psb_fail_memory(&error, "a name", strlen(id));
        return cli_report(&error);
    }
    s->count++;
    return CLI_DONE;
}

static int describe_all(state *s, const cli_values *values) {
    const char *output = cli_value(values, "output");
    psb_error error;
    int failed = 0, code = CLI_DONE;
    for (int f = 0; f < cli_argument_count(values) && code <= CLI_IO; f++) {
        if (cli_interrupted()) {
            return CLI_INTERRUPTED;
        }
        code = describe_file(s, cli_argument(values, f), output);
        failed += code != CLI_DONE;
    }
    if (code > CLI_IO || s->count == 0) {
        return code;
    }
    if (output != NULL && write_rows(s, output, &error) != PSB_OK) {
        return cli_report(&error);
    }
    if (failed > 0 && cli_verbosity() >= 0) {
        cli_say("described: %zu files, left out: %d", s->count, failed);
    }
    return failed > 0 ? CLI_PARTIAL : CLI_DONE;
}

static int run(const cli_values *values) {
    int count = cli_argument_count(values);
    if (cli_value(values, "models") != NULL) {
        return cli_describe_folder(values);
    }
    if (count == 0) {
        return cli_usage("describe", "needs at least one FILE");
    }
    state s;
    psb_error error;
    psb_status status = start(&s, cli_value(values, "descriptor"), (size_t)count, &error);
    int code = status == PSB_OK ? describe_all(&s, values) : cli_report(&error);
    finish(&s);
    return code;
}

static const cli_option options_table[] = {
    {'d', "descriptor", "SPEC", "descriptor, e.g. SHD or GEDT:width=3", "SHD"},
    {'o', "output", "FILE.npy", "write all rows there instead of printing them", NULL},
    {0, "models", "DIR", "all models of a folder, into the folder RUN (-o RUN)", NULL},
    {0, "split", "PART", "with --models: of a divided set that part", NULL},
    CLI_FOLDER_OPTIONS,
    {0, NULL, NULL, NULL, NULL},
};

const cli_command cmd_describe = {
    .name = "describe",
    .summary = "Compute one descriptor of mesh files.",
    .usage = "[-d SPEC] [-o FILE.npy] FILE... | [-d LIST] --models DIR -o RUN",
    .details =
        "Prints a line a file: its name, then the numbers, separated by tabs; or writes "
        "FILE.npy, a row a file, and beside it FILE.npy.ids with their names, a line each: "
        "of db/8/m812/m812.off 812, as the benchmark's classifications have it. A file "
        "that cannot be used is named and left out, and the exit code is 1.\n\n"
        "With --models each file below DIR that a mesh is read from is a model, named by its "
        "path: chair/chair_0001. No classes are needed. It leaves RUN/features/*.npy with "
        "their names, RUN/models.cla (in which all are miscellaneous), failures.tsv and the "
        "other files of a run without distances and scores; it goes on where it was "
        "interrupted, as 'psbench run' does. The options from --threads on are for it.\n\n"
        "Examples:\n"
        "  psbench describe -d SHD chair.off table.obj\n"
        "  psbench describe -d GEDT -o features.npy my_models/*.off\n"
        "  psbench describe -d SHD,LFD --models my_models -o my_features\n"
        "  psbench search --queries my_features/features/SHD.npy --database "
        "my_features/features/SHD.npy -o k.tsv",
    .options = options_table,
    .run = run,
};
