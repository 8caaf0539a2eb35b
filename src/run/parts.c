/* Makes the folders of parts, finds them again, and removes them. */
#include "run/parts.h"

#include "core/file.h"
#include "core/number.h"
#include "proof/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

static const char header[] = "part.tsv", failures[] = "failures.tsv";
enum { HEADER_MOST = 4096 };

/* ---- one's own ---------------------------------------------------------------------------- */

static psb_status write_header(const psb_part_home *home, size_t models, size_t listed,
                               psb_error *error) {
    PSB_FREED char *path = NULL;
    psb_text text = {0};
    psb_text_printf(&text, "program\t%s\nmodels\t%zu\nlisted\t%zu\n", PSB_VERSION, models, listed);
    psb_status status = psb_path_join(&path, home->folder.data, header, error);
    status = psb_write_text(status, path, &text, error);
    return status;
}

psb_status psb_part_begin(const char *run, const psb_part *part, size_t models, size_t listed,
                          const psb_observer *observer, psb_part_home *home, psb_error *error) {
    psb_text_printf(&home->folder, "%s/work/part-%zu-of-%zu", run, part->index, part->count);
    psb_status status = psb_text_status(&home->folder, error);
    PSB_THEN(status, psb_run_folder_share(run, observer, &home->shared, error));
    PSB_THEN(status, psb_run_folder_open(home->folder.data, observer, &home->own, error));
    return status == PSB_OK ? write_header(home, models, listed, error) : status;
}

void psb_part_end(psb_part_home *home) {
    psb_lock_release(&home->own);
    psb_lock_release(&home->shared);
    psb_text_free(&home->folder);
}

/* ---- all of them -------------------------------------------------------------------------- */

/* Finds the line "KEY\tVALUE" and copies the value; "" if there is none. */
static void read_value(const psb_input *file, const char *key, char *value, size_t room) {
    size_t length = strlen(key);
    const char *at = file->data, *end = at + file->size, *line, *stop;
    value[0] = '\0';
    while (psb_next_line(&at, end, &line, &stop)) {
        if ((size_t)(stop - line) > length && memcmp(line, key, length) == 0 &&
            line[length] == '\t') {
            snprintf(value, room, "%.*s", (int)(stop - line - (ptrdiff_t)length - 1),
                     line + length + 1);
            psb_text_hide_controls(value);
            return;
        }
    }
}

static size_t read_count(const psb_input *file, const char *key) {
    char text[32];
    int64_t number;
    read_value(file, key, text, sizeof text);
    return psb_parse_int64(text, &number) && number >= 0 ? (size_t)number : 0;
}

/* Reads part.tsv, which a part that was killed early has not written. */
static psb_status read_header(psb_part_left *part, psb_error *error) {
    PSB_FREED char *path = NULL;
    psb_input file;
    psb_status status = psb_path_join(&path, part->folder, header, error);
    if (status == PSB_OK && psb_input_open(path, &file, NULL) == PSB_OK) {
        if (file.size <= HEADER_MOST) {
            read_value(&file, "program", part->program, sizeof part->program);
            part->models = read_count(&file, "models");
            part->listed = read_count(&file, "listed");
        }
        psb_input_close(&file);
    }
    return status;
}

psb_status psb_failed_names(const char *folder, bool no_file, char ***names, size_t *count,
                            psb_error *error) {
    PSB_FREED char *path = NULL;
    PSB_AT_END(psb_input_close) psb_input file = PSB_NO_INPUT;
    size_t lines = 0;
    *names = NULL;
    *count = 0;
    psb_status status = psb_path_join(&path, folder, failures, error);
    PSB_THEN(status, psb_input_open_if_there(path, &file, error));
    for (size_t i = 0; i < file.size; i++) {
        lines += file.data[i] == '\n';
    }
    *names = psb_new_zero(&status, lines, sizeof **names, "names", error);
    const char *at = file.data, *end = at + file.size, *line, *stop;
    while (status == PSB_OK && psb_next_line(&at, end, &line, &stop)) {
        const char *tab = stop < end ? memchr(line, '\t', (size_t)(stop - line)) : NULL;
        /* The first line has the columns' names; that of a model without a file no path. */
        if (tab != NULL && line != file.data && (tab[1] == '\t') == no_file) {
            (*names)[(*count)++] =
                psb_new_text(&status, line, (size_t)(tab - line), "a name", error);
        }
    }
    return status;
}

static bool parse_folder(const char *name, psb_part *part) {
    char text[64];
    const char *of = strncmp(name, "part-", 5) == 0 ? strstr(name, "-of-") : NULL;
    if (of == NULL || strlen(name) >= sizeof text) {
        return false;
    }
    snprintf(text, sizeof text, "%.*s/%s", (int)(of - name - 5), name + 5, of + 4);
    return psb_part_parse(text, part, NULL) == PSB_OK;
}

