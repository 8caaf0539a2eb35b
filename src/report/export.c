/* Writes ranked lists as text files. */
#include "report/export.h"

#include "eval/ranks.h"
#include "io/name.h"

psb_status psb_export_qrels(const char *path, const psb_classification *cla, const bool *selected,
                            psb_error *error) {
    psb_output output;
    psb_status status = psb_output_open(path, &output, error);
    for (size_t i = 0; i < cla->nmodels && status == PSB_OK; i++) {
        const psb_class *class = &cla->classes[cla->class_of[i]];
        for (size_t j = class->first; selected[i] && j < class->first + class->count; j++) {
            if (j != i) {
                fprintf(output.stream, "%s 0 %s 1\n", cla->models[i], cla->models[j]);
            }
        }
    }
    return status == PSB_OK ? psb_output_commit(&output, error) : status;
}

static void write_tag(FILE *stream, const char *tag) {
    for (; *tag != '\0'; tag++) {
        putc(*tag > ' ' && *tag <= '~' ? *tag : '_', stream);
    }
}

psb_status psb_export_trec(const char *path, const psb_classification *cla,
                           const psb_matrix *matrix, const bool *selected, const char *tag,
                           psb_error *error) {
    psb_output output = {0};
    psb_status status = PSB_OK;
    PSB_FREED void *scratch = psb_new(&status, matrix->n, PSB_RANK_ALL_BYTES, "a list", error);
    PSB_THEN(status, psb_output_open(path, &output, error));
    for (size_t i = 0; i < matrix->n && status == PSB_OK; i++) {
        if (!selected[i]) {
            continue;
        }
        const uint32_t *order = psb_rank_all(matrix->data + i * matrix->n, matrix->n, i, scratch);
        for (size_t k = 0; k + 1 < matrix->n; k++) {
            fprintf(output.stream, "%s Q0 %s %zu %zu ", cla->models[i], cla->models[order[k]],
                    k + 1, matrix->n - 1 - k);
            write_tag(output.stream, tag);
            putc('\n', output.stream);
        }
    }
    return status == PSB_OK ? psb_output_commit(&output, error) : status;
}

static psb_status write_list(const char *path, const psb_classification *cla,
                             const psb_matrix *matrix, size_t query, const uint32_t *order,
                             psb_error *error) {
    psb_output output;
    psb_status status = psb_output_open(path, &output, error);
    if (status != PSB_OK) {
        return status;
    }
    for (size_t k = 0; k + 1 < matrix->n; k++) {
        fprintf(output.stream, "%s %.9g\n", cla->models[order[k]],
                (double)matrix->data[query * matrix->n + order[k]]);
    }
    return psb_output_commit(&output, error);
}

/* Makes the path FOLDER/QUERY. An id that begins with a dot would be a hidden file, or a folder. */
static psb_status path_of(const char *folder, const char *id, psb_text *path, psb_error *error) {
    psb_text_printf(path, "%s/", folder);
    psb_name_add_file(path, id);
    return id[0] != '.' ? psb_text_status(path, error)
                        : psb_fail(error, PSB_ERROR_INPUT,
                                   "the id '%.40s' cannot be the name of a file", id);
}

psb_status psb_export_shrec(const char *folder, const psb_classification *cla,
                            const psb_matrix *matrix, const bool *selected, psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED void *scratch = psb_new(&status, matrix->n, PSB_RANK_ALL_BYTES, "a list", error);
    PSB_THEN(status, psb_make_folder(folder, error));
    for (size_t i = 0; i < matrix->n && status == PSB_OK; i++) {
        if (!selected[i]) {
            continue;
        }
        PSB_AT_END(psb_text_free) psb_text path = {0};
        const uint32_t *order = psb_rank_all(matrix->data + i * matrix->n, matrix->n, i, scratch);
        status = path_of(folder, cla->models[i], &path, error);
        PSB_THEN(status, write_list(path.data, cla, matrix, i, order, error));
    }
    return status;
}
