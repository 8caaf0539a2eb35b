/* psbench describe: one descriptor of some files. */
#include "cli/commands.h"
#include "core/error.h"
#include "core/memory.h"
#include "descriptors/descriptor.h"
#include "io/npy.h"
#include "io/off.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct state {
    psb_tables *tables;
    psb_shape *shape;
    psb_spec *spec;
    psb_mesh_buffer mesh;
    unsigned char *rows;
} state;

static psb_status start(state *s, const char *spec, size_t files, psb_error *error) {
    memset(s, 0, sizeof *s);
    psb_status status = psb_spec_parse(spec, &s->spec, error);
    if (status == PSB_OK) {
        status = psb_tables_new(&s->tables, error);
    }
    if (status == PSB_OK) {
        status = psb_shape_new(s->tables, &s->shape, error);
    }
    if (status == PSB_OK) {
        void *memory;
        status = psb_alloc(&memory, files, psb_spec_row_bytes(s->spec), "features", error);
        s->rows = memory;
    }
    return status;
}

static void finish(state *s) {
    free(s->rows);
    psb_mesh_buffer_free(&s->mesh);
    psb_shape_free(s->shape);
    psb_tables_free(s->tables);
    psb_spec_free(s->spec);
}

/* "db/8/m812/m812.off" -> "812": the id that the benchmark's classifications give the model. */
static void id_of(const char *path, char *id, size_t size) {
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    name += name[0] == 'm' && name[1] >= '0' && name[1] <= '9';
    snprintf(id, size, "%.*s", (int)strcspn(name, "."), name);
}

static psb_status describe(state *s, const char *path, unsigned char *row, psb_error *error) {
    char id[256];
    id_of(path, id, sizeof id);
    psb_status status = psb_off_read(path, &s->mesh, error);
    if (status != PSB_OK) {
        return status;
    }
    psb_error inner;
    status = psb_shape_load(s->shape, &s->mesh.mesh, id, &inner);
    if (status == PSB_OK) {
        status = psb_describe(s->shape, s->spec, row, &inner);
    }
    return status == PSB_OK ? PSB_OK : psb_fail_at(error, status, path, 0, "%s", inner.message);
}

/* One line a file: its name, then the numbers. */
static void print_row(const state *s, const char *path, const unsigned char *row) {
    fputs(path, stdout);
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

static int run(const cli_values *values) {
    int count = cli_argument_count(values);
    if (count == 0) {
        return cli_usage("describe", "needs at least one FILE");
    }
    state s;
    psb_error error;
    psb_status status = start(&s, cli_value(values, "descriptor"), (size_t)count, &error);
    for (int f = 0; f < count && status == PSB_OK; f++) {
        const char *path = cli_argument(values, f);
        unsigned char *row = s.rows + (size_t)f * psb_spec_row_bytes(s.spec);
        status = describe(&s, path, row, &error);
        if (status == PSB_OK && cli_value(values, "output") == NULL) {
            print_row(&s, path, row);
        }
    }
    if (status == PSB_OK && cli_value(values, "output") != NULL) {
        status = psb_npy_write(cli_value(values, "output"), s.rows, (size_t)count,
                               psb_spec_length(s.spec), psb_spec_element(s.spec), &error);
    }
    finish(&s);
    return status == PSB_OK ? CLI_DONE : cli_report(&error);
}

static const cli_option options_table[] = {
    {'d', "descriptor", "SPEC", "descriptor, e.g. SHD or GEDT:width=3", "SHD"},
    {'o', "output", "FILE.npy", "write all rows there instead of printing them", NULL},
    {0, NULL, NULL, NULL, NULL},
};

const cli_command cmd_describe = {
    .name = "describe",
    .summary = "Compute one descriptor of OFF files.",
    .usage = "[-d SPEC] [-o FILE.npy] FILE...",
    .details = "Prints a line a file: its name, then the numbers, separated by tabs.",
    .options = options_table,
    .run = run,
};
