/* Takes a run through its stages, one after the other; each leaves its files. */
#include "run/run.h"

#include "core/clock.h"
#include "core/file.h"
#include "io/ids.h"
#include "proof/folder.h"
#include "run/claim.h"
#include "run/earlier.h"
#include "run/manifest.h"
#include "run/memory_bound.h"
#include "run/model_reports.h"

#include <sys/statvfs.h>
#include <xxhash.h>

typedef struct psb_run_work {
    const psb_run_job *job;
    psb_lock lock;
    psb_part_home home; /* if the run is a part */
    psb_ledger ledger;
    psb_dataset dataset;
    psb_features features;
    psb_run_record record;
    psb_run_facts older; /* owns texts of earlier methods in `record` */
    psb_manifest_texts texts;
} run;

static bool is_two_sets(const run *r) {
    return r->dataset.nsides > 0;
}

static bool wants_matrices(const run *r) {
    psb_matrices_kept wanted = r->job->options.matrices;
    bool few = r->dataset.cla.nmodels <= PSB_MATRICES_MODELS;
    return !r->job->options.data.unlabelled &&
           (wanted == PSB_MATRICES_YES || (wanted == PSB_MATRICES_AUTO && few));
}

/* Checks that sums and re-ranking, which need matrices of one set, can be made. */
static psb_status check_made(const run *r, psb_error *error) {
    const psb_plan *plan = r->job->plan;
    const psb_run_method *referring = psb_plan_referring(plan);
    const char *reference = r->job->options.reference;
    psb_results results = {.whole = false};
    psb_status status = PSB_OK;
    if (referring != NULL && reference == NULL) {
        status =
            psb_fail(error, PSB_ERROR_USAGE, "%s needs the folder of a reference run (--reference)",
                     referring->label.text);
    } else if (referring != NULL && strcmp(reference, r->job->options.folder) != 0) {
        status = psb_results_open(reference, false, &results, error);
        psb_results_free(&results);
    }
    if (status != PSB_OK) {
        return status;
    }
    if (plan->nspecs == plan->nmethods || (wants_matrices(r) && !is_two_sets(r))) {
        return PSB_OK;
    }
    return psb_fail(error, PSB_ERROR_USAGE, "%s is made of %s",
                    plan->methods[plan->nspecs]->label.text,
                    is_two_sets(r) ? "distances within one set of models, not between two"
                                   : "distance matrices, which this run does not keep");
}

static psb_status check_sides_kept(const run *r, psb_error *error) {
    if (!is_two_sets(r)) {
        return PSB_OK;
    }
    if (r->job->options.pages) {
        return psb_fail(
            error, PSB_ERROR_USAGE,
            "pages are made of one set of models, not of queries and targets: leave them out");
    }
    return wants_matrices(r)
               ? PSB_OK
               : psb_fail(error, PSB_ERROR_USAGE,
                          "figures of two sets are made from matrices, which are kept of at most "
                          "%d models: ask for them, as --matrices yes",
                          PSB_MATRICES_MODELS);
}

/* Finds a folder that cannot be written to now, not after computing features all night. */
static psb_status try_output(const run *r, psb_error *error) {
    PSB_AT_END(psb_output_discard) psb_output output = {0};
    psb_status status = PSB_OK;
    PSB_FREED char *path = psb_ledger_file(&status, &r->ledger, "run.json", error);
    return PSB_THEN(status, psb_output_open(path, &output, error));
}

static psb_status enter(run *r, const char *name, psb_error *error) {
    return psb_ledger_enter(&r->ledger, name, 0, 0, 0, error);
}

/* Says what the run may write at most: rows, which have two names but lie on the disk once, and
 * matrices. */
