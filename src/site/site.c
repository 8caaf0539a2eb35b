/* Makes the report as a whole: it lets each part write its files. */
#include "site/site.h"

#include "core/lock.h"
#include "site/parts.h"

/* What tells that a folder is a report's: its lock or, in old ones, the style sheet. */
static const char *const marks[] = {".report.lock", "report.css", NULL};

/* Makes the folders, and removes what killed reports left there. */
static psb_status make_folders(const site *s, psb_error *error) {
    static const char *const folders[] = {"data", "data/solids", "images", "thumbnails"};
    psb_status status = psb_remove_temporaries(s->options->folder, error);
    for (size_t f = 0; f < sizeof folders / sizeof folders[0] && status == PSB_OK; f++) {
        PSB_FREED char *path =
            psb_new_format(&status, error, "%s/%s", s->options->folder, folders[f]);
        PSB_THEN(status, psb_make_folder(path, error));
        PSB_THEN(status, psb_remove_temporaries(path, error));
    }
    return status;
}

static psb_status write_embedded(const site *s, const char *name, const unsigned char *bytes,
                                 size_t size, psb_error *error) {
    psb_text text = {0};
    psb_text_add_bytes(&text, (const char *)bytes, size);
    return psb_site_write(s, name, &text, error);
}

int psb_site_progress(size_t done, size_t total, void *context) {
    const site_stage *stage = context;
    const psb_site_options *o = stage->options;
    return o->progress != NULL ? o->progress(o->context, stage->name, done, total) : 0;
}

static psb_status write_descriptor(void *job, void *own PSB_UNUSED, size_t which,
                                   psb_error *error) {
    return psb_site_write_descriptor(job, which, error);
}

static psb_status write_lists(void *job, void *own PSB_UNUSED, size_t which, psb_error *error) {
    return psb_site_streams(job, which) ? PSB_OK : psb_site_write_queries(job, which, error);
}

/*
 * Writes the descriptors' lists, each on one thread: no part of one depends on another. Those that
 * stream by follow one after the other, and share the threads in themselves.
 */
static psb_status write_queries(site *s, psb_error *error) {
    site_stage stage = {s->options, "ranked lists"};
    psb_status status = PSB_OK;
    s->precision = psb_new(&status, s->ndescriptors, sizeof *s->precision, "curves", error);
    PSB_THEN(status, psb_parallel(&(psb_loop){.count = s->ndescriptors,
                                              .threads = s->options->threads,
                                              .item = write_lists,
                                              .job = s,
                                              .progress = psb_site_progress,
                                              .context = &stage},
                                  error));
    for (size_t d = 0; d < s->ndescriptors && status == PSB_OK; d++) {
        status = psb_site_streams(s, d) ? psb_site_write_queries(s, d, error) : PSB_OK;
    }
    return status;
}

/* Finds what pages say of descriptors as a whole; compares all pairs as `compare` does. */
static psb_status judge(site *s, psb_error *error) {
    const psb_evaluation *e = s->evaluation;
    psb_status status = psb_table4_compare(s->options->report->table, &s->table, error);
    s->table.every_error = true;
    if (status != PSB_OK || psb_group_count(e, PSB_MICRO) == 0) {
        return status;
    }
    site_stage stage = {s->options, "comparisons"};
    const psb_test test = {psb_test_rounds(e->nmethods), PSB_TEST_SEED, s->options->threads,
                           psb_site_progress, &stage};
    s->pairs =
        psb_new(&status, s->ndescriptors * s->ndescriptors, sizeof *s->pairs, "comparisons", error);
    PSB_THEN(status, psb_evaluation_compare(e, PSB_DCG, PSB_MICRO, &test, s->pairs, error));
    return PSB_THEN(status, psb_site_judge_best(s, error));
}

/* The front page comes last: if it is there, the report is whole. */
static psb_status write_pages(site *s, psb_error *error) {
    psb_status status =
        write_embedded(s, "report.css", psb_data_report_style, psb_data_report_style_size, error);
    PSB_THEN(status, write_embedded(s, "report.js", psb_data_report_script,
                                    psb_data_report_script_size, error));
    PSB_THEN(status, psb_site_write_models(s, error));
    PSB_THEN(status, psb_site_write_scripted(s, error));
    PSB_THEN(status, psb_parallel(&(psb_loop){.count = s->ndescriptors,
                                              .threads = s->options->threads,
                                              .item = write_descriptor,
                                              .job = s},
                                  error));
    PSB_THEN(status, psb_site_write_methods(s, error));
    PSB_THEN(status, psb_site_write_since(s, error));
    PSB_THEN(status, psb_force_to_disk(s->options->folder, error));
    PSB_THEN(status, psb_site_write_front(s, error));
    return status == PSB_OK ? psb_force_to_disk(s->options->folder, error) : status;
}

psb_status psb_report_write(const psb_site_options *options, size_t *without_picture,
                            psb_error *error) {
    const psb_report *report = options->report;
    site s = {.options = options,
              .facts = report->facts,
              .evaluation = report->evaluation,
              .cla = report->evaluation->cla,
              .descriptors = report->facts->descriptors,
              .ndescriptors = report->facts->ndescriptors};
    PSB_AT_END(psb_lock_release) psb_lock lock = PSB_LOCK_NONE;
    psb_status status = PSB_OK;
    s.picture = psb_new_zero(&status, s.cla->nmodels, 1, "pictures", error);
    PSB_THEN(status, psb_lock_take_folder(options->folder, marks, &lock, error));
    PSB_THEN(status, make_folders(&s, error));
    PSB_THEN(status, psb_site_write_thumbnails(&s, without_picture, error));
    PSB_THEN(status, psb_site_maps_begin(&s, error));
    PSB_THEN(status, psb_site_agreement_begin(&s, error));
    PSB_THEN(status, write_queries(&s, error));
    PSB_THEN(status, psb_site_order(&s, error));
    PSB_THEN(status, psb_site_maps_make(&s, error));
    PSB_THEN(status, judge(&s, error));
    PSB_THEN(status, write_pages(&s, error));
    free(s.pairs);
    free(s.precision);
    free(s.picture);
    free(s.sheet);
    free(s.by_score);
    free(s.equal);
    free(s.with_best);
    psb_site_maps_free(&s);
    psb_site_agreement_free(&s);
    psb_table4_comparison_free(&s.table);
    return status;
}
