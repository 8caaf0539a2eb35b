/* One model in a workspace: fields on demand, buffers that stay. */
#include "fields/shape.h"

#include "core/clock.h"
#include "core/linear.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { POSES = 3 };

/* The fields, as the meter numbers them; those of a pose are POSES, by psb_pose_kind. */
enum {
    MOMENTS,
    AXES,
    POINTS,
    RASTER = POINTS + POSES,
    DISTANCE = RASTER + POSES,
    AREA_FIELD = DISTANCE + POSES,
    EXTENT,
    FIELDS,
};

_Static_assert(FIELDS <= (int)PSB_METER_FIELDS, "the meter has an account for each field");

/* The fields of one pose; each is valid for the scale and frame it was computed with. */
typedef struct posed_fields {
    psb_scale scale;
    psb_frame_kind frame;
    bool has_points, has_raster, has_distance;
    psb_buffer points;
    psb_raster raster;
    int most_distance; /* that the distances were computed up to */
    psb_distance_grid distance;
} posed_fields;

/* The extent, valid for the number of points and the pole it was computed with. */
typedef struct extent_field {
    bool valid;
    int points, pole;
    psb_extent extent;
    psb_cell_areas cells;
} extent_field;

struct psb_shape {
    const psb_tables *tables;
    const psb_mesh *mesh;
    const char *id;
    psb_meter meter;
    psb_moments moments;
    psb_frame_kind frame; /* that is asked for */
    bool has_axes;
    psb_axes axes;
    posed_fields posed[POSES];
    psb_raster sampled; /* while a distance transform is made */
    bool has_area_field;
    psb_area_field area_field;
    extent_field extent;
    psb_scratch scratch;
    psb_buffer buffers[PSB_SHAPE_BUFFERS];
};

psb_status psb_tables_new(psb_tables **tables, psb_error *error) {
    psb_status status = PSB_OK;
    *tables = psb_new_zero(&status, 1, sizeof **tables, "shared tables", error);
    PSB_THEN(status, psb_linear_setup(error));
    PSB_THEN(status, psb_harmonics_new(&(*tables)->harmonics, error));
    PSB_THEN(status, psb_sphere_grid_new(&(*tables)->spheres, error));
    for (int kind = 0; kind < PSB_MOMENT_KINDS && status == PSB_OK; kind++) {
        status = psb_moment_basis_new((psb_moment_kind)kind, &(*tables)->moments[kind], error);
    }
    if (status != PSB_OK) {
        psb_tables_free(*tables);
        *tables = NULL;
    }
    return status;
}

void psb_tables_free(psb_tables *tables) {
    if (tables != NULL) {
        psb_harmonics_free(tables->harmonics);
        psb_sphere_grid_free(tables->spheres);
        for (int kind = 0; kind < PSB_MOMENT_KINDS; kind++) {
            psb_moment_basis_free(tables->moments[kind]);
        }
        free(tables);
    }
}

static psb_status make_scratch(psb_scratch *s, psb_error *error) {
    static const char what[] = "a shape";
    psb_status status = PSB_OK;
    size_t transform = psb_harmonics_scratch(PSB_SHELLS), full = (size_t)PSB_SHELLS * PSB_FULL;
    s->volume = psb_new_zero(&status, PSB_VOLUME, sizeof *s->volume, what, error);
    s->samples = psb_new_zero(&status, PSB_SPHERE_SAMPLES, sizeof *s->samples, what, error);
    s->transform = psb_new_zero(&status, transform, sizeof *s->transform, what, error);
    s->coefficients = psb_new_zero(&status, PSB_SHELLS, sizeof *s->coefficients, what, error);
    s->values = psb_new_zero(&status, full, sizeof *s->values, what, error);
    return status;
}