static void announce_disk(const run *r) {
    const psb_plan *plan = r->job->plan;
    double n = (double)r->dataset.cla.nmodels, mib = 1 << 20, row = 0;
    struct statvfs disk;
    for (size_t s = 0; s < plan->nspecs; s++) {
        row += (double)psb_spec_row_bytes(plan->specs[s]);
    }
    double pairs = is_two_sets(r) ? (double)r->dataset.sides[0].cla.nmodels *
                                        (double)r->dataset.sides[1].cla.nmodels
                                  : n * n;
    double matrices = wants_matrices(r) ? 4 * pairs * (double)plan->nmethods : 0;
    psb_observer_say(&r->job->observer, PSB_DETAIL,
                     "disk: at most %.0f MiB for rows, %.0f MiB for matrices", n * row / mib,
                     matrices / mib);
    if (statvfs(r->ledger.run, &disk) == 0) {
        double left = (double)disk.f_bavail * (double)disk.f_frsize;
        if (n * row + matrices > left && r->ledger.count == 0) { /* a run that goes on has some */
            psb_observer_say(&r->job->observer, PSB_WARNING,
                             "%.0f MiB may be written, where %.0f are free",
                             (n * row + matrices) / mib, left / mib);
        }
    }
}

static void announce_memory(const run *r) {
    const psb_run_options *o = &r->job->options;
    psb_memory_bound bound =
        psb_memory_bound_of(&r->dataset, r->job->plan->specs, r->job->plan->nspecs, o->max_faces,
                            o->max_bytes, wants_matrices(r));
    double mib = 1 << 20, threads = r->job->threads;
    double all = threads * (double)bound.per_thread + (double)bound.shared;
    psb_observer_say(&r->job->observer, PSB_DETAIL,
                     "memory: at most %.0f MiB a thread (the largest model has %.1f MiB), %.0f MiB "
                     "for features and matrices",
                     (double)bound.per_thread / mib, (double)bound.largest_file / mib,
                     (double)bound.shared / mib);
    if (bound.physical > 0 && all > (double)bound.physical) {
        psb_observer_say(&r->job->observer, PSB_WARNING,
                         "%.0f MiB of memory may be needed with %d threads, this machine has %.0f",
                         all / mib, r->job->threads, (double)bound.physical / mib);
    }
}

/* Writes rows to the chunk files of `rows`, and the list of failures beside the ledger. */
static psb_status describe_models(run *r, const char *rows, const psb_store_others *others,
                                  const psb_names *failed, psb_album *album, psb_error *error) {
    const psb_run_options *o = &r->job->options;
    psb_features_options options = {.threads = r->job->threads,
                                    .verify = o->verify,
                                    .max_faces = o->max_faces,
                                    .max_bytes = o->max_bytes,
                                    .max_seconds = o->max_seconds,
                                    .others = *others,
                                    .part = r->job->part.count > 0,
                                    .failed = failed,
                                    .album = album,
                                    .observer = &r->job->observer};
    psb_status status = psb_features_compute(rows, &r->dataset, r->job->plan->specs,
                                             r->job->plan->nspecs, &options, &r->features, error);
    /* Lists failures even if the stage did not finish. */
    psb_status listed =
        psb_failures_write(&r->ledger, &r->features, status == PSB_OK ? error : NULL);
    return status == PSB_OK ? listed : status;
}

/* Opens an album, for what the pages will show of each model. An earlier report's pictures will
 * mostly do; pages read the models for those that are missing. */
static psb_status open_album(const run *r, const char *work, psb_album *album, psb_error *error) {
    psb_portrait_kind kind = psb_portrait_kind_of(PSB_THUMBNAILS_FOUND, r->dataset.cla.nmodels);
    psb_status status = psb_make_folder(work, error);
    PSB_FREED char *pictures =
        psb_new_format(&status, error, "%s/report/thumbnails", r->job->options.folder);
    bool none = true;
    PSB_THEN(status, psb_folder_is_empty(pictures, &none, error));
    return status == PSB_OK && r->job->options.pages && none
               ? psb_album_begin(r->job->options.folder, kind, album, error)
               : status;
}

