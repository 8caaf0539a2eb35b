/* Compares a model from outside the set with the rows of a run. */
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"
#include "eval/ranks.h"
#include "library/parts.h"
#include "run/record.h"
#include "site/answer.h"

#include <string.h>

enum { NEIGHBORS = 24 };

typedef struct work {
    psb_context *psb;
    const psb_query_options *options;
    psb_results results;
    psb_run_facts facts;
    psb_classification cla;
    psb_spec *spec;
    psb_mesh mesh;
    char id[256];
    psb_rows *database, *query;
    psb_matrix *distances;
    psb_answer_match *matches;
    size_t nmatches;
} work;

/* Makes the spec of the descriptor that the user named; combinations have no rows. */
static psb_status choose(work *w, psb_error *error) {
    const char *wanted = w->options->descriptor;
    psb_text names = {0};
    for (size_t d = 0; d < w->facts.ndescriptors; d++) {
        const psb_descriptor_facts *of = &w->facts.descriptors[d];
        if (of->label != NULL && of->uses == NULL &&
            (wanted == NULL || strcmp(wanted, of->label) == 0)) {
            psb_text_free(&names);
            if (wanted == NULL) {
                psb_observer_say(&w->psb->observer, PSB_NOTE,
                                 "by %s, the first descriptor of %s; --descriptor names another",
                                 of->label, psb_path_shown(w->options->run));
            }
            return psb_spec_open(w->psb, of->label, &w->spec, error);
        }
        if (of->label != NULL && of->uses == NULL) {
            psb_text_printf(&names, " %s", of->label);
        }
    }
    psb_fail(error, PSB_ERROR_USAGE, "%.40s is none of the run's descriptors:%.300s",
             wanted != NULL ? wanted : "a descriptor", names.length > 0 ? names.data : " none");
    psb_text_free(&names);
    return error != NULL ? error->status : PSB_ERROR_USAGE;
}

static psb_status describe(work *w, psb_error *error) {
    psb_shape *shape = NULL;
    size_t bytes = psb_spec_row_bytes(w->spec);
    const char *name = w->id;
    psb_status status = psb_mesh_read(w->options->model, &w->mesh, error);
    PSB_THEN(status, psb_id_of_file(w->options->model, w->id, sizeof w->id, error));
    void *row = psb_new(&status, bytes, 1, "a row", error);
    PSB_THEN(status, psb_shape_open(w->psb, &shape, error));
    PSB_THEN(status,
             psb_within(w->options->model, psb_shape_load(shape, &w->mesh, w->id, error), error));
    PSB_THEN(status,
             psb_within(w->options->model, psb_describe(shape, w->spec, row, bytes, error), error));
    PSB_THEN(status, psb_rows_new(row, 1, psb_spec_length(w->spec), psb_spec_element(w->spec),
                                  &name, &w->query, error));
    if (status == PSB_OK) {
        w->query->metric = psb_spec_metric(w->spec);
    }
    psb_shape_free(shape);
    free(row);
    return status;
}

static psb_status read_rows(work *w, psb_error *error) {
    psb_status status = PSB_OK;
    char *name = psb_new_format(&status, error, "features/%s.npy", w->spec->label.stem);
    char *path = psb_new_format(&status, error, "%s/%s", w->options->run, name);
    PSB_THEN(status, psb_results_need(&w->results, name, error));
    PSB_THEN(status, psb_run_check_revision(&w->results, &w->facts, w->spec, error));
    PSB_THEN(status, psb_rows_read(w->psb, path, NULL, &w->database, error));
    if (status == PSB_OK && psb_rows_count(w->database) != w->cla.nmodels) {
        status = psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "%zu rows of %zu models",
                             psb_rows_count(w->database), w->cla.nmodels);
    }
    free(name);
    free(path);
    return status;
}