psb_status psb_shape_new(const psb_tables *tables, psb_shape **shape, psb_error *error) {
    psb_status status = PSB_OK;
    *shape = psb_new_zero(&status, 1, sizeof **shape, "a shape", error);
    if (status == PSB_OK) {
        (*shape)->tables = tables;
        (*shape)->meter = (psb_meter){.clock = psb_clock_thread, .charged = PSB_METER_NOBODY};
        status = make_scratch(&(*shape)->scratch, error);
    }
    if (status != PSB_OK) {
        psb_shape_free(*shape);
        *shape = NULL;
    }
    return status;
}

void psb_shape_free(psb_shape *shape) {
    if (shape == NULL) {
        return;
    }
    for (int p = 0; p < POSES; p++) {
        psb_buffer_free(&shape->posed[p].points);
    }
    for (int b = 0; b < PSB_SHAPE_BUFFERS; b++) {
        psb_buffer_free(&shape->buffers[b]);
    }
    psb_cell_areas_free(&shape->extent.cells);
    psb_buffer_free(&shape->area_field.sums);
    free(shape->scratch.volume);
    free(shape->scratch.samples);
    free(shape->scratch.transform);
    free(shape->scratch.coefficients);
    free(shape->scratch.values);
    free(shape);
}

/* What only the aligned pose has. */
static void forget_axes(psb_shape *shape) {
    shape->has_axes = shape->has_area_field = shape->extent.valid = false;
}

/* For the meter, of a field of the aligned pose: made in which frame, too. */
static uint32_t in_frame(const psb_shape *shape, uint32_t detail) {
    return detail ^ (uint32_t)shape->frame << 27;
}

/* Of a field of any pose. */
static uint32_t posed_detail(const psb_shape *shape, psb_pose_kind pose, uint32_t detail) {
    return pose == PSB_POSE_ALIGNED ? in_frame(shape, detail) : detail;
}

psb_status psb_shape_load(psb_shape *shape, const psb_mesh *mesh, const char *id,
                          psb_error *error) {
    shape->mesh = NULL;
    forget_axes(shape);
    for (int p = 0; p < POSES; p++) {
        posed_fields *fields = &shape->posed[p];
        fields->has_points = fields->has_raster = fields->has_distance = false;
    }
    int before = psb_meter_enter(&shape->meter, MOMENTS, 0, false);
    psb_status status = psb_mesh_check(mesh, error);
    PSB_THEN(status, psb_moments_compute(mesh, &shape->moments, error));
    psb_meter_leave(&shape->meter, MOMENTS, before);
    if (status == PSB_OK) {
        shape->mesh = mesh;
        shape->id = id;
    }
    return status;
}

void psb_shape_begin(psb_shape *shape) {
    psb_meter_start(&shape->meter);
}

void psb_shape_end(psb_shape *shape) {
    psb_meter_stop(&shape->meter);
}

psb_cost psb_shape_cost(const psb_shape *shape) {
    return psb_meter_cost(&shape->meter);
}

void psb_shape_set_clock(psb_shape *shape, double (*clock)(void)) {
    shape->meter.clock = clock;
}

const psb_mesh *psb_shape_mesh(const psb_shape *shape) {
    return shape->mesh;
}

const char *psb_shape_id(const psb_shape *shape) {
    return shape->mesh != NULL ? shape->id : NULL;
}

const psb_tables *psb_shape_tables(const psb_shape *shape) {
    return shape->tables;
}

void psb_shape_set_frame(psb_shape *shape, psb_frame_kind frame) {
    if (shape->frame != frame) {
        shape->frame = frame;
        forget_axes(shape);
    }
}

psb_status psb_shape_axes(psb_shape *shape, const psb_axes **axes, psb_error *error) {
    psb_status status = PSB_OK;
    int before = psb_meter_enter(&shape->meter, AXES, in_frame(shape, 0), shape->has_axes);
    if (!shape->has_axes) {
        psb_meter_need(&shape->meter, MOMENTS);
        status = psb_axes_compute(shape->mesh, &shape->moments, shape->frame, &shape->axes, error);
        shape->has_axes = status == PSB_OK;
    }
    psb_meter_leave(&shape->meter, AXES, before);
    *axes = &shape->axes;
    return status;
}