/* Also takes over what parts have left. */
static psb_status compute_features(run *r, psb_error *error) {
    const psb_run_options *o = &r->job->options;
    PSB_AT_END(psb_parts_free) psb_parts parts = {0};
    PSB_AT_END(psb_names_free) psb_names failed = {0};
    PSB_AT_END(psb_album_close) psb_album album = {.fd = -1};
    PSB_FREED char *rows = NULL;
    double start = psb_clock_wall();
    psb_status status = psb_path_join(&rows, o->folder, "work", error);
    PSB_THEN(status, psb_parts_open(o->folder, &parts, error));
    PSB_THEN(status, psb_parts_failed(&parts, &failed, error));
    PSB_THEN(status, open_album(r, rows, &album, error));
    if (status == PSB_OK) {
        psb_store_others others = {parts.folders, parts.count, true};
        status = describe_models(r, rows, &others, o->complete ? &failed : NULL,
                                 album.fd >= 0 ? &album : NULL, error);
    }
    PSB_THEN(status, psb_parts_remove(&parts, r->job->plan->specs, r->job->plan->nspecs, error));
    r->record.facts.features_wall_seconds = psb_clock_wall() - start;
    return status;
}

/* Reads the ledger and checks whether the folder may be used; *other: after removing its files. */
static psb_status open_ledger(run *r, bool *other, psb_error *error) {
    const psb_run_options *o = &r->job->options;
    psb_ledger_free(&r->ledger);
    psb_status status = psb_ledger_open(o->folder, o->verify, &r->ledger, error);
    return status == PSB_OK
               ? psb_run_claim(&r->ledger, &r->dataset, &o->data, o->replace, other, error)
               : status;
}

/* ---- a part ---------------------------------------------------------------------------- */

static psb_status keep_own_models(run *r, psb_error *error) {
    psb_status status = PSB_OK;
    size_t n = r->dataset.cla.nmodels;
    PSB_FREED bool *keep = psb_new(&status, n, sizeof *keep, "models in use", error);
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        keep[i] = psb_part_has(&r->job->part, r->dataset.cla.models[i]);
    }
    return PSB_THEN(status, psb_dataset_keep(&r->dataset, keep, error));
}

/* Computes the rows of the part's models that RUN/work does not have, in the part's own folder. */
static psb_status run_part(run *r, psb_run_outcome *result, psb_error *error) {
    const psb_run_options *o = &r->job->options;
    bool other = false;
    PSB_FREED char *rows = NULL;
    psb_status status = open_ledger(r, &other, error);
    result->other_list = status != PSB_OK && other;
    size_t all = r->dataset.cla.nmodels;
    PSB_THEN(status, keep_own_models(r, error));
    PSB_THEN(status, psb_part_begin(o->folder, &r->job->part, r->dataset.cla.nmodels, all,
                                    &r->job->observer, &r->home, error));
    PSB_THEN(status, psb_path_join(&rows, o->folder, "work", error));
    psb_ledger_free(&r->ledger);
    PSB_THEN(status, psb_ledger_open(r->home.folder.data, o->verify, &r->ledger, error));
    if (status == PSB_OK) {
        const psb_store_others others = {&rows, 1, false};
        result->begun = true;
        announce_memory(r);
        announce_disk(r);
        status = describe_models(r, r->home.folder.data, &others, NULL, NULL, error);
    }
    return status;
}

/* Notes evenly spread models of the set in the ledger. */
static void note_models(run *r) {
    size_t n = r->features.nmodels, count = n < PSB_LEDGER_MODELS ? n : PSB_LEDGER_MODELS;
    for (size_t k = 0; k < count; k++) {
        size_t i = k * n / count;
        const char *id = r->dataset.cla.models[i];
        r->ledger.models[k] = (psb_ledger_model){
            XXH64(id, strlen(id), 0), r->features.store.models[r->features.models[i]].hash};
    }
    r->ledger.nmodels = count;
}

