/*
 * Describes one model with one descriptor, through the public header alone:
 *
 *   describe_one MODEL.off [SPEC]      for example: describe_one chair.off GEDT:width=3
 */
#include <psbench.h>
#include <stdio.h>
#include <stdlib.h>

/* Prints the row's length and first numbers. */
static void show(const psb_spec *spec, const void *row) {
    size_t length = psb_spec_length(spec);
    printf("%s: %zu numbers:", psb_spec_label(spec), length);
    for (size_t i = 0; i < length && i < 4; i++) {
        if (psb_spec_element(spec) == PSB_UINT8) {
            printf(" %u", (unsigned)((const unsigned char *)row)[i]);
        } else {
            printf(" %.6f", (double)((const float *)row)[i]);
        }
    }
    printf(" ...\n");
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: describe_one MODEL.off [SPEC]\n");
        return 2;
    }
    psb_error error = {PSB_OK, 0, "out of memory"};
    psb_context *psb = NULL;
    psb_mesh mesh = {0};
    psb_spec *spec = NULL;
    psb_shape *shape = NULL;
    void *row = NULL;
    bool done = psb_context_new(NULL, &psb, &error) == PSB_OK &&
                psb_mesh_read(argv[1], &mesh, &error) == PSB_OK &&
                psb_spec_open(psb, argc == 3 ? argv[2] : "SHD", &spec, &error) == PSB_OK &&
                psb_shape_open(psb, &shape, &error) == PSB_OK &&
                psb_shape_load(shape, &mesh, argv[1], &error) == PSB_OK &&
                (row = malloc(psb_spec_row_bytes(spec))) != NULL &&
                psb_describe(shape, spec, row, psb_spec_row_bytes(spec), &error) == PSB_OK;
    if (done) {
        show(spec, row);
    } else {
        fprintf(stderr, "%s\n", error.message);
    }
    free(row);
    psb_shape_free(shape);
    psb_spec_free(spec);
    psb_mesh_free(&mesh);
    psb_context_free(psb);
    return done ? 0 : 1;
}
