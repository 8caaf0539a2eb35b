/* psbench align: one model turned, scaled and shifted onto another. */
#include "cli/choices.h"
#include "cli/commands.h"
#include "core/error.h"
#include "core/linear.h"
#include "core/memory.h"
#include "core/vector.h"
#include "io/mesh.h"
#include "io/png.h"
#include "normalize/turn.h"
#include "render/render.h"
#include "report/json.h"
#include "studies/alignment.h"

#include <string.h>

typedef struct request {
    const char *output, *picture;
    int json; /* one of formats */
    bool mirror;
    uint64_t turn;
} request;

static const char *const frames[] = {
    [PSB_FRAME_SURFACE] = "surface",
    [PSB_FRAME_NORMALS] = "normals",
};

static void print_text(const psb_alignment *a, psb_text *text) {
    for (int i = 0; i < 4; i++) {
        const double *row = a->matrix[i];
        psb_text_printf(text, "%16.9g %16.9g %16.9g %16.9g\n", row[0] + 0.0, row[1] + 0.0,
                        row[2] + 0.0, row[3] + 0.0); /* no -0 */
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

/* The matrix is of the file as it is, before it was turned. */
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

/* Draws a model into its place on the sheet, as its file has it, y upward. */
static psb_status draw(const psb_mesh *mesh, size_t place, uint8_t *sheet, psb_error *error) {
    const psb_view view = {WIDTH, HEIGHT, 35, 25, false};
    psb_renderer renderer = {0};
    psb_status status = PSB_OK;
    size_t line = 2 * WIDTH;
    uint8_t *pixels = psb_new(&status, HEIGHT, line, "a picture", error);
    PSB_THEN(status, psb_render(&renderer, mesh, &view, pixels, error));
    for (size_t y = 0; y < HEIGHT && status == PSB_OK; y++) {
        memcpy(sheet + (y * PICTURES + place) * line, pixels + y * line, line);
    }
    psb_renderer_free(&renderer);
    free(pixels);
    return status;
}

/* A as it was, B, and A on B. */
static psb_status draw_all(const psb_mesh *a, const psb_mesh *b, const psb_mesh *on,
                           const char *path, psb_error *error) {
    const psb_mesh *const meshes[PICTURES] = {a, b, on};
    psb_status status = PSB_OK;
    uint8_t *sheet = psb_new(&status, HEIGHT, 2 * PICTURES * WIDTH, "a picture", error);
    for (size_t p = 0; p < PICTURES && status == PSB_OK; p++) {
        status = draw(meshes[p], p, sheet, error);
    }
    PSB_THEN(status, psb_png_write(path, PICTURES * WIDTH, HEIGHT, PSB_GRAY_ALPHA, sheet, error));
    free(sheet);
    return status;
}

static psb_status align(const cli_values *values, const request *r, psb_text *text,
                        psb_error *error) {
    const char *from = cli_argument(values, 0), *to = cli_argument(values, 1);
    const char *output = r->output, *picture = r->picture;
    psb_mesh a = {0}, b = {0}, before = {0};
    psb_alignment found;
    double rotation[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    psb_status status = psb_mesh_read(from, &a, error);
    PSB_THEN(status, psb_mesh_read(to, &b, error));
    if (cli_given(values, "turn")) {
        psb_turn_random(r->turn, "align", rotation);
        psb_turn_mesh(&a, rotation);
    }
    PSB_THEN(status, psb_alignment_find(&a, from, &b, to, r->mirror, &found, error));
    if (picture != NULL) {
        PSB_THEN(status, psb_mesh_read(from, &before, error));
    }
    if (status == PSB_OK) {
        psb_alignment_apply(&found, &a);
    }
    if (status == PSB_OK && output != NULL) {
        status = psb_mesh_write(output, &a, PSB_PRESET, false, error);
    }
    if (status == PSB_OK && picture != NULL) {
        status = draw_all(&before, &b, &a, picture, error);
    }
    if (status == PSB_OK) {
        include_turn(rotation, &found);
        (r->json ? print_json : print_text)(&found, text);
        status = psb_text_status(text, error);
    }
    psb_mesh_free(&before);
    psb_mesh_free(&b);
    psb_mesh_free(&a);
    return status;
}

static int run(const cli_values *values, void *options) {
    psb_text text = {0};
    psb_error error;
    psb_status status = psb_linear_enter(&error);
    if (status == PSB_OK) {
        status = align(values, options, &text, &error);
        psb_linear_leave();
    }
    return cli_print(status, &text, &error);
}

static const cli_word formats[] = {{"txt", false, NULL}, {"json", true, NULL}, {NULL, 0, NULL}};

static const cli_option options[] = {
    CLI_PATH('o', "output", output, NULL, "MESH",
             "write A, on B, in the format of this name's ending"),
    CLI_PATH(0, "picture", picture, NULL, "FILE.png", "draw A, B, and A on B beside each other"),
    CLI_WORD('f', "format", json, formats, "txt", "NAME", "of what is printed"),
    CLI_FLAG(0, "mirror", mirror, "A may be mirrored as well"),
    CLI_WHOLE(0, "turn", turn, 0, 2147483647, NULL, "N",
              "turn A at random first: what comes out should be the same"),
    CLI_END,
};

const cli_command cmd_align = {
    .name = "align",
    .summary = "Turn, scale and shift a model onto another.",
    .usage = "A B [-o A.off]",
    .details =
        "Prints the 4 x 4 matrix that brings points of A's file to B's, as columns (x, y, z, 1), "
        "and the residual: root mean square distance of sample points, of A and of B, to the "
        "nearest of the other, where the mean distance of B's surface to its centre is 1.\n\n"
        "The pose is the one of 24, or of 48 with --mirror, that gives the least distance of "
        "GEDT:shells=8,metric=pose48, in the frame of the principal axes or in that of the "
        "normals'. Closest points refine it, step by step, while the residual falls. Where A has "
        "symmetries, it may as well come to lie in another of its like poses.\n\n"
        "Examples:\n"
        "  psbench align chair1.off chair2.off -o turned.off\n"
        "  psbench align chair1.off chair2.off --picture chairs.png\n"
        "  psbench align left_hand.ply right_hand.ply --mirror -f json\n"
        "  psbench align chair1.off chair2.off --turn 7    # the same matrix, or nearly",
    .options = options,
    .size = sizeof(struct request),
    .least = 2,
    .most = 2,
    .files = true,
    .arguments = "the model to turn and the one that stays",
    .run = run,
};