/* Writes and enters RUN/SIDE.ids, the models in the order of the list that they come from, if that
 * differs from the order of the classification. Rows without names may be in either. */
static psb_status write_order(run *r, const char *side, const psb_classification *cla,
                              psb_error *error) {
    psb_status status = PSB_OK;
    PSB_FREED size_t *at = NULL;
    PSB_AT_END(psb_ids_free) psb_ids ids = {0};
    bool moved = false;
    char file[16];
    snprintf(file, sizeof file, "%s.ids", side);
    for (size_t i = 0; i < cla->nmodels && cla->row != NULL; i++) {
        moved = moved || cla->row[i] != i;
    }
    if (moved) {
        status = psb_cla_listed(cla, &at, error);
        PSB_THEN(status,
                 psb_ids_copy((const char *const *)cla->models, cla->nmodels, at, &ids, error));
    }
    PSB_FREED char *path = psb_ledger_file(&status, &r->ledger, side, error);
    PSB_THEN(status, psb_ids_write(path, ids.names, ids.count, error));
    PSB_THEN(status, moved ? enter(r, file, error) : PSB_OK);
    if (status == PSB_OK && !moved) {
        psb_ledger_forget(&r->ledger, file);
    }
    return status;
}

/*
 * Writes models.cla, on whose hash scores depend, and the classifications of the sides. With the
 * models' files it is the set that all later results are about. It is entered at once, so that no
 * reader takes older results for a part of it.
 */
static psb_status write_models(run *r, uint64_t *hash, psb_error *error) {
    const psb_side *sides = r->dataset.sides;
    const struct {
        const char *name, *file;
        const psb_classification *cla;
    } files[] = {{"models", "models.cla", &r->dataset.cla},
                 {"queries", "queries.cla", &sides[PSB_QUERIES].cla},
                 {"targets", "targets.cla", &sides[PSB_TARGETS].cla}};
    size_t count = 1 + r->dataset.nsides;
    psb_status status = PSB_OK;
    for (size_t i = 0; i < count && status == PSB_OK; i++) {
        psb_stamp stamp;
        PSB_FREED char *path = psb_ledger_file(&status, &r->ledger, files[i].file, error);
        PSB_THEN(status, psb_cla_write(path, files[i].cla, error));
        PSB_THEN(status, psb_stamp_read(NULL, path, &stamp, error));
        if (status == PSB_OK) {
            *hash = i == 0 ? stamp.hash : XXH64(&stamp.hash, sizeof stamp.hash, *hash);
        }
    }
    if (status == PSB_OK) {
        psb_ledger_use(&r->ledger, XXH64(hash, sizeof *hash, r->features.checksum));
        note_models(r);
    }
    for (size_t i = 0; i < count && status == PSB_OK; i++) {
        status = enter(r, files[i].file, error);
        PSB_THEN(status, write_order(r, files[i].name, files[i].cla, error));
    }
    /* It was entered for the last run's set. */
    PSB_THEN(status, enter(r, "failures.tsv", error));
    return PSB_THEN(status, psb_ledger_write(&r->ledger, error));
}

static void note_costs(run *r, size_t m, const psb_run_method_costs *costs) {
    const psb_run_method *method = r->job->plan->methods[m];
    psb_descriptor_facts *of = &r->record.facts.descriptors[m];
    const psb_side *sides = r->dataset.sides;
    double models = (double)r->dataset.cla.nmodels;
    double pairs = is_two_sets(r) ? (double)sides[PSB_QUERIES].cla.nmodels *
                                        (double)sides[PSB_TARGETS].cla.nmodels
                                  : 0.5 * models * (models - 1.0);
    double pair_seconds = pairs > 0 ? costs->matrix_cpu_seconds / pairs : 0.0;
    if (method->spec == NULL) {
        psb_manifest_add_parts(&r->record.facts, method, pair_seconds, of);
        return;
    }
    of->generate_alone_cpu_seconds = psb_features_alone_seconds(&r->features, m);
    of->matrix_wall_seconds = costs->matrix_wall_seconds;
    if (!r->job->options.no_times) {
        of->generate_seconds = of->generate_alone_cpu_seconds / models;
        of->compare_seconds = pair_seconds;
    }
}

