/* Learns vocabularies from a collection and writes them to files. */
#include "core/linear.h"
#include "library/parts.h"
#include "studies/vocabulary_learn.h"

#include <string.h>

static const char *const kinds[PSB_VOCABULARY_KINDS] = {"VIEWS", "SPIN"};

static psb_status learn(psb_context *psb, const psb_collection *models, psb_vocabulary_kind kind,
                        const char *path, psb_error *error) {
    psb_vocabulary *vocabulary = NULL;
    psb_shape *first; /* only to fill the context's tables */
    psb_status status = psb_shape_open(psb, &first, error);
    psb_shape_free(first);
    psb_learning learning = {psb->tables, &models->set, kind, psb->threads, &psb->observer};
    PSB_THEN(status, psb_vocabulary_learn(&learning, &vocabulary, error));
    PSB_THEN(status, psb_vocabulary_write(vocabulary, path, error));
    psb_vocabulary_free(vocabulary);
    return status;
}

psb_status psb_learn_vocabulary(psb_context *psb, const psb_collection *models,
                                const char *descriptor, const char *path, psb_error *error) {
    int kind = 0;
    while (kind < PSB_VOCABULARY_KINDS && strcmp(kinds[kind], descriptor) != 0) {
        kind++;
    }
    if (kind == PSB_VOCABULARY_KINDS) {
        return psb_fail(error, PSB_ERROR_USAGE, "'%.80s' has no vocabulary; VIEWS and SPIN have",
                        descriptor);
    }
    if (models->set.paths == NULL) {
        return psb_misuse(error, "the collection was opened without the models' files");
    }
    psb_status status = psb_linear_enter(error);
    if (status == PSB_OK) {
        status = learn(psb, models, (psb_vocabulary_kind)kind, path, error);
        psb_linear_leave();
    }
    return status;
}
