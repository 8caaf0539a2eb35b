/* Writes the pages of methods over a set: of a run that just ended, of the folder of an earlier run
 * (with methods from elsewhere beside its own), or of methods that a client opened. */
#include "core/element.h"
#include "descriptors/glimpse.h"
#include "io/query_list.h"
#include "library/call.h"
#include "library/methods.h"
#include "library/pages_key.h"
#include "library/run.h"
#include "report/named_facts.h"
#include "run/album.h"
#include "run/maps.h"
#include "run/record.h"
#include "site/bundle.h"
#include "studies/beyond.h"
#include "studies/paper_tables.h"

#include <math.h>

typedef struct work {
    psb_context *psb;
    const psb_pages_options *options;
    psb_pages_result *result;
    psb_results results;
    const psb_methods *given; /* methods beside the run's, or without a run; or NULL */
    psb_methods *opened;      /* `given`, if this code opened them */
    bool *streams;            /* true for those of `given` without a matrix */
    const char **names;       /* file name of each of `given`, for the pages */
    psb_run_record record;
    psb_results since; /* an earlier run to compare with, and its record */
    psb_run_record before;
    psb_album album;
    const psb_report *report;
} work;

static int show_progress(void *context, const char *stage, size_t done, size_t total) {
    const psb_observer *o = &((const work *)context)->psb->observer;
    return o->progress != NULL ? o->progress(o->context, stage, done, total, 0) : 0;
}

static int show_ranking(size_t done, size_t total, void *context) {
    return show_progress(context, "ranks", done, total);
}

static void name_left_out_of(work *w, const char *run, const char *name, const char *why) {
    psb_observer_left_out(&w->psb->observer, run, name, why);
    w->result->left_out++;
}

static void name_left_out(void *context, const char *name, const char *why) {
    work *w = context;
    name_left_out_of(w, w->results.ledger.run, name, why);
}

/* Looks at a file of the run from which a part of the pages is made. If the run made it and it is
 * not as it was, that part is left out and named. */
static psb_status look(work *w, const char *name, const psb_descriptor_facts *of, bool *fine,
                       psb_error *error) {
    psb_finding found;
    psb_status status = psb_results_look(&w->results, name, &found, error);
    if (status == PSB_OK && of != NULL) {
        psb_run_judge(of, &found);
    }
    *fine = status == PSB_OK && found.state == PSB_OUTPUT_OK;
    if (status == PSB_OK && !*fine && found.state != PSB_OUTPUT_NONE) {
        name_left_out(w, name, found.reason);
    }
    return status;
}

static void name_left_out_before(void *context, const char *name, const char *why) {
    work *w = context;
    name_left_out_of(w, w->since.ledger.run, name, why);
}

/* Finds a model's file for pictures. They must show what was measured, so a file that differs from
 * the run's is refused. */
static psb_status find_model(void *context, const psb_archive *archive, const char *folder,
                             const char *id, char **path, psb_error *error) {
    const psb_ledger *ledger = &((const work *)context)->results.ledger;
    psb_model_state state = PSB_MODEL_UNKNOWN;
    psb_status status = psb_dataset_find(archive, folder, id, path, error);
    PSB_THEN_IF(status, *path != NULL,
                psb_ledger_model_state(ledger, archive, id, *path, &state, error));
    if (state == PSB_MODEL_OTHER) {
        status = psb_fail_at(error, PSB_ERROR_INPUT, *path, 0,
                             "changed since %s was made; repeat the run's command", ledger->run);
        free(*path);
        *path = NULL;
    }
    return status;
}

static bool find_portrait(void *context, uint64_t hash, psb_text *packed) {
    return psb_album_find(&((const work *)context)->album, hash, packed);
}

static psb_status open_own(work *w, size_t which, psb_feature_set *set, char **path,
                           psb_error *error) {
    const psb_report *report = w->report;
    return psb_run_features(report->run, &report->facts->descriptors[which],
                            report->evaluation->cla->nmodels, &w->psb->added, set, path, error);
}

/* Measures a method from its features. The record of a run that just ended is complete and belongs
 * to the client, so it is not changed. */