/* Checks, before anything is written, that both of two sets have models left. */
static psb_status check_sides(const run *r, psb_error *error) {
    const psb_side *sides = r->dataset.sides;
    size_t queries = sides[PSB_QUERIES].cla.nmodels, targets = sides[PSB_TARGETS].cla.nmodels;
    return !is_two_sets(r) || (queries > 0 && targets > 0)
               ? PSB_OK
               : psb_fail_at(error, PSB_ERROR_INPUT, psb_dataset_source(&r->job->options.data), 0,
                             "%zu of the queries and %zu of the targets can be used", queries,
                             targets);
}

static psb_status open_record(run *r, psb_error *error) {
    const psb_side *sides = r->dataset.sides;
    bool ranks = r->job->options.pages && wants_matrices(r);
    return is_two_sets(r) ? psb_run_record_open(&r->record, &sides[PSB_QUERIES].cla,
                                                &sides[PSB_TARGETS].cla, false, error)
                          : psb_run_record_open(&r->record, &r->dataset.cla, NULL, ranks, error);
}

static void warn_of_no_figures(const run *r) {
    psb_observer_fail(&r->job->observer, "%s: %s: the table has no figures",
                      psb_dataset_source(&r->job->options.data),
                      is_two_sets(r)
                          ? "nothing is relevant for any of the queries"
                          : "no class has more than 2 models (class -1 aside), as averages need");
}

static psb_status compare_and_score(run *r, psb_error *error) {
    const psb_run_options *o = &r->job->options;
    psb_run_method_stages stages = {.features = &r->features,
                                    .cla = &r->dataset.cla,
                                    .sides = is_two_sets(r) ? r->dataset.sides : NULL,
                                    .evaluation = o->data.unlabelled ? NULL : &r->record.evaluation,
                                    .ledger = &r->ledger,
                                    .matrices = wants_matrices(r),
                                    .memory = o->memory > 0 ? o->memory : PSB_STREAM_MEMORY,
                                    .threads = r->job->threads,
                                    .observer = &r->job->observer};
    psb_reference reference = {.own_ledger = NULL};
    psb_status status = check_sides(r, error);
    PSB_THEN(status, write_models(r, &stages.cla_hash, error));
    PSB_THEN(status, psb_manifest_describe(&r->record.facts, r->job, &r->dataset, error));
    PSB_THEN(status, psb_earlier_recall(&r->ledger, &r->record.facts, &r->older, error));
    PSB_THEN_IF(status, !o->data.unlabelled, open_record(r, error));
    if (psb_plan_referring(r->job->plan) != NULL) {
        PSB_THEN(status,
                 psb_reference_open(o->reference, &r->ledger, &r->dataset.cla, &reference, error));
        stages.reference = &reference;
    }
    for (size_t m = 0; m < r->job->plan->nmethods && status == PSB_OK; m++) {
        psb_run_method_costs costs;
        status = psb_run_method_make(&stages, r->job->plan->methods[m], m, &costs, error);
        if (status == PSB_OK) {
            note_costs(r, m, &costs);
        }
    }
    psb_reference_close(&reference);
    PSB_THEN(status, psb_earlier_keep(&stages, &r->record, r->job->plan->nmethods, error));
    PSB_THEN(status, psb_manifest_fill(&r->record.facts, r->job, &r->dataset, &r->features,
                                       &r->texts, error));
    if (status != PSB_OK || o->data.unlabelled) {
        return status;
    }
    if (o->pages && !wants_matrices(r)) {
        r->record.streamed =
            psb_new_zero(&status, r->record.facts.ndescriptors, sizeof(bool), "a table", error);
        for (size_t d = 0; d < r->record.facts.ndescriptors && status == PSB_OK; d++) {
            r->record.streamed[d] = r->record.facts.descriptors[d].uses == NULL;
        }
    }
    psb_run_record_finish(&r->record, o->folder);
    if (status == PSB_OK && r->record.rows[0].average.queries == 0) {
        warn_of_no_figures(r);
    }
    return status;
}

