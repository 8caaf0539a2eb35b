/* Counts the names in chunk files by their hashes, which also divide the models among the parts. */
#include "run/status.h"

#include "core/file.h"
#include "core/number.h"
#include "proof/ledger.h"
#include "proof/store.h"

#include <dirent.h>
#include <xxhash.h>

/* Hashes of names; after settle() sorted and unique. */
typedef struct name_set {
    psb_buffer buffer;
    size_t count;
    size_t older; /* rows that another revision made, which are not counted */
} name_set;

/* RUN/work, or the folder of a part. */
typedef struct place {
    const char *folder;
    psb_part part;
    size_t models;
    name_set failed;
} place;

typedef struct look {
    psb_parts parts;
    place *places; /* the first is RUN/work */
    size_t nplaces;
    psb_buffer lines; /* memory of status->lines */
    psb_run_status *status;
    const psb_added *added;
} look;

static uint64_t *hashes_of(const name_set *set) {
    return (uint64_t *)(void *)set->buffer.data;
}

static psb_status add(name_set *set, uint64_t hash, psb_error *error) {
    psb_status status = psb_buffer_grow(&set->buffer, set->count + 1, sizeof hash, "names", error);
    if (status == PSB_OK) {
        hashes_of(set)[set->count++] = hash;
    }
    return status;
}

static int by_value(const void *a, const void *b) {
    uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
    return (p > q) - (p < q);
}

static void settle(name_set *set) {
    uint64_t *hash = hashes_of(set);
    size_t kept = 0;
    psb_sort(hash, set->count, sizeof *hash, by_value);
    for (size_t i = 0; i < set->count; i++) {
        if (kept == 0 || hash[kept - 1] != hash[i]) {
            hash[kept++] = hash[i];
        }
    }
    set->count = kept;
}

static bool has(const name_set *set, uint64_t hash) {
    return set->count > 0 &&
           bsearch(&hash, set->buffer.data, set->count, sizeof hash, by_value) != NULL;
}

/* True unless the first record, "NAME revision N", says that another revision made the rows. */
static bool is_of_today(const psb_added *added, const psb_chunk *head) {
    char line[128];
    size_t length = head->payload_length < sizeof line ? head->payload_length : sizeof line - 1;
    memcpy(line, head->payload, length);
    line[length] = '\0';
    line[strcspn(line, "\n")] = '\0';
    unsigned own = psb_spec_revision(added, line);
    const char *number = strrchr(line, ' ');
    int64_t made = 0;
    return own == 0 ||
           (number != NULL && psb_parse_int64(number + 1, &made) && made == (int64_t)own);
}

/* Adds the names of all sound rows that belong to the part. */
static psb_status add_rows(const psb_added *added, const char *folder, const char *stem,
                           const psb_part *part, name_set *set, psb_error *error) {
    PSB_AT_END(psb_input_close) psb_input file = PSB_NO_INPUT;
    psb_status status = PSB_OK;
    PSB_FREED char *path = psb_new_format(&status, error, "%s/%s.rows", folder, stem);
    PSB_THEN(status, psb_input_open_if_there(path, &file, error));
    psb_chunk chunk;
    size_t offset = 0, start, damage = SIZE_MAX;
    bool counts = false;
    while (status == PSB_OK &&
           psb_chunk_next(file.data, file.size, &offset, &start, &damage, &chunk)) {
        uint64_t hash = XXH64(chunk.name, chunk.name_length, 0);
        if (chunk.name_length == 0) {
            counts = is_of_today(added, &chunk);
        } else if (part->count > 0 && hash % part->count != part->index) {
            continue;
        } else if (counts) {
            status = add(set, hash, error);
        } else {
            set->older++;
        }
    }
    return status;
}

/* ---- counting rows ---------------------------------------------------------------------- */

static int is_rows(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && dot != entry->d_name && strcmp(dot, ".rows") == 0;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static psb_status add_descriptors(psb_run_status *status_of, const char *folder, psb_error *error) {
    PSB_FREED struct dirent **entries = NULL;
    int found = scandir(folder, &entries, is_rows, NULL);
    if (found < 0) {
        return psb_fail_errno(error, folder, "list");
    }
    psb_status status = PSB_OK;
    for (int i = 0; i < found; i++) {
        const char *name = entries[i]->d_name;
        char *stem = psb_new_text(&status, name, strlen(name) - 5, "a descriptor", error);
        bool known = false;
        for (size_t d = 0; d < status_of->ndescriptors && stem != NULL; d++) {
            known = known || strcmp(status_of->descriptors[d], stem) == 0;
        }
        PSB_ROOM(&status, status_of->descriptors, status_of->ndescriptors,
                 status_of->descriptors_room, "descriptors", error);
        if (status == PSB_OK && !known) {
            status_of->descriptors[status_of->ndescriptors++] = stem;
        } else {
            free(stem);
        }
        free(entries[i]);
    }
    return status;
}

static psb_status add_failed(place *p, char *const *names, size_t count, psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t k = 0; k < count && status == PSB_OK; k++) {
        status = add(&p->failed, XXH64(names[k], strlen(names[k]), 0), error);
    }
    settle(&p->failed);
    return status;
}

