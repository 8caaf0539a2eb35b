/* Measures how fast meshes are read, in every format and encoding that psbench writes. */
#include "bench.h"
#include "core/clock.h"
#include "io/format.h"

#include <stdlib.h>

enum { PASSES = 4 };

static const struct {
    const char *name;
    const psb_mesh_format *format;
    psb_encoding encoding;
} kinds[] = {
    {"OFF", &psb_format_off, PSB_TEXT},
    {"OBJ", &psb_format_obj, PSB_TEXT},
    {"PLY, text", &psb_format_ply, PSB_TEXT},
    {"STL, text", &psb_format_stl, PSB_TEXT},
    {"PLY, little-endian", &psb_format_ply, PSB_BINARY_LITTLE},
    {"PLY, big-endian", &psb_format_ply, PSB_BINARY_BIG},
    {"STL, binary", &psb_format_stl, PSB_BINARY_LITTLE},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Makes a copy of the OFF file or, for another kind, lets psbench write its mesh. */
static void make_file(const bench_model *model, size_t kind, bench_model *file) {
    psb_mesh_buffer buffer = {0};
    psb_error error;
    FILE *stream = open_memstream(&file->text, &file->size);
    if (stream == NULL) {
        exit(1);
    }
    if (kind == 0) {
        fwrite(model->text, 1, model->size, stream);
    } else {
        bench_check(psb_mesh_parse(model->id, model->text, model->size, &buffer, &error), &error);
        kinds[kind].format->write(stream, &buffer.mesh, kinds[kind].encoding, false);
    }
    fclose(stream);
    psb_mesh_buffer_free(&buffer);
}

static double rate(const bench_slice *files, psb_mesh_buffer *buffer) {
    psb_error error;
    double bytes = 0, start = psb_clock_thread();
    for (int pass = 0; pass < PASSES; pass++) {
        for (size_t m = 0; m < files->count; m++) {
            const bench_model *file = &files->model[m];
            bench_check(psb_mesh_parse("model", file->text, file->size, buffer, &error), &error);
            bytes += (double)file->size;
        }
    }
    return bytes / 1e6 / (psb_clock_thread() - start);
}

static void run_slice(bench_report *report, const bench_slice *slice) {
    bench_slice *files = bench_memory(1, sizeof *files);
    psb_mesh_buffer buffer = {0};
    for (size_t kind = 0; kind < KINDS; kind++) {
        double rates[BENCH_RUNS];
        files->count = slice->count;
        for (size_t m = 0; m < slice->count; m++) {
            make_file(&slice->model[m], kind, &files->model[m]);
        }
        for (int run = 0; run < BENCH_RUNS; run++) {
            rates[run] = rate(files, &buffer);
        }
        bench_add(report, kinds[kind].name, slice->name, "MB/s", rates, BENCH_RUNS,
                  kind > 0 ? bench_median(report, kinds[0].name, slice->name) : 0.0, "OFF");
        bench_slice_free(files);
    }
    psb_mesh_buffer_free(&buffer);
    free(files);
}

void bench_formats(bench_report *report, const bench_slice *slices, size_t nslices) {
    const char *columns[8] = {NULL};
    size_t first = report->count;
    for (size_t i = 0; i < nslices; i++) {
        columns[i] = slices[i].name;
        run_slice(report, &slices[i]);
    }
    bench_print(report, first, "Reading meshes, on one core; beside OFF's rate", columns);
}
