/* Converts, annotates and draws one model, for clients. */
#include "annotate/annotate.h"
#include "core/vector.h"
#include "io/mesh.h"
#include "io/png.h"
#include "library/parts.h"
#include "render/render.h"
#include "report/json.h"

#include <math.h>

psb_status psb_convert(const char *from, const char *to, const psb_convert_options *options,
                       psb_error *error) {
    const psb_convert_options o =
        options != NULL ? *options : (psb_convert_options){.encoding = PSB_PRESET};
    if (psb_is_same_file(from, to)) {
        return psb_fail(error, PSB_ERROR_USAGE,
                        "%s is the input, too: name another file for the output", to);
    }
    PSB_AT_END(psb_mesh_free) psb_mesh mesh = {0};
    psb_status status = psb_mesh_read(from, &mesh, error);
    return PSB_THEN(status, psb_mesh_write(to, &mesh, o.encoding, o.single, error));
}

psb_status psb_info(const char *path, psb_annotations *annotations, psb_error *error) {
    PSB_AT_END(psb_mesh_free) psb_mesh mesh = {0};
    psb_status status = psb_mesh_read(path, &mesh, error);
    return PSB_THEN(status, psb_within(path, psb_annotate(&mesh, annotations, error), error));
}

/* What is said of a point cloud. */
typedef struct cloud_facts {
    size_t points, measured; /* points whose nearest other point was looked for */
    bool normals;
    double lowest[3], highest[3], spacing; /* mean distance to the nearest other point */
} cloud_facts;

/* Of a large cloud every k-th point is measured, so that a second is enough. */
static void look_at_cloud(const psb_mesh_buffer *file, cloud_facts *f) {
    static const double pairs = 1 << 28;
    const double *at = file->mesh.vertices;
    size_t n = file->mesh.nvertices, step = 1 + (size_t)((double)n * (double)n / pairs);
    *f = (cloud_facts){.points = n, .normals = file->normals};
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < 3; k++) {
            f->lowest[k] = i > 0 ? psb_min(f->lowest[k], at[3 * i + k]) : at[k];
            f->highest[k] = i > 0 ? psb_max(f->highest[k], at[3 * i + k]) : at[k];
        }
    }
    for (size_t i = 0; i < n; i += step) {
        double least = HUGE_VAL;
        for (size_t j = 0; j < n; j++) {
            double between[3];
            psb_subtract(at + 3 * j, at + 3 * i, between);
            least = j != i ? psb_min(least, psb_dot(between, between)) : least;
        }
        f->spacing += sqrt(least);
        f->measured++;
    }
    f->spacing = n > 1 ? f->spacing / (double)f->measured : NAN;
}

static void add_box(psb_text *out, const double lowest[3], const double highest[3]) {
    static const char axis_names[] = "xyz";
    psb_text_add(out, "bounding_box:");
    for (int i = 0; i < 6; i++) {
        psb_text_printf(out, "%s %c%s = %g", i > 0 ? "," : "", axis_names[i % 3],
                        i < 3 ? "min" : "max", (i < 3 ? lowest : highest)[i % 3]);
    }
    psb_text_add(out, "\n");
}

/* Appends the lines of an _info.txt file that follow from the geometry, in its layout, digit for
 * digit. */
static void add_text(psb_text *out, const char *path, const psb_annotations *a) {
    psb_text_add(out, "file: ");
    psb_text_add_plain(out, path);
    psb_text_printf(out, "\npolygons: %zu\n", a->polygons);
    psb_text_printf(out, "connected_components: %zu\n", a->connected_components);
    psb_text_printf(out, "average_dihedral_angle: %g\n", a->average_dihedral_angle);
    add_box(out, a->lowest, a->highest);
    psb_text_printf(out, "avg_depth: %f\n", a->average_depth);
    psb_text_printf(out, "center: (%f,%f,%f)\n", a->centre[0], a->centre[1], a->centre[2]);
    psb_text_printf(out, "scale: %f\nprinciple_axes:", a->scale);
    for (int i = 0; i < 3; i++) {
        const double *axis = a->axes.axis[i];
        psb_text_printf(out, "%s (%f,%f,%f)", i > 0 ? "," : "", axis[0], axis[1], axis[2]);
    }
    const double *values = a->axes.values;
    psb_text_printf(out, "\nprinciple_values: (%f,%f,%f)\n", values[0], values[1], values[2]);
}

static void add_cloud_text(psb_text *out, const char *path, const cloud_facts *f) {
    psb_text_add(out, "file: ");
    psb_text_add_plain(out, path);
    psb_text_printf(out, "\npoints: %zu, without faces\nnormals: %s\n", f->points,
                    f->normals ? "yes" : "no");
    add_box(out, f->lowest, f->highest);
    psb_text_printf(out, "spacing: %g (mean distance to the nearest other point", f->spacing);
    psb_text_printf(out, f->measured < f->points ? " of %zu points)\n" : ")\n", f->measured);
}

static void add_three(psb_json *json, cJSON *parent, const char *name, const double values[3]) {
    cJSON *array = psb_json_add_array(json, parent, name);
    for (int i = 0; i < 3; i++) {
        psb_json_add_number(json, array, NULL, values[i]);
    }
}

