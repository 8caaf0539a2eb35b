/*
 * Describes mesh files and prints their distances from the first:
 *
 *   compare_files SPEC A.off B.off...      for example: compare_files LFD chair.off stool.off
 */
#include <psbench.h>
#include <stdio.h>

/* A file that cannot be used. */
static void name(void *context, const psb_error *error) {
    (void)context;
    fprintf(stderr, "left out: %s\n", error->message);
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: compare_files SPEC A.off B.off...\n");
        return 2;
    }
    psb_error error;
    psb_context *psb = NULL;
    psb_spec *spec = NULL;
    psb_collection *files = NULL;
    psb_rows *rows = NULL;
    psb_matrix *matrix = NULL;
    psb_context_options options = {.observer = {.failed = name}};
    psb_collection_options those = {.files = (const char *const *)argv + 2,
                                    .nfiles = (size_t)argc - 2};
    bool done = psb_context_new(&options, &psb, &error) == PSB_OK &&
                psb_spec_open(psb, argv[1], &spec, &error) == PSB_OK &&
                psb_collection_open(psb, &those, &files, &error) == PSB_OK &&
                psb_describe_all(psb, files, spec, &rows, &error) == PSB_OK &&
                psb_distances(psb, rows, NULL, &matrix, &error) == PSB_OK;
    if (!done) {
        fprintf(stderr, "%s\n", error.message);
    }
    for (size_t i = 1; done && i < psb_matrix_count(matrix); i++) {
        printf("%s %s %g\n", psb_matrix_name(matrix, 0), psb_matrix_name(matrix, i),
               (double)psb_matrix_at(matrix, 0)[i]);
    }
    psb_matrix_free(matrix);
    psb_rows_free(rows);
    psb_collection_free(files);
    psb_spec_free(spec);
    psb_context_free(psb);
    return done ? 0 : 1;
}