static psb_status stream(void *context, size_t which, const psb_watcher *watcher,
                         psb_error *error) {
    work *w = context;
    const psb_report *report = w->report;
    const psb_evaluation *e = report->evaluation;
    PSB_AT_END(psb_feature_set_close) psb_feature_set set = {0};
    psb_memory_plan plan;
    PSB_FREED char *path = NULL;
    size_t own = report->facts->ndescriptors - report->ngiven;
    psb_status status = which < own ? open_own(w, which, &set, &path, error) : PSB_OK;
    const psb_measuring of = {.cla = e->cla,
                              .set = which < own ? &set : &w->given->features[which - own],
                              .measures = e->measures,
                              .count = e->nmeasures,
                              .threads = w->psb->threads,
                              .memory = PSB_STREAM_MEMORY,
                              .observer = &w->psb->observer,
                              .watcher = watcher};
    PSB_THEN(status, psb_measure_range(&of, 0, e->cla->nmodels, psb_evaluation_values(e, which),
                                       &plan, error));
    if (status == PSB_OK && which >= own) {
        psb_methods_judge_chance(w->given, which - own, e, psb_evaluation_values(e, which));
    }
    if (status == PSB_OK && w->options->result == NULL) {
        psb_run_record_average(&w->record, which);
    }
    return status;
}

/* Returns the run's file from which a descriptor's distances come, allocated as by psb_new; NULL
 * for methods from elsewhere. */
static char *distances_of(const work *w, size_t which, psb_status *status, psb_error *error) {
    const psb_report *r = w->report;
    bool given = w->options->run == NULL || which >= r->facts->ndescriptors - r->ngiven;
    bool streamed = r->streamed != NULL && r->streamed[which];
    return given
               ? NULL
               : psb_new_format(status, error, streamed ? "features/%s.npy" : "matrices/%s.matrix",
                                r->facts->descriptors[which].stem);
}

static psb_status find_map(void *context, size_t which, float *xy, bool *found, psb_error *error) {
    work *w = context;
    psb_status status = PSB_OK;
    PSB_FREED char *distances = distances_of(w, which, &status, error);
    size_t n = w->report->evaluation->cla->nmodels;
    if (distances != NULL) {
        status = psb_run_map_read(&w->results, distances, n, xy, found, error);
    }
    return status;
}

/* Keeps the maps in the run's folder, unless the pages are written to another one. */
static psb_status keep_maps(void *context, const float *const *xy, psb_error *error) {
    work *w = context;
    psb_status status = PSB_OK;
    size_t count = w->report->facts->ndescriptors, n = w->report->evaluation->cla->nmodels;
    if (w->options->folder != NULL) {
        return PSB_OK;
    }
    char **distances = psb_new_zero(&status, count, sizeof *distances, "maps", error);
    for (size_t d = 0; d < count && status == PSB_OK; d++) {
        distances[d] = xy[d] != NULL ? distances_of(w, d, &status, error) : NULL;
    }
    PSB_THEN(status, psb_run_maps_keep(&w->results.ledger, distances, xy, count, n,
                                       w->options->command_line, error));
    psb_free_texts(distances, count);
    return status;
}

/* Draws models' rows, if the run has the descriptor's features unchanged. */
static psb_status draw_rows(void *context, size_t which, const size_t *models, size_t count,
                            psb_small_picture *pictures, psb_error *error) {
    work *w = context;
    const psb_report *report = w->report;
    const psb_descriptor_facts *of = &report->facts->descriptors[which];
    PSB_AT_END(psb_feature_set_close) psb_feature_set set = {.path = NULL};
    bool fine = false;
    psb_spec *spec = NULL;
    char *path = NULL, name[sizeof of->stem + sizeof "features/.npy"];
    psb_status status = PSB_OK;
    snprintf(name, sizeof name, "features/%s.npy", of->stem);
    if (w->options->run != NULL && which < report->facts->ndescriptors - report->ngiven &&
        of->uses == NULL) {
        status = look(w, name, of, &fine, error);
    }
    if (status != PSB_OK || !fine) {
        return status;
    }
    status = psb_spec_parse(&w->psb->added, of->label, &spec, error);
    PSB_THEN(status, open_own(w, which, &set, &path, error));
    if (status == PSB_OK && set.npy.columns == psb_spec_length(spec)) {
        size_t bytes = set.npy.columns * psb_element_bytes(set.npy.element);
        for (size_t i = 0; i < count && status == PSB_OK; i++) {
            const char *row = (const char *)set.npy.data + models[i] * bytes;
            status = psb_glimpse_make(spec, row, &pictures[i], error);
        }
    }
    psb_spec_free(spec);
    free(path);
    return status;
}

