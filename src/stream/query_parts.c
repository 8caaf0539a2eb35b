/* Writes and reads blocks of values, each a file that appears whole. */
#include "stream/query_parts.h"

#include "core/file.h"
#include "core/seal.h"
#include "core/text.h"
#include "proof/stamp.h"

#include <dirent.h>
#include <inttypes.h>
#include <xxhash.h>

typedef struct head {
    char kind[PSB_SEAL_KIND];
    uint64_t key, first, end, count;
} head;

static const char kind[] = "psbval1\n";

void psb_query_range(const psb_part *part, size_t queries, size_t *first, size_t *end) {
    size_t count = part->count > 0 ? part->count : 1;
    size_t each = queries / count, more = queries % count; /* the first `more` have one more */
    *first = part->index * each + (part->index < more ? part->index : more);
    *end = *first + each + (part->index < more ? 1 : 0);
}

/* The classification by what decides on ranks. */
static uint64_t hash_classes(const psb_classification *cla, uint64_t hash) {
    for (size_t i = 0; i < cla->nmodels; i++) {
        uint64_t class = cla->class_of[i], none = cla->classes[class].miscellaneous;
        hash = XXH64(cla->models[i], strlen(cla->models[i]) + 1, hash);
        hash = XXH64(&class, sizeof class, hash);
        hash = XXH64(&none, sizeof none, hash);
    }
    return hash;
}

static psb_status find_key(const psb_measuring *m, uint64_t *key, psb_error *error) {
    psb_stamp stamp;
    PSB_AT_END(psb_text_free) psb_text text = {0};
    psb_text_printf(&text, "%s %u", m->set->metric->name, (unsigned)m->set->metric->revision);
    for (size_t k = 0; k < m->count; k++) {
        psb_text_printf(&text, " %s", m->measures[k].name);
    }
    psb_status status = psb_text_status(&text, error);
    PSB_THEN(status, psb_stamp_read(NULL, m->set->path, &stamp, error));
    if (status == PSB_OK) {
        *key = hash_classes(m->cla, XXH64(text.data, text.length, stamp.hash));
        if (m->set->level != NULL) {
            *key = XXH64(m->set->level, m->set->npy.rows * sizeof *m->set->level, *key);
        }
    }
    return status;
}

static psb_status write_part(const psb_query_parts *parts, const psb_measuring *m,
                             psb_memory_plan *plan, psb_error *error) {
    head h = {.count = m->count};
    size_t first, end;
    PSB_AT_END(psb_text_free) psb_text path = {0};
    psb_query_range(&parts->part, m->cla->nmodels, &first, &end);
    h.first = first;
    h.end = end;
    psb_status status = find_key(m, &h.key, error);
    size_t bytes = sizeof h + (end - first) * m->count * sizeof(double);
    PSB_FREED char *file = psb_new(&status, bytes + PSB_SEAL_BYTES, 1, "values", error);
    PSB_THEN(status, psb_make_folder(parts->folder, error));
    PSB_THEN(status,
             psb_measure_range(m, first, end, (double *)(void *)(file + sizeof h), plan, error));
    if (status == PSB_OK) {
        memcpy(file, &h, sizeof h);
        psb_seal(file, bytes, kind);
        psb_text_printf(&path, "%s/%016" PRIx64 "-%zu-of-%zu.values", parts->folder, h.key,
                        parts->part.index, parts->part.count);
        status = psb_text_status(&path, error);
    }
    return PSB_THEN(status, psb_write_file(path.data, file, bytes + PSB_SEAL_BYTES, error));
}

/* ---- together ----------------------------------------------------------------------------- */

/* Takes what a file has; done[i] then. What is damaged has nothing. */
static void take(const psb_input *file, const psb_measuring *m, uint64_t key, double *values,
                 bool *done) {
    head h;
    if (!psb_seal_is_of(file->data, file->size, sizeof h, kind)) {
        return;
    }
    memcpy(&h, file->data, sizeof h);
    size_t row = m->count * sizeof(double);
    bool fits = h.key == key && h.count == m->count && h.first <= h.end &&
                h.end <= m->cla->nmodels &&
                file->size == sizeof h + (h.end - h.first) * row + PSB_SEAL_BYTES &&
                psb_seal_holds(file->data, file->size, NULL);
    if (fits) {
        memcpy(values + h.first * m->count, file->data + sizeof h, (h.end - h.first) * row);
        memset(done + h.first, 1, h.end - h.first);
    }
}

static int is_values(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return length > 7 && strcmp(entry->d_name + length - 7, ".values") == 0;
}

static psb_status take_all(const psb_query_parts *parts, const psb_measuring *m, double *values,
                           bool *done, psb_error *error) {
    PSB_FREED struct dirent **entries = NULL;
    uint64_t key;
    char prefix[24];
    psb_status status = find_key(m, &key, error);
    int found = status == PSB_OK && psb_is_folder(parts->folder)
                    ? scandir(parts->folder, &entries, is_values, alphasort)
                    : 0;
    snprintf(prefix, sizeof prefix, "%016" PRIx64 "-", status == PSB_OK ? key : 0);
    for (int i = 0; i < found; i++) {
        PSB_FREED char *path = NULL;
        psb_input file;
        bool own = strncmp(entries[i]->d_name, prefix, strlen(prefix)) == 0;
        if (own && status == PSB_OK) {
            status = psb_path_join(&path, parts->folder, entries[i]->d_name, error);
            PSB_THEN(status, psb_input_open(path, &file, error));
            if (status == PSB_OK) {
                take(&file, m, key, values, done);
                psb_input_close(&file);
            }
        }
        free(entries[i]);
    }
    return found < 0 ? psb_fail_errno(error, parts->folder, "list") : status;
}

static psb_status read_parts(const psb_query_parts *parts, const psb_measuring *m, double *values,
                             psb_memory_plan *plan, psb_error *error) {
    size_t n = m->cla->nmodels, there = 0;
    psb_status status = PSB_OK;
    PSB_FREED bool *done = psb_new_zero(&status, n, sizeof *done, "queries", error);
    PSB_THEN(status, take_all(parts, m, values, done, error));
    for (size_t i = 0; i < n && status == PSB_OK; i++) {
        there += done[i];
    }
    if (status == PSB_OK && there < n && parts->complete) {
        size_t first = (size_t)((bool *)memchr(done, 0, n) - done), end = first;
        while (end < n && !done[end]) {
            end++;
        }
        status = psb_fail_at(error, PSB_ERROR_IO, parts->folder, 0,
                             "no part has left the values of %zu of %zu queries, rows %zu to %zu "
                             "first: run the missing parts",
                             n - there, n, first + 1, end);
    } else if (status == PSB_OK && there > 0) {
        psb_observer_say(m->observer, PSB_NOTE, "%s: %zu of %zu queries were counted by parts",
                         m->set->path, there, n);
    }
    for (size_t first = 0; first < n && status == PSB_OK;) {
        size_t end = first;
        while (end < n && done[end] == done[first]) {
            end++;
        }
        if (!done[first]) {
            status = psb_measure_range(m, first, end, values + first * m->count, plan, error);
        }
        first = end;
    }
    return status;
}

psb_status psb_query_parts_measure(const psb_query_parts *parts, const psb_measuring *m,
                                   double *values, psb_memory_plan *plan, psb_error *error) {
    if (parts->part.count > 0) {
        return write_part(parts, m, plan, error);
    }
    return parts->folder != NULL ? read_parts(parts, m, values, plan, error)
                                 : psb_measure_range(m, 0, m->cla->nmodels, values, plan, error);
}
