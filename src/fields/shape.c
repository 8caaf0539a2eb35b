/* Computes the fields of one model when they are asked for, in buffers that stay. */
#include "fields/shape.h"

#include "core/clock.h"
#include "core/linear.h"
#include "normalize/surface_points.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

enum { POSES = 3 };

/* The fields, as the meter numbers them. A field of a pose has POSES numbers, by psb_pose_kind. */
enum {
    MOMENTS,
    AXES,
    POINTS,
    RASTER = POINTS + POSES,
    DISTANCE = RASTER + POSES,
    AREA_FIELD = DISTANCE + POSES,
    EXTENT,
    VIEW_WORDS,
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
    int most_distance; /* `most` of the distances: see psb_shape_distance */
    psb_raster_rule distance_rule;
    psb_distance_grid distance;
} posed_fields;

/* The extent, valid for the number of points and the pole it was computed with. */
typedef struct extent_field {
    bool valid;
    int points, pole;
    psb_extent extent;
    psb_cell_areas cells;
} extent_field;

/* The word sums of depth views, valid for the number of views they were computed with. */
typedef struct view_field {
    bool valid;
    int views;
    const psb_vocabulary *vocabulary;
    psb_view_words words;
    psb_word_sums view; /* word sums of the present view */
    psb_buffer points;  /* the posed vertices at the scale of views */
    psb_depth_images images;
    psb_feature_work work;
    float image[2][PSB_DEPTH_PIXELS];
    psb_feature features[PSB_FEATURE_MOST];
} view_field;

static pthread_mutex_t making_tables = PTHREAD_MUTEX_INITIALIZER;

struct psb_tables {
    psb_harmonics *harmonics;
    psb_fourier *line;
    /* Changed only under making_tables; NULL until a shape is first asked for it. */
    psb_sphere_grid *spheres;
    psb_moment_basis *moments[PSB_MOMENT_KINDS];      /* by psb_moment_kind */
    psb_vocabulary *vocabulary[PSB_VOCABULARY_KINDS]; /* by psb_vocabulary_kind */
};

struct psb_shape {
    psb_tables *tables;
    const psb_observer *observer;
    const psb_mesh *mesh;
    const char *id;
    uint64_t side; /* see psb_shape_set_side */
    psb_meter meter;
    psb_moments moments;
    psb_frame_kind frame; /* frame of the aligned pose, see psb_shape_set_frame */
    bool has_axes;
    psb_axes axes;
    posed_fields posed[POSES];
    psb_raster passing; /* used only while a distance transform is computed */
    bool has_area_field;
    psb_area_field area_field;
    extent_field extent;
    view_field *views; /* NULL until it is first asked for */
    psb_scratch scratch;
    psb_buffer buffers[PSB_SHAPE_BUFFERS];
};

psb_status psb_tables_new(psb_tables **tables, psb_error *error) {
    psb_status status = PSB_OK;
    *tables = psb_new_zero(&status, 1, sizeof **tables, "shared tables", error);
    PSB_THEN(status, psb_linear_setup(error));
    PSB_THEN(status, psb_harmonics_new(&(*tables)->harmonics, error));
    PSB_THEN(status, psb_fourier_new(PSB_DEPTH_SIDE, 2, &(*tables)->line, error));
    if (status != PSB_OK) {
        psb_tables_free(*tables);
        *tables = NULL;
    }
    return status;
}