/* Opens the methods from elsewhere over the run's models. */
static psb_status open_given(work *w, psb_error *error) {
    const psb_pages_options *o = w->options;
    const psb_methods_options of = {
        .queries = o->run, .files = o->with, .nfiles = o->nwith, .verify = o->verify};
    psb_status status = psb_methods_open(w->psb, &of, &w->opened, error);
    for (size_t g = 0; status == PSB_OK && g < w->opened->count; g++) {
        PSB_THEN_IF(status, w->opened->asked[g].own && w->opened->asked[g].metric == NULL,
                    psb_fail(error, PSB_ERROR_USAGE,
                             "%s is a method of %s, which has it already: leave it out",
                             w->opened->stems[g], o->run));
    }
    w->given = w->opened;
    return status;
}

/* Takes over the methods from elsewhere. Refuses ranked lists, which have no distances, and
 * relevance that does not follow from the classes of one set. */
static psb_status take_given(work *w, psb_run_reader *reader, psb_error *error) {
    const psb_methods *given = w->given;
    psb_status status = PSB_OK;
    if (given->judged || given->listed != NULL) {
        return psb_fail_at(error, PSB_ERROR_USAGE, given->first_name, 0,
                           "pages are made of one set with classes: leave out targets, judgments "
                           "and lists of queries");
    }
    w->streams = psb_new(&status, given->count, sizeof *w->streams, "methods", error);
    w->names = psb_new(&status, given->count, sizeof *w->names, "methods", error);
    for (size_t g = 0; g < given->count && status == PSB_OK; g++) {
        w->streams[g] = given->features[g].npy.rows > 0;
        bool file = strcmp(given->paths[g], given->labels[g]) != 0; /* else it comes from memory */
        w->names[g] = !file               ? NULL
                      : w->options->paths ? given->paths[g]
                                          : psb_path_name(given->paths[g]);
        PSB_THEN_IF(status, given->lists[g] != PSB_LISTS_NONE,
                    psb_fail_at(error, PSB_ERROR_USAGE, given->paths[g], 0,
                                "ranked lists, but pages need distances: name a matrix, or "
                                "features with a metric, as rows.npy:l1"));
    }
    reader->given = given->matrices;
    reader->given_streams = w->streams;
    reader->given_labels = given->labels;
    reader->given_names = w->names;
    reader->ngiven = given->count;
    return status;
}

/* Describes a set without a run. */
static psb_status read_set(work *w, const psb_run_reader *reader, psb_error *error) {
    const psb_pages_options *o = w->options;
    const psb_classification *cla = &w->given->cla;
    const char *name = psb_path_name(w->given->first_name);
    psb_run_facts facts = {.program = "psbench " PSB_VERSION,
                           .command_line = o->paths ? o->command_line : NULL,
                           .title = o->title != NULL ? o->title : name,
                           .classification = o->paths ? w->given->first_name : name,
                           .models_folder = o->models != NULL ? o->models
                                            : psb_is_folder(w->given->first_name)
                                                ? w->given->first_name
                                                : NULL};
    psb_facts_forget(&psb_facts_of_run, &facts);
    facts.models_listed = facts.models_used = (double)cla->nmodels;
    psb_status status = psb_methods_need_queries(w->given, error);
    PSB_THEN(status, psb_run_record_of_set(cla, &facts, reader, &w->record, error));
    for (size_t g = 0; g < w->given->count && status == PSB_OK; g++) {
        const psb_feature_set *set = &w->given->features[g];
        if (w->streams[g]) {
            w->record.facts.descriptors[g].metric = set->metric->name;
            w->record.facts.descriptors[g].length = (double)set->npy.columns;
        }
    }
    return status;
}

