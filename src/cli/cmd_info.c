/* psbench info FILE...: the annotations that the benchmark's _info.txt files give for a model. */
#include "annotate/annotate.h"
#include "cli/commands.h"
#include "core/error.h"
#include "report/json.h"

#include <stdio.h>

typedef struct request {
    bool json;
} request;

/* The lines of an _info.txt file that follow from the geometry, digit for digit in its layout. */
static void print_text(const char *path, const psb_annotations *a) {
    static const char axis_names[] = "xyz";
    fputs("file: ", stdout);
    cli_print_plain(path);
    printf("\npolygons: %zu\n", a->polygons);
    printf("connected_components: %zu\n", a->connected_components);
    printf("average_dihedral_angle: %g\n", a->average_dihedral_angle);
    fputs("bounding_box:", stdout);
    for (int i = 0; i < 6; i++) {
        const double *corner = i < 3 ? a->lowest : a->highest;
        printf("%s %c%s = %g", i > 0 ? "," : "", axis_names[i % 3], i < 3 ? "min" : "max",
               corner[i % 3]);
    }
    printf("\navg_depth: %f\n", a->average_depth);
    printf("center: (%f,%f,%f)\n", a->centre[0], a->centre[1], a->centre[2]);
    printf("scale: %f\nprinciple_axes:", a->scale);
    for (int i = 0; i < 3; i++) {
        const double *axis = a->axes.axis[i];
        printf("%s (%f,%f,%f)", i > 0 ? "," : "", axis[0], axis[1], axis[2]);
    }
    const double *values = a->axes.values;
    printf("\nprinciple_values: (%f,%f,%f)\n", values[0], values[1], values[2]);
}

static void add_three(psb_json *json, cJSON *parent, const char *name, const double values[3]) {
    cJSON *array = psb_json_add_array(json, parent, name);
    for (int i = 0; i < 3; i++) {
        psb_json_add_number(json, array, NULL, values[i]);
    }
}

/* JSON has no NaN: such numbers become null. */
static void add_model(psb_json *json, cJSON *models, const char *path, const psb_annotations *a) {
    cJSON *model = psb_json_add_object(json, models, NULL);
    psb_json_add_string(json, model, "file", path);
    psb_json_add_number(json, model, "polygons", (double)a->polygons);
    psb_json_add_number(json, model, "connected_components", (double)a->connected_components);
    psb_json_add_number(json, model, "average_dihedral_angle", a->average_dihedral_angle);
    cJSON *box = psb_json_add_object(json, model, "bounding_box");
    add_three(json, box, "min", a->lowest);
    add_three(json, box, "max", a->highest);
    psb_json_add_number(json, model, "avg_depth", a->average_depth);
    add_three(json, model, "center", a->centre);
    psb_json_add_number(json, model, "scale", a->scale);
    cJSON *axes = psb_json_add_array(json, model, "principle_axes");
    for (int i = 0; i < 3; i++) {
        add_three(json, axes, NULL, a->axes.axis[i]);
    }
    add_three(json, model, "principle_values", a->axes.values);
}

static psb_status annotate_file(const char *path, psb_annotations *annotations, psb_error *error) {
    psb_mesh mesh = {0};
    psb_status status = psb_mesh_read(path, &mesh, error);
    PSB_THEN(status, psb_within(path, psb_annotate(&mesh, annotations, error), error));
    psb_mesh_free(&mesh);
    return status;
}

static int run(const cli_values *values, void *given) {
    int count = cli_argument_count(values);
    bool as_json = ((const request *)given)->json;
    psb_json json = {0};
    psb_text text = {0};
    cJSON *models = as_json ? psb_json_add_array(&json, NULL, NULL) : NULL;
    int done = 0, code = CLI_DONE;
    psb_status status = PSB_OK;
    psb_error error;
    for (int i = 0; i < count && status == PSB_OK && !json.failed && !cli_interrupted(); i++) {
        psb_annotations annotations;
        const char *path = cli_argument(values, i);
        status = annotate_file(path, &annotations, &error);
        if (psb_is_of_bytes(status)) { /* the others are described all the same */
            code = cli_report(&error);
            status = PSB_OK;
        } else if (status == PSB_OK && as_json) {
            add_model(&json, models, path, &annotations);
            done++;
        } else if (status == PSB_OK) {
            fputs(done++ > 0 ? "\n" : "", stdout);
            print_text(path, &annotations);
        }
    }
    if (as_json) {
        psb_json_finish(&json, &text);
    }
    PSB_THEN(status, psb_text_status(&text, &error));
    if (status != PSB_OK) {
        code = cli_report(&error);
    } else if (cli_interrupted()) {
        code = CLI_INTERRUPTED;
    } else {
        fputs(as_json ? text.data : "", stdout);
        code = code == CLI_IO && done > 0 ? CLI_PARTIAL : code;
    }
    psb_text_free(&text);
    return code;
}

static const cli_option options[] = {
    CLI_FLAG(0, "json", json, "print a JSON array with all digits instead of text"),
    CLI_END,
};

const cli_command cmd_info = {
    .name = "info",
    .summary = "Describe models as the benchmark's _info.txt files do.",
    .usage = "FILE...",
    .details =
        "Prints, for each mesh file, its polygons, connected components, average dihedral angle,\n"
        "bounding box, average depth complexity, centre of mass, scale (twice the mean distance "
        "of\n"
        "the surface to the centre) and principal axes and values, in the layout and with the\n"
        "digits of the benchmark's files. docs/annotations.md defines each.\n\n"
        "Examples:\n"
        "  psbench info chair.off\n"
        "  psbench info --json psb_v1/db/*/*/*.off >models.json",
    .options = options,
    .size = sizeof(struct request),
    .least = 1,
    .most = CLI_ANY_NUMBER,
    .files = true,
    .arguments = "at least one file of a model",
    .run = run,
};
