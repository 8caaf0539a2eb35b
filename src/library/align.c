/* Turns, scales and shifts one model onto another, for clients. */
#include "core/vector.h"
#include "io/mesh.h"
#include "io/png.h"
#include "library/call.h"
#include "library/parts.h"
#include "normalize/turn.h"
#include "render/render.h"
#include "report/json.h"
#include "studies/alignment.h"

static const char *const frames[] = {
    [PSB_FRAME_SURFACE] = "surface",
    [PSB_FRAME_NORMALS] = "normals",
};

static void print_text(const psb_alignment *a, psb_text *text) {
    for (int i = 0; i < 4; i++) {
        const double *row = a->matrix[i];
        psb_text_printf(text, "%16.9g %16.9g %16.9g %16.9g\n", row[0] + 0.0, row[1] + 0.0,
                        row[2] + 0.0, row[3] + 0.0); /* + 0.0 turns -0 into 0 */
    }
    psb_text_printf(text,
                    "scale %.9g%s\nframe %s, distance %.6f\nresidual %.6f, %.6f before %d steps\n",
                    a->scale, a->mirrored ? ", mirrored" : "", frames[a->frame], a->distance,
                    a->residual, a->before, a->steps);
}

static void print_json(const psb_alignment *a, psb_text *text) {
    psb_json json = {0};
    cJSON *root = psb_json_add_object(&json, NULL, NULL);
    cJSON *matrix = psb_json_add_array(&json, root, "matrix");
    for (int i = 0; i < 4; i++) {
        cJSON *row = psb_json_add_array(&json, matrix, NULL);
        for (int k = 0; k < 4; k++) {
            psb_json_add_number(&json, row, NULL, a->matrix[i][k]);
        }
    }
    psb_json_add_number(&json, root, "scale", a->scale);
    psb_json_add_number(&json, root, "determinant", a->mirrored ? -1 : 1);
    psb_json_add_string(&json, root, "frame", frames[a->frame]);
    psb_json_add_number(&json, root, "distance", a->distance);
    psb_json_add_number(&json, root, "before", a->before);
    psb_json_add_number(&json, root, "residual", a->residual);
    psb_json_add_number(&json, root, "steps", a->steps);
    psb_json_finish(&json, text);
}

psb_status psb_alignment_text(const psb_alignment *alignment, bool json, char **text,
                              psb_error *error) {
    psb_text out = {0};
    (json ? print_json : print_text)(alignment, &out);
    return psb_give_text(PSB_OK, &out, text, error);
}

/* Makes the matrix apply to the file as it is, before the random turn. */
static void include_turn(double rotation[3][3], psb_alignment *a) {
    for (int i = 0; i < 3; i++) {
        double row[3] = {0};
        for (int k = 0; k < 9; k++) {
            row[k % 3] += a->matrix[i][k / 3] * rotation[k / 3][k % 3];
        }
        memcpy(a->matrix[i], row, sizeof row);
    }
}

enum { WIDTH = 320, HEIGHT = 240, PICTURES = 3 };

/* Draws a model as its file has it, y upward, in its place on the sheet. */
static psb_status draw(const psb_mesh *mesh, size_t place, uint8_t *sheet, psb_error *error) {
    const psb_view view = {WIDTH, HEIGHT, 35, 25, false};
    PSB_AT_END(psb_renderer_free) psb_renderer renderer = {0};
    psb_status status = PSB_OK;
    size_t line = 2 * WIDTH;
    PSB_FREED uint8_t *pixels = psb_new(&status, HEIGHT, line, "a picture", error);
    PSB_THEN(status, psb_render(&renderer, mesh, &view, pixels, error));
    for (size_t y = 0; y < HEIGHT && status == PSB_OK; y++) {
        memcpy(sheet + (y * PICTURES + place) * line, pixels + y * line, line);
    }
    return status;
}

/* Draws three pictures side by side: A as it was, B, and A on B. */
static psb_status draw_all(const psb_mesh *a, const psb_mesh *b, const psb_mesh *on,
                           const char *path, psb_error *error) {
    const psb_mesh *const meshes[PICTURES] = {a, b, on};
    psb_status status = PSB_OK;
    PSB_FREED uint8_t *sheet = psb_new(&status, HEIGHT, 2 * PICTURES * WIDTH, "a picture", error);
    for (size_t p = 0; p < PICTURES && status == PSB_OK; p++) {
        status = draw(meshes[p], p, sheet, error);
    }
    return PSB_THEN(status,
                    psb_png_write(path, PICTURES * WIDTH, HEIGHT, PSB_GRAY_ALPHA, sheet, error));
}

static psb_status align(const psb_align_options *o, psb_alignment *found, psb_error *error) {
    PSB_AT_END(psb_mesh_free) psb_mesh a = {0}, b = {0}, before = {0};
    double rotation[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    psb_status status = psb_mesh_read(o->from, &a, error);
    PSB_THEN(status, psb_mesh_read(o->to, &b, error));
    if (o->turn != NULL) {
        psb_turn_random(*o->turn, "align", rotation);
        psb_turn_mesh(&a, rotation);
    }
    PSB_THEN(status, psb_alignment_find(&a, o->from, &b, o->to, o->mirror, found, error));
    PSB_THEN_IF(status, o->picture != NULL, psb_mesh_read(o->from, &before, error));
    if (status == PSB_OK) {
        psb_alignment_apply(found, &a);
        include_turn(rotation, found);
    }
    PSB_THEN_IF(status, o->output != NULL, psb_mesh_write(o->output, &a, PSB_PRESET, false, error));
    return PSB_THEN_IF(status, o->picture != NULL, draw_all(&before, &b, &a, o->picture, error));
}

psb_status psb_align_models(const psb_align_options *options, psb_alignment *found,
                            psb_error *error) {
    *found = (psb_alignment){.steps = 0};
    if (options == NULL || options->from == NULL || options->to == NULL) {
        return psb_misuse(error, "an alignment is of two models");
    }
    PSB_AT_END(psb_call_end) psb_call call = {0};
    psb_status status = psb_call_begin(&call, NULL, error);
    return PSB_THEN(status, align(options, found, error));
}
