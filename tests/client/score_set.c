/*
 * A client of the library, compiled outside of the tree: reads two meshes and a classification,
 * describes the set by LFD and SHD with two threads, and prints what `psbench eval` prints.
 *
 *   score_set A.off B.off CLA MODELS
 */
#include <psbench.h>
#include <stdio.h>
#include <stdlib.h>

static bool read_mesh(const char *path, psb_error *error) {
    psb_mesh mesh;
    bool read = psb_mesh_read(path, &mesh, error) == PSB_OK;
    if (read) {
        printf("%zu vertices, %zu triangles\n", mesh.nvertices, mesh.ntriangles);
    }
    psb_mesh_free(&mesh);
    return read;
}

static bool add(psb_context *psb, const psb_collection *models, const char *text,
                psb_methods *methods, psb_error *error) {
    psb_spec *spec = NULL;
    psb_rows *rows = NULL;
    bool added = psb_spec_open(psb, text, &spec, error) == PSB_OK &&
                 psb_describe_all(psb, models, spec, &rows, error) == PSB_OK &&
                 psb_methods_add_rows(methods, rows, NULL, text, error) == PSB_OK;
    psb_rows_free(rows);
    psb_spec_free(spec);
    return added;
}

int main(int argc, char **argv) {
    psb_error error = {.message = "usage: score_set A.off B.off CLA MODELS"};
    psb_context *psb = NULL;
    psb_collection *models = NULL;
    psb_methods *methods = NULL;
    psb_evaluation *e = NULL;
    char *text = NULL;
    bool done =
        argc == 5 && read_mesh(argv[1], &error) && read_mesh(argv[2], &error) &&
        psb_context_new(&(psb_context_options){.threads = 2}, &psb, &error) == PSB_OK &&
        psb_collection_open(psb, &(psb_collection_options){.cla = argv[3], .models = argv[4]},
                            &models, &error) == PSB_OK &&
        psb_methods_open(psb, &(psb_methods_options){.models = models}, &methods, &error) ==
            PSB_OK &&
        add(psb, models, "LFD", methods, &error) && add(psb, models, "SHD", methods, &error) &&
        psb_evaluate(psb, methods, NULL, &e, &error) == PSB_OK &&
        psb_evaluation_text(e, PSB_MICRO, &text, &error) == PSB_OK;
    fputs(done ? text : error.message, done ? stdout : stderr);
    free(text);
    psb_evaluation_free(e);
    psb_methods_free(methods);
    psb_collection_free(models);
    psb_context_free(psb);
    return done ? 0 : 1;
}