/* Counts models in use and failed, if the run has written models.cla; models without a file are not
 * counted. */
static psb_status count_models(const char *run, size_t failed, size_t *listed, psb_error *error) {
    PSB_FREED char *path = NULL;
    psb_classification cla;
    bool there = false;
    psb_status status = psb_path_join(&path, run, "models.cla", error);
    PSB_THEN(status, psb_file_is_there(path, &there, error));
    if (there) {
        status = psb_cla_read(path, &cla, error);
        *listed = status == PSB_OK ? cla.nmodels + failed : *listed;
        psb_cla_free(&cla);
    }
    return status;
}

/* Appends the names that failures.tsv of a folder has, unless they are there. */
static psb_status add_names(const char *folder, bool no_file, char ***names, size_t *count,
                            size_t *room, psb_error *error) {
    char **more = NULL;
    size_t nmore = 0;
    psb_status status = psb_failed_names(folder, no_file, &more, &nmore, error);
    for (size_t k = 0; k < nmore; k++) {
        PSB_ROOM(&status, *names, *count, *room, "names", error);
        if (status == PSB_OK && more[k] != NULL) {
            (*names)[(*count)++] = more[k];
        } else {
            free(more[k]);
        }
    }
    free(more);
    psb_sort(*names, *count, sizeof **names, by_text);
    size_t kept = 0;
    for (size_t k = 0; k < *count; k++) {
        if (kept == 0 || strcmp((*names)[kept - 1], (*names)[k]) != 0) {
            (*names)[kept++] = (*names)[k];
        } else {
            free((*names)[k]);
        }
    }
    *count = kept;
    return status;
}

/* Adds the models of a folder, the run's or a part's, that have no rows. */
static psb_status add_lost(psb_run_status *s, const char *folder, psb_error *error) {
    psb_status status = add_names(folder, false, &s->failed, &s->nfailed, &s->failed_room, error);
    return PSB_THEN(status, add_names(folder, true, &s->without_file, &s->nwithout_file,
                                      &s->without_file_room, error));
}

/* Opens the whole run; its files, or any part, say how many models it has. */
static psb_status open_whole(look *l, const char *run, const char *work, psb_error *error) {
    PSB_AT_END(psb_ledger_free) psb_ledger ledger = {0};
    psb_run_status *s = l->status;
    l->places[0] = (place){.folder = work};
    psb_status status = psb_ledger_open(run, false, &ledger, error);
    s->listed = ledger.list.count;
    PSB_THEN(status, add_lost(s, run, error));
    PSB_THEN(status, add_failed(&l->places[0], s->failed, s->nfailed, error));
    return PSB_THEN(status, count_models(run, s->nfailed, &s->listed, error));
}

static psb_status open_places(look *l, const char *run, const char *work, psb_error *error) {
    psb_status status = psb_parts_open(run, &l->parts, error);
    l->places = psb_new_zero(&status, l->parts.count + 1, sizeof *l->places, "parts", error);
    PSB_THEN(status, open_whole(l, run, work, error));
    PSB_THEN(status, add_descriptors(l->status, work, error));
    l->nplaces = l->places != NULL ? 1 : 0;
    for (size_t i = 0; i < l->parts.count && status == PSB_OK; i++) {
        const psb_part_left *left = &l->parts.list[i];
        place *p = &l->places[l->nplaces++];
        *p = (place){.folder = left->folder, .part = left->part, .models = left->models};
        status = add_failed(p, left->failed, left->nfailed, error);
        PSB_THEN(status, add_failed(&l->places[0], left->failed, left->nfailed, error));
        PSB_THEN(status, add_lost(l->status, left->folder, error));
        PSB_THEN(status, add_descriptors(l->status, left->folder, error));
        if (l->status->listed < left->listed) {
            l->status->listed = left->listed;
        }
    }
    return status;
}

/* ---- lines -------------------------------------------------------------------------------- */

/* Counts how many of `models` have rows, failed, or are missing. */
static void count(psb_status_line *line, size_t models, name_set *rows, const name_set *failed) {
    settle(rows);
    line->there = rows->count;
    line->older = rows->older;
    for (size_t k = 0; k < failed->count; k++) {
        line->failed += !has(rows, hashes_of(failed)[k]);
    }
    size_t known = line->there + line->failed;
    line->missing = models > known ? models - known : 0;
    line->state = line->missing == 0 ? PSB_PART_WHOLE : PSB_PART_STOPPED;
}

static void look_at_lock(const place *p, psb_status_line *line) {
    PSB_AT_END(psb_text_free) psb_text path = {0};
    psb_text_printf(&path, "%s/.lock", p->folder);
    if (!path.failed && psb_lock_is_taken(path.data, line->holder)) {
        line->state = PSB_PART_AT_WORK;
    }
}

