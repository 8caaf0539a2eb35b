/*
 * A descriptor of one's own, a histogram of the faces' areas, beside SHD in one table:
 *
 *   own_descriptor CLA MODELS      for example: own_descriptor test.cla psb_v1/db
 */
#include <math.h>
#include <psbench.h>
#include <stdio.h>
#include <stdlib.h>

static size_t length(void *context, const double *parameters) {
    (void)context;
    return (size_t)parameters[0];
}

static double area_of(const psb_mesh *mesh, size_t face) {
    const uint32_t *v = mesh->triangles + 3 * face;
    const double *a = mesh->vertices + 3 * (size_t)v[0];
    const double *b = mesh->vertices + 3 * (size_t)v[1];
    const double *c = mesh->vertices + 3 * (size_t)v[2];
    double u[3], w[3];
    for (int i = 0; i < 3; i++) {
        u[i] = b[i] - a[i];
        w[i] = c[i] - a[i];
    }
    return 0.5 * sqrt(pow(u[1] * w[2] - u[2] * w[1], 2) + pow(u[2] * w[0] - u[0] * w[2], 2) +
                      pow(u[0] * w[1] - u[1] * w[0], 2));
}

/* Shares of the faces by how many times halved the whole area is theirs. */
static psb_status compute(void *context, psb_shape *shape, const double *parameters, void *row,
                          psb_error *error) {
    (void)context;
    (void)error;
    const psb_mesh *mesh = psb_shape_mesh(shape);
    int bins = (int)parameters[0];
    float *share = row;
    double whole = 0;
    for (size_t f = 0; f < mesh->ntriangles; f++) {
        whole += area_of(mesh, f);
    }
    for (int b = 0; b < bins; b++) {
        share[b] = 0;
    }
    for (size_t f = 0; f < mesh->ntriangles; f++) {
        double area = area_of(mesh, f), halved = area > 0 ? log2(whole / area) : bins;
        share[halved < bins - 1 ? (int)halved : bins - 1] += 1.0F / (float)mesh->ntriangles;
    }
    return PSB_OK;
}

static const psb_parameter parameters[] = {{"bins", 24, 2, 64}};
static const psb_own_descriptor areas = {.name = "AREAS",
                                         .parameters = parameters,
                                         .nparameters = 1,
                                         .metric = "l1",
                                         .length = length,
                                         .compute = compute};

static psb_status add(psb_context *psb, const psb_collection *models, const char *text,
                      psb_methods *methods, psb_error *error) {
    psb_spec *spec;
    psb_rows *rows = NULL;
    psb_status status = psb_spec_open(psb, text, &spec, error);
    if (status == PSB_OK &&
        (status = psb_describe_all(psb, models, spec, &rows, error)) == PSB_OK) {
        status = psb_methods_add_rows(methods, rows, NULL, text, error);
    }
    psb_rows_free(rows);
    psb_spec_free(spec);
    return status;
}

int main(int argc, char **argv) {
    psb_error error = {.message = "usage: own_descriptor CLA MODELS"};
    psb_context *psb = NULL;
    psb_collection *models = NULL;
    psb_methods *methods = NULL;
    psb_evaluation *e = NULL;
    char *table = NULL;
    psb_collection_options of = {.cla = argv[1], .models = argc == 3 ? argv[2] : NULL};
    bool done = argc == 3 && psb_context_new(NULL, &psb, &error) == PSB_OK &&
                psb_add_descriptor(psb, &areas, &error) == PSB_OK &&
                psb_collection_open(psb, &of, &models, &error) == PSB_OK &&
                psb_methods_open(psb, &(psb_methods_options){.models = models}, &methods, &error) ==
                    PSB_OK &&
                add(psb, models, "SHD", methods, &error) == PSB_OK &&
                add(psb, models, "AREAS", methods, &error) == PSB_OK &&
                psb_evaluate(psb, methods, NULL, &e, &error) == PSB_OK &&
                psb_evaluation_table(e, PSB_MICRO, false, NULL, &table, &error) == PSB_OK;
    fprintf(done ? stdout : stderr, "%s\n", done ? table : error.message);
    free(table);
    psb_evaluation_free(e);
    psb_methods_free(methods);
    psb_collection_free(models);
    psb_context_free(psb);
    return done ? 0 : 1;
}