static psb_status rank(work *w, psb_error *error) {
    size_t n = w->cla.nmodels, wanted = w->options->neighbors;
    psb_status status = PSB_OK;
    wanted = wanted > 0 ? wanted : NEIGHBORS;
    w->nmatches = wanted < n ? wanted : n;
    w->matches = psb_new_zero(&status, w->nmatches, sizeof *w->matches, "matches", error);
    uint64_t *scratch = psb_new(&status, n, PSB_RANK_ALL_BYTES, "a list", error);
    if (status == PSB_OK) {
        const float *row = psb_matrix_at(w->distances, 0);
        const uint32_t *list = psb_rank_all(row, n, PSB_NONE, scratch);
        for (size_t m = 0; m < w->nmatches; m++) {
            size_t model = list[m];
            w->matches[m] = (psb_answer_match){.id = w->cla.models[model],
                                               .cla = &w->cla,
                                               .class_number = w->cla.class_of[model],
                                               .distance = (double)row[model]};
        }
    } else {
        w->nmatches = 0;
    }
    free(scratch);
    return status;
}

/* Writes the page; without the models' files it has no pictures. */
static psb_status write_page(work *w, psb_error *error) {
    const char *folder = w->facts.models_folder;
    psb_status status = PSB_OK;
    for (size_t m = 0; m < w->nmatches && folder != NULL && psb_is_folder(folder); m++) {
        char *path = NULL;
        if (status == PSB_OK) {
            status = psb_dataset_find(NULL, folder, w->matches[m].id, &path, error);
        }
        w->matches[m].path = path;
    }
    const psb_answer answer = {.query = w->id,
                               .descriptor = psb_spec_label(w->spec),
                               .run = w->facts.title,
                               .mesh = &w->mesh,
                               .matches = w->matches,
                               .nmatches = w->nmatches,
                               .of = w->cla.nmodels};
    PSB_THEN(status, psb_answer_write(&answer, w->options->page, error));
    for (size_t m = 0; m < w->nmatches; m++) {
        free((void *)(uintptr_t)w->matches[m].path);
    }
    return status;
}

static psb_status list(const work *w, char **text, psb_error *error) {
    psb_text out = {0};
    psb_text_add(&out, "rank\tid\tclass\tdistance\n");
    for (size_t m = 0; m < w->nmatches; m++) {
        psb_text_printf(&out, "%zu\t", m + 1);
        psb_text_add_plain(&out, w->matches[m].id);
        psb_text_add(&out, "\t");
        psb_text_add_plain(&out, w->cla.classes[w->matches[m].class_number].full_name);
        psb_text_printf(&out, "\t%.6g\n", w->matches[m].distance);
    }
    psb_status status = psb_text_status(&out, error);
    *text = status == PSB_OK ? out.data : NULL;
    return status;
}

psb_status psb_query(psb_context *psb, const psb_query_options *options, char **text,
                     psb_error *error) {
    *text = NULL;
    if (options == NULL || options->run == NULL || options->model == NULL) {
        return psb_misuse(error, "a query needs the folder of a run and a model");
    }
    work w = {.psb = psb, .options = options};
    psb_status status = psb_results_open(options->run, false, &w.results, error);
    PSB_THEN(status, psb_run_read_facts(&w.results, &w.facts, error));
    PSB_THEN(status, psb_run_read_models(&w.results, &w.cla, error));
    PSB_THEN(status, choose(&w, error));
    PSB_THEN(status, read_rows(&w, error));
    PSB_THEN(status, describe(&w, error));
    PSB_THEN(status, psb_distances_between(psb, w.query, w.database, NULL, &w.distances, error));
    PSB_THEN(status, rank(&w, error));
    PSB_THEN(status, list(&w, text, error));
    if (status == PSB_OK && options->page != NULL) {
        status = write_page(&w, error);
    }
    if (status != PSB_OK) {
        free(*text);
        *text = NULL;
    }
    free(w.matches);
    psb_matrix_free(w.distances);
    psb_rows_free(w.query);
    psb_rows_free(w.database);
    psb_mesh_free(&w.mesh);
    psb_spec_free(w.spec);
    psb_cla_free(&w.cla);
    psb_run_facts_free(&w.facts);
    psb_results_free(&w.results);
    return status;
}
