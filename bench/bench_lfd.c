/*
 * Speed of the light field descriptor on one core, every kernel beside the plain version, which has
 * to give the same silhouettes and distances.
 *
 *   bench_lfd [COUNT]   at most COUNT models of the test set in the folder that PSB_DIR names, or
 *                       of the built-in benchmark where it names none
 *
 * Times are of the thread's processor clock. A model's time has its reading, its moments and its
 * descriptor apart; the rasteriser's time is a part of the descriptor's.
 */
#include "core/clock.h"
#include "core/memory.h"
#include "core/number.h"
#include "descriptors/lfd_cameras.h"
#include "descriptors/silhouette_kernel.h"
#include "distance/lfd_kernel.h"
#include "io/cla.h"
#include "io/off.h"
#include "synth/synth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KERNELS = 3 };

typedef struct times {
    double read, load, describe, draw[KERNELS];
    size_t models, triangles;
} times;

static void stop_on(psb_status status, const psb_error *error) {
    if (status != PSB_OK) {
        fprintf(stderr, "bench_lfd: %s\n", error->message);
        exit(1);
    }
}

static void *must(void *memory) {
    if (memory == NULL) {
        fprintf(stderr, "bench_lfd: out of memory\n");
        exit(1);
    }
    return memory;
}

/* All views with each rasteriser, of vertices moved into the image roughly as the descriptor does.
 */
static void time_silhouettes(const psb_mesh *mesh, times *sums) {
    static psb_camera camera[PSB_DODECAHEDRA][PSB_AXES];
    static psb_bitmap image, plain[PSB_VIEWS];
    size_t n = mesh->nvertices;
    double *axis = must(malloc(3 * n * sizeof *axis));
    psb_snapped *snapped = must(malloc(n * sizeof *snapped));
    double low[3], high[3], side = 0.0;
    for (size_t i = 0; i < 3; i++) {
        low[i] = high[i] = mesh->vertices[i];
        for (size_t v = 0; v < n; v++) {
            low[i] = fmin(low[i], mesh->vertices[3 * v + i]);
            high[i] = fmax(high[i], mesh->vertices[3 * v + i]);
        }
        side = fmax(side, high[i] - low[i]);
    }
    for (size_t k = 0; k < 3 * n; k++) {
        axis[k % 3 * n + k / 3] =
            (mesh->vertices[k] - (low[k % 3] + high[k % 3]) / 2.0) / side * (PSB_SIDE / 2);
    }
    psb_points points = {n, axis, axis + n, axis + 2 * n};
    psb_lfd_cameras(camera);
    int kernels = 0;
    while (psb_silhouette_kernels[kernels] != NULL) {
        kernels++;
    }
    for (int k = kernels - 1; k >= 0; k--) {
        const psb_silhouette_kernel *kernel = psb_silhouette_kernels[k];
        for (int v = 0; v < PSB_VIEWS && kernel->supported(); v++) {
            const psb_camera *c = &camera[v / PSB_AXES][v % PSB_AXES];
            psb_silhouette_project(&points, c->right, c->up, snapped);
            double start = psb_clock_thread();
            psb_silhouette_draw_with(kernel, snapped, mesh->triangles, mesh->ntriangles, &image);
            sums->draw[k] += psb_clock_thread() - start;
            if (kernel == &psb_silhouette_plain) {
                plain[v] = image;
            } else if (memcmp(&plain[v], &image, sizeof image) != 0) {
                fprintf(stderr, "bench_lfd: silhouettes of %s differ\n", kernel->name);
                exit(1);
            }
        }
    }
    free(axis);
    free(snapped);
}

static void read_model(const psb_classification *cla, const char *folder, size_t i,
                       psb_mesh_buffer *buffer) {
    psb_error error;
    if (folder == NULL) {
        psb_text off = {0};
        stop_on(psb_synth_model(PSB_SYNTH_SEED, i, &off, &error), &error);
        stop_on(psb_off_parse("model", off.data, off.length, buffer, &error), &error);
        psb_text_free(&off);
        return;
    }
    char path[4096];
    int64_t id;
    if (!psb_parse_int64(cla->models[i], &id)) {
        return;
    }
    snprintf(path, sizeof path, "%s/db/%d/m%d/m%d.off", folder, (int)id / 100, (int)id, (int)id);
    buffer->mesh.ntriangles = 0; /* of a missing file */
    (void)psb_off_read(path, buffer, &error);
}