static psb_status write_table(run *r, psb_run_outcome *result, psb_error *error) {
    const psb_run_options *o = &r->job->options;
    bool published = o->published && psb_manifest_is_titled(r->job, &r->dataset);
    return o->data.unlabelled
               ? PSB_OK
               : psb_run_record_tables(&r->record, &r->ledger, published ? "table4" : "table",
                                       &result->table, error);
}

static psb_status write_costs(run *r, double started, psb_error *error) {
    const psb_run_options *o = &r->job->options;
    char *const *ids = r->dataset.cla.models;
    psb_status status =
        !o->no_times ? psb_times_write(&r->ledger, &r->features, ids, error) : PSB_OK;
    psb_report_slowest(&r->features, ids, &r->job->observer);
    psb_run_facts *facts = &r->record.facts;
    facts->wall_seconds = psb_clock_wall() - started;
    facts->cpu_seconds = psb_clock_process();
    facts->peak_memory_bytes = (double)psb_peak_memory();
    PSB_AT_END(psb_text_free) psb_text text = {0};
    PSB_THEN(status, psb_run_facts_render(facts, &text, error));
    return PSB_THEN(status, psb_ledger_save(&r->ledger, "run.json", &text, error));
}

/* Removes pages made from other results than are in the folder now; `pictures`: also the pictures,
 * because the list of models changed. */
static psb_status remove_stale_pages(run *r, bool pictures, psb_error *error) {
    static const char front[] = "report/index.html";
    const psb_ledger_entry *entry = psb_ledger_find(&r->ledger, front);
    PSB_FREED char *page = NULL, *folder = NULL;
    psb_status status = psb_path_join(&page, r->job->options.folder, front, error);
    PSB_THEN(status, psb_path_join(&folder, r->job->options.folder, "report", error));
    bool current = entry != NULL && entry->key == psb_ledger_digest(&r->ledger);
    bool there = false;
    PSB_THEN(status, psb_file_is_there(page, &there, error));
    there = there && !current;
    if (there) {
        psb_observer_say(&r->job->observer, PSB_NOTE, "%s: made from other results: removed",
                         folder);
    }
    PSB_THEN_IF(status, !current && (there || pictures),
                psb_report_remove(folder, pictures, error));
    if (status == PSB_OK && !current) {
        psb_ledger_forget(&r->ledger, front);
    }
    return status;
}

/* ---- the folder ------------------------------------------------------------------------ */

/* Makes the folder this run's, and writes that to the ledger on the disk. */
static psb_status begin(run *r, bool other, psb_error *error) {
    const psb_run_options *o = &r->job->options;
    psb_status status = PSB_OK;
    if (r->ledger.damaged > 0) {
        psb_observer_say(&r->job->observer, PSB_WARNING,
                         "%s: %zu damaged line%s: outputs without a record are made again",
                         r->ledger.path, r->ledger.damaged, r->ledger.damaged == 1 ? "" : "s");
    }
    if (other) {
        psb_observer_say(
            &r->job->observer, PSB_NOTE, "%s: what was made from %s is removed", o->folder,
            r->ledger.list.classification != NULL ? r->ledger.list.classification : "another list");
        status = psb_ledger_remove_files(&r->ledger, error);
    }
    PSB_THEN_IF(status, other, remove_stale_pages(r, true, error));
    psb_ledger_list list = {r->dataset.list, r->dataset.listed, r->ledger.list.set,
                            (char *)(uintptr_t)psb_dataset_source(&o->data)};
    PSB_THEN(status, psb_ledger_begin(&r->ledger, &list, o->command_line, error));
    return status == PSB_OK ? psb_ledger_write(&r->ledger, error) : status;
}

