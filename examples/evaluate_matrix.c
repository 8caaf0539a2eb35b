/*
 * Evaluates distance matrices, or features by a metric, under a classification:
 *
 *   evaluate_matrix CLA FILE...          for example: evaluate_matrix test.cla SHD.matrix
 */
#include <psbench.h>
#include <stdio.h>

static void show(const psb_evaluation *e, size_t method) {
    const psb_group every_query = {PSB_MICRO, 0};
    printf("%s:", psb_evaluation_label(e, method));
    for (size_t m = 0; m < psb_evaluation_measures(e); m++) {
        psb_mean mean = psb_evaluation_mean(e, method, m, every_query);
        printf(" %s %.1f +- %.1f %%", psb_evaluation_measure(e, m), 100 * mean.value,
               100 * mean.error);
    }
    printf("\n");
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: evaluate_matrix CLA FILE...\n");
        return 2;
    }
    psb_error error;
    psb_context *psb = NULL;
    psb_methods *methods = NULL;
    psb_evaluation *e = NULL;
    psb_methods_options files = {
        .queries = argv[1], .files = (const char *const *)argv + 2, .nfiles = (size_t)argc - 2};
    psb_evaluate_options wanted = {.measures = "nearest_neighbor,dcg"};
    bool done = psb_context_new(NULL, &psb, &error) == PSB_OK &&
                psb_methods_open(psb, &files, &methods, &error) == PSB_OK &&
                psb_evaluate(psb, methods, &wanted, &e, &error) == PSB_OK;
    for (size_t k = 0; done && k < psb_evaluation_methods(e); k++) {
        show(e, k);
    }
    if (!done) {
        fprintf(stderr, "%s\n", error.message);
    }
    psb_evaluation_free(e);
    psb_methods_free(methods);
    psb_context_free(psb);
    return done ? 0 : 1;
}