static psb_status read(work *w, psb_error *error) {
    const psb_pages_options *o = w->options;
    if (o->result != NULL) {
        w->report = o->result->kept != NULL ? o->result->kept->outcome.report : NULL;
        return w->report != NULL ? PSB_OK
                                 : psb_misuse(error, "the run was not asked for pages, or failed");
    }
    psb_run_reader reader = {.threads = w->psb->threads,
                             .streams = true,
                             .left_out = name_left_out,
                             .progress = show_ranking,
                             .context = w};
    w->given = o->methods;
    psb_status status = o->run != NULL && o->nwith > 0 ? open_given(w, error) : PSB_OK;
    PSB_THEN_IF(status, w->given != NULL, take_given(w, &reader, error));
    PSB_THEN(status, o->run == NULL ? read_set(w, &reader, error)
                                    : psb_run_record_read(&w->results, &reader, &w->record, error));
    w->report = status == PSB_OK ? &w->record.report : NULL;
    return status;
}

/* Reads the earlier run, whose figures come from its matrices. */
static psb_status read_before(work *w, psb_error *error) {
    const char *run = w->options->since;
    const psb_run_reader reader = {.threads = w->psb->threads,
                                   .left_out = name_left_out_before,
                                   .progress = show_ranking,
                                   .context = w};
    if (run == NULL) {
        return PSB_OK;
    }
    psb_status status = psb_results_open(run, w->options->verify, &w->since, error);
    return PSB_THEN(status, psb_run_record_read(&w->since, &reader, &w->before, error));
}

/* Reports a table whose files are wrong; the pages go on without it. */
static psb_status leave_out(work *w, const char *what, const psb_error *error) {
    psb_observer_left_out(&w->psb->observer, w->options->run, what, error->message);
    w->result->left_out++;
    return PSB_OK;
}

/* Reads the second table, if 'psbench beyond' wrote one into this folder. */
static psb_status find_beyond(work *w, psb_beyond *beyond, bool *found, psb_error *error) {
    const char *run = w->options->run;
    psb_status status = psb_beyond_is_there(run, found, error);
    if (*found) {
        status = psb_beyond_read(run, w->results.ledger.list.hash, w->psb->threads, beyond, error);
        *found = status == PSB_OK;
    }
    return psb_is_of_bytes(status) ? leave_out(w, "beyond", error) : status;
}

/* ---- tables beside the first -------------------------------------------------------------- */

/* Opens the matrices of the run's own descriptors. */
static psb_status open_matrices(const work *w, psb_matrix *matrix, const char **labels,
                                psb_matrices *in, psb_error *error) {
    const psb_report *r = w->report;
    size_t own = r->facts->ndescriptors - r->ngiven;
    psb_status status = PSB_OK;
    *in = (psb_matrices){r->evaluation->cla, matrix, labels, 0, w->psb->threads};
    for (size_t d = 0; d < own && status == PSB_OK; d++) {
        if (r->streamed == NULL || !r->streamed[d]) {
            const psb_descriptor_facts *of = &r->facts->descriptors[d];
            status = psb_run_facts_matrix(r->run, of, in->cla->nmodels, &matrix[in->count], error);
            labels[in->count] = of->label;
            in->count += status == PSB_OK;
        }
    }
    return status;
}

/* Reads the query lists of 'psbench table5'; false if one is missing or changed. */
static bool read_lists(work *w, bool *listed, psb_status *status, psb_error *error) {
    const psb_classification *cla = w->report->evaluation->cla;
    memset(listed, 1, cla->nmodels);
    for (size_t j = PSB_TABLE5_FIRST_TYPE; j < PSB_TABLE5_COLUMNS && *status == PSB_OK; j++) {
        PSB_FREED char *name = psb_new_format(status, error, "lists/%s.txt", psb_table5_names[j]);
        PSB_FREED char *path = psb_new_format(status, error, "%s/%s", w->report->run, name);
        bool there = false;
        PSB_THEN(*status, look(w, name, NULL, &there, error));
        if (there) {
            *status = psb_query_list_read(path, cla, listed + j * cla->nmodels, error);
        }
        if (!there) {
            return false;
        }
    }
    return *status == PSB_OK;
}

