/*
 * Measures the light field's hundred silhouettes with each kernel, in milliseconds a model on one
 * core: moving the vertices into the image, and drawing. The bound is the time to read the mesh and
 * write the image for each view, at the rate of a copy in memory.
 */
#include "bench.h"
#include "core/clock.h"
#include "io/off.h"
#include "lightfield/cameras.h"
#include "lightfield/silhouette_kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KERNELS = 3 };

/* Returns vertices in pixels about the image's middle, roughly as the light field places them. */
static psb_points place(const psb_mesh *mesh) {
    size_t n = mesh->nvertices;
    double *axis = bench_memory(3 * n, sizeof *axis), low[3], high[3], side = 0.0;
    for (size_t k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
        for (size_t t = 0; t < 3 * mesh->ntriangles; t++) {
            double x = mesh->vertices[3 * (size_t)mesh->triangles[t] + k];
            low[k] = fmin(low[k], x);
            high[k] = fmax(high[k], x);
        }
        side = fmax(side, high[k] - low[k]);
    }
    for (size_t v = 0; v < 3 * n; v++) {
        size_t k = v % 3;
        double x = fmin(fmax(mesh->vertices[v], low[k]), high[k]);
        axis[k * n + v / 3] = (x - (low[k] + high[k]) / 2.0) / side * (PSB_SIDE / 2);
    }
    return (psb_points){n, axis, axis + n, axis + 2 * n};
}

static psb_drawing begin_drawing(const psb_mesh *mesh) {
    psb_drawing drawing = {.points = place(mesh)};
    drawing.snapped = bench_memory(drawing.points.n, sizeof *drawing.snapped);
    drawing.block = bench_memory(psb_draw_blocks(mesh->ntriangles), sizeof *drawing.block);
    for (size_t t = 0; t < mesh->ntriangles; t++) {
        psb_drawing_put(&drawing, t, mesh->triangles + 3 * t);
    }
    psb_drawing_close(&drawing, mesh->ntriangles);
    return drawing;
}

static double draw_views(const psb_silhouette_kernel *kernel, const psb_drawing *drawing,
                         psb_bitmap last[PSB_PAIR]) {
    static psb_camera camera[PSB_DODECAHEDRA][PSB_AXES];
    psb_lfd_cameras(camera);
    double start = psb_clock_thread();
    for (int v = 0; v < PSB_VIEWS; v += PSB_PAIR) {
        psb_silhouette_draw_with(kernel, drawing, &camera[v / PSB_AXES][v % PSB_AXES], last);
    }
    return psb_clock_thread() - start;
}

/* Adds a model's milliseconds; ends the program if the kernels differ in the last views. */
static void run_model(const bench_model *model, size_t count, int run,
                      double ms[KERNELS][BENCH_RUNS], double *bytes) {
    psb_mesh_buffer mesh = {0};
    psb_error error;
    bench_check(psb_off_parse(model->id, model->text, model->size, &mesh, &error), &error);
    psb_drawing drawing = begin_drawing(&mesh.mesh);
    psb_bitmap first[PSB_PAIR], other[PSB_PAIR];
    bool any = false;
    for (size_t k = 0; psb_silhouette_kernels[k] != NULL; k++) {
        const psb_silhouette_kernel *kernel =
            (const psb_silhouette_kernel *)psb_silhouette_kernels[k];
        if (psb_cpu_has(kernel->variant.needs)) {
            psb_bitmap *last = any ? other : first;
            ms[k][run] += 1e3 * draw_views(kernel, &drawing, last) / (double)count;
            if (any && memcmp(first, other, sizeof first) != 0) {
                fprintf(stderr, "bench: silhouettes of %s differ\n", kernel->variant.name);
                exit(1);
            }
            any = true;
        }
    }
    *bytes = PSB_VIEWS * (24.0 * (double)mesh.mesh.nvertices + 12.0 * (double)mesh.mesh.ntriangles +
                          sizeof first[0]);
    free((void *)(uintptr_t)drawing.points.x);
    free(drawing.snapped);
    free(drawing.block);
    psb_mesh_buffer_free(&mesh);
}

void bench_silhouettes(bench_report *report, const bench_bounds *bounds, const bench_slice *slice) {
    double ms[KERNELS][BENCH_RUNS] = {{0.0}}, bound = 0.0;
    for (int run = 0; run < BENCH_RUNS; run++) {
        for (size_t m = 0; m < slice->count; m++) {
            double bytes;
            run_model(&slice->model[m], slice->count, run, ms, &bytes);
            bound += bytes / bounds->copy / BENCH_RUNS;
        }
    }
    for (size_t k = 0; psb_silhouette_kernels[k] != NULL; k++) {
        char name[40];
        snprintf(name, sizeof name, "100 silhouettes, %s", psb_silhouette_kernels[k]->name);
        if (psb_cpu_has(psb_silhouette_kernels[k]->needs)) {
            bench_add(report, name, slice->name, "ms", ms[k], BENCH_RUNS,
                      1e3 * bound / (double)slice->count, "copy");
        }
    }
}