static psb_status add_line(look *l, size_t d, const psb_part *part, psb_error *error) {
    psb_run_status *s = l->status;
    psb_status status =
        psb_buffer_grow(&l->lines, s->nlines + 1, sizeof *s->lines, "a status", error);
    s->lines = l->lines.data;
    if (status == PSB_OK) {
        s->lines[s->nlines++] = (psb_status_line){
            .descriptor = s->descriptors[d], .part = *part, .state = PSB_PART_NEVER_BEGUN};
    }
    return status;
}

/* Adds lines for parts first ... end - 1 of a division, which have left nothing. */
static psb_status add_absent(look *l, size_t d, size_t first, size_t end, size_t count_of,
                             psb_error *error) {
    psb_status status = PSB_OK;
    for (size_t i = first; i < end && status == PSB_OK; i++) {
        status = add_line(l, d, &(psb_part){i, count_of}, error);
    }
    return status;
}

/* Adds the line of a part that left something, after lines of the absent parts before it; after the
 * last part of a division also lines of the absent parts that follow. */
static psb_status add_part(look *l, size_t d, size_t at, name_set *all, psb_error *error) {
    const place *p = &l->places[at], *before = &l->places[at - 1];
    const char *stem = l->status->descriptors[d];
    bool first = before->part.count != p->part.count;
    bool last = at + 1 == l->nplaces || l->places[at + 1].part.count != p->part.count;
    name_set rows = {0};
    psb_status status = add_rows(l->added, p->folder, stem, &(psb_part){0, 0}, &rows, error);
    for (size_t k = 0; k < rows.count && status == PSB_OK; k++) {
        status = add(all, hashes_of(&rows)[k], error);
    }
    all->older += rows.older;
    PSB_THEN(status, add_rows(l->added, l->places[0].folder, stem, &p->part, &rows, error));
    PSB_THEN(status, add_absent(l, d, first ? 0 : before->part.index + 1, p->part.index,
                                p->part.count, error));
    PSB_THEN(status, add_line(l, d, &p->part, error));
    if (status == PSB_OK) {
        psb_status_line *line = &l->status->lines[l->status->nlines - 1];
        count(line, p->models, &rows, &p->failed);
        look_at_lock(p, line);
    }
    PSB_THEN_IF(status, last,
                add_absent(l, d, p->part.index + 1, p->part.count, p->part.count, error));
    psb_buffer_free(&rows.buffer);
    return status;
}

static psb_status add_descriptor(look *l, size_t d, psb_error *error) {
    const psb_part whole = {0, 0};
    name_set all = {0};
    size_t at = l->status->nlines;
    psb_status status = add_line(l, d, &whole, error);
    PSB_THEN(status, add_rows(l->added, l->places[0].folder, l->status->descriptors[d], &whole,
                              &all, error));
    for (size_t p = 1; p < l->nplaces && status == PSB_OK; p++) {
        status = add_part(l, d, p, &all, error);
    }
    if (status == PSB_OK) {
        count(&l->status->lines[at], l->status->listed, &all, &l->places[0].failed);
    }
    psb_buffer_free(&all.buffer);
    return status;
}

psb_status psb_run_status_read(const psb_added *added, const char *run, psb_run_status *status_of,
                               psb_error *error) {
    *status_of = (psb_run_status){0};
    look l = {.status = status_of, .added = added};
    PSB_FREED char *work = NULL;
    psb_status status = psb_path_join(&work, run, "work", error);
    if (status == PSB_OK && !psb_is_folder(work)) {
        status = psb_fail_at(
            error, PSB_ERROR_IO, work, 0,
            psb_is_run(run)
                ? "no such folder, so no rows are left to count; "
                  "`psbench verify` looks at the run's results"
                : "no such folder: not the folder of a run, as `psbench run -o RUN` makes it");
    }
    PSB_THEN(status, open_places(&l, run, work, error));
    if (status == PSB_OK && status_of->ndescriptors > 0) {
        qsort(status_of->descriptors, status_of->ndescriptors, sizeof *status_of->descriptors,
              by_text);
    }
    for (size_t d = 0; d < status_of->ndescriptors && status == PSB_OK; d++) {
        status = add_descriptor(&l, d, error);
    }
    for (size_t p = 0; p < l.nplaces; p++) {
        psb_buffer_free(&l.places[p].failed.buffer);
    }
    free(l.places);
    psb_parts_free(&l.parts);
    if (status != PSB_OK) {
        psb_run_status_free(status_of);
    }
    return status;
}

void psb_run_status_free(psb_run_status *status) {
    psb_free_texts(status->descriptors, status->ndescriptors);
    psb_free_texts(status->failed, status->nfailed);
    psb_free_texts(status->without_file, status->nwithout_file);
    free(status->lines);
    *status = (psb_run_status){0};
}