void psb_tables_free(psb_tables *tables) {
    if (tables != NULL) {
        psb_harmonics_free(tables->harmonics);
        psb_fourier_free(tables->line);
        psb_sphere_grid_free(tables->spheres);
        for (int kind = 0; kind < PSB_MOMENT_KINDS; kind++) {
            psb_moment_basis_free(tables->moments[kind]);
        }
        for (int kind = 0; kind < PSB_VOCABULARY_KINDS; kind++) {
            psb_vocabulary_free(tables->vocabulary[kind]);
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
    s->tails = psb_new_zero(&status, PSB_SHELLS, sizeof *s->tails, what, error);
    s->values = psb_new_zero(&status, full, sizeof *s->values, what, error);
    return status;
}

psb_status psb_shape_new(psb_tables *tables, psb_shape **shape, psb_error *error) {
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
    if (shape->views != NULL) {
        psb_buffer_free(&shape->views->points);
        psb_buffer_free(&shape->views->images.turned);
        free(shape->views);
    }
    psb_buffer_free(&shape->area_field.sums);
    free(shape->scratch.volume);
    free(shape->scratch.samples);
    free(shape->scratch.transform);
    free(shape->scratch.coefficients);
    free(shape->scratch.tails);
    free(shape->scratch.values);
    free(shape);
}

void psb_shape_set_observer(psb_shape *shape, const psb_observer *observer) {
    shape->observer = observer;
}

const psb_observer *psb_shape_observer(const psb_shape *shape) {
    return shape->observer;
}

/* Invalidates the fields that only the aligned pose has. */
static void forget_axes(psb_shape *shape) {
    shape->has_axes = shape->has_area_field = shape->extent.valid = false;
    if (shape->views != NULL) {
        shape->views->valid = false;
    }
}

/* Adds the frame to a meter's detail about a field of the aligned pose. */
static uint32_t in_frame(const psb_shape *shape, uint32_t detail) {
    return detail ^ (uint32_t)shape->frame << 27;
}

/* Does the same for a field of any pose: only the aligned one has frames. */
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
    if (mesh->ntriangles > 0 || mesh->nvertices == 0) {
        PSB_THEN(status, psb_moments_compute(mesh, &shape->moments, error));
    }
    psb_meter_leave(&shape->meter, MOMENTS, before);
    if (status == PSB_OK) {
        shape->mesh = mesh;
        shape->id = id;
    }
    return status;
}

void psb_shape_unload(psb_shape *shape) {
    shape->mesh = NULL;
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

void psb_shape_set_side(psb_shape *shape, uint64_t side) {
    shape->side = side;
}

psb_random psb_shape_random(const psb_shape *shape, uint64_t seed, const char *purpose) {
    return psb_content_random(shape->mesh, seed, shape->side, purpose);
}

const psb_harmonics *psb_shape_harmonics(const psb_shape *shape) {
    return shape->tables->harmonics;
}

const psb_fourier *psb_shape_line(const psb_shape *shape) {
    return shape->tables->line;
}

/*
 * Runs `make`, which returns a psb_status, if *made is still NULL, and copies *made to *out. One
 * thread at a time does so, and the time is charged to no descriptor.
 */
#define MAKE_ONCE(status, shape, made, make, out)                                                  \
    pthread_mutex_lock(&making_tables);                                                            \
    if (*(made) == NULL) {                                                                         \
        int before = psb_meter_pause(&(shape)->meter);                                             \
        (status) = (make);                                                                         \
        psb_meter_resume(&(shape)->meter, before);                                                 \
    }                                                                                              \
    *(out) = *(made);                                                                              \
    pthread_mutex_unlock(&making_tables)

psb_status psb_shape_spheres(psb_shape *shape, const psb_sphere_grid **spheres, psb_error *error) {
    psb_sphere_grid **made = &shape->tables->spheres;
    psb_status status = PSB_OK;
    MAKE_ONCE(status, shape, made, psb_sphere_grid_new(made, error), spheres);
    return status;
}

psb_status psb_shape_moment_basis(psb_shape *shape, psb_moment_kind kind,
                                  const psb_moment_basis **basis, psb_error *error) {
    psb_moment_basis **made = &shape->tables->moments[kind];
    psb_status status = PSB_OK;
    MAKE_ONCE(status, shape, made, psb_moment_basis_new(kind, made, error), basis);
    return status;
}

psb_status psb_shape_vocabulary(psb_shape *shape, psb_vocabulary_kind kind,
                                const psb_vocabulary **vocabulary, psb_error *error) {
    psb_vocabulary **made = &shape->tables->vocabulary[kind];
    psb_status status = PSB_OK;
    MAKE_ONCE(status, shape, made, psb_vocabulary_shipped(kind, made, error), vocabulary);
    return status;
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
        PSB_THEN_IF(status, pose == PSB_POSE_ALIGNED, psb_shape_axes(shape, &axes, error));
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

psb_status psb_shape_distance(psb_shape *shape, psb_pose_kind pose, psb_scale scale,
                              psb_raster_rule rule, int most, const psb_distance_grid **grid,
                              psb_error *error) {
    posed_fields *fields = fields_of(shape, pose, scale);
    psb_status status = PSB_OK;
    int field = DISTANCE + (int)pose;
    bool is_there =
        fields->has_distance && fields->most_distance == most && fields->distance_rule == rule;
    uint32_t detail =
        posed_detail(shape, pose, (uint32_t)most << 3 | (uint32_t)rule << 2 | (uint32_t)scale);
    int before = psb_meter_enter(&shape->meter, field, detail, is_there);
    if (!is_there) {
        const double *points;
        status = psb_shape_points(shape, pose, scale, &points, error);
        if (status == PSB_OK) {
            (rule == PSB_RASTER_REFERENCE ? psb_raster_sweep : psb_raster_sample)(
                shape->mesh, points, &shape->passing);
            psb_distance_transform(&shape->passing, most, &fields->distance);
            fields->has_distance = true;
            fields->distance_rule = rule;
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
        psb_harmonics_forward_tails(shape->tables->harmonics, PSB_SHELLS, scratch->samples,
                                    scratch->transform, field->extent.shell,
                                    field->extent.shell_tail);
        psb_harmonics_forward_tails(shape->tables->harmonics, 1, scratch->values,
                                    scratch->transform, &field->extent.whole,
                                    &field->extent.whole_tail);
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

/* Allocates the memory for views if there is none yet. */
static psb_status open_views(psb_shape *shape, psb_error *error) {
    psb_status status = PSB_OK;
    if (shape->views == NULL) {
        shape->views = psb_new_zero(&status, 1, sizeof *shape->views, "views", error);
    }
    return status;
}

/* Computes the vertices of the aligned pose at the scale of views. */
static psb_status scale_points(psb_shape *shape, psb_error *error) {
    static const double scale = 0.45 / 0.5; /* mean distance for views / the pose's */
    view_field *field = shape->views;
    size_t n = shape->mesh->nvertices;
    const double *points;
    psb_status status = psb_shape_points(shape, PSB_POSE_ALIGNED, PSB_SCALE_MEAN, &points, error);
    PSB_THEN(status,
             psb_buffer_reserve(&field->points, n, 3 * sizeof(double), "posed vertices", error));
    if (status == PSB_OK) {
        double *scaled = field->points.data;
        for (size_t i = 0; i < 3 * n; i++) {
            scaled[i] = scale * points[i];
        }
    }
    return status;
}

psb_status psb_shape_view_features(psb_shape *shape, int views,
                                   psb_status (*take)(void *context, int view,
                                                      const psb_feature *features, size_t n,
                                                      psb_error *error),
                                   void *context, psb_error *error) {
    double directions[PSB_FINE_VIEWS / 2][3];
    psb_status status = open_views(shape, error);
    PSB_THEN(status, scale_points(shape, error));
    psb_view_directions(views, directions);
    for (int v = 0; v < views && status == PSB_OK; v++) {
        view_field *field = shape->views;
        if (v % 2 == 0) {
            status = psb_depth_images_fill(&field->images, shape->mesh, field->points.data,
                                           directions[v / 2], field->image, error);
        }
        if (status == PSB_OK) {
            size_t n = psb_local_features(field->image[v % 2], &field->work, field->features);
            status = take(context, v, (const psb_feature *)field->features, n, error);
        }
    }
    return status;
}

static psb_status add_view(void *context, int view, const psb_feature *features, size_t n,
                           psb_error *error PSB_UNUSED) {
    psb_shape *shape = context;
    view_field *field = shape->views;
    const psb_vocabulary *v = field->vocabulary;
    bool coded = field->views == PSB_CUBE_VIEWS;
    memset(&field->view, 0, sizeof field->view);
    psb_words_add(v, features, n, &field->words.model, coded ? &field->view : NULL);
    if (coded) {
        field->words.count[view] = psb_view_code(&v->words, &field->view, field->words.code[view]);
    }
    return PSB_OK;
}

psb_status psb_shape_view_words(psb_shape *shape, int views, const psb_view_words **words,
                                psb_error *error) {
    psb_status status = PSB_OK;
    bool is_there = shape->views != NULL && shape->views->valid && shape->views->views == views;
    int before =
        psb_meter_enter(&shape->meter, VIEW_WORDS, in_frame(shape, (uint32_t)views), is_there);
    if (!is_there) {
        status = open_views(shape, error);
        PSB_THEN(status, psb_shape_vocabulary(shape, PSB_VOCABULARY_VIEWS,
                                              &shape->views->vocabulary, error));
    }
    if (!is_there && status == PSB_OK) {
        shape->views->valid = false;
        shape->views->views = views;
        memset(&shape->views->words, 0, sizeof shape->views->words);
        status = psb_shape_view_features(shape, views, add_view, shape, error);
        shape->views->valid = status == PSB_OK;
    }
    psb_meter_leave(&shape->meter, VIEW_WORDS, before);
    *words = shape->views != NULL ? &shape->views->words : NULL;
    return status;
}

const psb_scratch *psb_shape_scratch(psb_shape *shape) {
    return &shape->scratch;
}

psb_buffer *psb_shape_buffer(psb_shape *shape, int which) {
    return &shape->buffers[which];
}

static double sum_of_squares(const double *values, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += values[i] * values[i];
    }
    return sum;
}

psb_status psb_store_part(const double *values, size_t n, double square, float *row,
                          psb_error *error) {
    if (!isfinite(square)) {
        return psb_fail(error, PSB_ERROR_INTERNAL, "a descriptor value is not finite");
    }
    double factor = square > 0.0 ? 1.0 / sqrt(square) : 0.0;
    for (size_t i = 0; i < n; i++) {
        row[i] = (float)(values[i] * factor);
    }
    return PSB_OK;
}

psb_status psb_store_unit(const double *values, size_t n, float *row, psb_error *error) {
    return psb_store_part(values, n, sum_of_squares(values, n), row, error);
}

/* Stores n functions in a form in the scratch values. Returns how many numbers they take. */
static size_t store_values(psb_shape *shape, psb_coefficients *functions, size_t n, psb_form form) {
    for (size_t f = 0; f < n; f++) {
        psb_harmonics_store(functions[f], form, shape->scratch.values + f * psb_form_length(form));
    }
    return n * psb_form_length(form);
}

psb_status psb_store_functions(psb_shape *shape, psb_coefficients *functions, size_t n,
                               psb_form form, float *row, psb_error *error) {
    size_t length = store_values(shape, functions, n, form);
    return psb_store_unit(shape->scratch.values, length, row, error);
}

psb_status psb_store_functions_cut(psb_shape *shape, psb_coefficients *functions,
                                   const psb_tail *tails, size_t n, psb_form form, float *row,
                                   psb_error *error) {
    double square = 0.0;
    for (size_t f = 0; f < n; f++) {
        square += sum_of_squares(functions[f][0], 2 * PSB_COEFFICIENTS);
        square += tails[f].zonal + tails[f].other;
    }
    size_t length = store_values(shape, functions, n, form);
    return psb_store_part(shape->scratch.values, length, square, row, error);
}
