/* Compares a model, one of a run's or a file, with the rows of the run. */
#include "core/file.h"
#include "core/text.h"
#include "eval/ranks.h"
#include "library/parts.h"
#include "run/record.h"
#include "site/answer.h"

enum { NEIGHBORS = 24 };

typedef struct work {
    psb_context *psb;
    const psb_query_options *options;
    psb_subject run; /* its rows become `database` */
    psb_classification cla;
    size_t own; /* number of the model, if it is one of the run's */
    psb_mesh mesh;
    char id[256];
    psb_rows *database, *query;
    psb_matrix *distances;
    psb_answer_match *matches;
    size_t nmatches;
} work;

/* Describes a file as the run described its models. */
static psb_status describe(work *w, psb_error *error) {
    psb_shape *shape = NULL;
    psb_spec *spec = NULL;
    const char *name = w->id;
    psb_status status = psb_spec_open(w->psb, w->run.name, &spec, error);
    PSB_THEN(status, psb_run_check_revision(&w->run.results, &w->run.facts, spec, error));
    PSB_THEN(status, psb_mesh_read(w->options->model, &w->mesh, error));
    size_t bytes = status == PSB_OK ? psb_spec_row_bytes(spec) : 1;
    PSB_THEN(status, psb_id_of_file(w->options->model, w->id, sizeof w->id, error));
    PSB_FREED void *row = psb_new(&status, bytes, 1, "a row", error);
    PSB_THEN(status, psb_shape_open(w->psb, &shape, error));
    PSB_THEN(status,
             psb_within(w->options->model, psb_shape_load(shape, &w->mesh, w->id, error), error));
    PSB_THEN(status,
             psb_within(w->options->model, psb_describe(shape, spec, row, bytes, error), error));
    PSB_THEN(status, psb_rows_new(row, 1, psb_spec_length(spec), psb_spec_element(spec), &name,
                                  &w->query, error));
    psb_shape_free(shape);
    psb_spec_free(spec);
    return status;
}

/* Finds the file of a run's model. */
static psb_status find_file(const psb_results *results, const psb_run_facts *facts, const char *id,
                            char **path, psb_error *error) {
    const char *folder = facts->models_folder;
    psb_status status = folder != NULL ? psb_dataset_find(NULL, folder, id, path, error) : PSB_OK;
    return PSB_THEN_IF(
        status, *path == NULL,
        psb_fail_at(error, PSB_ERROR_IO, folder != NULL ? folder : results->ledger.run, 0,
                    "no file of model %s: is the folder where it was? 'run --models' names another",
                    id));
}

psb_status psb_run_model_file(const char *run, const char *id, char **path, psb_error *error) {
    PSB_AT_END(psb_results_free) psb_results results = {0};
    PSB_AT_END(psb_run_facts_free) psb_run_facts facts = {0};
    PSB_AT_END(psb_cla_free) psb_classification cla = {0};
    size_t model;
    *path = NULL;
    psb_status status = psb_results_open(run, false, &results, error);
    PSB_THEN(status, psb_run_read_facts(&results, &facts, error));
    PSB_THEN(status, psb_run_read_models(&results, &cla, error));
    PSB_THEN(status, psb_results_find_model(&results, &cla, id, &model, error));
    return PSB_THEN(status, find_file(&results, &facts, id, path, error));
}

/* Takes the model's row; its mesh is only read for a page. */
static psb_status take_own(work *w, psb_error *error) {
    const psb_rows *all = w->database;
    const char *name = w->cla.models[w->own];
    PSB_FREED char *path = NULL;
    snprintf(w->id, sizeof w->id, "%s", name);
    psb_status status = psb_rows_new(psb_rows_at(all, w->own), 1, psb_rows_length(all),
                                     psb_rows_element(all), &name, &w->query, error);
    if (w->options->page != NULL) {
        PSB_THEN(status, find_file(&w->run.results, &w->run.facts, name, &path, error));
        PSB_THEN(status, psb_mesh_read(path, &w->mesh, error));
    }
    return status;
}

static psb_status read_rows(work *w, psb_error *error) {
    psb_status status =
        psb_subject_choose(w->psb, w->options->run, w->options->descriptor, false, &w->run, error);
    if (status == PSB_OK && w->run.results.ledger.run == NULL) {
        return psb_fail_at(error, PSB_ERROR_USAGE, w->options->run, 0,
                           "want the folder of a run, or RUN/NAME");
    }
    PSB_THEN(status, psb_run_read_models(&w->run.results, &w->cla, error));
    PSB_THEN_IF(status, w->run.rows.rows != w->cla.nmodels,
                psb_fail_at(error, PSB_ERROR_INPUT, w->run.path, 0, "%zu rows of %zu models",
                            w->run.rows.rows, w->cla.nmodels));
    return PSB_THEN(status, psb_rows_take(w->psb, &w->run, &w->database, error));
}

/* Finds the model among the run's, whose ids go before files of that name, else its file. */
static psb_status read_model(work *w, psb_error *error) {
    psb_status status =
        psb_results_find_model(&w->run.results, &w->cla, w->options->model, &w->own, error);
    const char *model = w->options->model, *slash = strchr(model + 1, '/');
    PSB_FREED char *first = strndup(model, slash != NULL ? (size_t)(slash - model) : strlen(model));
    /* A path in a folder or an archive that is there; what is wrong with it, its reader says. */
    bool path = first != NULL && (psb_is_file(first) || psb_is_folder(first));
    return status == PSB_OK ? take_own(w, error) : path ? describe(w, error) : status;
}

static psb_status rank(work *w, psb_error *error) {
    size_t n = w->cla.nmodels, wanted = w->options->neighbors;
    psb_status status = PSB_OK;
    wanted = wanted > 0 ? wanted : NEIGHBORS;
    w->nmatches = wanted < n ? wanted : n;
    w->matches = psb_new_zero(&status, w->nmatches, sizeof *w->matches, "matches", error);
    PSB_FREED uint64_t *scratch = psb_new(&status, n, PSB_RANK_ALL_BYTES, "a list", error);
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
    return status;
}

/* Writes the page; without the models' files it has no pictures. */
static psb_status write_page(work *w, psb_error *error) {
    const char *folder = w->run.facts.models_folder;
    psb_status status = PSB_OK;
    for (size_t m = 0; m < w->nmatches && folder != NULL && psb_is_folder(folder); m++) {
        char *path = NULL;
        PSB_THEN(status, psb_dataset_find(NULL, folder, w->matches[m].id, &path, error));
        w->matches[m].path = path;
    }
    const psb_answer answer = {.query = w->id,
                               .descriptor = w->run.name,
                               .run = w->run.facts.title,
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
    psb_status status = read_rows(&w, error);
    PSB_THEN(status, read_model(&w, error));
    PSB_THEN(status, psb_distances_between(psb, w.query, w.database, NULL, &w.distances, error));
    PSB_THEN(status, rank(&w, error));
    PSB_THEN(status, list(&w, text, error));
    PSB_THEN_IF(status, options->page != NULL, write_page(&w, error));
    if (status != PSB_OK) {
        free(*text);
        *text = NULL;
    }
    free(w.matches);
    psb_matrix_free(w.distances);
    psb_rows_free(w.query);
    psb_rows_free(w.database);
    psb_mesh_free(&w.mesh);
    psb_cla_free(&w.cla);
    psb_subject_close(&w.run);
    return status;
}