/* Checks the folder before anything is written, then again under the lock. */
static psb_status open_folder(run *r, bool *refused, psb_error *error) {
    const psb_run_options *o = &r->job->options;
    bool other = false;
    psb_status status = open_ledger(r, &other, error);
    *refused = status != PSB_OK && other;
    PSB_THEN(status, psb_run_folder_open(o->folder, &r->job->observer, &r->lock, error));
    PSB_THEN(status, try_output(r, error));
    PSB_THEN(status, open_ledger(r, &other, error));
    return status == PSB_OK ? begin(r, other, error) : status;
}

static psb_status run_stages(run *r, psb_run_outcome *result, psb_error *error) {
    const psb_run_options *o = &r->job->options;
    double started = psb_clock_wall();
    psb_status status = psb_dataset_open(&o->data, &r->dataset, error);
    psb_dataset_tell(&r->dataset, &r->job->observer);
    if (status == PSB_OK && o->turn != NULL) {
        psb_dataset_turn(&r->dataset, o->turn);
    }
    PSB_THEN(status, check_made(r, error));
    if (status == PSB_OK && r->job->part.count > 0) {
        return run_part(r, result, error);
    }
    PSB_THEN(status, check_sides_kept(r, error));
    PSB_THEN(status, open_folder(r, &result->other_list, error));
    if (status == PSB_OK) {
        result->begun = true;
        announce_memory(r);
        announce_disk(r);
        status = compute_features(r, error);
    }
    PSB_THEN(status, compare_and_score(r, error));
    bool gathered = psb_outputs_gather(true); /* the ledger, written below, marks them as whole */
    PSB_THEN(status, write_table(r, result, error));
    PSB_THEN(status, write_costs(r, started, error));
    psb_outputs_gather(gathered);
    PSB_THEN(status, remove_stale_pages(r, false, error));
    /* Even after a failure the ledger must list the files that were entered. */
    psb_status written =
        result->begun ? psb_ledger_write(&r->ledger, status == PSB_OK ? error : NULL) : PSB_OK;
    return status == PSB_OK ? written : status;
}

static void free_work(run *r) {
    psb_run_record_free(&r->record);
    psb_run_facts_free(&r->older);
    psb_features_free(&r->features);
    psb_dataset_free(&r->dataset);
    free(r);
}

psb_status psb_run_stages(const psb_run_job *job, psb_run_outcome *result, psb_error *error) {
    memset(result, 0, sizeof *result);
    psb_status status = PSB_OK;
    run *r = psb_new_zero(&status, 1, sizeof *r, "a run", error);
    if (status != PSB_OK) {
        return status;
    }
    r->job = job;
    r->lock = r->home.shared = r->home.own = PSB_LOCK_NONE;
    status = run_stages(r, result, error);
    result->models_listed = r->dataset.listed;
    result->models_used = job->part.count > 0 ? r->features.nmodels : r->dataset.cla.nmodels;
    result->models_missing = r->dataset.nmissing;
    result->models_failed = r->features.nfailures;
    result->queries =
        status == PSB_OK && r->record.rows != NULL ? r->record.rows[0].average.queries : 0;
    psb_ledger_free(&r->ledger);
    psb_lock_release(&r->lock);
    psb_part_end(&r->home);
    if (status == PSB_OK && job->options.pages) {
        result->report = &r->record.report;
        result->work = r;
    } else {
        free_work(r);
    }
    if (status != PSB_OK) {
        psb_run_outcome_free(result);
    }
    return status;
}

void psb_run_outcome_free(psb_run_outcome *result) {
    psb_table_free(result->table);
    result->table = NULL;
    if (result->work != NULL) {
        free_work(result->work);
    }
    result->report = NULL;
    result->work = NULL;
}