/* Describes all models; returns how many rows there are. */
static size_t time_models(const psb_classification *cla, const char *folder, size_t count,
                          uint8_t *rows, times *sums) {
    psb_tables *tables;
    psb_shape *shape;
    psb_spec *spec;
    psb_error error;
    psb_mesh_buffer buffer = {0};
    stop_on(psb_tables_new(&tables, &error), &error);
    stop_on(psb_shape_new(tables, &shape, &error), &error);
    stop_on(psb_spec_parse("LFD", &spec, &error), &error);
    for (size_t i = 0; i < count; i++) {
        double start = psb_clock_thread();
        read_model(cla, folder, i, &buffer);
        double loading = psb_clock_thread();
        if (buffer.mesh.ntriangles == 0 ||
            psb_shape_load(shape, &buffer.mesh, "model", &error) != PSB_OK) {
            continue;
        }
        double describing = psb_clock_thread();
        stop_on(psb_describe(shape, spec, rows + sums->models * PSB_LFD_LENGTH, &error), &error);
        sums->describe += psb_clock_thread() - describing;
        sums->load += describing - loading;
        sums->read += loading - start;
        sums->models++;
        sums->triangles += buffer.mesh.ntriangles;
        time_silhouettes(&buffer.mesh, sums);
    }
    psb_mesh_buffer_free(&buffer);
    psb_spec_free(spec);
    psb_shape_free(shape);
    psb_tables_free(tables);
    return sums->models;
}

/* One tile with every kernel; the plain version, which comes last, checks the others. */
static void time_distances(const uint8_t *rows, size_t n) {
    static float out[KERNELS][PSB_TILE * PSB_TILE];
    size_t side = n / 2 < PSB_TILE ? n / 2 : PSB_TILE;
    psb_rows a = {rows, side, PSB_LFD_LENGTH, PSB_UINT8};
    psb_rows b = {rows + side * PSB_LFD_LENGTH, side, PSB_LFD_LENGTH, PSB_UINT8};
    void *scratch;
    psb_error error;
    stop_on(psb_alloc(&scratch, 1, psb_lfd_metric.tile_scratch(PSB_LFD_LENGTH), "a tile", &error),
            &error);
    printf("distance, us a pair (%zu x %zu):", side, side);
    for (int k = 0; psb_lfd_kernels[k] != NULL; k++) {
        const psb_lfd_kernel *kernel = psb_lfd_kernels[k];
        if (!kernel->supported()) {
            continue;
        }
        double best = INFINITY;
        for (int repeat = 0; repeat < (kernel->least != NULL ? 5 : 1); repeat++) {
            double start = psb_clock_thread();
            psb_lfd_tile(kernel, &a, &b, scratch, out[k], side);
            best = fmin(best, psb_clock_thread() - start);
        }
        printf("  %s %.2f", kernel->name, best / (double)(side * side) * 1e6);
        for (int other = 0; kernel == &psb_lfd_plain && other < k; other++) {
            if (psb_lfd_kernels[other]->supported() &&
                memcmp(out[other], out[k], side * side * sizeof(float)) != 0) {
                fprintf(stderr, "bench_lfd: distances of %s differ\n",
                        psb_lfd_kernels[other]->name);
                exit(1);
            }
        }
    }
    printf("\n");
    free(scratch);
}

int main(int argc, char **argv) {
    const char *folder = getenv("PSB_DIR");
    psb_classification cla = {0};
    size_t count = psb_synth_model_count();
    if (folder != NULL) {
        char path[4096];
        psb_error error;
        snprintf(path, sizeof path, "%s/classification/v1/base/test.cla", folder);
        stop_on(psb_cla_read(path, &cla, &error), &error);
        count = cla.nmodels;
    }
    int64_t limit;
    if (argc > 1 && psb_parse_int64(argv[1], &limit) && limit >= 4 && (size_t)limit < count) {
        count = (size_t)limit;
    }
    uint8_t *rows = must(malloc(count * PSB_LFD_LENGTH));
    times sums = {0};
    size_t n = time_models(&cla, folder, count, rows, &sums);
    double per_model = n > 0 ? 1e3 / (double)n : 0.0;
    printf("%zu models of %s, %zu triangles a model\n", n,
           folder != NULL ? "the test set" : "the built-in benchmark",
           n > 0 ? sums.triangles / n : 0);
    printf("ms a model: reading %.2f, moments %.2f, descriptor %.2f\n", per_model * sums.read,
           per_model * sums.load, per_model * sums.describe);
    printf("silhouettes, ms a model:");
    for (int k = 0; psb_silhouette_kernels[k] != NULL; k++) {
        printf("  %s %.2f", psb_silhouette_kernels[k]->name, per_model * sums.draw[k]);
    }
    printf("\n");
    if (n >= 4) {
        time_distances(rows, n);
    }
    psb_cla_free(&cla);
    free(rows);
    return 0;
}
