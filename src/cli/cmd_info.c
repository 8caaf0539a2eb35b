/* psbench info FILE...: the annotations that the benchmark's _info.txt files give for a model. */
#include "annotate/annotate.h"
#include "cli/commands.h"
#include "core/error.h"

#include <cJSON.h>
#include <math.h>
#include <stdio.h>

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

/* cJSON functions accept NULL and then do nothing, so one look at the end tells of lost memory. */
static bool add(cJSON *object, const char *name, cJSON *item) {
    if (item == NULL || !cJSON_AddItemToObject(object, name, item)) {
        cJSON_Delete(item);
        return false;
    }
    return true;
}

/* JSON has no NaN. */
static cJSON *number(double value) {
    return isnan(value) ? cJSON_CreateNull() : cJSON_CreateNumber(value);
}

static cJSON *three(const double values[3]) {
    return cJSON_CreateDoubleArray(values, 3);
}

static cJSON *three_axes(const psb_axes *axes) {
    cJSON *rows = cJSON_CreateArray();
    for (int i = 0; i < 3 && rows != NULL; i++) {
        cJSON *row = three(axes->axis[i]);
        if (row == NULL || !cJSON_AddItemToArray(rows, row)) {
            cJSON_Delete(row);
            cJSON_Delete(rows);
            return NULL;
        }
    }
    return rows;
}

static bool add_model(cJSON *models, const char *path, const psb_annotations *a) {
    cJSON *model = cJSON_CreateObject();
    if (model == NULL || !cJSON_AddItemToArray(models, model)) {
        cJSON_Delete(model);
        return false;
    }
    cJSON *box = cJSON_CreateObject();
    return add(model, "file", cJSON_CreateString(path)) &&
           add(model, "polygons", number((double)a->polygons)) &&
           add(model, "connected_components", number((double)a->connected_components)) &&
           add(model, "average_dihedral_angle", number(a->average_dihedral_angle)) &&
           add(model, "bounding_box", box) && add(box, "min", three(a->lowest)) &&
           add(box, "max", three(a->highest)) &&
           add(model, "avg_depth", number(a->average_depth)) &&
           add(model, "center", three(a->centre)) && add(model, "scale", number(a->scale)) &&
           add(model, "principle_axes", three_axes(&a->axes)) &&
           add(model, "principle_values", three(a->axes.values));
}

static bool print_json(const cJSON *models) {
    char *text = cJSON_Print(models);
    if (text == NULL) {
        return false;
    }
    puts(text);
    cJSON_free(text);
    return true;
}

static int annotate_file(const char *path, psb_annotations *annotations) {
    psb_mesh mesh;
    psb_error error;
    if (psb_mesh_read(path, &mesh, &error) != PSB_OK) {
        return cli_report(&error);
    }
    psb_status status = psb_annotate(&mesh, annotations, &error);
    psb_mesh_free(&mesh);
    if (status != PSB_OK) {
        psb_error with_path;
        psb_fail_at(&with_path, status, path, 0, "%s", error.message);
        return cli_report(&with_path);
    }
    return CLI_DONE;
}

static int run(const cli_values *values) {
    int count = cli_argument_count(values);
    if (count == 0) {
        return cli_usage("info", "no files");
    }
    cJSON *models = cli_flag(values, "json") ? cJSON_CreateArray() : NULL;
    bool in_memory = models != NULL || !cli_flag(values, "json");
    int done = 0, code = CLI_DONE;
    for (int i = 0; i < count && in_memory && !cli_interrupted(); i++) {
        psb_annotations annotations;
        const char *path = cli_argument(values, i);
        int outcome = annotate_file(path, &annotations);
        if (outcome != CLI_DONE) {
            code = outcome > code ? outcome : code;
            continue;
        }
        if (models != NULL) {
            in_memory = add_model(models, path, &annotations);
        } else {
            fputs(done > 0 ? "\n" : "", stdout);
            print_text(path, &annotations);
        }
        done++;
    }
    if (cli_interrupted()) {
        code = CLI_INTERRUPTED;
    } else if (models != NULL && in_memory) {
        in_memory = print_json(models);
    }
    cJSON_Delete(models);
    if (!in_memory) {
        cli_say("out of memory for the JSON text");
        return CLI_INTERNAL;
    }
    return code == CLI_IO && done > 0 ? CLI_PARTIAL : code;
}

static const cli_option options[] = {
    {0, "json", NULL, "print a JSON array with all digits instead of text", NULL},
    {0, NULL, NULL, NULL, NULL},
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
        "digits of the benchmark's files. docs/annotations.md defines each.",
    .options = options,
    .run = run,
};