static posed_fields *fields_of(psb_shape *shape, psb_pose_kind pose, psb_scale scale) {
    posed_fields *fields = &shape->posed[pose];
    psb_frame_kind frame = pose == PSB_POSE_ALIGNED ? shape->frame : PSB_FRAME_SURFACE;
    if (fields->scale != scale || fields->frame != frame) {
        fields->scale = scale;
        fields->frame = frame;
        fields->has_points = fields->has_raster = fields->has_distance = false;
    }
    return fields;
}

psb_status psb_shape_points(psb_shape *shape, psb_pose_kind pose, psb_scale scale,
                            const double **points, psb_error *error) {
    posed_fields *fields = fields_of(shape, pose, scale);
    psb_status status = PSB_OK;
    int field = POINTS + (int)pose;
    uint32_t detail = posed_detail(shape, pose, (uint32_t)scale);
    int before = psb_meter_enter(&shape->meter, field, detail, fields->has_points);
    if (!fields->has_points) {
        psb_meter_need(&shape->meter, MOMENTS);
        const psb_axes *axes = NULL;
        if (pose == PSB_POSE_ALIGNED) {
            status = psb_shape_axes(shape, &axes, error);
        }
        PSB_THEN(status, psb_buffer_reserve(&fields->points, shape->mesh->nvertices,
                                            3 * sizeof(double), "posed vertices", error));
        if (status == PSB_OK) {
            psb_pose map = psb_pose_make(pose, scale, &shape->moments, axes);
            psb_pose_apply(&map, shape->mesh->vertices, shape->mesh->nvertices,
                           fields->points.data);
            fields->has_points = true;
        }
    }
    psb_meter_leave(&shape->meter, field, before);
    *points = fields->points.data;
    return status;
}

psb_status psb_shape_raster(psb_shape *shape, psb_pose_kind pose, psb_scale scale,
                            const psb_raster **raster, psb_error *error) {
    posed_fields *fields = fields_of(shape, pose, scale);
    psb_status status = PSB_OK;
    int field = RASTER + (int)pose;
    uint32_t detail = posed_detail(shape, pose, (uint32_t)scale);
    int before = psb_meter_enter(&shape->meter, field, detail, fields->has_raster);
    if (!fields->has_raster) {
        const double *points;
        status = psb_shape_points(shape, pose, scale, &points, error);
        if (status == PSB_OK) {
            psb_raster_fill(shape->mesh, points, &fields->raster);
            fields->has_raster = true;
        }
    }
    psb_meter_leave(&shape->meter, field, before);
    *raster = &fields->raster;
    return status;
}

psb_status psb_shape_distance(psb_shape *shape, psb_pose_kind pose, psb_scale scale, int most,
                              const psb_distance_grid **grid, psb_error *error) {
    posed_fields *fields = fields_of(shape, pose, scale);
    psb_status status = PSB_OK;
    int field = DISTANCE + (int)pose;
    bool is_there = fields->has_distance && fields->most_distance == most;
    uint32_t detail = posed_detail(shape, pose, (uint32_t)most << 2 | (uint32_t)scale);
    int before = psb_meter_enter(&shape->meter, field, detail, is_there);
    if (!is_there) {
        const double *points;
        status = psb_shape_points(shape, pose, scale, &points, error);
        if (status == PSB_OK) {
            psb_raster_sample(shape->mesh, points, &shape->sampled);
            psb_distance_transform(&shape->sampled, most, &fields->distance);
            fields->has_distance = true;
            fields->most_distance = most;
        }
    }
    psb_meter_leave(&shape->meter, field, before);
    *grid = &fields->distance;
    return status;
}