/* Measures Tables 5 and 6 again, by the functions of their commands, if those had this run. */
static psb_status measure_paper(work *w, const char *psb, psb_paper_table tables[2], size_t *count,
                                psb_error *error) {
    const psb_report *r = w->report;
    psb_status status = PSB_OK;
    psb_matrices in = {.count = 0};
    PSB_FREED psb_matrix *matrix =
        psb_new_zero(&status, r->facts->ndescriptors, sizeof *matrix, "matrices", error);
    PSB_FREED const char **labels =
        psb_new(&status, r->facts->ndescriptors, sizeof *labels, "labels", error);
    PSB_FREED bool *listed =
        psb_new(&status, r->evaluation->cla->nmodels, PSB_TABLE5_COLUMNS, "lists", error);
    PSB_THEN(status, open_matrices(w, matrix, labels, &in, error));
    PSB_THEN_IF(status, in.count > 0 && read_lists(w, listed, &status, error),
                psb_table5_measure(&in, psb, listed, &tables[(*count)++], error));
    bool six = false;
    PSB_THEN(status, look(w, "table6.txt", NULL, &six, error));
    PSB_THEN_IF(status, in.count > 0 && six,
                psb_table6_measure(&in, psb, &psb_table6_handlings[PSB_TABLE6_DEFAULT],
                                   &tables[(*count)++], error));
    for (size_t k = 0; k < in.count; k++) {
        psb_matrix_close(&matrix[k]);
    }
    return status;
}

/* Makes Tables 5 and 6, but not if the benchmark has moved since the run. */
static psb_status find_paper(work *w, psb_paper_table tables[2], size_t *count, psb_error *error) {
    const char *classification = w->report->facts->classification;
    psb_status status = PSB_OK;
    PSB_FREED char *psb = psb_benchmark_of(&status, classification, error);
    bool here = true;
    if (psb != NULL) {
        status = measure_paper(w, psb, tables, count, error);
    }
    if (status == PSB_ERROR_IO) {
        psb_error looking;
        here = psb_file_is_there(classification, &here, &looking) != PSB_OK || here;
    }
    if (psb_is_of_bytes(status) || !here) {
        status = leave_out(w, "tables 5 and 6", error);
        *count = 0;
    }
    return status;
}

/* Reads what a run has beside its methods. */
static psb_status find_more(work *w, psb_beyond *beyond, psb_paper_table paper[2],
                            psb_site_options *site, psb_error *error) {
    const psb_pages_options *o = w->options;
    psb_portrait_kind kind =
        psb_portrait_kind_of(o->thumbnails, w->report->evaluation->cla->nmodels);
    bool found = false;
    if (o->run == NULL) {
        return PSB_OK;
    }
    psb_status status = find_beyond(w, beyond, &found, error);
    site->beyond = found ? beyond : NULL;
    PSB_THEN(status, find_paper(w, paper, &site->npaper, error));
    return PSB_THEN(status, psb_album_open(o->run, kind, &w->album, error));
}

