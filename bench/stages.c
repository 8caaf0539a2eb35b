/*
 * Measures stages and descriptors over slices of models, in milliseconds a model on one core.
 *
 * A stage's bound is the traffic it cannot avoid, at the rate of a copy in memory, or its
 * arithmetic at the rate of a matrix product.
 */
#include "bench.h"
#include "core/clock.h"
#include "descriptors/descriptor.h"
#include "io/off.h"

#include <stdlib.h>
#include <string.h>

/* GEDT's Gaussian of four voxels is below 1e-9 beyond this squared distance. */
enum { READ_DISTANCE = 331 };

/* One model on its way through the stages. */
typedef struct subject {
    const bench_model *model;
    psb_spec *const *specs;
    size_t nspecs;
    psb_mesh_buffer mesh;
    psb_shape *shape;
    const double *points;
    psb_raster raster;
    psb_distance_grid grid;
    double *row;
    size_t lines; /* set by count_lines */
} subject;

typedef struct stage {
    const char *name;
    void (*run)(subject *s);
    double (*bytes)(const subject *s);      /* bytes that it has to move; NULL: unknown */
    double (*operations)(const subject *s); /* operations it has to do; NULL: unknown */
} stage;

static const psb_mesh *mesh_of(const subject *s) {
    return &s->mesh.mesh;
}

static void count_lines(subject *s) {
    const char *at = s->model->text, *end = at + s->model->size;
    s->lines = 0;
    while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        at++;
        s->lines++;
    }
}

static void parse(subject *s) {
    psb_error error;
    bench_check(psb_off_parse(s->model->id, s->model->text, s->model->size, &s->mesh, &error),
                &error);
}

static void load(subject *s) {
    psb_error error;
    bench_check(psb_shape_load(s->shape, mesh_of(s), s->model->id, &error), &error);
}

static double mesh_bytes(const subject *s) {
    return 24.0 * (double)mesh_of(s)->nvertices + 12.0 * (double)mesh_of(s)->ntriangles;
}

static void pose(subject *s) {
    psb_error error;
    bench_check(psb_shape_points(s->shape, PSB_POSE_ALIGNED, PSB_SCALE_MEAN, &s->points, &error),
                &error);
}

static void raster(subject *s) {
    psb_raster_fill(mesh_of(s), s->points, &s->raster);
}

static void sampled_raster(subject *s) {
    psb_raster_sample(mesh_of(s), s->points, &s->raster);
}

static void distances(subject *s) {
    psb_distance_transform(&s->raster, READ_DISTANCE, &s->grid);
}

static double grid_bytes(const subject *s) {
    return sizeof s->raster + sizeof s->grid;
}

static void samples(subject *s) {
    const psb_scratch *scratch = psb_shape_scratch(s->shape);
    const psb_sphere_grid *spheres;
    psb_error error;
    bench_check(psb_shape_spheres(s->shape, &spheres, &error), &error);
    psb_sphere_sample_trilinear(spheres, scratch->volume, scratch->samples);
}

static double sample_bytes(const subject *s) {
    (void)s;
    return (double)PSB_SPHERE_SAMPLES * sizeof(double) + (double)PSB_VOLUME * sizeof(float);
}

static void harmonics(subject *s) {
    const psb_scratch *scratch = psb_shape_scratch(s->shape);
    psb_harmonics_forward(psb_shape_harmonics(s->shape), PSB_SHELLS, scratch->samples,
                          scratch->transform, scratch->coefficients);
}

/* Counts products of 16 orders with rings of 64 nodes, and of Legendre functions with 64 rings. */
static double harmonics_operations(const subject *s) {
    (void)s;
    double fourier = (2.0 * PSB_DEGREES - 1) * PSB_GRID * PSB_GRID;
    double legendre = (2.0 * PSB_COEFFICIENTS - PSB_DEGREES) * PSB_GRID;
    return 2.0 * PSB_SHELLS * (fourier + legendre);
}

static void area_field(subject *s) {
    psb_area_field *field;
    psb_error error;
    bench_check(psb_shape_area_field(s->shape, &field, &error), &error);
}

static void extent(subject *s) {
    psb_extent *field;
    psb_error error;
    enum { POINTS = 6000, POLE = 0 }; /* the axis of EXT and REXT; defaults: 4,500 points */
    bench_check(psb_shape_extent(s->shape, POINTS, POLE, &field, &error), &error);
}

static const stage stages[] = {
    {"count lines with memchr", count_lines, NULL, NULL},
    {"parse", parse, NULL, NULL},
    {"moments", load, mesh_bytes, NULL},
    {"axes and pose", pose, mesh_bytes, NULL},
    {"exact raster", raster, mesh_bytes, NULL},
    {"sampled raster", sampled_raster, mesh_bytes, NULL},
    {"distance transform", distances, grid_bytes, NULL},
    {"32 spheres of samples", samples, sample_bytes, NULL},
    {"32 transforms", harmonics, NULL, harmonics_operations},
    {"area by direction, shell", area_field, mesh_bytes, NULL},
    {"extent by direction, shell", extent, mesh_bytes, NULL},
};
enum { STAGES = sizeof stages / sizeof stages[0], MOST_SPECS = 16 };

