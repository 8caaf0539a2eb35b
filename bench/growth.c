/* Measures how costs grow with the faces of a shape, and with the number of models. */
#include "bench.h"
#include "core/clock.h"
#include "descriptors/descriptor.h"
#include "io/off.h"
#include "synth/off_text.h"
#include "synth/solids.h"

#include <stdlib.h>
#include <string.h>

/* Appends an ellipsoid of `around`^2 faces as the text of an OFF file. */
static void write_shape(int around, psb_text *text) {
    psb_builder builder = {0};
    psb_random random = psb_random_seeded(1, "growth", "bench");
    psb_error error;
    psb_builder_restart(&builder, &error);
    builder.around = around;
    builder.grid = around / 4;
    builder.smooth = around / 4;
    psb_add_ball(&builder, 0.0, 0.0, 0.0, 1.0, 0.7, 0.5);
    psb_add_off_text(text, &builder, 0, &random);
    bench_check(builder.status, &error);
    bench_check(psb_text_status(text, &error), &error);
    psb_builder_free(&builder);
}

typedef struct workspace {
    psb_tables *tables;
    psb_shape *shape;
    psb_spec **specs;
    size_t nspecs;
    psb_mesh_buffer mesh;
    void *row;
} workspace;

enum { PARSE, MOMENTS, ELEVEN, LIGHT_FIELD, KINDS };
static const char *const kinds[KINDS] = {"parse", "moments", "eleven descriptors", "LFD"};

static void run_shape(workspace *w, const psb_text *text, int run, double ms[KINDS][BENCH_RUNS]) {
    psb_error error;
    double clock[2] = {psb_clock_thread()};
    bench_check(psb_off_parse("shape", text->data, text->length, &w->mesh, &error), &error);
    clock[1] = psb_clock_thread();
    bench_check(psb_shape_load(w->shape, &w->mesh.mesh, "shape", &error), &error);
    ms[PARSE][run] = 1e3 * (clock[1] - clock[0]);
    ms[MOMENTS][run] = 1e3 * (psb_clock_thread() - clock[1]);
    ms[ELEVEN][run] = ms[LIGHT_FIELD][run] = 0.0;
    for (size_t d = 0; d < w->nspecs; d++) {
        double start = psb_clock_thread();
        bench_check(psb_shape_describe(w->shape, w->specs[d], w->row, &error), &error);
        int kind = strcmp(psb_spec_label(w->specs[d]), "LFD") == 0 ? LIGHT_FIELD : ELEVEN;
        ms[kind][run] += 1e3 * (psb_clock_thread() - start);
    }
}

static void start(workspace *w) {
    size_t longest = 0;
    psb_error error;
    bench_check(psb_spec_parse_list(NULL, "all", &w->specs, &w->nspecs, &error), &error);
    bench_check(psb_tables_new(&w->tables, &error), &error);
    bench_check(psb_shape_new(w->tables, &w->shape, &error), &error);
    for (size_t d = 0; d < w->nspecs; d++) {
        size_t bytes = psb_spec_row_bytes(w->specs[d]);
        longest = bytes > longest ? bytes : longest;
    }
    w->row = bench_memory(longest, 1);
}

static void end(workspace *w) {
    for (size_t d = 0; d < w->nspecs; d++) {
        psb_spec_free(w->specs[d]);
    }
    free(w->specs);
    free(w->row);
    psb_mesh_buffer_free(&w->mesh);
    psb_shape_free(w->shape);
    psb_tables_free(w->tables);
}

static void grow_faces(bench_report *report, workspace *w) {
    enum { SIZES = 6 };
    static char where[SIZES][24];
    const char *columns[SIZES + 1] = {NULL};
    size_t first = report->count;
    for (int size = 0; size < SIZES; size++) {
        psb_text text = {0};
        double ms[KINDS][BENCH_RUNS];
        size_t runs = size < SIZES - 2 ? BENCH_RUNS : 2;
        write_shape(32 << size, &text);
        for (size_t run = 0; run < runs; run++) {
            run_shape(w, &text, (int)run, ms);
        }
        snprintf(where[size], sizeof where[size], "%zu faces", w->mesh.mesh.ntriangles);
        columns[size] = where[size];
        for (int kind = 0; kind < KINDS; kind++) {
            bench_add(report, kinds[kind], where[size], "ms", ms[kind], runs, 0.0, NULL);
        }
        psb_text_free(&text);
    }
    bench_print(report, first, "One shape, ever finer, on one core", columns);
}

/* Describes the models 1, 2 and 4 times: the time of one should not depend on the number. */
static void grow_models(bench_report *report, workspace *w, const bench_slice *slice) {
    static const size_t times[] = {1, 2, 4};
    static char where[3][24];
    const char *columns[] = {where[0], where[1], where[2], NULL};
    size_t first = report->count;
    for (int size = 0; size < 3; size++) {
        double ms[KINDS][BENCH_RUNS], each[BENCH_RUNS] = {0.0};
        size_t n = times[size] * slice->count;
        for (int run = 0; run < BENCH_RUNS; run++) {
            for (size_t m = 0; m < n; m++) {
                const bench_model *model = &slice->model[m % slice->count];
                psb_text text = {.data = model->text, .length = model->size};
                run_shape(w, &text, run, ms);
                each[run] += (ms[PARSE][run] + ms[MOMENTS][run] + ms[ELEVEN][run]) / (double)n;
            }
        }
        snprintf(where[size], sizeof where[size], "%zu models", n);
        bench_add(report, "a model without LFD", where[size], "ms", each, BENCH_RUNS, 0.0, NULL);
    }
    bench_print(report, first, "More models, on one core", columns);
}

void bench_growth(bench_report *report, const bench_slice *slice) {
    workspace w = {0};
    start(&w);
    grow_faces(report, &w);
    grow_models(report, &w, slice);
    end(&w);
}
