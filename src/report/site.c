/* The report as a whole: reads the run, then lets each part write its files. */
#include "report/site.h"

#include "core/error.h"
#include "core/file.h"
#include "core/memory.h"
#include "report/site_parts.h"

#include <stdlib.h>
#include <string.h>

/* What does not depend on the run; the build embeds it. */
extern const unsigned char psb_data_report_style[];
extern const unsigned long psb_data_report_style_size;
extern const unsigned char psb_data_report_script[];
extern const unsigned long psb_data_report_script_size;

static psb_status read_json(const char *folder, const char *name, cJSON **json, psb_error *error) {
    char *path;
    psb_status status = psb_path_join(&path, folder, name, error);
    if (status != PSB_OK) {
        return status;
    }
    psb_input input;
    status = psb_input_open(path, &input, error);
    if (status == PSB_OK) {
        *json = cJSON_ParseWithLength(input.data, input.size);
        if (!cJSON_IsObject(*json)) {
            status = psb_fail_at(error, PSB_ERROR_INPUT, path, 0, "not a JSON object");
        }
        psb_input_close(&input);
    }
    free(path);
    return status;
}

/* table4.json of the paper's data set, else table.json. */
static psb_status read_table(site *s, psb_error *error) {
    char *path;
    psb_status status = psb_path_join(&path, s->options->run, "table4.json", error);
    if (status == PSB_OK) {
        s->published = psb_is_file(path);
        free(path);
        status = read_json(s->options->run, s->published ? "table4.json" : "table.json", &s->table,
                           error);
    }
    return status;
}

/* A label names files and stands in links: only what psb_spec_label writes is accepted. */
static psb_status check_label(const site *s, const char *label, psb_error *error) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "_=:,.+-";
    size_t length = strlen(label);
    bool fits = length > 0 && length < sizeof((site_descriptor *)NULL)->stem && label[0] != '.' &&
                label[strspn(label, letters)] == '\0';
    return fits ? PSB_OK
                : psb_fail(error, PSB_ERROR_INPUT, "%s/run.json: '%.40s' is no descriptor's label",
                           s->options->run, label);
}

static const cJSON *row_of(const site *s, const char *label) {
    const cJSON *row, *rows = cJSON_GetObjectItemCaseSensitive(s->table, "rows");
    cJSON_ArrayForEach(row, rows) {
        if (strcmp(psb_site_string(row, "descriptor"), label) == 0) {
            return row;
        }
    }
    return NULL;
}

static psb_status read_descriptor(site *s, const cJSON *facts, site_descriptor *d,
                                  psb_error *error) {
    d->facts = facts;
    d->label = psb_site_string(facts, "label");
    psb_status status = check_label(s, d->label, error);
    if (status != PSB_OK) {
        return status;
    }
    d->row = row_of(s, d->label);
    if (d->row == NULL) {
        return psb_fail(error, PSB_ERROR_INPUT, "%s: the table has no row %s", s->options->run,
                        d->label);
    }
    for (size_t i = 0; i <= strlen(d->label); i++) { /* as psb_spec_stem */
        d->stem[i] = strchr(":,", d->label[i]) != NULL && d->label[i] != '\0' ? '-' : d->label[i];
    }
    void *memory;
    status = psb_alloc_zero(&memory, s->cla.nmodels, sizeof *d->scores, "scores", error);
    d->scores = memory;
    return status;
}

static psb_status read_models(site *s, psb_error *error) {
    char *path;
    psb_status status = psb_path_join(&path, s->options->run, "models.cla", error);
    if (status == PSB_OK) {
        status = psb_cla_read(path, &s->cla, error);
        free(path);
    }
    return status;
}