/* Seconds summed over a slice, for each run. */
typedef struct sums {
    double stage[STAGES][BENCH_RUNS];
    double alone[MOST_SPECS][BENCH_RUNS];
    double together[BENCH_RUNS];
    double bytes, bound[STAGES];
} sums;

/* Returns the seconds of one descriptor, with all fields that it needs and that are not there. */
static double describe(subject *s, const psb_spec *spec) {
    psb_error error;
    double start = psb_clock_thread();
    bench_check(psb_shape_describe(s->shape, spec, s->row, &error), &error);
    return psb_clock_thread() - start;
}

static void run_model(subject *s, const bench_bounds *bounds, int run, sums *total) {
    for (size_t i = 0; i < STAGES; i++) {
        double start = psb_clock_thread();
        stages[i].run(s);
        total->stage[i][run] += psb_clock_thread() - start;
        if (run == 0 && stages[i].bytes != NULL) {
            total->bound[i] += stages[i].bytes(s) / bounds->copy;
        }
        if (run == 0 && stages[i].operations != NULL) {
            total->bound[i] += stages[i].operations(s) / bounds->gemm;
        }
    }
    for (size_t d = 0; d < s->nspecs; d++) {
        load(s);
        total->alone[d][run] += describe(s, s->specs[d]);
    }
    load(s);
    for (size_t d = 0; d < s->nspecs; d++) {
        bool twelve = !psb_spec_descriptor(s->specs[d])->beyond;
        total->together[run] += twelve ? describe(s, s->specs[d]) : 0.0;
    }
    total->bytes += run == 0 ? (double)s->model->size : 0.0;
}

/* Adds a figure: milliseconds of one model from the seconds of all. */
static void add_times(bench_report *report, const bench_slice *slice, const char *name,
                      double seconds[BENCH_RUNS], double bound, const char *by) {
    double each = 1e3 / (double)slice->count;
    for (int run = 0; run < BENCH_RUNS; run++) {
        seconds[run] *= each;
    }
    bench_add(report, name, slice->name, "ms", seconds, BENCH_RUNS, bound * each, by);
}

static void add_figures(bench_report *report, const bench_slice *slice, subject *s, sums *total) {
    for (size_t i = 0; i < STAGES; i++) {
        if (stages[i].run == parse || stages[i].run == count_lines) {
            for (int run = 0; run < BENCH_RUNS; run++) {
                total->stage[i][run] = total->bytes / 1e6 / total->stage[i][run];
            }
            bool first = stages[i].run == count_lines;
            bench_add(report, stages[i].name, slice->name, "MB/s", total->stage[i], BENCH_RUNS,
                      first ? 0.0 : bench_median(report, stages[0].name, slice->name), "memchr");
        } else {
            add_times(report, slice, stages[i].name, total->stage[i], total->bound[i],
                      stages[i].bytes != NULL ? "copy" : "dgemm");
        }
    }
    for (size_t d = 0; d < s->nspecs; d++) {
        add_times(report, slice, psb_spec_label(s->specs[d]), total->alone[d], 0.0, NULL);
    }
    add_times(report, slice, "all twelve together", total->together, 0.0, NULL);
}

static void run_slice(bench_report *report, const bench_bounds *bounds, const bench_slice *slice,
                      subject *s) {
    sums total = {0};
    for (int run = 0; run < BENCH_RUNS; run++) {
        for (size_t m = 0; m < slice->count; m++) {
            s->model = &slice->model[m];
            run_model(s, bounds, run, &total);
        }
    }
    add_figures(report, slice, s, &total);
}

void bench_stages(bench_report *report, const bench_bounds *bounds, const bench_slice *slices,
                  size_t nslices) {
    subject *s = bench_memory(1, sizeof *s);
    psb_tables *tables;
    psb_spec **specs;
    size_t longest = 0, first = report->count;
    psb_error error;
    bench_check(psb_spec_parse_list(NULL, "all,DBUF", &specs, &s->nspecs, &error), &error);
    bench_check(psb_tables_new(&tables, &error), &error);
    bench_check(psb_shape_new(tables, &s->shape, &error), &error);
    for (size_t d = 0; d < s->nspecs; d++) {
        size_t bytes = psb_spec_row_bytes(specs[d]);
        longest = bytes > longest ? bytes : longest;
    }
    s->row = bench_memory(longest, 1);
    s->specs = specs;
    const char *columns[8] = {NULL};
    for (size_t i = 0; i < nslices; i++) {
        columns[i] = slices[i].name;
        run_slice(report, bounds, &slices[i], s);
        bench_silhouettes(report, bounds, &slices[i]);
    }
    bench_print(report, first, "A model, on one core; each descriptor alone, then all", columns);
    for (size_t d = 0; d < s->nspecs; d++) {
        psb_spec_free(specs[d]);
    }
    free(specs);
    free(s->row);
    psb_mesh_buffer_free(&s->mesh);
    psb_shape_free(s->shape);
    psb_tables_free(tables);
    free(s);
}