psb_status psb_shape_area_field(psb_shape *shape, psb_area_field **field, psb_error *error) {
    psb_status status = PSB_OK;
    int before =
        psb_meter_enter(&shape->meter, AREA_FIELD, in_frame(shape, 0), shape->has_area_field);
    if (!shape->has_area_field) {
        const double *points;
        status = psb_shape_points(shape, PSB_POSE_ALIGNED, PSB_SCALE_MEAN, &points, error);
        if (status == PSB_OK) {
            double scale = 0.5 / shape->moments.mean_distance;
            status = psb_area_field_fill(
                shape->tables->harmonics, shape->mesh, points, shape->moments.area * scale * scale,
                shape->scratch.samples, shape->scratch.transform, &shape->area_field, error);
            shape->has_area_field = status == PSB_OK;
        }
    }
    psb_meter_leave(&shape->meter, AREA_FIELD, before);
    *field = &shape->area_field;
    return status;
}

static psb_status fill_extent(psb_shape *shape, int points, int pole, psb_error *error) {
    extent_field *field = &shape->extent;
    psb_cell_areas *cells = &field->cells;
    const psb_scratch *scratch = &shape->scratch;
    double scale = 0.5 / shape->moments.mean_distance;
    double density = points / (shape->moments.area * scale * scale);
    const double *vertices;
    psb_status status = psb_shape_points(shape, PSB_POSE_ALIGNED, PSB_SCALE_MEAN, &vertices, error);
    PSB_THEN(status, psb_cell_areas_fill(shape->mesh, vertices, pole,
                                         PSB_EXTENT_LEAST_POINTS / density, cells, error));
    if (status == PSB_OK) {
        psb_extent_distances(cells, density, scratch->values, scratch->samples);
        psb_harmonics_forward(shape->tables->harmonics, PSB_SHELLS, scratch->samples,
                              scratch->transform, field->extent.shell);
        psb_harmonics_forward(shape->tables->harmonics, 1, scratch->values, scratch->transform,
                              &field->extent.whole);
    }
    return status;
}

psb_status psb_shape_extent(psb_shape *shape, int points, int pole, psb_extent **extent,
                            psb_error *error) {
    extent_field *field = &shape->extent;
    psb_status status = PSB_OK;
    bool is_there = field->valid && field->points == points && field->pole == pole;
    uint32_t detail = in_frame(shape, (uint32_t)points << 2 | (uint32_t)pole);
    int before = psb_meter_enter(&shape->meter, EXTENT, detail, is_there);
    if (!is_there) {
        status = fill_extent(shape, points, pole, error);
        field->valid = status == PSB_OK;
        field->points = points;
        field->pole = pole;
    }
    psb_meter_leave(&shape->meter, EXTENT, before);
    *extent = &field->extent;
    return status;
}

const psb_scratch *psb_shape_scratch(psb_shape *shape) {
    return &shape->scratch;
}

psb_buffer *psb_shape_buffer(psb_shape *shape, int which) {
    return &shape->buffers[which];
}

psb_status psb_store_unit(const double *values, size_t n, float *row, psb_error *error) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += values[i] * values[i];
    }
    if (!isfinite(sum)) {
        return psb_fail(error, PSB_ERROR_INTERNAL, "a descriptor value is not finite");
    }
    double factor = sum > 0.0 ? 1.0 / sqrt(sum) : 0.0;
    for (size_t i = 0; i < n; i++) {
        row[i] = (float)(values[i] * factor);
    }
    return PSB_OK;
}

psb_status psb_store_functions(psb_shape *shape, psb_coefficients *functions, size_t n,
                               psb_form form, float *row, psb_error *error) {
    double *values = shape->scratch.values;
    for (size_t f = 0; f < n; f++) {
        psb_harmonics_store(functions[f], form, values + f * psb_form_length(form));
    }
    return psb_store_unit(values, n * psb_form_length(form), row, error);
}
