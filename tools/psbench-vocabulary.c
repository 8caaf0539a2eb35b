/*
 * psbench-vocabulary VIEWS|SPIN TRAIN.cla MODELS FILE [THREADS] learns what VIEWS or SPIN knows of
 * local features, without labels, from the models of a training list. It made data/vocabulary,
 * which is compiled into psbench: rows by other words are rows of another revision.
 */
#include "core/error.h"
#include "core/linear.h"
#include "core/number.h"
#include "library/parts.h"
#include "vocabulary-learn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static psb_status learn(psb_context *psb, const psb_collection *models, psb_vocabulary_kind kind,
                        const char *path, psb_error *error) {
    psb_vocabulary *vocabulary = NULL;
    psb_shape *first; /* only to fill the context's tables */
    psb_status status = psb_shape_open(psb, &first, error);
    psb_shape_free(first);
    psb_learning learning = {psb->tables, &models->set, kind, psb->threads, &psb->observer};
    PSB_THEN(status, psb_linear_enter(error));
    if (status == PSB_OK) {
        status = psb_vocabulary_learn(&learning, &vocabulary, error);
        psb_linear_leave();
    }
    PSB_THEN(status, psb_vocabulary_write(vocabulary, path, error));
    psb_vocabulary_free(vocabulary);
    return status;
}

int main(int argc, char **argv) {
    static const char *const kinds[PSB_VOCABULARY_KINDS] = {"VIEWS", "SPIN"};
    int64_t threads = 0;
    int kind = 0;
    while (argc > 1 && kind < PSB_VOCABULARY_KINDS && strcmp(kinds[kind], argv[1]) != 0) {
        kind++;
    }
    if (argc < 5 || argc > 6 || kind == PSB_VOCABULARY_KINDS ||
        (argc == 6 && (!psb_parse_int64(argv[5], &threads) || threads < 0))) {
        fprintf(stderr, "usage: psbench-vocabulary VIEWS|SPIN TRAIN.cla MODELS FILE [THREADS]\n");
        return 2;
    }
    const psb_collection_options of = {.cla = argv[2], .models = argv[3], .skip_missing = true};
    const psb_context_options options = {.threads = (int)threads};
    psb_context *psb = NULL;
    psb_collection *models = NULL;
    psb_error error;
    psb_status status = psb_context_new(&options, &psb, &error);
    PSB_THEN(status, psb_collection_open(psb, &of, &models, &error));
    PSB_THEN(status, learn(psb, models, (psb_vocabulary_kind)kind, argv[4], &error));
    if (status != PSB_OK) {
        fprintf(stderr, "psbench-vocabulary: %s\n", error.message);
    }
    psb_collection_free(models);
    psb_context_free(psb);
    return status == PSB_OK ? 0 : 3;
}