static void add_json_box(psb_json *json, cJSON *model, const double lowest[3],
                         const double highest[3]) {
    cJSON *box = psb_json_add_object(json, model, "bounding_box");
    add_three(json, box, "min", lowest);
    add_three(json, box, "max", highest);
}

static void add_cloud(psb_json *json, cJSON *models, const char *path, const cloud_facts *f) {
    cJSON *model = psb_json_add_object(json, models, NULL);
    psb_json_add_string(json, model, "file", path);
    psb_json_add_number(json, model, "points", (double)f->points);
    psb_json_add_number(json, model, "normals", f->normals);
    add_json_box(json, model, f->lowest, f->highest);
    psb_json_add_number(json, model, "spacing", f->spacing);
}

/* Appends a model; JSON has no NaN, so such numbers become null. */
static void add_model(psb_json *json, cJSON *models, const char *path, const psb_annotations *a) {
    cJSON *model = psb_json_add_object(json, models, NULL);
    psb_json_add_string(json, model, "file", path);
    psb_json_add_number(json, model, "polygons", (double)a->polygons);
    psb_json_add_number(json, model, "connected_components", (double)a->connected_components);
    psb_json_add_number(json, model, "average_dihedral_angle", a->average_dihedral_angle);
    add_json_box(json, model, a->lowest, a->highest);
    psb_json_add_number(json, model, "avg_depth", a->average_depth);
    add_three(json, model, "center", a->centre);
    psb_json_add_number(json, model, "scale", a->scale);
    cJSON *axes = psb_json_add_array(json, model, "principle_axes");
    for (int i = 0; i < 3; i++) {
        add_three(json, axes, NULL, a->axes.axis[i]);
    }
    add_three(json, model, "principle_values", a->axes.values);
}

/* Appends what is known of a file, to the array of models unless that is NULL, else as text. */
static psb_status add_file(const char *path, psb_json *json, cJSON *models, psb_text *out,
                           psb_error *error) {
    psb_mesh_buffer file = {.clouds = true};
    psb_annotations a;
    cloud_facts facts;
    psb_status status = psb_mesh_load(NULL, path, &file, error);
    bool cloud = file.mesh.ntriangles == 0;
    if (status == PSB_OK && cloud) {
        look_at_cloud(&file, &facts);
    } else if (status == PSB_OK) {
        status = psb_within(path, psb_annotate(&file.mesh, &a, error), error);
    }
    psb_mesh_buffer_free(&file);
    if (status == PSB_OK && models == NULL) {
        psb_text_add(out, out->length > 0 ? "\n" : "");
        cloud ? add_cloud_text(out, path, &facts) : add_text(out, path, &a);
    } else if (status == PSB_OK) {
        cloud ? add_cloud(json, models, path, &facts) : add_model(json, models, path, &a);
    }
    return status;
}

psb_status psb_info_text(psb_context *psb, const char *const *paths, size_t count, bool json,
                         char **text, size_t *described, psb_error *error) {
    psb_json array = {0};
    psb_text out = {0};
    psb_stage stage = {.observer = &psb->observer, .name = "annotations"};
    cJSON *models = json ? psb_json_add_array(&array, NULL, NULL) : NULL;
    psb_status status = PSB_OK;
    *described = 0;
    for (size_t i = 0; i < count && status == PSB_OK && !array.failed; i++) {
        status = add_file(paths[i], &array, models, &out, error);
        if (psb_is_of_bytes(status)) { /* go on with the others */
            psb_observer_fail(&psb->observer, "%s", error->message);
            stage.failures++;
            status = PSB_OK;
        }
        PSB_THEN_IF(status, count > 1 && psb_stage_progress(i + 1, count, &stage) != 0,
                    psb_fail(error, PSB_ERROR_INTERRUPTED, "interrupted"));
    }
    *described = status == PSB_OK ? count - stage.failures : 0;
    if (json) {
        psb_json_finish(&array, &out);
    }
    return psb_give_text(status, &out, text, error);
}

psb_status psb_render_file(const char *model, const psb_view *view, const char *png,
                           psb_error *error) {
    const psb_view v = view != NULL ? *view : psb_view_make(640, 480);
    if (v.width < 1 || v.height < 1 || v.width > PSB_RENDER_LONGEST_SIDE ||
        v.height > PSB_RENDER_LONGEST_SIDE || !(v.azimuth >= -360 && v.azimuth <= 360) ||
        !(v.elevation >= -90 && v.elevation <= 90)) {
        return psb_misuse(error, "a picture has 1 to 2048 pixels each way, and is seen from -360 "
                                 "to 360 and -90 to 90 degrees");
    }
    PSB_AT_END(psb_mesh_free) psb_mesh mesh = {0};
    PSB_AT_END(psb_renderer_free) psb_renderer renderer = {0};
    psb_status status = psb_mesh_read(model, &mesh, error);
    PSB_FREED uint8_t *pixels = psb_new(&status, v.width * v.height, 2, "a picture", error);
    PSB_THEN(status, psb_render(&renderer, &mesh, &v, pixels, error));
    return PSB_THEN(status, psb_png_write(png, v.width, v.height, PSB_GRAY_ALPHA, pixels, error));
}