static psb_status write(work *w, const char *folder, psb_error *error) {
    static const char *const front[] = {"report/index.html"};
    const psb_pages_options *o = w->options;
    const char *used = w->report->facts->models_folder;
    const char *models = used != NULL && o->models == NULL ? used : o->models;
    psb_named_facts named = {.failed = NULL};
    psb_report shown = *w->report;
    psb_table4 table = *shown.table;
    psb_beyond beyond;
    psb_paper_table paper[2] = {{.dcg = NULL}, {.dcg = NULL}};
    const psb_dcg_table *tables[] = {&paper[0].table, &paper[1].table};
    psb_site_options site = {
        .report = &shown,
        .paper = tables,
        .since = o->since != NULL ? &w->before.report : NULL,
        .since_name = o->since == NULL || o->paths ? o->since : psb_path_name(o->since),
        .folder = folder,
        .models = models != NULL ? models : "",
        .find = find_model,
        .stream = stream,
        .glimpse = draw_rows,
        .thumbnails = models != NULL || o->run != NULL ? o->thumbnails : PSB_THUMBNAILS_NONE,
        .portrait = o->run != NULL ? find_portrait : NULL,
        .find_map = find_map,
        .keep_maps = keep_maps,
        .threads = w->psb->threads,
        .progress = show_progress,
        .context = w};
    psb_status status = o->paths ? PSB_OK : psb_facts_name_files(w->report->facts, &named, error);
    if (!o->paths) {
        shown.facts = &named.facts;
        table.title = named.facts.title;
        shown.table = &table;
    }
    PSB_THEN(status, find_more(w, &beyond, paper, &site, error));
    PSB_THEN(status, psb_report_write(&site, &w->result->without_picture, error));
    bool own = o->run != NULL && o->folder == NULL;
    if (status == PSB_OK && own) {
        psb_album_remove(&w->album);
    }
    w->result->no_models = site.thumbnails != PSB_THUMBNAILS_NONE && !psb_is_folder(site.models);
    psb_paper_table_free(&paper[0]);
    psb_paper_table_free(&paper[1]);
    psb_named_facts_free(&named);
    /* A report with gaps gets no key, so its pages count as stale. */
    uint64_t key = w->result->left_out == 0 ? psb_ledger_digest(&w->results.ledger) : 0;
    return status == PSB_OK && own
               ? psb_results_enter(o->run, front, &key, 1, o->command_line, error)
               : status;
}

/* A report without gaps is known by its key. */
static psb_status make(work *w, const char *folder, uint64_t key, psb_error *error) {
    const psb_pages_result *result = w->result;
    psb_status status = read(w, error);
    PSB_THEN(status, read_before(w, error));
    PSB_THEN(status, write(w, folder, error));
    bool gaps = result->left_out > 0 || result->without_picture > 0 || result->no_models;
    return status == PSB_OK && key != 0 && !gaps ? psb_pages_keep_key(w->options->run, key, error)
                                                 : status;
}

psb_status psb_pages_write(psb_context *psb, const psb_pages_options *options,
                           psb_pages_result *result, psb_error *error) {
    *result = (psb_pages_result){.left_out = 0};
    bool bundled = options != NULL && (options->single != NULL || options->zip != NULL);
    if (options == NULL || (options->run == NULL) == (options->methods == NULL) ||
        (options->run == NULL && options->folder == NULL && !bundled) ||
        (options->run == NULL && options->since != NULL)) {
        return psb_misuse(error, "pages are of the folder of a run, or of methods, and then need "
                                 "a folder or file of their own; changes are those of runs");
    }
    work w = {.psb = psb, .options = options, .result = result, .album = {.fd = -1}};
    PSB_AT_END(psb_call_end) psb_call call = {0};
    psb_status status = psb_call_begin(&call, &psb->observer, error);
    if (status != PSB_OK) {
        return status;
    }
    uint64_t key = 0;
    PSB_FREED char *own = NULL;
    bool current = false, temporary = options->folder == NULL && options->run == NULL;
    if (options->run != NULL) {
        status = psb_results_open(options->run, options->verify, &w.results, error);
    }
    key = status == PSB_OK ? psb_pages_key(psb, options, &w.results) : 0;
    PSB_THEN(status, psb_pages_are_current(options->run, key, &current, error));
    PSB_THEN_IF(status, options->folder == NULL,
                temporary ? psb_temporary_folder(&own, error)
                          : psb_path_join(&own, options->run, "report", error));
    const char *folder = options->folder != NULL ? options->folder : own;
    PSB_THEN_IF(status, !current, make(&w, folder, key, error));
    PSB_THEN_IF(status, options->single != NULL, psb_bundle_page(folder, options->single, error));
    PSB_THEN_IF(status, options->zip != NULL, psb_bundle_zip(folder, options->zip, error));
    if (temporary && own != NULL) {
        psb_temporary_remove(own);
    }
    psb_album_close(&w.album);
    psb_run_record_free(&w.record);
    psb_run_record_free(&w.before);
    psb_methods_free(w.opened);
    psb_results_free(&w.results);
    psb_results_free(&w.since);
    free(w.streams);
    free((void *)(uintptr_t)w.names);
    return status;
}