static psb_status read_run(site *s, psb_error *error) {
    psb_status status = read_json(s->options->run, "run.json", &s->run, error);
    if (status == PSB_OK) {
        status = read_models(s, error);
    }
    if (status == PSB_OK) {
        status = read_table(s, error);
    }
    if (status != PSB_OK) {
        return status;
    }
    const cJSON *facts, *list = cJSON_GetObjectItemCaseSensitive(s->run, "descriptors");
    size_t count = (size_t)cJSON_GetArraySize(list);
    if (count == 0) {
        return psb_fail(error, PSB_ERROR_INPUT, "%s/run.json: no descriptors", s->options->run);
    }
    void *memory;
    status = psb_alloc_zero(&memory, count, sizeof *s->descriptors, "descriptors", error);
    s->descriptors = memory;
    cJSON_ArrayForEach(facts, list) {
        if (status == PSB_OK) {
            status = read_descriptor(s, facts, &s->descriptors[s->ndescriptors++], error);
        }
    }
    if (status == PSB_OK) {
        status = psb_alloc_zero(&memory, s->cla.nmodels, 1, "pictures", error);
        s->picture = memory;
    }
    return status;
}

static psb_status make_folders(const site *s, psb_error *error) {
    static const char *const folders[] = {"data", "images", "thumbnails"};
    psb_status status = PSB_OK;
    for (size_t f = 0; f < sizeof folders / sizeof folders[0] && status == PSB_OK; f++) {
        psb_text path = {0};
        status = psb_site_path(s, folders[f], &path, error);
        if (status == PSB_OK) {
            status = psb_make_folder(path.data, error);
        }
        psb_text_free(&path);
    }
    return status;
}

static psb_status write_embedded(const site *s, const char *name, const unsigned char *bytes,
                                 size_t size, psb_error *error) {
    psb_text text = {0};
    psb_text_add_bytes(&text, (const char *)bytes, size);
    return psb_site_write(s, name, &text, error);
}

/* The descriptors' lists, one of them a thread: no part of one depends on another. */
static psb_status write_queries(site *s, psb_error *error) {
    const psb_site_options *o = s->options;
    psb_status status = PSB_OK;
    size_t done = 0;
    bool stop = false;
#pragma omp parallel for num_threads(o->threads) schedule(dynamic, 1)
    for (size_t d = 0; d < s->ndescriptors; d++) {
        bool stopped;
#pragma omp atomic read
        stopped = stop;
        if (stopped) {
            continue;
        }
        psb_error own;
        psb_status mine = psb_site_write_queries(s, &s->descriptors[d], &own);
#pragma omp critical(psb_site_queries)
        {
            if (mine == PSB_OK && o->progress != NULL &&
                o->progress(o->context, "ranked lists", ++done, s->ndescriptors) != 0) {
                mine = psb_fail(&own, PSB_ERROR_INTERRUPTED, "interrupted");
            }
            if (mine != PSB_OK && status == PSB_OK) {
                status = mine;
                if (error != NULL) {
                    *error = own;
                }
#pragma omp atomic write
                stop = true;
            }
        }
    }
    return status;
}

/* The front page comes last: where it stands, the report is whole. */
static psb_status write_pages(const site *s, psb_error *error) {
    psb_status status =
        write_embedded(s, "report.css", psb_data_report_style, psb_data_report_style_size, error);
    if (status == PSB_OK) {
        status = write_embedded(s, "report.js", psb_data_report_script, psb_data_report_script_size,
                                error);
    }
    if (status == PSB_OK) {
        status = psb_site_write_models(s, error);
    }
    if (status == PSB_OK) {
        status = psb_site_write_matches(s, error);
    }
    for (size_t d = 0; d < s->ndescriptors && status == PSB_OK; d++) {
        status = psb_site_write_descriptor(s, d, error);
    }
    return status == PSB_OK ? psb_site_write_front(s, error) : status;
}

psb_status psb_report_write(const psb_site_options *options, size_t *without_picture,
                            psb_error *error) {
    site s = {.options = options};
    psb_status status = read_run(&s, error);
    if (status == PSB_OK) {
        status = make_folders(&s, error);
    }
    if (status == PSB_OK) {
        status = psb_site_write_thumbnails(&s, without_picture, error);
    }
    if (status == PSB_OK) {
        status = write_queries(&s, error);
    }
    if (status == PSB_OK) {
        status = write_pages(&s, error);
    }
    for (size_t d = 0; d < s.ndescriptors; d++) {
        free(s.descriptors[d].scores);
    }
    free(s.descriptors);
    free(s.picture);
    psb_cla_free(&s.cla);
    cJSON_Delete(s.run);
    cJSON_Delete(s.table);
    return status;
}