static int is_part(const struct dirent *entry) {
    psb_part part;
    return parse_folder(entry->d_name, &part);
}

static int by_number(const void *a, const void *b) {
    const psb_part *p = &((const psb_part_left *)a)->part, *q = &((const psb_part_left *)b)->part;
    int count = (p->count > q->count) - (p->count < q->count);
    return count != 0 ? count : (p->index > q->index) - (p->index < q->index);
}

static psb_status open_part(const char *work, const char *name, psb_part_left *part,
                            psb_error *error) {
    parse_folder(name, &part->part);
    psb_status status = psb_path_join(&part->folder, work, name, error);
    PSB_THEN(status, read_header(part, error));
    return status == PSB_OK
               ? psb_failed_names(part->folder, false, &part->failed, &part->nfailed, error)
               : status;
}

psb_status psb_parts_open(const char *run, psb_parts *parts, psb_error *error) {
    *parts = (psb_parts){0};
    PSB_FREED char *work = NULL;
    PSB_FREED struct dirent **entries = NULL;
    psb_status status = psb_path_join(&work, run, "work", error);
    int found = status == PSB_OK ? scandir(work, &entries, is_part, NULL) : 0;
    if (found < 0 && errno != ENOENT) {
        status = psb_fail_errno(error, work, "list");
    }
    size_t count = found > 0 ? (size_t)found : 0;
    parts->list = psb_new_zero(&status, count, sizeof *parts->list, "parts", error);
    parts->folders = psb_new_zero(&status, count, sizeof *parts->folders, "parts", error);
    for (size_t i = 0; i < count; i++) {
        PSB_THEN(status, open_part(work, entries[i]->d_name, &parts->list[parts->count++], error));
        free(entries[i]);
    }
    if (status == PSB_OK && count > 0) {
        qsort(parts->list, count, sizeof *parts->list, by_number);
    }
    for (size_t i = 0; status == PSB_OK && i < count; i++) {
        parts->folders[i] = parts->list[i].folder;
    }
    return status;
}

void psb_parts_free(psb_parts *parts) {
    for (size_t i = 0; i < parts->count; i++) {
        psb_part_left *part = &parts->list[i];
        psb_free_texts(part->failed, part->nfailed);
        free(part->folder);
    }
    free(parts->list);
    free(parts->folders);
    *parts = (psb_parts){0};
}

psb_status psb_parts_failed(const psb_parts *parts, psb_names *names, psb_error *error) {
    size_t count = 0;
    for (size_t i = 0; i < parts->count; i++) {
        count += parts->list[i].nfailed;
    }
    psb_status status = psb_names_reserve(names, count, error);
    for (size_t i = 0; i < parts->count && status == PSB_OK; i++) {
        for (size_t k = 0; k < parts->list[i].nfailed; k++) {
            psb_names_add(names, parts->list[i].failed[k], k);
        }
    }
    return status;
}

/* ---- removing ----------------------------------------------------------------------------- */

static psb_status remove_file(const char *folder, const char *name, psb_error *error) {
    PSB_FREED char *path = NULL;
    psb_status status = psb_path_join(&path, folder, name, error);
    return PSB_THEN(status, psb_remove(path, 0, error));
}

static int is_rows(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && strcmp(dot, ".rows") == 0;
}

/* True if the folder has rows, or cannot be listed. */
static bool has_rows(const char *folder) {
    struct dirent **entries;
    int count = scandir(folder, &entries, is_rows, NULL);
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
    return count != 0;
}

psb_status psb_parts_remove(const psb_parts *parts, psb_spec *const *specs, size_t nspecs,
                            psb_error *error) {
    static const char *const rest[] = {header, failures, ".lock"};
    psb_status status = PSB_OK;
    for (size_t i = 0; i < parts->count && status == PSB_OK; i++) {
        const char *folder = parts->folders[i];
        status = psb_remove_temporaries(folder, error);
        for (size_t s = 0; s < nspecs && status == PSB_OK; s++) {
            char name[sizeof specs[s]->label.stem + 8];
            snprintf(name, sizeof name, "%s.rows", specs[s]->label.stem);
            status = remove_file(folder, name, error);
        }
        bool empty = status == PSB_OK && !has_rows(folder);
        for (size_t k = 0; empty && k < sizeof rest / sizeof rest[0] && status == PSB_OK; k++) {
            status = remove_file(folder, rest[k], error);
        }
        PSB_THEN_IF(status, empty, psb_remove(folder, AT_REMOVEDIR, error));
    }
    return status;
}
